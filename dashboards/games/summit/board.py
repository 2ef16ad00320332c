"""Summit: the places on a board: the fields of the route, from the first above the base camp to the summit."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from himalaya_core.summit.board import Board

__all__ = ["UNNAMED", "kind_of_field", "summit_places"]

UNNAMED: Final = frozenset({"open", "landslide", "avalanche"})
"""Kinds of fields that a map does not name: arrows show where slides are."""
FIELDS: Final = {"field": pl.Int64, "terrain": pl.String}


def summit_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return `field, terrain`: all fields where a pawn can stop or slide, the base camp first."""
    fields = range(board.summit + 1) if board else ()
    rows = [(field, kind_of_field(board, field)) for field in fields if board and field != board.cave]
    return {"field": pl.DataFrame(rows, schema=FIELDS, orient="row")}


def kind_of_field(board: Board, field: int) -> str:
    """Return what a field is: base camp, camp, cave, landslide, avalanche, snow, summit, or open."""
    if field in board.slides:
        return str(board.slides[field].kind)
    named = {0: "base camp", board.cave: "cave", board.summit: "summit"}
    return named.get(field) or ("camp" if field in board.camps else "snow" if field in board.snow else "open")
