"""A player that searches for its best sequence of trades within one round.

A policy values deliveries and cubes and ranks the rewards. The search visits all sequences of villages that six actions
can reach and trade in. It tracks the hand, and discounts trades that a rival's caravan could reach first.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from himalaya_core.caravan.pieces import NO_GOODS, PLAN_LENGTH, RANK, Act, Goods, Order, Resource, holds, minus, plus
from himalaya_core.caravan.rules import offered
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.routes import Routes, routes
from himalaya_core.players.caravan.traveller import Traveller

__all__ = ["Errand", "ErrandPlayer"]

RIVAL_DISCOUNT: Final = 0.8
"""Factor on a trade's value for each rival closer to it."""
STEP_DISCOUNT: Final = 0.97
"""Factor on a trade's value for each action before it, as rivals may come first."""
PROSPECT: Final = 0.25
"""Share of a delivery's value credited for ending the round near it."""

CUBE: Final = 3.0
"""Value of a cube of salt in yaks, found by trial: players with lower values deliver fewer orders."""
CUBE_TOO_MANY: Final = 1.0
CUBE_RANK: Final = 0.15
FULL_HAND: Final = 12


class Errand(NamedTuple):
    """A partial plan: the village it ends in, the hand by then, and its value."""

    village: int
    hand: Goods
    acts: tuple[Act, ...]
    visited: frozenset[int]
    worth: float


class ErrandPlayer(Traveller):
    """Plans the most valuable sequence of trades."""

    @abstractmethod
    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of delivering an order in a village."""

    def cube_worth(self, _view: State, _seat: int, hand: Goods, resource: Resource, /) -> float:
        """Return the value of another cube: slightly more by rank, much less once the hand is full."""
        return (CUBE if sum(hand) < FULL_HAND else CUBE_TOO_MANY) * (1.0 + CUBE_RANK * RANK[resource])

    def place(self, view: State, seat: int, free: Sequence[int], /) -> int:
        """Start in the village with the most valuable first trades."""
        return max(free, key=lambda village: self._best(view, seat, village).worth)

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Plan the most valuable trades."""
        return self._best(view, seat, view.caravans[seat]).acts

    def _best(self, view: State, seat: int, village: int) -> Errand:
        """Return the most valuable sequence of trades from a village, with the remaining actions spent on moving on."""
        return max(self.errands(view, seat, village), key=lambda errand: errand.worth)

    def errands(self, view: State, seat: int, village: int) -> Iterator[Errand]:
        """Yield every sequence of trades possible with six actions, including none, each with a way to move on."""
        ways = routes(view)
        worths = {v: self.rewards_worth(view, seat, v, order) for v, order in enumerate(view.orders) if order}
        for errand in self._trades(view, seat, ways, village, worths):
            yield self._go_on(view, ways, errand, worths)

    def _trades(
        self, view: State, seat: int, ways: Routes, village: int, worths: Mapping[int, float]
    ) -> Iterator[Errand]:
        targets = [v for v, goods in enumerate(view.goods) if goods != NO_GOODS or view.orders[v] is not None]
        earlier = {target: self._rivals(view, seat, ways, target) for target in targets}
        stack = [Errand(village, view.hands[seat], (), frozenset(), 0.0)]
        while stack:
            errand = stack.pop()
            yield errand
            for target in targets:
                used = len(errand.acts) + ways.distance(errand.village, target) + 1
                if used > PLAN_LENGTH or target in errand.visited:
                    continue
                order = view.orders[target]
                if order is not None:
                    if not holds(errand.hand, order.demand):
                        continue
                    worth, hand = worths[target], minus(errand.hand, order.demand)
                else:
                    resource = offered(view, target)[-1]
                    worth = self.cube_worth(view, seat, errand.hand, resource)
                    hand = plus(errand.hand, {resource: 1})
                sooner = sum(distance < used for distance in earlier[target])
                worth *= RIVAL_DISCOUNT**sooner * STEP_DISCOUNT**used
                acts = (*errand.acts, *ways.ways[errand.village][target], Act.TRADE)
                stack.append(Errand(target, hand, acts, errand.visited | {target}, errand.worth + worth))

    @staticmethod
    def _rivals(view: State, seat: int, ways: Routes, target: int) -> list[int]:
        """Return the number of actions each rival needs to trade in a village."""
        placed = [village for rival, village in enumerate(view.caravans) if village and rival != seat]
        return [ways.distance(village, target) + 1 for village in placed]

    @staticmethod
    def _go_on(view: State, ways: Routes, errand: Errand, worths: Mapping[int, float]) -> Errand:
        """Spend the remaining actions on moving towards an order the hand could deliver next round."""
        left = PLAN_LENGTH - len(errand.acts)
        best = errand
        for village, worth_there in worths.items():
            way = ways.ways[errand.village].get(village)
            order = view.orders[village]
            if order is None or way is None or village in errand.visited or not holds(errand.hand, order.demand):
                continue
            after = max(0, len(way) - left)
            worth = errand.worth + PROSPECT * worth_there / (1 + after)
            if worth > best.worth:
                best = errand._replace(acts=(*errand.acts, *way[:left]), worth=worth)
        return best
