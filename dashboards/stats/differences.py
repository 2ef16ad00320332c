"""By how much one player scores more than another, over what the two have in common.

Two players are compared over tables at which both sat, and tables at which each sat with the same others. If at least
two seeds are shared, only tables on these count, else all such tables. Two players without such tables are not
compared: one of them may have met only weaker opponents.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal, Self

import numpy as np
import polars as pl

from dashboards.stats.claims import WINS, corrected
from dashboards.stats.intervals import DIFFERENCE, ROUNDING, clipped, mean_test, t_quantile, unvaried
from dashboards.stats.lineups import Lineups
from dashboards.stats.resampling import flip_tests, swap_tests

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Ground", "Pair", "Score", "Side", "Tables", "difference_of", "differences", "with_holm_over_pairs"]

Score = Literal["win", "beaten"]
"""The score that is compared: wins (shared ones in parts), or the share of opponents a seat finished ahead of."""
Pair = tuple[str, str]
Ground = Literal["luck", "table", "matches"]
"""Basis of a difference: seeds that both met, tables at which both sat, or matches on different seeds."""
ENDS: Final = ("", "_low", "_high", "_p")


def differences(
    lineups: Lineups, pairs: Iterable[Pair], score: Score, name: str, *, of_matches: bool = False
) -> pl.DataFrame:
    """Return `player, other, ground, groups, {name}` with its bounds and `_p`, one row for each pair, in their order.

    The difference of mean scores over kept seats. Its interval is that of t over seeds, linearised: in a seed, one
    player's e = (x − mean · n) / Σn less the other's; the variance is G/(G−1) · Σ e² (Cochran 1977, section 6.3, for a
    difference of two ratios). Players without a common seed have Welch's degrees of freedom. The test (`resampling.py`)
    changes signs in the seeds that both met, or exchanges the seeds of the two. A pair without connecting tables has
    nulls. Sides that are kinds of matches (`of_matches`) never meet; all of their matches are compared.
    """
    tables = None if of_matches else Tables(lineups)
    found = [_row(lineups, tables, pair, score) for pair in pairs]
    frame = pl.DataFrame(
        found,
        schema={
            **dict.fromkeys(("player", "other", "ground"), pl.String),
            "groups": pl.Int64,
            **{f"{name}{end}": pl.Float64 for end in ENDS},
        },
        orient="row",
    )
    return clipped(unvaried(frame, name), name, DIFFERENCE)


def _row(lineups: Lineups, tables: "Tables | None", pair: Pair, score: Score) -> tuple[object, ...]:
    weights = tables.weights(pair) if tables else (1.0, 1.0)
    if weights is None:
        return (*pair, None, None, *(None for _ in ENDS))
    one, other = Side.of(lineups, pair[0], score, weights[0]), Side.of(lineups, pair[1], score, weights[1])
    if not (one.n.any() and other.n.any()):
        return (*pair, None, None, *(None for _ in ENDS))
    return (*pair, *difference_of(lineups, one, other))


class Tables:
    """Players of each table, and the matches in which two players can be compared."""

    def __init__(self, lineups: Lineups) -> None:
        self._lineups = lineups
        seated = lineups.seats.group_by("match").agg(pl.col("player").sort()).sort("match")["player"].to_list()
        numbers = {players: number for number, players in enumerate(dict.fromkeys(map(tuple, seated)))}
        self._tables = list(numbers)
        of_lineup = np.array([numbers[tuple(players)] for players in seated], np.int64)
        self._table = of_lineup[lineups.lineup]

    def matched(self, pair: Pair) -> "NDArray[np.bool_]":
        """Return which matches are alike for two players: both sat there, or each with the same others on one seed."""
        key, mine, theirs = self._keys(pair)
        cell = self._lineups.group * (int(key.max(initial=0)) + 1) + key
        found: NDArray[np.bool_] = (mine & np.isin(cell, cell[theirs])) | (theirs & np.isin(cell, cell[mine]))
        return found

    def weights(self, pair: Pair) -> "tuple[NDArray[np.float64], NDArray[np.float64]] | None":
        """Return the weight of each match for each of two players; `None` if nothing connects them.

        Players with fewer than two common seeds have tables with the same others, weighted so that both have the same
        mix.
        """
        matched = self.matched(pair)
        if len(np.unique(self._lineups.group[matched])) > 1:
            return matched.astype(float), matched.astype(float)
        key, *sat = self._keys(pair)
        mine, theirs = (np.bincount(key[seats], minlength=int(key.max(initial=0)) + 1) for seats in sat)
        mix = np.minimum(mine, theirs)
        if not mix.any():
            return None
        shares = [mix / np.maximum(number, 1) for number in (mine, theirs)]
        one, other = (np.where(seats, (share / share.max())[key], 0) for seats, share in zip(sat, shares, strict=True))
        return one, other

    def _keys(self, pair: Pair) -> "tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]":
        """Return, by match, a number for the others at each table of a size, and whether each of the two sat there."""
        others: dict[tuple[str, ...], int] = {}
        key = [
            others.setdefault((str(len(table)), *(player for player in table if player not in pair)), len(others))
            for table in self._tables
        ]
        one, other = (np.array([player in table for table in self._tables], dtype=bool) for player in pair)
        return np.array(key, np.int64)[self._table], one[self._table], other[self._table]


def with_holm_over_pairs(frame: pl.DataFrame, name: str, share: float = WINS) -> pl.DataFrame:
    """Add `{name}_holm` to a frame of pairs; a pair in both directions is one comparison.

    Corrected by Holm over all pairs, and for the figure's `share` of the risk of a report (`claims.py`).
    """
    ends = {"first": pl.min_horizontal("player", "other"), "second": pl.max_horizontal("player", "other")}
    both = frame.with_columns(**ends)
    pairs = both.group_by(*ends).agg(pl.col(f"{name}_p").max().alias("p")).sort(*ends)
    pairs = pairs.with_columns(pl.Series(f"{name}_holm", corrected(pairs["p"].to_list(), share), pl.Float64))
    return both.join(pairs.drop("p"), on=list(ends), how="left", maintain_order="left").drop(*ends)


@dataclass(frozen=True, slots=True)
class Side:
    """One player's seats and summed score in each group, weighted."""

    n: "NDArray[np.float64]"
    x: "NDArray[np.float64]"

    @classmethod
    def of(cls, lineups: Lineups, player: str, score: Score, weight: "NDArray[np.float64] | float" = 1.0) -> Self:
        """Return the side of a player's kept seats; each match counts by its weight."""
        seats = lineups.seats.filter((pl.col("player") == player) & pl.col("kept"))
        at, values, weights = (seats[name].to_numpy() for name in ("match", score, "weight"))
        counted = (np.bincount(at, weights=each, minlength=lineups.count) for each in (weights, weights * values))
        n, x = (
            np.bincount(lineups.group, weights=each[lineups.lineup] * weight, minlength=lineups.groups).astype(float)
            for each in counted
        )
        return cls(n, x)

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
    """Return ground, groups, difference, its bounds and p, of two sides that both have seats."""
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
    """Return the interval of a difference over different seeds; none if one of the two has a single seed.

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
