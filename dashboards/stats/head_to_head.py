"""Head-to-head results of each two players, over all tables at which both sat."""

from typing import Final

import polars as pl

from dashboards.stats.claims import HEAD_TO_HEAD
from dashboards.stats.differences import with_holm_over_pairs
from dashboards.stats.intervals import shares
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.resampling import flip_tests

__all__ = ["head_to_head"]

SEATS: Final = ["players", "seat", "facing"]


def head_to_head(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return one row for each two players that met, in both directions, sorted by them.

    `player, other, pairs, groups, better_share` and its bounds: the share of the pairs of their seats at one table in
    which `player` finished ahead of `other`; a shared place counts half. `better_share_p`: the probability between
    equals of so large a difference from the usual share in their seats (`resampling.flip_tests`). `better_share_holm`:
    the same, corrected for all the pairs of players in the table.

    A player in rotation always sits before the same other, and in most games that matters. So the usual share is that
    of the one seat finishing ahead of the other, with any players in them (indirect standardisation, as for seats:
    Rothman, Greenland, Lash 2008, Modern Epidemiology, chapter 3). It is ½ if no other two sat so.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.select("match", "player", "place", "kept", "players", "seat")
    others = rows.select("match", other="player", behind="place", facing="seat")
    every = rows.join(others, on="match").filter(pl.col("player") != pl.col("other"))
    better = (pl.col("place") < pl.col("behind")) + (pl.col("place") == pl.col("behind")) / 2
    every = every.with_columns(better.cast(pl.Float64).alias("better"))
    met = every.join(_usual(lineups, every), on=SEATS).filter("kept")
    met = met.with_columns((pl.col("better") - pl.col("usual")).alias("beyond"))
    by = ["player", "other"]
    found = shares(lineups.sums(met, by, "better"), by, "better_share", "pairs")
    keys, _, beyond = lineups.by_group(met, by, "beyond")
    tests = keys.with_columns(pl.Series("better_share_p", flip_tests(beyond), pl.Float64))
    found = found.join(tests, on=by).sort(by)
    return with_holm_over_pairs(found, "better_share", HEAD_TO_HEAD)


def _usual(lineups: Lineups, every: pl.DataFrame) -> pl.DataFrame:
    """Return for each two seats of a table size the share of matches in which the first finishes ahead of the other."""
    pair = pl.concat_list(pl.min_horizontal("player", "other"), pl.max_horizontal("player", "other"))
    several = every.group_by(SEATS).agg((pair.n_unique() > 1).alias("several"))
    usual = pl.when("several").then(pl.col("total") / pl.col("trials")).otherwise(0.5).alias("usual")
    return lineups.sums(every, SEATS, "better").join(several, on=SEATS).select(*SEATS, usual)
