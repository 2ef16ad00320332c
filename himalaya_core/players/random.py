"""The player random: chooses any legal action of any game with equal probability."""

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.game import Game

__all__ = ["RandomPlayer"]


class RandomPlayer:
    """Chooses any legal action with equal probability.

    It draws an index, so a lazy list such as caravan's 15,625 plans is never built.
    """

    name = "random"
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, game: Game[Any, Any, Any], seed: str) -> None:
        self._game = game
        self._random = random.Random(seed)

    def choose(self, view: Any, seat: int) -> Any:
        """Return a random legal action."""
        actions = self._game.legal_actions(view, seat)
        return actions[self._random.randrange(len(actions))]
