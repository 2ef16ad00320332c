"""What sitting in a seat is worth, whoever sits there."""

import polars as pl

from dashboards.stats.intervals import DIFFERENCE, corrected_by_holm, means, shares
from dashboards.stats.lineups import Lineups, lineups_of

__all__ = ["seat_effect"]


def seat_effect(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return one row per size of table and seat, sorted by these.

    `players, seat, played, groups, seat_share` and its bounds: how often the seat wins. `seat_effect`, its bounds, `_p`
    and `_holm`: by how much that is more than those who sat there win on average at tables of that size, so that a
    strong player who always has the first seat makes no strong seat (indirect standardisation). Where seats rotate,
    that is the share less 1/players. Corrected over the seats of each size.
    """
    lineups = lineups_of(results)
    usual = lineups.sums(lineups.seats, ["player", "players"], "win").select(
        "player", "players", (pl.col("total") / pl.col("trials")).alias("usual")
    )
    rows = lineups.seats.filter("kept").join(usual, on=["player", "players"])
    rows = rows.with_columns((pl.col("win") - pl.col("usual")).alias("beyond"))
    by = ["players", "seat"]
    won = shares(lineups.sums(rows, by, "win"), by, "seat_share", "played")
    effects = means(lineups.sums(rows, by, "beyond"), by, "seat_effect", DIFFERENCE).drop("groups")
    return (
        won.join(effects, on=by)
        .sort(by)
        .with_columns(
            pl.col("seat_effect_p")
            .map_batches(lambda column: pl.Series(corrected_by_holm(column.to_list())), return_dtype=pl.Float64)
            .over("players")
            .alias("seat_effect_holm")
        )
    )
