"""Racer: the climber first; its Sherpas only prepare the climber's next move."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.players.summit.mountaineer import Mountaineer
from himalaya_core.players.summit.prospects import next_site, supplies
from himalaya_core.summit.state import State

__all__ = ["Racer"]


class Racer(Mountaineer):
    """Never moves a Sherpa while the climber can move; otherwise sends two of them ahead."""

    name = "racer"
    order = 3
    version = "1"
    params: Mapping[str, Any] = MappingProxyType(
        {"climber": 12.0, "site": 3.0, "leader": 0.6, "card": 0.3, "throw": 2.0}
    )

    def worth(self, state: State, seat: int, /) -> float:
        """Return the climber's fields, those to its next site, and the progress of its two leading Sherpas."""
        climber = state.climbers[seat]
        leaders = sorted(state.sherpas[seat])[2:]
        worth = self.params["climber"] * climber + self.params["site"] * (next_site(state, seat) - climber)
        worth += self.params["leader"] * (2 * leaders[0] + leaders[1])
        return float(worth + self.params["card"] * supplies(state, seat))
