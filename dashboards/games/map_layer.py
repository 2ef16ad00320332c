"""Map of a game: its layers, and the function that draws one of them on a board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

__all__ = ["DrawMap", "MapLayer", "unsure_places"]


@dataclass(frozen=True, slots=True)
class MapLayer:
    """A layer of a map: its name, the events in its places, and the kind of places (`what` of `PLACES`).

    `lines` are the events along the lines between them, if any.
    """

    name: str
    title: str
    one: str
    many: str
    what: str
    lines: str = ""


LEVEL: Final = 0.05


def unsure_places(rows: pl.DataFrame, by: Sequence[str]) -> frozenset[Any]:
    """Return the places whose difference is not significant after Holm's correction; empty without differences.

    A place with one key is that key, one with several is a tuple of them.
    """
    holm = "per_seat_difference_holm"
    if holm not in rows.columns:
        return frozenset()
    unsure = rows.filter(~(pl.col(holm) <= LEVEL).fill_null(value=False)).select(by)
    return frozenset(unsure.iter_rows() if len(by) > 1 else unsure.to_series())


DrawMap = Callable[[Any, MapLayer, pl.DataFrame, pl.DataFrame | None, Sequence[str], str], str]
"""Draws a layer, and returns the map with its legend as markup.

Arguments are the board, the layer, and the counts in its places: `total`, or for a difference `per_seat_difference` and
its `_holm`. The same counts along lines follow if the layer has lines. Then come the names of the two selections of a
difference (none without a difference), and the finding of the map in words.
"""
