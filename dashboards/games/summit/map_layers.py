"""Summit: the layers of its map."""

from typing import Final

from dashboards.games.map_layer import MapLayer

__all__ = ["SUMMIT_LAYERS"]

SUMMIT_LAYERS: Final = {
    layer.name: layer
    for layer in (
        MapLayer("visits", "Fields visited", "arrival", "arrivals", "visits"),
        MapLayer("climbers", "Climbers", "arrival of a climber", "arrivals of climbers", "climbers"),
        MapLayer("alongs", "Going along", "Sherpa that went along", "Sherpas that went along", "alongs"),
        MapLayer("lost", "Sherpas sent back", "Sherpa sent back", "Sherpas sent back", "lost"),
        MapLayer("slid", "Slides", "slide", "slides", "slid"),
        MapLayer("chased", "The Yeti's chases", "Sherpa chased", "Sherpas chased", "chased"),
    )
}
