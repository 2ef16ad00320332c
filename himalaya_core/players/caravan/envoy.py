"""Envoy: political influence first; sends delegations with every delivery to regions whose majority is open."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.caravan.pieces import Order, Reward
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.errands import ErrandPlayer

__all__ = ["Envoy"]


class Envoy(ErrandPlayer):
    """Prefers high villages that border open regions; then yaks, or a stupa while it is last in stupas."""

    name = "envoy"
    order = 3
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"delegation": 4.0, "stupa": 1.0, "yak": 0.3})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of the delegations it can send, less in decided regions, plus a little for the yaks."""
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
        """Prefer delegations, then an offering while it has the fewest stupas, else barter."""
        stupas = [view.stupas.count(other) for other in view.seats]
        last = stupas[seat] == min(stupas)
        rest = (Reward.OFFERING, Reward.BARTER) if last else (Reward.BARTER, Reward.OFFERING)
        return (Reward.DELEGATION, *rest)
