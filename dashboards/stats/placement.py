"""Where each player comes in."""

import polars as pl

from dashboards.stats.intervals import share_intervals
from dashboards.stats.results import scored

__all__ = ["placement"]


def placement(results: pl.DataFrame) -> pl.DataFrame:
    """Return `player, players, place, played, groups, place_share, place_share_low, place_share_high`.

    One row for each player, size of table and place there is at such a table, also for places it never took; sorted by
    these. k seats that share a place have each 1/k of the k places they take up, so that shares of a player sum to 1,
    those of a place over an average table too, and the share of first places is the win share.
    """
    rows = scored(results).filter("kept")
    places = pl.concat(
        [
            pl.DataFrame(
                {"players": size, "to": list(range(1, size + 1))}, schema={"players": pl.Int64, "to": pl.Int64}
            )
            for size in sorted(rows["players"].unique())
        ]
        or [pl.DataFrame(schema={"players": pl.Int64, "to": pl.Int64})]
    )
    taken = (pl.col("to") >= pl.col("place")) & (pl.col("to") < pl.col("place") + pl.col("sharing"))
    spread = (
        rows.select("player", "group", "players", "place", "sharing")
        .join(places, on="players")
        .select("player", "group", "players", pl.col("to"), (taken / pl.col("sharing")).alias("part"))
        .rename({"to": "place"})
    )
    return share_intervals(spread, ["player", "players", "place"], "part", "place_share", "played")
