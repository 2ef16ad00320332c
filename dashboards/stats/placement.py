"""Distribution of each player's places."""

import polars as pl

from dashboards.stats.intervals import shares
from dashboards.stats.lineups import Lineups, lineups_of

__all__ = ["placement"]


def placement(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return `player, players, place, played, groups, place_share, place_share_low, place_share_high`.

    One row for each player, table size and place at such a table, including places it never took; sorted by these. Each
    of k seats that share a place has 1/k of the k places they take up. So shares of a player sum to 1, as do those of a
    place over an average table, and the share of first places is the win share.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.filter("kept")
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
        rows.select("player", "match", "players", "place", "sharing")
        .join(places, on="players")
        .select("player", "match", "players", pl.col("to"), (taken / pl.col("sharing")).alias("part"))
        .rename({"to": "place"})
    )
    by = ["player", "players", "place"]
    return shares(lineups.sums(spread, by, "part"), by, "place_share", "played")
