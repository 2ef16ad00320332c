"""How a player looks outside a match, on pages and in print: a colour, and a shape as a second sign."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from dashboards.charts.theme import Palette

__all__ = ["DASHES", "FILLS", "SHAPES", "Style", "players_of", "pools_begin", "styles"]

SHAPES: Final = (
    *("circle", "square", "diamond", "triangle-up", "pentagon", "star"),
    *("cross", "x", "triangle-down", "hexagon", "bowtie", "hourglass", "hexagram", "triangle-left"),
    *("octagon", "triangle-right", "star-square", "diamond-tall", "star-diamond", "diamond-wide"),
)
"""The first are those of players who have a colour, in the order of the colours; the others share the neutral one."""
FILLS: Final = ("", "-open", "-dot", "-open-dot")
"""How a shape is filled, as Plotly writes it behind the shape."""
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
Style = tuple[str, str, str]
"""Colour, shape of a mark, dashes of a line."""


def players_of(frame: pl.DataFrame, column: str = "player") -> list[str]:
    """Return the players in the order of the rows, each once."""
    return frame[column].unique(maintain_order=True).to_list()


def pools_begin(frame: pl.DataFrame) -> list[int]:
    """Return the places of the rows with which a pool of players begins after another."""
    if "pool" not in frame.columns:
        return []
    return [place for place in range(1, frame.height) if frame["pool"][place] != frame["pool"][place - 1]]


def styles(names: Sequence[str], colours: Palette) -> dict[str, Style]:
    """Return the style of each name: of a player, or of a part of its matches ("trader 1.2", "trader · cup").

    `colours.players` are those of the whole database in the order in which colours are given out, so that a player
    looks the same on every page; other players follow by name. When there are no more colours, players
    are neutral, each with a different shape. Parts of a player's matches have its colour and shape, filled otherwise,
    and after four of them another shape.
    """
    coloured = set(colours.players)
    owners = {name: _player_in(name, coloured) for name in names}
    order = [*colours.players, *sorted(set(owners.values()) - coloured)]
    places = {player: place for place, player in enumerate(order)}
    parts: dict[str, list[str]] = {}
    for name, player in sorted(owners.items()):
        parts.setdefault(player, []).append(name)
    return {
        name: _style(places[player], part, colours)
        for player, of_player in parts.items()
        for part, name in enumerate(of_player)
    }


def _player_in(name: str, players: set[str]) -> str:
    """Return the player that a name begins with, or the name: names of players may contain spaces."""
    words = name.split(" ")
    begun = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((player for player in begun if player in players), name)


def _style(place: int, part: int, colours: Palette) -> Style:
    coloured = len(colours.series)
    if place < coloured:
        shape = SHAPES[(place + part // len(FILLS) * coloured) % len(SHAPES)]
        colour, filled = colours.series[place], part
    else:
        turn, nth = divmod(place - coloured, len(SHAPES) - coloured)
        colour, shape, filled = colours.neutral, SHAPES[coloured + nth], turn + part
    return colour, f"{shape}{FILLS[filled % len(FILLS)]}", DASHES[(max(place - coloured, 0) + part) % len(DASHES)]
