"""Seat advantage, independent of the players in the seat."""

import numpy as np
import polars as pl

from dashboards.stats.claims import RISK, SEATS
from dashboards.stats.intervals import corrected_by_holm, mean_test, shares
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.resampling import MANY, seat_tests

__all__ = ["seat_effect"]


def seat_effect(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return one row per size of table and seat, sorted by these.

    `players, seat, played, groups, seat_share` and its bounds: how often the seat wins. `seat_effect`, its bounds, `_p`
    and `_holm`: its wins beyond the average of its players at tables of that size. So a strong player who always has
    the first seat makes no strong seat (indirect standardisation). If seats rotate, that is the share less 1/players.
    The bounds are those of the share, moved as far. The test relabels the seats in each seed (`resampling.py`), or with
    many seeds uses t. It is corrected over all seats of a size, shown or not, and for the share of a report's risk that
    seats have (`claims.py`).
    """
    lineups = lineups_of(results)
    usual = lineups.sums(lineups.seats, ["player", "players"], "win").select(
        "player", "players", (pl.col("total") / pl.col("trials")).alias("usual")
    )
    rows = lineups.seats.join(usual, on=["player", "players"])
    rows = rows.with_columns((pl.col("win") - pl.col("usual")).alias("beyond"))
    kept, by = rows.filter("kept"), ["players", "seat"]
    won = shares(lineups.sums(kept, by, "win"), by, "seat_share", "played")
    expected = lineups.sums(kept, by, "usual").select(*by, (pl.col("total") / pl.col("trials")).alias("usual"))
    moved = [(pl.col(f"seat_share{end}") - pl.col("usual")).alias(f"seat_effect{end}") for end in ("", "_low", "_high")]
    effects = won.join(expected, on=by).with_columns(moved).drop("usual")
    tested = pl.concat([_tests(lineups, rows, size) for size in rows["players"].unique().sort()] or [_tested(0, [])])
    return effects.join(tested, on=by).sort(by)


def _tests(lineups: Lineups, rows: pl.DataFrame, size: int) -> pl.DataFrame:
    """Return `players, seat, seat_effect_p, seat_effect_holm` of all seats of a size of table."""
    keys, n, beyond = lineups.by_group(rows.filter(players=size), ["seat"], "beyond")
    played = n.sum(axis=1) > 0
    n, beyond = n[played], beyond[played]
    if len(beyond) < MANY:
        alone, all_of_them = seat_tests(beyond)
    else:
        groups = len(beyond)
        squares = ((beyond - beyond.mean(axis=0)) ** 2).sum(axis=0)
        sums = zip(beyond.sum(axis=0), squares, strict=True)
        alone = np.array([mean_test(groups, total, groups, square)[-1] for total, square in sums])
        all_of_them = np.array(corrected_by_holm(alone.tolist()))
    all_of_them = np.minimum(1, all_of_them * RISK / SEATS)
    return _tested(size, [*zip(keys["seat"], alone.tolist(), all_of_them.tolist(), strict=True)])


def _tested(size: int, rows: list[tuple[int, float, float]]) -> pl.DataFrame:
    schema = {"players": pl.Int64, "seat": pl.Int64, "seat_effect_p": pl.Float64, "seat_effect_holm": pl.Float64}
    return pl.DataFrame([(size, *row) for row in rows], schema=schema, orient="row")
