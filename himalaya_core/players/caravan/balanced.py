"""Balanced: strengthens the influence it is closest to being eliminated on, and trades for yaks when safe on both."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from himalaya_core.caravan.pieces import Influence, Order, Reward
from himalaya_core.caravan.scoring import influences
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.errands import ErrandPlayer

__all__ = ["Balanced", "lead"]


def lead(values: Sequence[int], seat: int) -> int:
    """Return a seat's lead over the lowest other seat; negative if it is the lowest itself."""
    return values[seat] - min(value for other, value in enumerate(values) if other != seat)


class Balanced(ErrandPlayer):
    """Values stupas and delegations more the closer it is to being last, and yaks at a fixed rate."""

    name = "balanced"
    order = 5
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"yak": 1.0, "behind": 4.0, "level": 2.0, "ahead": 0.5, "safe": 1})

    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of the best two rewards of an order: yaks, a stupa or delegations."""
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
        """Rank the rewards by their value for this delivery."""
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
        """Return the current value of a level of stupa and of a delegation, by the lead over the last seat."""
        scores = influences(view)
        return {
            Influence.RELIGIOUS: self._need(lead(scores.religious, seat)),
            Influence.POLITICAL: self._need(lead(scores.political, seat)),
        }

    def _need(self, ahead: int) -> float:
        if ahead < 0:
            return float(self.params["behind"])
        return float(self.params["level"] if ahead < self.params["safe"] else self.params["ahead"])
