"""Planner: guesses the rivals' plans, carries out its best errands against them, and takes what ends best."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.caravan.pieces import PLAN_LENGTH, Act, Plan
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.balanced import Balanced
from himalaya_core.players.caravan.forecast import appraise, carry_out, padded
from himalaya_core.players.caravan.trader import Trader

__all__ = ["RIVAL", "Planner"]

CANDIDATES: Final = 16
"""How many errands are carried out."""
RIVAL: Final = Trader()
"""What every rival is taken for: of the simple players the one that plays most like all of them."""


class Planner(Balanced):
    """Balanced in its trades; in its plans it looks at the whole round, its rivals included."""

    name = "planner"
    version = "1"
    params: Mapping[str, Any] = MappingProxyType(
        {
            **Balanced.params,
            "rival": 0.3,
            "religious": 12.0,
            "political": 12.0,
            "spread": 3.0,
            "cube": 1.5,
            "rank": 0.15,
            "near": 1.0,
        }
    )

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Carry out the best errands against the rivals' probable plans, and take the one that ends best."""
        return self.ranked(view, seat)[0]

    def ranked(self, view: State, seat: int) -> list[Plan]:
        """Return the candidates, the one that ends best first."""
        players = [self if other == seat else RIVAL for other in view.seats]
        plans = {other: padded(RIVAL.plan(view, other)) for other in view.seats if other != seat}

        def worth(mine: Plan) -> float:
            return appraise(carry_out(view, {**plans, seat: mine}, players), seat, self.params)

        return sorted(self._candidates(view, seat), key=worth, reverse=True)

    def _candidates(self, view: State, seat: int) -> list[Plan]:
        """Return the best errands by their worth alone, some begun a step later to let a rival go first."""
        errands = nlargest(CANDIDATES, self.errands(view, seat, view.caravans[seat]), key=lambda errand: errand.worth)
        plans = dict.fromkeys(padded(errand.acts) for errand in errands)
        plans.update(dict.fromkeys(_delayed(list(plans)[: CANDIDATES // 4])))
        return list(plans)


def _delayed(plans: Sequence[Plan]) -> Iterator[Plan]:
    """Yield plans that rest first, as far as they have a rest to spare at the end."""
    for plan in plans:
        if plan[-1] is Act.REST:
            yield (Act.REST, *plan[: PLAN_LENGTH - 1])
