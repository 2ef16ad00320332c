"""The Climbers: the layers of its map: where climbers stood, on any level or between two of them."""

from typing import Final

from dashboards.games.map_layer import MapLayer

__all__ = ["CLIMBERS_LAYERS"]

CLIMBERS_LAYERS: Final = {
    layer.name: layer
    for layer in (
        MapLayer("stands", "All levels", "stand", "stands", "stands"),
        MapLayer("climbed_to", "Steps", "step to there", "steps to there", "climbed_to"),
        MapLayer("low", "Levels 1 to 3", "stand on levels 1 to 3", "stands on levels 1 to 3", "low"),
        MapLayer("middle", "Levels 4 to 7", "stand on levels 4 to 7", "stands on levels 4 to 7", "middle"),
        MapLayer("high", "Level 8 and higher", "stand on level 8 or higher", "stands on level 8 or higher", "high"),
    )
}
