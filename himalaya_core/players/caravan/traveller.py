"""What all caravan players share: they answer every choice, always collect and always deliver."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.caravan.actions import (
    Collect,
    CommitPlan,
    Deliver,
    InventoryAction,
    PassToken,
    PlaceCaravan,
    PlaceInventoryStupa,
    PlaceToken,
    SeatAction,
    SendInventoryDelegations,
    TakeMarker,
)
from himalaya_core.caravan.flow import tokens_due
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act, Reward
from himalaya_core.caravan.rules import delegations_to_send, inventory_rewards, offered, possible_rewards
from himalaya_core.caravan.state import State

__all__ = ["Traveller", "spread"]

INVENTORY_REWARDS: Final = {
    Reward.BARTER: TakeMarker,
    Reward.OFFERING: PlaceInventoryStupa,
    Reward.DELEGATION: SendInventoryDelegations,
}


class Traveller(ABC):
    """A player with a policy of its own for the place to start from, the plan, and the rewards it prefers."""

    name: str
    version: str
    params: Mapping[str, Any]
    least: Mapping[str, int] = MappingProxyType({})
    """The least value of a param, where that is not 0."""

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take over settings for some of the params; whatever a player draws is a function of the seed.

        `ValueError` for a setting that is too small, or no number at all.
        """
        for key, value in settings.items():
            least = self.least.get(key, 0)
            if not least <= value < inf:
                raise ValueError(f"setting {key}: expected at least {least}, found {value}")
        self.seed = seed
        self.params = {**self.params, **settings}

    @abstractmethod
    def place(self, view: State, seat: int, free: Sequence[int], /) -> int:
        """Return the village to start from, one of the free ones."""

    @abstractmethod
    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Return the actions of this round, at most six; what is left of the round is spent resting."""

    @abstractmethod
    def preference(self, view: State, seat: int, /) -> tuple[Reward, ...]:
        """Return the rewards, the most wanted first; a delivery takes the first two that are possible."""

    def token(self, _view: State, seat: int, /) -> PlaceToken | PassToken:
        """Return the event token to place this round; most players never do."""
        return PassToken(seat)

    def inventory(self, view: State, seat: int, /) -> InventoryAction:
        """Return the reward for winning an inventory: what comes first in the preference and is possible."""
        rewards = inventory_rewards(view, seat)
        wanted = (INVENTORY_REWARDS[reward] for reward in self.preference(view, seat))
        kind = next(kind for kind in wanted if any(isinstance(reward, kind) for reward in rewards))
        return next(reward for reward in rewards if isinstance(reward, kind))

    def choose(self, view: State, seat: int, /) -> SeatAction:
        """Return the action for the choice that is due now."""
        if view.round == 0:
            free = [village.number for village in view.board.villages if village.number not in view.caravans]
            return PlaceCaravan(seat, self.place(view, seat, free))
        if view.step == 0 and tokens_due(view):
            return self.token(view, seat)
        if view.step > PLAN_LENGTH:
            return self.inventory(view, seat)
        if view.step == 0:
            acts = (*self.plan(view, seat), *(Act.REST,) * PLAN_LENGTH)
            return CommitPlan(seat, (acts[0], acts[1], acts[2], acts[3], acts[4], acts[5]))
        return self.trade(view, seat)

    def trade(self, view: State, seat: int, /) -> SeatAction:
        """Return how to trade where the caravan stands: always collect, always deliver."""
        village = view.caravans[seat]
        if view.orders[village] is None:
            return Collect(seat, offered(view, village)[-1])
        possible = possible_rewards(view, seat)
        wanted = [reward for reward in self.preference(view, seat) if reward in possible][:2]
        rewards = tuple(reward for reward in possible if reward in wanted)
        regions = spread(view, seat, delegations_to_send(view, seat)) if Reward.DELEGATION in rewards else {}
        return Deliver(seat, rewards, regions)


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
