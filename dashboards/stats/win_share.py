"""How often each player wins."""

import polars as pl

from dashboards.stats.intervals import shares
from dashboards.stats.lineups import Lineups, lineups_of

__all__ = ["win_share"]


def win_share(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return `player, played, groups, win_share, win_share_low, win_share_high, expected_share`, best first.

    `played` counts seats: a player that sits twice at a table has played twice. `expected_share` is what it would win
    if all seats of its tables were equally likely to.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.filter("kept").with_columns((1 / pl.col("players")).alias("part"))
    expected = lineups.sums(rows, ["player"], "part").select(
        "player", (pl.col("total") / pl.col("trials")).alias("expected_share")
    )
    won = shares(lineups.sums(rows, ["player"], "win"), ["player"], "win_share", "played")
    return won.join(expected, on="player").sort("win_share", "player", descending=[True, False])
