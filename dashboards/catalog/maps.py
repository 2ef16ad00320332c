"""The map of each game on the page of traffic: its layers, and how one of them is drawn on a board."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from dashboards.games.caravan.map import draw_caravan_map
from dashboards.games.caravan.map_layers import CARAVAN_LAYERS
from dashboards.games.climbers.map import draw_climbers_map
from dashboards.games.climbers.map_layers import CLIMBERS_LAYERS
from dashboards.games.shared.places import MapLayer
from dashboards.games.summit.map import draw_summit_map
from dashboards.games.summit.map_layers import SUMMIT_LAYERS

__all__ = ["MAPS", "GameMap", "map_of"]

Draw = Callable[[Any, MapLayer, pl.DataFrame, pl.DataFrame | None, Sequence[str], str], str]


@dataclass(frozen=True, slots=True)
class GameMap:
    """The layers of a map by name, the usual one first, and what draws one.

    `draw` is given the board, the layer, how often it happened in its places (`total`; of a difference
    `per_seat_difference`), the same along lines if the layer has any, the names of the two selections of a difference
    (none: no difference), and what the map shows in words. It returns the map with its legend as markup.
    """

    layers: Mapping[str, MapLayer]
    draw: Draw


MAPS: Final[Mapping[str, GameMap]] = {
    "caravan": GameMap(CARAVAN_LAYERS, draw_caravan_map),
    "summit": GameMap(SUMMIT_LAYERS, draw_summit_map),
    "climbers": GameMap(CLIMBERS_LAYERS, draw_climbers_map),
}


def map_of(game: str) -> GameMap | None:
    """Return the map of a game; none if it has none."""
    return MAPS.get(game)
