"""Five fast players that differ in the trades they prefer: greedy, pilgrim, envoy, trader and balanced."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from himalaya_core.caravan.pieces import (
    INVENTORY_ROUNDS,
    MARKER_YAKS,
    NO_GOODS,
    PLAN_LENGTH,
    RANK,
    Act,
    Goods,
    Influence,
    Order,
    Resource,
    Reward,
    holds,
    minus,
    plus,
)
from himalaya_core.caravan.rules import offered
from himalaya_core.caravan.scoring import influences
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.base import Traveller, routes
from himalaya_core.players.caravan.trade_search import ErrandPlayer

__all__ = ["Balanced", "Envoy", "Greedy", "Pilgrim", "Trader", "lead"]


class Greedy(Traveller):
    """Prefers near trades; ties: deliveries before cubes, then the lower village number."""

    name = "greedy"
    order = 1
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({})

    def place(self, view: State, _seat: int, free: Sequence[int], /) -> int:
        """Start in the village with the smallest sum of distances to villages with goods."""
        ways = routes(view)
        offered = [village for village, goods in enumerate(view.goods) if goods != NO_GOODS]
        return min(free, key=lambda village: sum(ways.distance(village, target) for target in offered))

    def preference(self, _view: State, _seat: int, /) -> tuple[Reward, ...]:
        """Prefer yaks and a stupa; if no stupa can be placed, yaks and delegations."""
        return Reward.BARTER, Reward.OFFERING, Reward.DELEGATION

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Go to the nearest useful village, trade there, and repeat."""
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


class Pilgrim(ErrandPlayer):
    """Goes far for a village without a stupa; its second reward is yaks, or delegations if no stupa can be placed."""

    name = "pilgrim"
    order = 2
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"stupa": 4.0, "delegation": 1.0, "yak": 0.3})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return `stupa` times the village's level, or the yaks if no stupa fits, plus a little for delegations."""
        level = view.board.levels[village]
        stupa = view.stupas[village] is None and view.stupas_left[seat] > 0
        holy = self.params["stupa"] * level if stupa else self.params["yak"] * order.yaks
        return float(holy + self.params["delegation"] * level)

    def preference(self, _view: State, _seat: int, /) -> tuple[Reward, ...]:
        """Prefer a stupa (offering), then yaks (barter), then delegations."""
        return Reward.OFFERING, Reward.BARTER, Reward.DELEGATION


class Envoy(ErrandPlayer):
    """Prefers high villages that border open regions; then yaks, or a stupa while it is last in stupas."""

    name = "envoy"
    order = 3
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"delegation": 4.0, "stupa": 1.0, "yak": 0.3})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of the delegations sent, lower near decided regions, plus a little for the order's yaks."""
        level = view.board.levels[village]
        sent = min(level, view.delegations_left[seat])
        open_regions = [region for region in view.board.borders[village] if self._is_open(view, seat, region)]
        share = len(open_regions) / len(view.board.borders[village])
        return float(self.params["delegation"] * sent * (0.3 + 0.7 * share) + self.params["yak"] * order.yaks)

    def _is_open(self, view: State, seat: int, region: int) -> bool:
        row = view.delegations[region]
        lead = row[seat] - max(count for other, count in enumerate(row) if other != seat)
        return -3 <= lead <= 1

    def preference(self, view: State, seat: int, /) -> tuple[Reward, ...]:
        """Prefer delegations, then a stupa while the seat has the fewest, otherwise yaks."""
        stupas = [view.stupas.count(other) for other in view.seats]
        last = stupas[seat] == min(stupas)
        rest = (Reward.OFFERING, Reward.BARTER) if last else (Reward.BARTER, Reward.OFFERING)
        return (Reward.DELEGATION, *rest)


class Trader(ErrandPlayer):
    """Barters every order; its second reward serves the influence in which it is further behind."""

    name = "trader"
    order = 4
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"yak": 1.0, "stupa": 0.8, "delegation": 0.8, "inventory": 1.0})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of the order's yaks, plus a little for the village's level."""
        stupa = view.stupas[village] is None and view.stupas_left[seat] > 0
        beside = self.params["stupa"] if stupa else self.params["delegation"]
        return float(self.params["yak"] * order.yaks + beside * view.board.levels[village])

    def cube_worth(self, view: State, seat: int, hand: Goods, resource: Resource, /) -> float:
        """Return the usual value, plus part of an inventory marker if the cube would break a tie for the majority."""
        worth = super().cube_worth(view, seat, hand, resource)
        rank = RANK[resource]
        rivals = max(other[rank] for rival, other in enumerate(view.hands) if rival != seat)
        rounds_left = next(count for count in INVENTORY_ROUNDS if count >= view.round) - view.round
        if hand[rank] == rivals:
            worth += self.params["inventory"] * MARKER_YAKS / (1 + rounds_left)
        return worth

    def preference(self, view: State, seat: int, /) -> tuple[Reward, ...]:
        """Prefer barter, then the reward for the influence in which fewer seats are behind this one."""
        stupas = [view.stupas.count(other) for other in view.seats]
        sent = [sum(row[other] for row in view.delegations) for other in view.seats]
        holy_behind = sum(stupas[other] < stupas[seat] for other in view.seats)
        political_behind = sum(sent[other] < sent[seat] for other in view.seats)
        holy_first = holy_behind <= political_behind
        rest = (Reward.OFFERING, Reward.DELEGATION) if holy_first else (Reward.DELEGATION, Reward.OFFERING)
        return (Reward.BARTER, *rest)


def lead(values: Sequence[int], seat: int) -> int:
    """Return a seat's lead over the lowest of the other seats; negative if the seat itself is lowest."""
    return values[seat] - min(value for other, value in enumerate(values) if other != seat)


class Balanced(ErrandPlayer):
    """Values stupas and delegations more, the closer the seat is to being last in them. Yaks have a fixed value."""

    name = "balanced"
    order = 5
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"yak": 1.0, "behind": 4.0, "level": 2.0, "ahead": 0.5, "safe": 1})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of the best two rewards for an order: yaks, a stupa or delegations."""
        level = view.board.levels[village]
        needs = self._needs(view, seat)
        stupa = view.stupas[village] is None and view.stupas_left[seat] > 0
        rewards = [
            self.params["yak"] * order.yaks,
            needs[Influence.RELIGIOUS] * level if stupa else 0.0,
            needs[Influence.POLITICAL] * min(level, view.delegations_left[seat]),
        ]
        return float(sum(sorted(rewards)[1:]))

    def preference(self, view: State, seat: int, /) -> tuple[Reward, ...]:
        """Rank the rewards by their value in this delivery."""
        order = view.orders[view.caravans[seat]]
        level = view.board.levels[view.caravans[seat]]
        needs = self._needs(view, seat)
        worth = {
            Reward.BARTER: self.params["yak"] * (order.yaks if order else 3),
            Reward.OFFERING: needs[Influence.RELIGIOUS] * level,
            Reward.DELEGATION: needs[Influence.POLITICAL] * level,
        }
        return tuple(sorted(worth, key=lambda reward: -worth[reward]))

    def _needs(self, view: State, seat: int) -> Mapping[Influence, float]:
        """Return the value per level of a stupa, and of a delegation; both depend on the lead over the last seat."""
        scores = influences(view)
        return {
            Influence.RELIGIOUS: self._need(lead(scores.religious, seat)),
            Influence.POLITICAL: self._need(lead(scores.political, seat)),
        }

    def _need(self, ahead: int) -> float:
        if ahead < 0:
            return float(self.params["behind"])
        return float(self.params["level"] if ahead < self.params["safe"] else self.params["ahead"])
