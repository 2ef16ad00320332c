"""What sitting in a seat is worth, whoever sits there."""

import polars as pl

from dashboards.stats.intervals import corrected_by_holm, mean_intervals, share_intervals
from dashboards.stats.results import scored

__all__ = ["seat_effect"]


def seat_effect(results: pl.DataFrame) -> pl.DataFrame:
    """Return one row per size of table and seat, sorted by these.

    `players, seat, played, groups, seat_share` and its bounds: how often the seat wins. `seat_effect`, its bounds, `_p`
    and `_holm`: by how much that is more than those who sat there win on average at tables of that size, so that a
    strong player who always has the first seat makes no strong seat (indirect standardisation). Where seats rotate,
    that is the share less 1/players. Corrected over the seats of each size.
    """
    rows = (
        scored(results)
        .with_columns((pl.col("win") - pl.col("win").mean().over("player", "players")).alias("beyond"))
        .filter("kept")
    )
    by = ["players", "seat"]
    shares = share_intervals(rows, by, "win", "seat_share", "played")
    effects = mean_intervals(rows, by, "beyond", "seat_effect").drop("groups")
    return (
        shares.join(effects, on=by)
        .sort(by)
        .with_columns(
            pl.col("seat_effect_p")
            .map_batches(lambda column: pl.Series(corrected_by_holm(column.to_list())), return_dtype=pl.Float64)
            .over("players")
            .alias("seat_effect_holm")
        )
    )
