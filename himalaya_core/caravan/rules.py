"""The rules: whether an action is legal, the events it causes, and the legal actions of a seat."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any, assert_never, overload

from himalaya_core.caravan.actions import (
    Action,
    Collect,
    CommitPlan,
    DeclineTrade,
    Deliver,
    InventoryAction,
    PassToken,
    PlaceCaravan,
    PlaceInventoryStupa,
    PlaceToken,
    RollOrder,
    RollResources,
    SendInventoryDelegations,
    TakeMarker,
)
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Event,
    InventoryMarkerTaken,
    OrderReturned,
    PlanCommitted,
    RefillRolled,
    StupaPlaced,
    TokenPassed,
    TokenPlaced,
)
from himalaya_core.caravan.flow import (
    acting_seat,
    actors,
    cheapest,
    inventory_seat,
    is_market,
    is_planning,
    may_trade,
    next_empty,
    placeable_tokens,
    placing_seat,
    refill_due,
    token_on,
    token_seat,
    tokens_due,
)
from himalaya_core.caravan.pieces import (
    INVENTORY_DELEGATIONS,
    NO_GOODS,
    PLAN_LENGTH,
    RANK,
    RESOURCES,
    SUPPLY,
    Act,
    Cause,
    Refill,
    Resource,
    Reward,
    Token,
    VoidReason,
    is_plan,
)
from himalaya_core.caravan.state import State
from himalaya_core.game import CHANCE, IllegalAction

__all__ = [
    "LegalPlans",
    "decide",
    "delegation_counts",
    "delegations_to_send",
    "inventory_rewards",
    "is_token_site",
    "legal_actions",
    "offered",
    "possible_rewards",
    "reward_choices",
]


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events that an action causes. `IllegalAction` gives the reason if it is not allowed."""
    match action:
        case Collect():
            return _collect(state, action)
        case CommitPlan():
            if not is_planning(state) or action.seat not in state.seats or state.plans[action.seat] is not None:
                raise IllegalAction(f"seat {action.seat + 1} has no plan to make now")
            if not is_plan(action.plan):
                found = ", ".join(action.plan) or "none"
                raise IllegalAction(f"a plan has {PLAN_LENGTH} actions of {', '.join(Act)}, found {found}")
            return (PlanCommitted(action.seat, action.plan),)
        case Deliver():
            return _deliver(state, action)
        case DeclineTrade():
            _require_trade(state, action.seat)
            return (ActionVoided(action.seat, state.step, Act.TRADE, VoidReason.DECLINED),)
        case RollResources():
            return _roll_resources(state, action)
        case RollOrder():
            return _roll_order(state, action)
        case PlaceCaravan():
            return _place(state, action)
        case PlaceToken() | PassToken():
            return _token(state, action)
        case TakeMarker() | SendInventoryDelegations() | PlaceInventoryStupa():
            return _take_reward(state, action)
        case _:
            assert_never(action)


def _token(state: State, action: PlaceToken | PassToken) -> tuple[Event, ...]:
    """Place an event token or pass. Each player may place one per round, and each kind once per round (C-Ib)."""
    if state.round == 0 or state.step or not tokens_due(state) or token_seat(state) != action.seat:
        raise IllegalAction(f"seat {action.seat + 1} may not place a token now")
    if isinstance(action, PassToken):
        return (TokenPassed(action.seat),)
    if action.token not in placeable_tokens(state, action.seat):
        raise IllegalAction(f"seat {action.seat + 1} has no {action.token} that may be placed this round")
    if not is_token_site(state, action):
        raise IllegalAction(f"the {action.token} cannot lie on {_site(action)}")
    return (TokenPlaced(action.seat, action.token, action.road, action.village),)


def _site(action: PlaceToken) -> str:
    road = f"the road {'-'.join(map(str, action.road))}" if action.road else ""
    village = f"village {action.village}" if action.village is not None else ""
    return " and ".join(filter(None, [road, village])) or "no road and no village"


def is_token_site(state: State, action: PlaceToken) -> bool:
    """Return whether the token's site is legal: a road without a token, or a village with resources (C-Ib.site)."""
    if action.token is Token.MARKET:
        village = action.village
        offered = village is not None and 1 <= village < len(state.goods) and state.goods[village] != NO_GOODS
        return offered and action.road is None
    known = any(road.between == action.road for road in state.board.roads)
    return known and action.road is not None and token_on(state, action.road) is None and action.village is None


def _reward(action: InventoryAction) -> str:
    match action:
        case SendInventoryDelegations():
            return f"a delegation to region {action.region}"
        case PlaceInventoryStupa():
            return f"a stupa in village {action.village}"
        case _:
            return "the marker"


def _take_reward(state: State, action: InventoryAction) -> tuple[Event, ...]:
    """Give the winner of an inventory the chosen reward (C-V.full)."""
    inventory = state.inventory
    if state.step <= PLAN_LENGTH or inventory is None or inventory_seat(state) != action.seat:
        raise IllegalAction(f"seat {action.seat + 1} has no inventory reward to choose now")
    if action not in inventory_rewards(state, action.seat):
        raise IllegalAction(f"{_reward(action)} is not among the rewards where the caravan stands")
    match action:
        case TakeMarker():
            return (InventoryMarkerTaken(action.seat, inventory.resource, yaks=3),)
        case SendInventoryDelegations():
            count = min(INVENTORY_DELEGATIONS, state.delegations_left[action.seat])
            return (DelegationsSent(action.seat, {action.region: count}, Cause.INVENTORY),)
        case PlaceInventoryStupa():
            level = state.board.levels[action.village]
            return (StupaPlaced(action.seat, action.village, level, Cause.INVENTORY),)


def inventory_rewards(state: State, seat: int) -> list[InventoryAction]:
    """Return the rewards open to the winner of an inventory: marker, delegations, or a stupa in a house (C-V.full)."""
    borders = state.board.borders[state.caravans[seat]]
    rewards: list[InventoryAction] = [TakeMarker(seat)]
    if state.delegations_left[seat]:
        rewards += [SendInventoryDelegations(seat, region) for region in sorted(borders)]
    if state.stupas_left[seat]:
        rewards += [
            PlaceInventoryStupa(seat, village.number)
            for village in state.board.villages
            if village.level == 1 and state.stupas[village.number] is None and set(village.regions) & set(borders)
        ]
    return rewards


def _require_trade(state: State, seat: int) -> None:
    """Check that the seat's current action is a trade that it must decide on (C-III.decline)."""
    if not 1 <= state.step <= PLAN_LENGTH or acting_seat(state) != seat or not may_trade(state, seat):
        raise IllegalAction(f"seat {seat + 1} has no trade to decide on now")


def _place(state: State, action: PlaceCaravan) -> tuple[Event, ...]:
    """Place a caravan in any free village (C-setup.caravans)."""
    if state.round or refill_due(state) is not None or placing_seat(state) != action.seat:
        raise IllegalAction(f"seat {action.seat + 1} may not place a caravan now")
    if not 1 <= action.village <= len(state.board.villages):
        raise IllegalAction(f"there is no village {action.village}")
    if action.village in state.caravans:
        raise IllegalAction(f"village {action.village} already has a caravan")
    return (CaravanPlaced(action.seat, action.village),)


def _collect(state: State, action: Collect) -> tuple[Event, ...]:
    """Take the cheapest cube, or any at a market; once per player, village and round (C-III.collect, C-Ib.market)."""
    _require_trade(state, action.seat)
    village = state.caravans[action.seat]
    if state.orders[village] is not None:
        raise IllegalAction(f"village {village} has an order, no resources")
    there = offered(state, village)
    if action.resource not in there:
        what = "resource at the market" if is_market(state, village) else "cheapest resource"
        raise IllegalAction(f"the {what} in village {village} is {' or '.join(there)}, not {action.resource}")
    return (Collected(action.seat, state.step, village, action.resource, market=is_market(state, village)),)


def offered(state: State, village: int) -> list[Resource]:
    """Return the resources that may be taken: the cheapest one or, at the market, any (C-Ib.market)."""
    goods = state.goods[village]
    if is_market(state, village):
        return [resource for resource, count in zip(RESOURCES, goods, strict=True) if count]
    return [cheapest(goods)]


def _deliver(state: State, action: Deliver) -> tuple[Event, ...]:
    """Deliver the order in the caravan's village in return for two different rewards (C-III.deliver)."""
    _require_trade(state, action.seat)
    seat, village = action.seat, state.caravans[action.seat]
    order = state.orders[village]
    if order is None:
        raise IllegalAction(f"village {village} has no order")
    if action.rewards not in reward_choices(state, seat):
        possible = ", ".join(possible_rewards(state, seat))
        number = "one or two" if state.options.fewer_rewards else "two"
        raise IllegalAction(f"expected {number} of {possible} in this order (or all there are)")
    _check_regions(state, action)
    events: list[Event] = [Delivered(seat, state.step, village, order, order.demand, action.rewards)]
    if Reward.BARTER in action.rewards:
        events.append(Bartered(seat, order.id, order.yaks))
    else:
        events.append(OrderReturned(seat, order.id))
    if Reward.OFFERING in action.rewards:
        events.append(StupaPlaced(seat, village, state.board.levels[village], Cause.OFFERING))
    if Reward.DELEGATION in action.rewards:
        regions = {region: action.regions[region] for region in sorted(action.regions)}
        events.append(DelegationsSent(seat, regions, Cause.DELEGATION))
    return tuple(events)


def _check_regions(state: State, action: Deliver) -> None:
    """Check how delegations are divided among the bordering regions (C-III.delegation)."""
    village = state.caravans[action.seat]
    counts = delegation_counts(state, action.seat) if Reward.DELEGATION in action.rewards else range(1)
    strangers = sorted(set(action.regions) - set(state.board.borders[village]))
    if strangers:
        raise IllegalAction(f"region {strangers[0]} does not border village {village}")
    if sum(action.regions.values()) not in counts or any(count < 1 for count in action.regions.values()):
        to_send = f"1 to {counts[-1]}" if len(counts) > 1 else counts[0]
        raise IllegalAction(f"expected {to_send} delegations to be sent, found {_listed(action.regions, 'to region ')}")


def _listed(counts: Mapping[Any, int], before: str = "") -> str:
    return ", ".join(f"{count} {before}{what}" for what, count in counts.items()) or "none"


def possible_rewards(state: State, seat: int) -> tuple[Reward, ...]:
    """Return the rewards that a delivery in the caravan's village can give (C-III.rewards)."""
    rewards = [Reward.BARTER]
    if state.stupas[state.caravans[seat]] is None and state.stupas_left[seat]:
        rewards.append(Reward.OFFERING)
    if state.delegations_left[seat]:
        rewards.append(Reward.DELEGATION)
    return tuple(rewards)


def reward_choices(state: State, seat: int) -> list[tuple[Reward, ...]]:
    """Return the allowed sets of rewards: two, or the only one. `fewer_rewards` adds single ones (C-III.may)."""
    possible = possible_rewards(state, seat)
    most = min(2, len(possible))
    least = 1 if state.options.fewer_rewards else most
    return [chosen for count in range(most, least - 1, -1) for chosen in combinations(possible, count)]


def delegation_counts(state: State, seat: int) -> range:
    """Return how many delegations may be sent: the maximum or, with `fewer_rewards`, any number from 1 (C-III.may)."""
    most = delegations_to_send(state, seat)
    return range(1 if state.options.fewer_rewards else most, most + 1)


def delegations_to_send(state: State, seat: int) -> int:
    """Return how many delegations a reward sends: the village's level, at most the seat's supply (C-III.delegation)."""
    return min(state.board.levels[state.caravans[seat]], state.delegations_left[seat])


def _roll_resources(state: State, action: RollResources) -> tuple[Event, ...]:
    """Refill a village with its number of cubes, or with all cubes left in the bag (C-IV.bag)."""
    if refill_due(state) is not Refill.RESOURCES:
        raise IllegalAction("no refill of resources is due")
    _check_die(state, action.die)
    drawn = sum(action.drawn.values())
    expected = min(SUPPLY[len(state.caravans)].cubes, sum(state.bag))
    if drawn != expected or any(not 0 < n <= state.bag[RANK[r]] for r, n in action.drawn.items()):
        raise IllegalAction(f"expected {expected} cubes that are in the bag, found {_listed(action.drawn)}")
    village = next_empty(state, action.die)
    return (RefillRolled(Refill.RESOURCES, action.die, village, drawn=action.drawn),)


def _roll_order(state: State, action: RollOrder) -> tuple[Event, ...]:
    if refill_due(state) is not Refill.ORDER:
        raise IllegalAction("no refill of orders is due")
    _check_die(state, action.die)
    order = state.board.order_by_id.get(action.order)
    if order is None or order not in state.order_bag:
        raise IllegalAction(f"the disc {action.order} is not in the bag")
    return (RefillRolled(Refill.ORDER, action.die, next_empty(state, action.die), order=order),)


def _check_die(state: State, die: int) -> None:
    if not 1 <= die <= len(state.board.villages):
        raise IllegalAction(f"the die has no side {die}")
    if state.options.village_cards and die not in state.cards:
        raise IllegalAction(f"the card of village {die} is not in the deck")


ACTS = tuple(Act)
HALVES = tuple(product(ACTS, ACTS, ACTS))
"""All sequences of three actions, which are half a plan, in the order used by `LegalPlans`."""
ROAD_TOKENS = (Token.YETI, Token.SNOWSTORM)


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Return all legal actions of a seat. The 15,625 plans are a lazy sequence; actions of chance are not listed."""
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
    """All possible plans of a seat, created on access: index n, written in base 5, gives the six actions."""

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
