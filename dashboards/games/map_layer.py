"""What the map of a game shows: its layers, and how one of them is drawn on a board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

__all__ = ["DrawMap", "MapLayer", "unsure_places"]


@dataclass(frozen=True, slots=True)
class MapLayer:
    """A layer of a map: what it is called, what happens in its places, and in which (`what` of `PLACES`).

    `lines` is what happens along the lines between them, if anything.
    """

    name: str
    title: str
    one: str
    many: str
    what: str
    lines: str = ""


LEVEL: Final = 0.05


def unsure_places(rows: pl.DataFrame, by: Sequence[str]) -> frozenset[Any]:
    """Return the places in which a difference is not significant after Holm's correction; none if there is none.

    A place with one key is that, one with several is a tuple of them.
    """
    holm = "per_seat_difference_holm"
    if holm not in rows.columns:
        return frozenset()
    unsure = rows.filter(~(pl.col(holm) <= LEVEL).fill_null(value=False)).select(by)
    return frozenset(unsure.iter_rows() if len(by) > 1 else unsure.to_series())


DrawMap = Callable[[Any, MapLayer, pl.DataFrame, pl.DataFrame | None, Sequence[str], str], str]
"""Draws a layer, and returns the map with its legend as markup.

It is given the board, the layer, how often it happened in its places (`total`; of a difference `per_seat_difference`
and its `_holm`), the same along lines if the layer has any, the names of the two selections of a difference (none: no
difference), and what the map shows in words.
"""
