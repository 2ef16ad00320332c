"""Caravan: the places on a board: villages, roads and regions."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from himalaya_core.caravan.board import Board

__all__ = ["caravan_places"]

VILLAGES: Final = {"village": pl.Int64, "level": pl.Int64}
ROADS: Final = {"village_a": pl.Int64, "village_b": pl.Int64, "road": pl.String}


def caravan_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return `village, level`, roads as `village_a, village_b, road` (the smaller number first), and `region`."""
    villages = board.villages if board else ()
    roads = board.roads if board else ()
    regions = sorted({region for village in villages for region in village.regions})
    return {
        "village": _rows([(village.number, village.level) for village in villages], VILLAGES),
        "village_a": _rows([(*sorted(road.between), str(road.type)) for road in roads], ROADS),
        "region": _rows([(region,) for region in regions], {"region": pl.Int64}),
    }


def _rows(rows: list[tuple[object, ...]], schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")
