"""A planner of caravan that computes the plans of other planners instead of predicting them."""

from collections.abc import Iterator

from himalaya_core.caravan.pieces import Plan
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.planner import Planner
from himalaya_core.players.caravan.trade_search import padded

__all__ = ["Seer"]


class Seer(Planner):
    """Knows its rivals' strategy, but not their random streams."""

    name = "seer"

    def _samples(self, view: State, seat: int) -> Iterator[dict[int, Plan]]:
        """Yield its rivals' plans, assuming they draw as it does."""
        rival = Planner(f"{self.seed}|rival")
        yield {other: padded(rival.plan(view, other)) for other in view.seats if other != seat}
