"""Layers of a map: numbers for villages, roads and regions, or how two selections differ in them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Layer", "Road", "difference_label", "per_hundred", "short"]

Road = tuple[int, int]
THOUSAND: Final = 1000
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Layer:
    """Numbers by village, by road (its two villages, the smaller first) and by region; others are not marked.

    `villages_unit` and the others name the counted things. In a difference, numbers are first selection less second,
    and `unsure` are the places in which it is not significant.
    """

    villages: Mapping[int, float] = field(default_factory=dict)
    roads: Mapping[Road, float] = field(default_factory=dict)
    regions: Mapping[int, float] = field(default_factory=dict)
    villages_unit: str = ""
    roads_unit: str = ""
    regions_unit: str = ""
    is_difference: bool = False
    unsure: AbstractSet[int | Road] = frozenset()

    def is_sure(self, place: int | Road) -> bool:
        """Return whether the number of a place is no difference, or a significant one."""
        return place not in self.unsure

    def less(self, other: "Layer", mine: float, theirs: float) -> "Layer":
        """Return the excess of this layer per 100 seats, of `mine` seats, over another of `theirs`."""
        return Layer(
            _less(self.villages, other.villages, mine, theirs),
            _less(self.roads, other.roads, mine, theirs),
            _less(self.regions, other.regions, mine, theirs),
            f"{self.villages_unit} per 100 seats",
            f"{self.roads_unit} per 100 seats",
            f"{self.regions_unit} per 100 seats",
            is_difference=True,
        )


def per_hundred(count: float, seats: float) -> float:
    """Return the numbers per 100 seats."""
    return 100 * count / seats if seats else 0.0


def short(count: float) -> str:
    """Write a count so that it fits a disc."""
    if count < 10 * THOUSAND:
        return f"{count:,.0f}"
    return f"{count / THOUSAND:.0f}k" if count < MILLION else f"{count / MILLION:.1f}M"


def difference_label(value: float) -> str:
    """Write a difference with its sign, also for readers without colours."""
    digits = 0 if abs(value) >= 10 else 1
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return "0"
    return ("+" if value > 0 else "\N{MINUS SIGN}") + text


def _less(
    mine: Mapping[Any, float], theirs: Mapping[Any, float], my_seats: float, their_seats: float
) -> dict[Any, float]:
    keys = [*mine, *(key for key in theirs if key not in mine)]
    return {key: per_hundred(mine.get(key, 0), my_seats) - per_hundred(theirs.get(key, 0), their_seats) for key in keys}
