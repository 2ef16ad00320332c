"""What the map of a game shows: its layers, and how one of them is drawn on a board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

__all__ = ["DrawMap", "MapLayer"]


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


DrawMap = Callable[[Any, MapLayer, pl.DataFrame, pl.DataFrame | None, Sequence[str], str], str]
"""Draws a layer, and returns the map with its legend as markup.

It is given the board, the layer, how often it happened in its places (`total`; of a difference `per_seat_difference`),
the same along lines if the layer has any, the names of the two selections of a difference (none: no difference), and
what the map shows in words.
"""
