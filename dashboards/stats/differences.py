"""By how much one player scores more than another, over what the two have in common.

What is alike for both is compared: the seeds that both met, or the tables at which both sat if matches have seeds of
their own; two who have nothing in common are compared over all their matches.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import numpy as np
import polars as pl

from dashboards.stats.claims import WINS, corrected
from dashboards.stats.intervals import DIFFERENCE, ROUNDING, clipped, mean_test, t_quantile, unvaried
from dashboards.stats.lineups import Lineups
from dashboards.stats.resampling import flip_tests, swap_tests

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Ground", "Pair", "Score", "Side", "difference_of", "differences", "with_holm_over_pairs"]

Score = Literal["win", "beaten"]
"""The score that is compared: wins (shared ones in parts), or the share of opponents a seat finished ahead of."""
Pair = tuple[str, str]
Ground = Literal["luck", "table", "matches"]
"""What a difference rests on: seeds that both met, tables at which both sat, or matches with nothing in common."""
ENDS: Final = ("", "_low", "_high", "_p")


def differences(lineups: Lineups, pairs: Iterable[Pair], score: Score, name: str) -> pl.DataFrame:
    """Return `player, other, ground, groups, {name}` with its bounds and `_p`, one row for each pair, in their order.

    The difference of mean scores over kept seats. Its interval is that of t over seeds, linearised: e = (x − mean · n)
    / Σn of the one less that of the other in a seed, the variance G/(G−1) · Σ e² (Cochran 1977, section 6.3, for a
    difference of two ratios), with Welch's degrees of freedom if they have no seed in common. Tested (`resampling.py`)
    by changing signs in the seeds that both met, or by exchanging whose seeds they are.
    """
    pairs = list(pairs)
    sides = {player: Side.of(lineups, player, score) for player in {name for pair in pairs for name in pair}}
    found = [difference_of(lineups, sides[player], sides[other]) for player, other in pairs]
    frame = pl.DataFrame(
        [(*pair, *row) for pair, row in zip(pairs, found, strict=True)],
        schema={
            **dict.fromkeys(("player", "other", "ground"), pl.String),
            "groups": pl.Int64,
            **{f"{name}{end}": pl.Float64 for end in ENDS},
        },
        orient="row",
    )
    return clipped(unvaried(frame, name), name, DIFFERENCE)


def with_holm_over_pairs(frame: pl.DataFrame, name: str, share: float = WINS) -> pl.DataFrame:
    """Add `{name}_holm` to a frame of pairs, in one direction or in both, which are one comparison.

    Corrected by Holm over all pairs, and for the `share` of the risk of a report that the figure has (`claims.py`).
    """
    ends = {"first": pl.min_horizontal("player", "other"), "second": pl.max_horizontal("player", "other")}
    both = frame.with_columns(**ends)
    pairs = both.group_by(*ends).agg(pl.col(f"{name}_p").max().alias("p")).sort(*ends)
    pairs = pairs.with_columns(pl.Series(f"{name}_holm", corrected(pairs["p"].to_list(), share), pl.Float64))
    return both.join(pairs.drop("p"), on=list(ends), how="left", maintain_order="left").drop(*ends)


@dataclass(frozen=True, slots=True)
class Side:
    """Of one player: seats and summed score in each group, as much as each seat counts."""

    n: "NDArray[np.float64]"
    x: "NDArray[np.float64]"

    @classmethod
    def of(cls, lineups: Lineups, player: str, score: Score, only: "NDArray[np.bool_] | None" = None) -> Self:
        """Return the side of a player's kept seats, in some of the lineups."""
        seats = lineups.seats.filter((pl.col("player") == player) & pl.col("kept"))
        at, values, weights = (seats[name].to_numpy() for name in ("match", score, "weight"))
        n = np.bincount(at, weights=weights, minlength=lineups.count)
        x = np.bincount(at, weights=weights * values, minlength=lineups.count)
        if only is not None:
            n, x = np.where(only, n, 0), np.where(only, x, 0)
        met: Any = lineups.met()
        return cls(met @ n, met @ x)

    def within(self, groups: "NDArray[np.bool_]") -> "Side":
        """Return the side in some groups."""
        return Side(np.where(groups, self.n, 0), np.where(groups, self.x, 0))

    @property
    def mean(self) -> float:
        """Return the mean score."""
        return float(self.x.sum() / self.n.sum())

    def moved(self, mean: float) -> "NDArray[np.float64]":
        """Return by how much each group moves the mean away from another."""
        found: NDArray[np.float64] = (self.x - mean * self.n) / self.n.sum()
        return found


def difference_of(lineups: Lineups, one: Side, other: Side) -> tuple[Ground, int, float, float, float, float]:
    """Return ground, groups, difference, its bounds and p, of two who have seats both."""
    common = (one.n > 0) & (other.n > 0)
    together = int(common.sum()) > 1
    if together:
        one, other = one.within(common), other.within(common)
    met = (one.n > 0) | (other.n > 0)
    groups = int(met.sum())
    moved = one.moved(one.mean) - other.moved(other.mean)
    difference, low, high, p = mean_test(1, one.mean - other.mean, groups, float((moved**2).sum()))
    if together:
        mean = float((one.x.sum() + other.x.sum()) / (one.n.sum() + other.n.sum()))
        p = float(flip_tests((one.moved(mean) - other.moved(mean))[met, None] * groups)[0])
        ground: Ground = "luck" if lineups.groups < len(lineups.lineup) else "table"
        return ground, groups, difference, low, high, p
    if not common.any():
        low, high = _apart(difference, one, other) or (low, high)
    swapped = None if common.any() else swap_tests((one.n, one.x), (other.n, other.x))
    return "matches", groups, difference, low, high, p if swapped is None else max(p, swapped)


def _apart(difference: float, one: Side, other: Side) -> tuple[float, float] | None:
    """Return the interval of a difference over seeds of their own; none if one of the two has a single seed.

    Each has its own variance, so t has Welch's degrees of freedom (Welch 1947, Biometrika 34).
    """
    counts = [int((side.n > 0).sum()) for side in (one, other)]
    if min(counts) < 2:
        return None
    pairs = zip((one, other), counts, strict=True)
    parts = [count / (count - 1) * float((side.moved(side.mean) ** 2).sum()) for side, count in pairs]
    if sum(parts) <= ROUNDING**2:
        return None
    freedom = sum(parts) ** 2 / sum(part**2 / (count - 1) for part, count in zip(parts, counts, strict=True))
    reach = t_quantile(1 + freedom) * sqrt(sum(parts))
    return difference - reach, difference + reach
