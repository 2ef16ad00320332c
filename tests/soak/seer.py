"""A planner of caravan that knows how its rivals plan, instead of predicting their plans."""

from collections.abc import Iterator

from himalaya_core.caravan.pieces import Plan
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.planner import Planner
from himalaya_core.players.caravan.trade_search import padded

__all__ = ["Seer"]


class Seer(Planner):
    """Knows the strategy of its rivals, but not their random numbers."""

    name = "seer"

    def _samples(self, view: State, seat: int) -> Iterator[dict[int, Plan]]:
        """Yield plans of its rivals, assuming that they choose as it does."""
        rival = Planner(f"{self.seed}|rival")
        yield {other: padded(rival.plan(view, other)) for other in view.seats if other != seat}
