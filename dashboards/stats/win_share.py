"""How often each player wins."""

import polars as pl

from dashboards.stats.intervals import share_intervals
from dashboards.stats.results import scored

__all__ = ["win_share"]


def win_share(results: pl.DataFrame) -> pl.DataFrame:
    """Return `player, played, groups, win_share, win_share_low, win_share_high, expected_share`, best first.

    `played` counts seats: a player that sits twice at a table has played twice. `expected_share` is what it would win
    if all seats of its tables were equally likely to.
    """
    rows = scored(results).filter("kept")
    expected = rows.group_by("player").agg((1 / pl.col("players")).mean().alias("expected_share"))
    shares = share_intervals(rows, ["player"], "win", "win_share", "played")
    return shares.join(expected, on="player").sort("win_share", "player", descending=[True, False])
