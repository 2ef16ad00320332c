"""Listing the legal actions of a seat, lazily if the list is long."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import overload

from himalaya_core.caravan.actions import (
    Action,
    Collect,
    CommitPlan,
    DeclineTrade,
    Deliver,
    PassToken,
    PlaceCaravan,
    PlaceToken,
)
from himalaya_core.caravan.flow import actors, placeable_tokens, tokens_due
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act, Reward, Token, is_plan
from himalaya_core.caravan.rules import delegation_counts, inventory_rewards, is_token_site, offered, reward_choices
from himalaya_core.caravan.state import State
from himalaya_core.game import CHANCE

__all__ = ["LegalPlans", "legal_actions"]

ACTS = tuple(Act)
HALVES = tuple(product(ACTS, ACTS, ACTS))
"""All half plans, in the order of `LegalPlans`."""
ROAD_TOKENS = (Token.YETI, Token.SNOWSTORM)


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Return all legal actions of a seat; the 15,625 plans are a lazy sequence, and chance has no list."""
    if seat == CHANCE or seat not in actors(state):
        return ()
    if state.round == 0:
        free = (village.number for village in state.board.villages if village.number not in state.caravans)
        return [PlaceCaravan(seat, village) for village in free]
    if state.step == 0:
        return _token_actions(state, seat) if tokens_due(state) else LegalPlans(seat)
    if state.step > PLAN_LENGTH:
        return inventory_rewards(state, seat)
    village = state.caravans[seat]
    if state.orders[village] is None:
        return [*(Collect(seat, resource) for resource in offered(state, village)), DeclineTrade(seat)]
    return [*_deliveries(state, seat), DeclineTrade(seat)]


def _token_actions(state: State, seat: int) -> list[PlaceToken | PassToken]:
    sites = [PlaceToken(seat, token, road=road.between) for token in ROAD_TOKENS for road in state.board.roads]
    sites += [PlaceToken(seat, Token.MARKET, village=village.number) for village in state.board.villages]
    mine = placeable_tokens(state, seat)
    return [PassToken(seat), *(site for site in sites if site.token in mine and is_token_site(state, site))]


def _deliveries(state: State, seat: int) -> Iterator[Deliver]:
    for rewards in reward_choices(state, seat):
        if Reward.DELEGATION in rewards:
            for regions in _splits(state, seat):
                yield Deliver(seat, rewards, regions)
        else:
            yield Deliver(seat, rewards, {})


def _splits(state: State, seat: int) -> Iterator[dict[int, int]]:
    borders = state.board.borders[state.caravans[seat]]
    for count in delegation_counts(state, seat):
        for chosen in combinations_with_replacement(sorted(borders), count):
            yield {region: chosen.count(region) for region in dict.fromkeys(chosen)}


class LegalPlans(Sequence[CommitPlan]):
    """All plans of a seat, made on access: index n in base 5 gives the six actions."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __len__(self) -> int:
        return len(ACTS) ** PLAN_LENGTH

    @overload
    def __getitem__(self, index: int) -> CommitPlan: ...
    @overload
    def __getitem__(self, index: slice) -> list[CommitPlan]: ...
    def __getitem__(self, index: int | slice) -> CommitPlan | list[CommitPlan]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        first, second = divmod(range(len(self))[index], len(HALVES))
        return CommitPlan(self.seat, HALVES[first] + HALVES[second])

    def __iter__(self) -> Iterator[CommitPlan]:
        for plan in product(ACTS, ACTS, ACTS, ACTS, ACTS, ACTS):
            yield CommitPlan(self.seat, plan)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, CommitPlan) and action.seat == self.seat and is_plan(action.plan)
