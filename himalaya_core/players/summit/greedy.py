"""Greedy: takes the move that gains most fields; its climber's fields count more."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.players.summit.mountaineer import Mountaineer
from himalaya_core.players.summit.prospects import next_site, supplies
from himalaya_core.summit.pieces import FACES
from himalaya_core.summit.state import State

__all__ = ["Greedy"]


class Greedy(Mountaineer):
    """Adds up the fields its pawns have climbed; plays a card if that gains more than the best die.

    A Sherpa's fields count as far as its climber can follow with one die. The next pair that the climber can go to also
    counts (`site` per field), as a climber that loses its Sherpas never leaves the base camp.
    """

    name = "greedy"
    order = 1
    version = "2"
    params: Mapping[str, Any] = MappingProxyType({"climber": 3.0, "site": 2.0, "card": 0.5, "throw": 1.0})

    def worth(self, state: State, seat: int, /) -> float:
        """Return the fields climbed, the fields to the next site, and a little for the cards in hand."""
        climber, params = state.climbers[seat], self.params
        fields = params["climber"] * climber + params["site"] * (next_site(state, seat) - climber)
        fields += sum([min(field, climber + FACES) for field in state.sherpas[seat]])
        return float(fields + params["card"] * supplies(state, seat))
