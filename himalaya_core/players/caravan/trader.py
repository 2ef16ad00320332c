"""Trader: economic influence first; prefers orders with many yaks, and resources that win an upcoming inventory."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.caravan.pieces import INVENTORY_ROUNDS, MARKER_YAKS, RANK, Goods, Order, Resource, Reward
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.errands import ErrandPlayer

__all__ = ["Trader"]


class Trader(ErrandPlayer):
    """Barters every order; its second reward serves the influence in which it is further behind."""

    name = "trader"
    order = 4
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"yak": 1.0, "stupa": 0.8, "delegation": 0.8, "inventory": 1.0})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the yaks of the order plus a little for the village's level."""
        stupa = view.stupas[village] is None and view.stupas_left[seat] > 0
        beside = self.params["stupa"] if stupa else self.params["delegation"]
        return float(self.params["yak"] * order.yaks + beside * view.board.levels[village])

    def cube_worth(self, view: State, seat: int, hand: Goods, resource: Resource, /) -> float:
        """Return the usual value, plus a share of an inventory marker if the cube would break a tie for the most."""
        worth = super().cube_worth(view, seat, hand, resource)
        rank = RANK[resource]
        rivals = max(other[rank] for rival, other in enumerate(view.hands) if rival != seat)
        rounds_left = next(count for count in INVENTORY_ROUNDS if count >= view.round) - view.round
        if hand[rank] == rivals:
            worth += self.params["inventory"] * MARKER_YAKS / (1 + rounds_left)
        return worth

    def preference(self, view: State, seat: int, /) -> tuple[Reward, ...]:
        """Prefer barter, then the reward of the influence in which fewer seats are behind it."""
        stupas = [view.stupas.count(other) for other in view.seats]
        sent = [sum(row[other] for row in view.delegations) for other in view.seats]
        holy_behind = sum(stupas[other] < stupas[seat] for other in view.seats)
        political_behind = sum(sent[other] < sent[seat] for other in view.seats)
        holy_first = holy_behind <= political_behind
        rest = (Reward.OFFERING, Reward.DELEGATION) if holy_first else (Reward.DELEGATION, Reward.OFFERING)
        return (Reward.BARTER, *rest)
