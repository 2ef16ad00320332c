"""Tournaments that were looked at before they ended; intervals and p-values for one look do not account for that."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Looks", "said_of_looks"]


@dataclass(frozen=True, slots=True)
class Looks:
    """A tournament that was extended, after so many matches each time, or ended by a sequential test."""

    tournament: str
    extended: tuple[int, ...] = ()
    until_decided: bool = False

    def __str__(self) -> str:
        after = " and ".join(f"{number:,}" for number in self.extended)
        parts = (
            [f"was extended after {after} {'match' if self.extended == (1,) else 'matches'}"] if self.extended else []
        )
        if self.until_decided:
            parts.append("was looked at after each seed until a sequential test decided")
        return f"{self.tournament} {' and '.join(parts)}"


def said_of_looks(looks: Sequence[Looks]) -> str:
    """Return a sentence, without its end, on the effect on the figures; empty if there were no earlier looks."""
    if not looks:
        return ""
    said = "; ".join(map(str, looks))
    decided = "; the verdict of the test holds at any time" if any(look.until_decided for look in looks) else ""
    return f"{said}: intervals and p-values, which assume a single look, are too optimistic{decided}"
