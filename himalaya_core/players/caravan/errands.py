"""A player that looks for the best errand: the sequence of trades within one round that its policy values most.

A policy says what a delivery and a cube are worth to it and which rewards it takes. The search walks over all
sequences of villages that can be reached and traded in with six actions, sees the cubes each takes, and discounts a
trade that a rival's caravan could reach earlier.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from himalaya_core.caravan.actions import Collect, CommitPlan, Deliver, PlaceCaravan, SeatAction
from himalaya_core.caravan.flow import cheapest
from himalaya_core.caravan.pieces import (
    NO_GOODS,
    PLAN_LENGTH,
    RANK,
    Act,
    Goods,
    Order,
    Resource,
    Reward,
    holds,
    minus,
    plus,
)
from himalaya_core.caravan.rules import delegations_to_send, possible_rewards
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.routes import Routes, routes

__all__ = ["ErrandPlayer", "spread"]

RIVAL_DISCOUNT: Final = 0.8
"""What is left of a trade's worth for each rival who stands closer to it."""
STEP_DISCOUNT: Final = 0.97
"""What is left of a trade's worth for each action before it: others may come, and time is short."""
PROSPECT: Final = 0.25
"""The share of a delivery's worth that standing near it at the end of the round is worth."""


class Errand(NamedTuple):
    """A plan so far: where it has led, what the hand holds then, what it was worth."""

    village: int
    hand: Goods
    acts: tuple[Act, ...]
    visited: frozenset[int]
    worth: float


class ErrandPlayer(ABC):
    """Plans the most valuable errand; a policy overrides the three questions below."""

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    params: ClassVar[Mapping[str, Any]]

    def __init__(self, seed: str) -> None:
        """A policy is deterministic: the seed is taken for the sake of players that draw."""

    @abstractmethod
    def rewards_worth(self, view: State, seat: int, village: int, order: Order) -> float:
        """Return what delivering an order in a village is worth."""

    @abstractmethod
    def choose_rewards(self, view: State, seat: int, possible: tuple[Reward, ...]) -> set[Reward]:
        """Return the rewards to take: two of the possible ones, or all if there are fewer."""

    def cube_worth(self, view: State, seat: int, hand: Goods, resource: Resource) -> float:
        """Return what one more cube of a resource is worth: its rank, more while an open order lacks it."""
        held = hand[RANK[resource]]
        wanted = max((order.demand.get(resource, 0) for order in view.orders if order), default=0)
        return (1.0 if wanted > held else 0.3) * (1.0 + 0.4 * RANK[resource])

    def choose(self, view: State, seat: int) -> SeatAction:
        """Return the action for whatever is asked now: a place, a plan, or a trade."""
        if view.round == 0:
            free = [v.number for v in view.board.villages if v.number not in view.caravans]
            best = max(free, key=lambda village: self._best(view, seat, village).worth)
            return PlaceCaravan(seat, best)
        if view.step == 0:
            return self._plan(view, seat)
        village = view.caravans[seat]
        if view.orders[village] is None:
            return Collect(seat, cheapest(view.goods[village]))
        return self._deliver(view, seat)

    def _plan(self, view: State, seat: int) -> CommitPlan:
        acts = self._best(view, seat, view.caravans[seat]).acts
        first, second, third, fourth, fifth, sixth = (*acts, *(Act.REST,) * (PLAN_LENGTH - len(acts)))
        return CommitPlan(seat, (first, second, third, fourth, fifth, sixth))

    def _deliver(self, view: State, seat: int) -> Deliver:
        possible = possible_rewards(view, seat)
        chosen = self.choose_rewards(view, seat, possible)
        rewards = tuple(reward for reward in possible if reward in chosen)
        regions = spread(view, seat, delegations_to_send(view, seat)) if Reward.DELEGATION in chosen else {}
        return Deliver(seat, rewards, regions)

    def _best(self, view: State, seat: int, village: int) -> Errand:
        """Return the errand of most worth from a village, its last actions spent on going where it pays next."""
        ways = routes(view.board)
        best: Errand | None = None
        for errand in self._errands(view, seat, ways, village):
            ended = self._go_on(view, seat, ways, errand)
            if best is None or ended.worth > best.worth:
                best = ended
        assert best is not None, "staying is always possible"
        return best

    def _errands(self, view: State, seat: int, ways: Routes, village: int) -> Iterator[Errand]:
        """Yield every sequence of trades that six actions allow, the empty one too."""
        targets = [v for v, goods in enumerate(view.goods) if goods != NO_GOODS or view.orders[v] is not None]
        earlier = {target: self._rivals(view, seat, ways, target) for target in targets}
        worths = {v: self.rewards_worth(view, seat, v, order) for v, order in enumerate(view.orders) if order}
        stack = [Errand(village, view.hands[seat], (), frozenset(), 0.0)]
        while stack:
            errand = stack.pop()
            yield errand
            for target in targets:
                way = ways.ways[errand.village][target]
                used = len(errand.acts) + len(way) + 1
                if used > PLAN_LENGTH or target in errand.visited:
                    continue
                order = view.orders[target]
                if order is not None:
                    if not holds(errand.hand, order.demand):
                        continue
                    worth, hand = worths[target], minus(errand.hand, order.demand)
                else:
                    resource = cheapest(view.goods[target])
                    worth = self.cube_worth(view, seat, errand.hand, resource)
                    hand = plus(errand.hand, {resource: 1})
                sooner = sum(distance < used for distance in earlier[target])
                worth *= RIVAL_DISCOUNT**sooner * STEP_DISCOUNT**used
                acts = (*errand.acts, *way, Act.TRADE)
                stack.append(Errand(target, hand, acts, errand.visited | {target}, errand.worth + worth))

    @staticmethod
    def _rivals(view: State, seat: int, ways: Routes, target: int) -> list[int]:
        """Return how many actions each rival needs to trade in a village."""
        placed = [village for rival, village in enumerate(view.caravans) if village and rival != seat]
        return [ways.distance(village, target) + 1 for village in placed]

    def _go_on(self, view: State, seat: int, ways: Routes, errand: Errand) -> Errand:
        """Spend the actions left on the way to the order that the hand could deliver next round."""
        left = PLAN_LENGTH - len(errand.acts)
        best = errand
        for village, order in enumerate(view.orders):
            if order is None or village in errand.visited or not holds(errand.hand, order.demand):
                continue
            way = ways.ways[errand.village][village]
            after = max(0, len(way) - left)
            worth = errand.worth + PROSPECT * self.rewards_worth(view, seat, village, order) / (1 + after)
            if worth > best.worth:
                best = errand._replace(acts=(*errand.acts, *way[:left]), worth=worth)
        return best


def spread(view: State, seat: int, count: int) -> dict[int, int]:
    """Split delegations over the bordering regions: each where it turns or ties the most, or defends a narrow lead."""
    rows = {region: list(view.delegations[region]) for region in view.board.borders[view.caravans[seat]]}
    sent: dict[int, int] = {}
    for _ in range(count):
        region = max(rows, key=lambda region: (_gain(rows[region], seat), -region))
        rows[region][seat] += 1
        sent[region] = sent.get(region, 0) + 1
    return sent


def _gain(row: list[int], seat: int) -> float:
    """Return how much one delegation more is worth in a region, by how far the seat is behind or ahead."""
    others = max(count for other, count in enumerate(row) if other != seat)
    lead = row[seat] - others
    if lead == 0:
        return 3.0
    return 2.0 / -lead if lead < 0 else 1.0 / lead


