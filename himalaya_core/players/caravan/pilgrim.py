"""Pilgrim: religious influence first; places stupas where it can, in monasteries before temples before houses."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.caravan.pieces import Order, Reward
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.errands import ErrandPlayer

__all__ = ["Pilgrim"]


class Pilgrim(ErrandPlayer):
    """Goes far for a village without a stupa; its second reward is yaks, or delegations if no stupa can be placed."""

    name = "pilgrim"
    order = 2
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"stupa": 4.0, "delegation": 1.0, "yak": 0.3})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the level times `stupa` if a stupa can be placed, else the yaks; plus a little for delegations."""
        level = view.board.levels[village]
        stupa = view.stupas[village] is None and view.stupas_left[seat] > 0
        holy = self.params["stupa"] * level if stupa else self.params["yak"] * order.yaks
        return float(holy + self.params["delegation"] * level)

    def preference(self, _view: State, _seat: int, /) -> tuple[Reward, ...]:
        """Prefer the offering, then barter, then delegations."""
        return Reward.OFFERING, Reward.BARTER, Reward.DELEGATION
