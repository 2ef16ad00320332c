"""Greedy: makes the block move that lets its climber get highest, and climbs there at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.climbers.state import State
from himalaya_core.players.climbers.alpinist import Alpinist
from himalaya_core.players.climbers.prospects import best_move

__all__ = ["Greedy"]


class Greedy(Alpinist):
    """Looks at its own climber alone, and no further than the end of its turn; its disc stays in its hand.

    `places` is how many places it thinks of climbing to before it moves a block, `tries` how many corners of equally
    good ones it tries; `short` and `long` are what a ladder must gain to be used, in levels.
    """

    name = "greedy"
    order = 1
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"short": 1.4, "long": 2.4, "places": 2, "tries": 3})
    least = MappingProxyType({"tries": 1})

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the move that leads highest, ladders counted by their prices."""
        return best_move(state, seat, self.prices(state), self.params["tries"])
