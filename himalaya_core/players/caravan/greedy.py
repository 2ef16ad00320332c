"""Greedy: always the nearest useful trade, then the next nearest, until the six actions are spent."""

from collections.abc import Mapping
from typing import Any, ClassVar

from himalaya_core.caravan.actions import Collect, CommitPlan, Deliver, PlaceCaravan, SeatAction
from himalaya_core.caravan.flow import cheapest
from himalaya_core.caravan.pieces import NO_GOODS, PLAN_LENGTH, Act, Goods, Reward, holds, minus, plus
from himalaya_core.caravan.rules import delegations_to_send, possible_rewards
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.errands import spread
from himalaya_core.players.caravan.routes import routes

__all__ = ["Greedy"]


class Greedy:
    """Takes what is near: a delivery it can make before a cube it can take, the lower village before the higher."""

    name: ClassVar[str] = "greedy"
    version: ClassVar[str] = "1"
    params: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, seed: str) -> None:
        """Greedy is deterministic: the seed is taken for the sake of players that draw."""

    def choose(self, view: State, seat: int) -> SeatAction:
        """Return the action for whatever is asked now: a place, a plan, or a trade."""
        if view.round == 0:
            free = [v.number for v in view.board.villages if v.number not in view.caravans]
            return PlaceCaravan(seat, min(free, key=lambda village: self._nearness(view, village)))
        if view.step == 0:
            return self._plan(view, seat)
        village = view.caravans[seat]
        if view.orders[village] is None:
            return Collect(seat, cheapest(view.goods[village]))
        rewards = self._rewards(possible_rewards(view, seat))
        regions = spread(view, seat, delegations_to_send(view, seat)) if Reward.DELEGATION in rewards else {}
        return Deliver(seat, rewards, regions)

    @staticmethod
    def _nearness(view: State, village: int) -> int:
        """Return how many roads lie between a village and all that is offered."""
        ways = routes(view.board)
        return sum(ways.distance(village, v) for v, goods in enumerate(view.goods) if goods != NO_GOODS)

    @staticmethod
    def _rewards(possible: tuple[Reward, ...]) -> tuple[Reward, ...]:
        """Take yaks and a stupa; delegations when one of the two is not to be had."""
        return possible[:2]

    def _plan(self, view: State, seat: int) -> CommitPlan:
        ways = routes(view.board)
        village, hand = view.caravans[seat], view.hands[seat]
        acts: list[Act] = []
        done: set[int] = set()
        while len(acts) < PLAN_LENGTH:
            useful = [v for v in range(1, len(view.goods)) if v not in done and self._useful(view, v, hand)]
            if not useful:
                acts += [Act.REST] * (PLAN_LENGTH - len(acts))
                break
            start = village
            village = min(useful, key=lambda v: (ways.distance(start, v), view.orders[v] is None, v))
            acts += [*ways.ways[start][village], Act.TRADE]
            order = view.orders[village]
            hand = minus(hand, order.demand) if order else plus(hand, {cheapest(view.goods[village]): 1})
            done.add(village)
        first, second, third, fourth, fifth, sixth = acts[:PLAN_LENGTH]
        return CommitPlan(seat, (first, second, third, fourth, fifth, sixth))

    @staticmethod
    def _useful(view: State, village: int, hand: Goods) -> bool:
        order = view.orders[village]
        return holds(hand, order.demand) if order else view.goods[village] != NO_GOODS
