"""Two players who met the same seed at one table, or each with the same others, compared seed by seed.

Duplicate matches take the luck out: both players get the same dice. So the difference is taken within each seed group,
and the groups, not the matches, are the trials (the paired t interval: Student 1908, "The probable error of a mean",
Biometrika 6).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.differences import Score, Tables, with_holm_over_pairs
from dashboards.stats.intervals import DIFFERENCE, ROUNDING, clipped, means, t_quantile, unvaried
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.resampling import BUNDLES, bundled, flip_tests

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["paired", "paired_by_luck"]

PAIR: Final = ["player", "other"]
SCHEMA: Final = {
    "player": pl.String,
    "other": pl.String,
    "trials": pl.Int64,
    "total": pl.Float64,
    "groups": pl.Int64,
    "residual": pl.Float64,
    "unpaired_width": pl.Float64,
}


def paired_by_luck(results: pl.DataFrame | Lineups, player: str, other: str, score: Score = "win") -> pl.DataFrame:
    """Return `group, luck_difference`, one row per seed both met: mean score of `player` less that of `other`.

    `group` is the number of the seed, in the order of seeds.
    """
    lineups = lineups_of(results)
    only = Tables(lineups).matched((player, other))
    mine, theirs = (_ByLuck(lineups, name, score, only, kept=kept) for name, kept in ((player, True), (other, False)))
    both = np.flatnonzero((mine.seats > 0) & (theirs.seats > 0))
    return pl.DataFrame(
        {"group": both, "luck_difference": (mine.mean - theirs.mean)[both]},
        schema={"group": pl.Int64, "luck_difference": pl.Float64},
    )


def paired(results: pl.DataFrame | Lineups, score: Score = "win", *, of_matches: bool = False) -> pl.DataFrame:
    """Return one row for each two players with a seed in common, in both directions, sorted by them.

    A common seed is one on which both sat at one table, or each with the same others (`differences.py`). For kinds of
    matches (`of_matches`) it is any seed that both have.

    `player, other, groups, paired_difference` and its bounds: the mean of `luck_difference`. `_p` and `_holm`: the
    probability of so large a difference between equals (`resampling.flip_tests`), alone and among all pairs.
    `narrowing` is the ratio of the interval's width with every match on a different seed to its width here; below 1,
    pairing has made it wider. `worth` is its square: the factor of matches needed without the same seed.
    """
    lineups = lineups_of(results)
    pairs = list(_pairs(lineups, score, None if of_matches else Tables(lineups)))
    sums = pl.DataFrame([pair.sums() for pair in pairs], schema=SCHEMA, orient="row")
    endless = (float("-inf"), float("inf"))  # for the width is that of the whole interval
    found = means(sums, PAIR, "paired_difference", endless).with_columns(sums["unpaired_width"])
    tests = flip_tests(np.array([pair.moved for pair in pairs]).reshape(len(pairs), min(lineups.groups, BUNDLES)).T)
    found = found.with_columns(pl.Series("paired_difference_p", tests, pl.Float64)).sort(PAIR)
    width = pl.col("paired_difference_high") - pl.col("paired_difference_low")
    ratio = pl.when((width > ROUNDING) & width.is_finite()).then(pl.col("unpaired_width") / width)
    found = found.with_columns(ratio.alias("narrowing")).with_columns((pl.col("narrowing") ** 2).alias("worth"))
    found = clipped(unvaried(found.drop("unpaired_width"), "paired_difference"), "paired_difference", DIFFERENCE)
    return with_holm_over_pairs(found, "paired_difference")


@dataclass(frozen=True, slots=True)
class _Pair:
    """Differences of two players in the seeds that both met: summed, squared, and by bundles of seeds.

    `unpaired_width` is the width of the interval if the matches were independent trials.
    """

    player: str
    other: str
    moved: "NDArray[np.float64]"
    seeds: int
    total: float
    squares: float
    unpaired_width: float | None

    def sums(self) -> tuple[object, ...]:
        """Return the row of `SCHEMA`."""
        residual = max(self.squares - self.total**2 / self.seeds, 0.0)
        return self.player, self.other, self.seeds, self.total, self.seeds, residual, self.unpaired_width


class _ByLuck:
    """One player's seats and mean score in each seed, and seats and summed score in each match."""

    def __init__(
        self, lineups: Lineups, player: str, score: Score, only: "NDArray[np.bool_] | None" = None, *, kept: bool
    ) -> None:
        rows = lineups.seats.filter((pl.col("player") == player) & (pl.col("kept") | (not kept)))
        at, values = rows["match"].to_numpy(), rows[score].to_numpy()
        counts = 1.0 if only is None else only
        self.match_seats = np.bincount(at, minlength=lineups.count)[lineups.lineup] * counts
        self.match_score = np.bincount(at, weights=values, minlength=lineups.count)[lineups.lineup] * counts
        self.seats = np.bincount(lineups.group, weights=self.match_seats, minlength=lineups.groups)
        total = np.bincount(lineups.group, weights=self.match_score, minlength=lineups.groups)
        self.mean = total / np.where(self.seats > 0, self.seats, 1)

    def moved(self, lineups: Lineups, both: "NDArray[np.bool_]") -> "NDArray[np.float64]":
        """Return by how much each match moves the mean over seeds of the player's means; 0 in others than `both`.

        Each seat moves it by (its score − that mean) / (seeds · seats of the player in the seed).
        """
        middle, seeds = self.mean[both].mean(), both.sum()
        share = np.where(both, 1 / (seeds * np.where(self.seats > 0, self.seats, 1)), 0)[lineups.group]
        found: NDArray[np.float64] = (self.match_score - middle * self.match_seats) * share
        return found


def _pairs(lineups: Lineups, score: Score, tables: Tables | None) -> Iterator[_Pair]:
    """Yield each two players who met a seed in common, in both directions."""
    names = lineups.seats["player"].unique().sort().to_list()
    kept = set(lineups.seats.filter("kept")["player"])
    whole = bool(lineups.seats["kept"].all())
    theirs = {name: _ByLuck(lineups, name, score, kept=False) for name in names}
    mine = theirs if whole else {name: _ByLuck(lineups, name, score, kept=True) for name in kept}
    for player in names:
        for other in names:
            if player == other or player not in kept or (whole and player > other):
                continue
            first, second = mine[player], theirs[other]
            both = (first.seats > 0) & (second.seats > 0)
            only = tables.matched((player, other)) if tables else None
            if only is not None and not only[both[lineups.group] & (first.match_seats + second.match_seats > 0)].all():
                first = _ByLuck(lineups, player, score, only, kept=True)
                second = _ByLuck(lineups, other, score, only, kept=False)
                both = (first.seats > 0) & (second.seats > 0)
            seeds = int(both.sum())
            if not seeds:
                continue
            difference = np.where(both, first.mean - second.mean, 0.0)
            moved = first.moved(lineups, both) - second.moved(lineups, both)
            trials = int((both[lineups.group] & (first.match_seats + second.match_seats > 0)).sum())
            error = sqrt(trials / (trials - 1) * float((moved**2).sum())) if trials > 1 else None
            width = None if error is None else 2 * t_quantile(trials) * error
            total, squares, parts = float(difference.sum()), float((difference**2).sum()), bundled(difference)
            yield _Pair(player, other, parts, seeds, total, squares, width)
            if whole:
                yield _Pair(other, player, -parts, seeds, -total, squares, width)
