"""Greedy: the move that gains most fields, those of its climber counting more."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.players.summit.mountaineer import Mountaineer
from himalaya_core.players.summit.prospects import supplies
from himalaya_core.summit.state import State

__all__ = ["Greedy"]


class Greedy(Mountaineer):
    """Adds up the fields its pawns have climbed, and plays a card when that gains more than the best die."""

    name = "greedy"
    order = 1
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"climber": 3.0, "card": 0.5, "throw": 1.0})

    def worth(self, state: State, seat: int, /) -> float:
        """Return the fields climbed, and something for the cards still in hand."""
        fields = self.params["climber"] * state.climbers[seat] + sum(state.sherpas[seat])
        return float(fields + self.params["card"] * supplies(state, seat))
