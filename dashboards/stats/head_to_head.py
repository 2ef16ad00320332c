"""Each player against each other one, wherever they sat at one table."""

import polars as pl

from dashboards.stats.claims import HEAD_TO_HEAD
from dashboards.stats.differences import with_holm_over_pairs
from dashboards.stats.intervals import shares
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.resampling import flip_tests

__all__ = ["head_to_head"]


def head_to_head(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return one row for each two players that met, in both directions, sorted by them.

    `player, other, pairs, groups, better_share` and its bounds: in which share of the pairs of their seats at one
    table `player` finished ahead of `other`; a shared place counts half. `better_share_p`: how likely so large a
    difference from ½ is between equals (`resampling.flip_tests`); `better_share_holm`: the same, corrected for all the
    pairs of players in the table.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.select("match", "player", "place", "kept")
    others = rows.select("match", other="player", behind="place")
    met = rows.filter("kept").join(others, on="match").filter(pl.col("player") != pl.col("other"))
    better = (pl.col("place") < pl.col("behind")) + (pl.col("place") == pl.col("behind")) / 2
    met = met.with_columns(better.cast(pl.Float64).alias("better"))
    by = ["player", "other"]
    found = shares(lineups.sums(met, by, "better"), by, "better_share", "pairs")
    keys, pairs, ahead = lineups.by_group(met, by, "better")
    tests = keys.with_columns(pl.Series("better_share_p", flip_tests(ahead - pairs / 2), pl.Float64))
    found = found.join(tests, on=by).sort(by)
    return with_holm_over_pairs(found, "better_share", HEAD_TO_HEAD)
