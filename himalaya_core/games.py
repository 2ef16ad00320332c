"""The games there are, by name."""

from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.caravan import CARAVAN
from himalaya_core.climbers import CLIMBERS
from himalaya_core.game import Game
from himalaya_core.summit import SUMMIT

__all__ = ["GAMES"]

GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = {game.name: game for game in (CARAVAN, SUMMIT, CLIMBERS)}
