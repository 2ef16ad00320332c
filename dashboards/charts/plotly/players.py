"""How a player looks in every figure of a selection: a colour, and a shape as a second sign."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from dashboards.charts.theme import Palette

__all__ = ["DASHES", "SHAPES", "Style", "players_of", "styles"]

SHAPES: Final = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "pentagon",
    "star",
    "cross",
    "triangle-down",
    "hexagon",
    "bowtie",
    "x",
)
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
Style = tuple[str, str, str]
"""Colour, shape of a mark, dashes of a line."""


def players_of(frame: pl.DataFrame, column: str = "player") -> list[str]:
    """Return the players in the order of the rows, each once."""
    return frame[column].unique(maintain_order=True).to_list()


def styles(players: Sequence[str], colours: Palette) -> dict[str, Style]:
    """Return the style of each player.

    Colours go out in the order of `colours.players`, those of the whole selection, so that a player looks the same in
    each of its figures; who is not among them comes after, by name. The numbers of colours, shapes and dashes have no
    common divisor, so that no two of a hundred players look alike.
    """
    order = [*colours.players, *sorted(set(players) - set(colours.players))]
    series = colours.series
    return {
        player: (series[place % len(series)], SHAPES[place % len(SHAPES)], DASHES[place % len(DASHES)])
        for place, player in enumerate(order)
    }
