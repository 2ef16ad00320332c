"""Base of all caravan players: answers every kind of choice, and finds the shortest routes between villages."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
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
from himalaya_core.caravan.board import Board
from himalaya_core.caravan.flow import tokens_due
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act, Reward, RoadType, Token
from himalaya_core.caravan.rules import delegations_to_send, inventory_rewards, offered, possible_rewards
from himalaya_core.caravan.state import State

__all__ = ["Routes", "Traveller", "routes", "spread"]


ACTS = {RoadType.SOIL: Act.SOIL, RoadType.STONE: Act.STONE, RoadType.ICE: Act.ICE}

RoadName = tuple[int, int]


class Routes:
    """Shortest routes: `ways[a][b]` lists the actions that lead from village a to b. Index 0 is unused."""

    def __init__(self, board: Board, yeti: RoadName | None, storm: RoadName | None) -> None:
        self._board = board
        self._yeti = yeti
        self._storm = storm
        self.ways = ({}, *(self._from(village.number) for village in board.villages))

    def _from(self, start: int) -> dict[int, tuple[Act, ...]]:
        ways: dict[int, tuple[Act, ...]] = {}
        found = count()
        frontier: list[tuple[int, int, int, tuple[Act, ...]]] = [(0, next(found), start, ())]
        while frontier:
            _, _, village, way = heappop(frontier)
            if village in ways:
                continue
            ways[village] = way
            for road, other in self._board.neighbours[village].items():
                name = (min(village, other), max(village, other))
                if other not in ways and name != self._yeti:
                    longer = (*way, *(ACTS[road],) * (2 if name == self._storm else 1))
                    heappush(frontier, (len(longer), next(found), other, longer))
        return ways

    def distance(self, start: int, end: int) -> int:
        """Return the number of actions on the shortest route; 99 if the Yeti blocks every route."""
        way = self.ways[start].get(end)
        return 99 if way is None else len(way)


@lru_cache(maxsize=4096)
def _routes(board: Board, yeti: RoadName | None, storm: RoadName | None) -> Routes:
    return Routes(board, yeti, storm)


def routes(view: State) -> Routes:
    """Return the shortest routes of this round, cached by the roads with the Yeti and the snowstorm."""
    roads = {placed.token: placed.road for placed in view.tokens}
    return _routes(view.board, roads.get(Token.YETI), roads.get(Token.SNOWSTORM))


INVENTORY_REWARDS: Final = {
    Reward.BARTER: TakeMarker,
    Reward.OFFERING: PlaceInventoryStupa,
    Reward.DELEGATION: SendInventoryDelegations,
}


class Traveller(ABC):
    """Base of players: a subclass chooses the starting village, the plan and the preferred rewards."""

    name: str
    version: str
    params: Mapping[str, Any]
    least: Mapping[str, int] = MappingProxyType({})
    """Minimum values of parameters; the minimum of any other parameter is 0."""

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Create a player; `settings` override `params`. All random draws depend on `seed`.

        Raises `ValueError` if a setting is too small or not finite.
        """
        for key, value in settings.items():
            least = self.least.get(key, 0)
            if not least <= value < inf:
                raise ValueError(f"setting {key}: expected at least {least}, found {value}")
        self.seed = seed
        self.params = {**self.params, **settings}

    @abstractmethod
    def place(self, view: State, seat: int, free: Sequence[int], /) -> int:
        """Return the starting village, chosen from `free`."""

    @abstractmethod
    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Return up to six actions for this round. If there are fewer, rests fill the plan."""

    @abstractmethod
    def preference(self, view: State, seat: int, /) -> tuple[Reward, ...]:
        """Return all rewards, most preferred first. A delivery takes the first two that are possible there."""

    def token(self, _view: State, seat: int, /) -> PlaceToken | PassToken:
        """Return the event token to place this round, or a pass. By default, always pass."""
        return PassToken(seat)

    def inventory(self, view: State, seat: int, /) -> InventoryAction:
        """Return the reward for winning an inventory: the most preferred one that is possible."""
        rewards = inventory_rewards(view, seat)
        wanted = (INVENTORY_REWARDS[reward] for reward in self.preference(view, seat))
        kind = next(kind for kind in wanted if any(isinstance(reward, kind) for reward in rewards))
        return next(reward for reward in rewards if isinstance(reward, kind))

    def choose(self, view: State, seat: int, /) -> SeatAction:
        """Return the action for the choice that is due."""
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
        """Return the trade in the caravan's village. By default, always collect or deliver."""
        village = view.caravans[seat]
        if view.orders[village] is None:
            return Collect(seat, offered(view, village)[-1])
        possible = possible_rewards(view, seat)
        wanted = [reward for reward in self.preference(view, seat) if reward in possible][:2]
        rewards = tuple(reward for reward in possible if reward in wanted)
        regions = spread(view, seat, delegations_to_send(view, seat)) if Reward.DELEGATION in rewards else {}
        return Deliver(seat, rewards, regions)


def spread(view: State, seat: int, count: int) -> dict[int, int]:
    """Divide delegations among bordering regions, one by one, each to the region where one more is worth most."""
    rows = {region: list(view.delegations[region]) for region in view.board.borders[view.caravans[seat]]}
    sent: dict[int, int] = {}
    for _ in range(count):
        region = max(rows, key=lambda region: (_gain(rows[region], seat), -region))
        rows[region][seat] += 1
        sent[region] = sent.get(region, 0) + 1
    return sent


def _gain(row: list[int], seat: int) -> float:
    """Return the value of one more delegation in a region, given the seat's current lead there."""
    others = max(count for other, count in enumerate(row) if other != seat)
    lead = row[seat] - others
    if lead == 0:
        return 3.0
    return 2.0 / -lead if lead < 0 else 1.0 / lead
