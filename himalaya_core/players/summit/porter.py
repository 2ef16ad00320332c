"""Porter: keeps its Sherpas in pairs, near the climber and away from the Yeti."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.players.summit.mountaineer import Mountaineer
from himalaya_core.players.summit.prospects import danger, next_site, supplies
from himalaya_core.summit.state import State

__all__ = ["Porter"]


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
