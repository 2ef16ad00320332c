"""Two players who met the same luck, compared luck by luck.

Duplicate matches take the luck out: what the dice gave, they gave to both. So the difference is taken within each luck
group, and the groups, not the matches, are the trials (the paired t interval: Student 1908, "The probable error of a
mean", Biometrika 6).
"""

from math import sqrt
from typing import Final, Literal

import polars as pl

from dashboards.stats.head_to_head import with_holm_over_pairs
from dashboards.stats.intervals import mean_intervals, t_quantile
from dashboards.stats.results import scored

__all__ = ["Score", "paired", "paired_by_luck"]

Score = Literal["win", "beaten"]
"""What is compared: wins (shared ones in parts), or the share of the others at the table that a seat came before."""
PAIR: Final = ["player", "other"]


def paired_by_luck(results: pl.DataFrame, player: str, other: str, score: Score = "beaten") -> pl.DataFrame:
    """Return `group, luck_difference`, one row per luck that both met: mean score of `player` less that of `other`."""
    found = _differences(_means(scored(results), score))
    return found.filter((pl.col("player") == player) & (pl.col("other") == other)).select("group", "luck_difference")


def paired(results: pl.DataFrame, score: Score = "beaten") -> pl.DataFrame:
    """Return one row for each two players with a luck in common, in both directions, sorted by them.

    `player, other, groups, paired_difference` and its bounds: the mean of `luck_difference`. `_p` and `_holm`: how
    likely so large a one is between equals, alone and among all pairs. `narrowing`: how many times as wide the
    interval is if every match is taken for one of its own luck; below 1, pairing has made it wider. `worth` is its
    square: as many times as many matches would have been needed without the same luck.
    """
    rows = scored(results)
    differences = _differences(_means(rows, score))
    found = mean_intervals(differences, PAIR, "luck_difference", "paired_difference")
    found = found.join(_unpaired_errors(rows, differences, score), on=PAIR, how="left", maintain_order="left")
    width = pl.col("paired_difference_high") - pl.col("paired_difference_low")
    ratio = pl.when((width > 0) & width.is_finite()).then(pl.col("unpaired_width") / width)
    found = found.with_columns(ratio.alias("narrowing")).with_columns((pl.col("narrowing") ** 2).alias("worth"))
    return with_holm_over_pairs(found.drop("unpaired_width"), "paired_difference")


def _means(rows: pl.DataFrame, score: Score) -> pl.DataFrame:
    return rows.group_by("group", "player").agg(pl.col(score).mean().alias("mean"), pl.len().alias("seats"))


def _differences(means: pl.DataFrame) -> pl.DataFrame:
    """Return `player, other, group, luck_difference, seats` in both directions; `seats` are those of `player`."""
    theirs = means.select("group", other="player", theirs="mean")
    both = means.join(theirs, on="group").filter(pl.col("player") != pl.col("other"))
    return both.select(*PAIR, "group", "seats", "mean", (pl.col("mean") - pl.col("theirs")).alias("luck_difference"))


def _unpaired_errors(rows: pl.DataFrame, differences: pl.DataFrame, score: Score) -> pl.DataFrame:
    """Return `player, other, unpaired_width`: of the interval if the matches were independent trials.

    Each seat moves the difference by (its score − the mean of its player) / (groups · seats of the player in the
    group), the other player's with the sign turned; what the seats of one match do together is one trial.
    """
    mine = differences.with_columns(
        pl.col("mean").mean().over(PAIR).alias("middle"), pl.len().over(PAIR).alias("groups")
    ).drop("luck_difference", "mean")
    seats = rows.select("match", "group", "player", score)
    moved = ((pl.col(score) - pl.col("middle")) / (pl.col("groups") * pl.col("seats"))).alias("moved")
    plus = mine.join(seats, on=["group", "player"]).select(*PAIR, "match", moved)
    minus = plus.select(pl.col("other").alias("player"), pl.col("player").alias("other"), "match", -pl.col("moved"))
    trials = pl.concat([plus, minus]).group_by(*PAIR, "match").agg(pl.col("moved").sum())
    sums = trials.group_by(PAIR).agg(pl.len().alias("n"), pl.col("moved").pow(2).sum().alias("squares")).sort(PAIR)
    widths = [
        2 * t_quantile(n) * sqrt(n / (n - 1) * squares) if n > 1 else None
        for n, squares in sums.select("n", "squares").iter_rows()
    ]
    return sums.select(*PAIR, pl.Series("unpaired_width", widths, dtype=pl.Float64))
