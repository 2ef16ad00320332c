"""Greedy: takes the nearest useful trade, then the next, until its six actions are spent."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from himalaya_core.caravan.pieces import NO_GOODS, PLAN_LENGTH, Act, Goods, Reward, holds, minus, plus
from himalaya_core.caravan.rules import offered
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.routes import routes
from himalaya_core.players.caravan.traveller import Traveller

__all__ = ["Greedy"]


class Greedy(Traveller):
    """Prefers near trades; ties: deliveries before cubes, then the lower village number."""

    name = "greedy"
    order = 1
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({})

    def place(self, view: State, _seat: int, free: Sequence[int], /) -> int:
        """Start in the village with the shortest total distance to all goods."""
        ways = routes(view)
        offered = [village for village, goods in enumerate(view.goods) if goods != NO_GOODS]
        return min(free, key=lambda village: sum(ways.distance(village, target) for target in offered))

    def preference(self, _view: State, _seat: int, /) -> tuple[Reward, ...]:
        """Prefer yaks and a stupa, and delegations if no stupa can be placed."""
        return Reward.BARTER, Reward.OFFERING, Reward.DELEGATION

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Go to the nearest useful village, trade, and repeat."""
        ways = routes(view)
        village, hand = view.caravans[seat], view.hands[seat]
        acts: list[Act] = []
        done: set[int] = set()
        while len(acts) < PLAN_LENGTH:
            near = ways.ways[village]
            useful = [v for v in near if v not in done and self._is_useful(view, v, hand)]
            if not useful:
                break
            village = min(useful, key=lambda v: (len(near[v]), view.orders[v] is None, v))
            acts += [*near[village], Act.TRADE]
            order = view.orders[village]
            hand = minus(hand, order.demand) if order else plus(hand, {offered(view, village)[-1]: 1})
            done.add(village)
        return acts[:PLAN_LENGTH]

    @staticmethod
    def _is_useful(view: State, village: int, hand: Goods) -> bool:
        order = view.orders[village]
        return holds(hand, order.demand) if order else view.goods[village] != NO_GOODS
