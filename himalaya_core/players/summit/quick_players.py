"""Three fast players: greedy gains most fields, porter keeps its Sherpas in pairs, racer moves its climber first."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.players.summit.base import Mountaineer, danger, next_site, supplies
from himalaya_core.summit.pieces import FACES
from himalaya_core.summit.state import State

__all__ = ["Greedy", "Porter", "Racer"]


class Greedy(Mountaineer):
    """Adds up the fields its pawns have climbed; plays a card if the card gains more than the best die.

    A Sherpa's fields count only as far as its climber can follow with one die. The next pair of Sherpas that the
    climber can go to also counts, `site` per field: a climber that loses its Sherpas cannot leave the base camp.
    """

    name = "greedy"
    order = 1
    version = "2"
    params: Mapping[str, Any] = MappingProxyType({"climber": 3.0, "site": 2.0, "card": 0.5, "throw": 1.0})

    def worth(self, state: State, seat: int, /) -> float:
        """Return the fields climbed, the fields to the next pair of Sherpas, and a little for the cards in hand."""
        climber, params = state.climbers[seat], self.params
        fields = params["climber"] * climber + params["site"] * (next_site(state, seat) - climber)
        fields += sum([min(field, climber + FACES) for field in state.sherpas[seat]])
        return float(fields + params["card"] * supplies(state, seat))


class Porter(Mountaineer):
    """Moves the whole expedition, with one pair at the climber and another about half a die ahead."""

    name = "porter"
    order = 2
    version = "1"
    params: Mapping[str, Any] = MappingProxyType(
        {"climber": 5.0, "site": 2.5, "pair": 4.0, "spread": 0.6, "danger": 1.0, "card": 0.5, "throw": 1.0}
    )

    def worth(self, state: State, seat: int, /) -> float:
        """Return the fields climbed, plus a bonus for pairs from the climber up, less for far or exposed Sherpas."""
        climber, row = state.climbers[seat], state.sherpas[seat]
        pairs = sum([row.count(field) > 1 for field in set(row) if field >= climber])
        apart = sum([abs(field - climber - 3) for field in row])
        worth = self.params["climber"] * climber + sum(row) + self.params["pair"] * pairs
        worth += self.params["site"] * (next_site(state, seat) - climber) - self.params["spread"] * apart
        return float(worth - self.params["danger"] * danger(state, seat) + self.params["card"] * supplies(state, seat))


class Racer(Mountaineer):
    """Never moves a Sherpa while the climber can move; otherwise sends two of them ahead."""

    name = "racer"
    order = 3
    version = "1"
    params: Mapping[str, Any] = MappingProxyType(
        {"climber": 12.0, "site": 3.0, "leader": 0.6, "card": 0.3, "throw": 2.0}
    )

    def worth(self, state: State, seat: int, /) -> float:
        """Return the climber's fields, the fields to its next pair, and the fields of its two foremost Sherpas."""
        climber = state.climbers[seat]
        leaders = sorted(state.sherpas[seat])[2:]
        worth = self.params["climber"] * climber + self.params["site"] * (next_site(state, seat) - climber)
        worth += self.params["leader"] * (2 * leaders[0] + leaders[1])
        return float(worth + self.params["card"] * supplies(state, seat))
