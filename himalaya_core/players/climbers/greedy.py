"""Greedy: makes the block move that lets its climber get highest, and climbs there."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.climbers.state import State
from himalaya_core.players.climbers.alpinist import Alpinist
from himalaya_core.players.climbers.prospects import best_move

__all__ = ["Greedy"]


class Greedy(Alpinist):
    """Considers only its own climber and the current turn; it keeps its disc.

    `places` limits how many places it considers climbing to before the block move, `tries` how many equally good
    corners it tries. `short` and `long` are the levels a ladder must gain to be used.
    """

    name = "greedy"
    order = 1
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"short": 1.4, "long": 2.4, "places": 2, "tries": 3})
    least = MappingProxyType({"tries": 1})

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the block move that leads highest, ladders included."""
        return best_move(state, seat, self.prices(state), self.params["tries"])
