"""What may be chosen: deciding an action, listing the legal ones, sampling those of chance."""

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import assert_never, overload

from himalaya_core.caravan.actions import (
    Action,
    Collect,
    CommitPlan,
    DeclineTrade,
    Deliver,
    PlaceCaravan,
    RollOrder,
    RollResources,
)
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Event,
    OrderReturned,
    PlanCommitted,
    RefillRolled,
    StupaPlaced,
)
from himalaya_core.caravan.flow import (
    actors,
    cheapest,
    next_empty,
    placing_seat,
    refill_due,
)
from himalaya_core.caravan.pieces import (
    CUBES,
    PLAN_LENGTH,
    RANK,
    SUPPLY,
    Act,
    Cause,
    Goods,
    Refill,
    Reward,
    VoidReason,
    sparse,
)
from himalaya_core.caravan.state import State
from himalaya_core.game import CHANCE, Dice, IllegalAction, Luck

__all__ = ["LegalPlans", "decide", "delegations_to_send", "legal_actions", "possible_rewards", "sample_chance"]

ACTS = tuple(Act)
BOX = tuple((rank, number) for rank, count in enumerate(CUBES) for number in range(count))
"""Every cube of the box: its rank and its number among those of its kind."""


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events an action causes now; `IllegalAction` says why it may not be done."""
    match action:
        case Collect():
            return _collect(state, action)
        case CommitPlan():
            if state.round == 0 or state.step or state.plans[_seat(state, action.seat)] is not None:
                raise IllegalAction(f"seat {action.seat} has no plan to make now")
            if action not in LegalPlans(action.seat):
                raise IllegalAction(f"a plan has {PLAN_LENGTH} actions of {', '.join(ACTS)}, found {action.plan}")
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
        case _:
            assert_never(action)


def _seat(state: State, seat: int) -> int:
    if not 0 <= seat < len(state.caravans):
        raise IllegalAction(f"there is no seat {seat}")
    return seat


def _require_trade(state: State, seat: int) -> None:
    """Check that a seat's programmed trade waits for its decision (C-III.decline)."""
    if not 1 <= state.step <= PLAN_LENGTH or actors(state) != (seat,):
        raise IllegalAction(f"seat {seat} has no trade to decide on now")


def _place(state: State, action: PlaceCaravan) -> tuple[Event, ...]:
    """Place a caravan on a village of choice, no two on the same one (C-setup.caravans)."""
    if state.round or refill_due(state) is not None or placing_seat(state) != action.seat:
        raise IllegalAction(f"seat {action.seat} may not place a caravan now")
    if not 1 <= action.village <= len(state.board.villages):
        raise IllegalAction(f"there is no village {action.village}")
    if action.village in state.caravans:
        raise IllegalAction(f"a caravan already stands in village {action.village}")
    return (CaravanPlaced(action.seat, action.village),)


def _collect(state: State, action: Collect) -> tuple[Event, ...]:
    """Take the cheapest cube, one per player, village and round (C-III.collect)."""
    _require_trade(state, action.seat)
    village = state.caravans[action.seat]
    if state.orders[village] is not None:
        raise IllegalAction(f"village {village} has an order, no resources")
    resource = cheapest(state.goods[village])
    if action.resource != resource:
        raise IllegalAction(f"the cheapest resource in village {village} is {resource}, not {action.resource}")
    return (Collected(action.seat, state.step, village, resource, market=False),)


def _deliver(state: State, action: Deliver) -> tuple[Event, ...]:
    """Deliver the order where the caravan stands, for two different rewards (C-III.deliver)."""
    _require_trade(state, action.seat)
    seat, village = action.seat, state.caravans[action.seat]
    order = state.orders[village]
    if order is None:
        raise IllegalAction(f"village {village} has no order")
    possible = possible_rewards(state, seat)
    if action.rewards not in combinations(possible, min(2, len(possible))):
        raise IllegalAction(f"expected two of {', '.join(possible)} in this order (or all there are)")
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
    """Check the split of the delegations over the bordering regions (C-III.delegation)."""
    village = state.caravans[action.seat]
    to_send = delegations_to_send(state, action.seat) if Reward.DELEGATION in action.rewards else 0
    strangers = sorted(set(action.regions) - set(state.board.borders[village]))
    if strangers:
        raise IllegalAction(f"region {strangers[0]} does not border village {village}")
    if sum(action.regions.values()) != to_send or any(count < 1 for count in action.regions.values()):
        raise IllegalAction(f"expected {to_send} delegations to be sent, found {action.regions}")


def possible_rewards(state: State, seat: int) -> tuple[Reward, ...]:
    """Return the rewards a delivery where the caravan stands can earn (C-III.rewards)."""
    rewards = [Reward.BARTER]
    if state.stupas[state.caravans[seat]] is None and state.stupas_left[seat]:
        rewards.append(Reward.OFFERING)
    if state.delegations_left[seat]:
        rewards.append(Reward.DELEGATION)
    return tuple(rewards)


def delegations_to_send(state: State, seat: int) -> int:
    """Return how many delegations the reward sends: the village's level, or all that are left (C-III.delegation)."""
    return min(state.board.levels[state.caravans[seat]], state.delegations_left[seat])


def _roll_resources(state: State, action: RollResources) -> tuple[Event, ...]:
    """Refill with as many cubes as a village gets, or all the bag still has (C-IV.bag)."""
    if refill_due(state) is not Refill.RESOURCES:
        raise IllegalAction("no refill of resources is due")
    _check_die(state, action.die)
    drawn = sum(action.drawn.values())
    expected = min(SUPPLY[len(state.caravans)].cubes, sum(state.bag))
    if drawn != expected or any(not 0 < n <= state.bag[RANK[r]] for r, n in action.drawn.items()):
        raise IllegalAction(f"expected {expected} cubes that are in the bag, found {action.drawn}")
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


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Return all that a seat may choose now; the 15,625 plans as a lazy sequence, chance's outcomes not at all."""
    if seat == CHANCE or seat not in actors(state):
        return ()
    if state.round == 0:
        free = (village.number for village in state.board.villages if village.number not in state.caravans)
        return [PlaceCaravan(seat, village) for village in free]
    if state.step == 0:
        return LegalPlans(seat)
    village = state.caravans[seat]
    if state.orders[village] is None:
        return [Collect(seat, cheapest(state.goods[village])), DeclineTrade(seat)]
    return [*_deliveries(state, seat), DeclineTrade(seat)]


def _deliveries(state: State, seat: int) -> Iterator[Deliver]:
    possible = possible_rewards(state, seat)
    for rewards in combinations(possible, min(2, len(possible))):
        if Reward.DELEGATION in rewards:
            for regions in _splits(state, seat):
                yield Deliver(seat, rewards, regions)
        else:
            yield Deliver(seat, rewards, {})


def _splits(state: State, seat: int) -> Iterator[dict[int, int]]:
    borders = state.board.borders[state.caravans[seat]]
    for chosen in combinations_with_replacement(sorted(borders), delegations_to_send(state, seat)):
        yield {region: chosen.count(region) for region in dict.fromkeys(chosen)}


class LegalPlans(Sequence[CommitPlan]):
    """All plans of a seat, made when asked for: number n in base 5 spells the six actions."""

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
        number = range(len(self))[index]
        digits = []
        for _ in range(PLAN_LENGTH):
            number, digit = divmod(number, len(ACTS))
            digits.append(ACTS[digit])
        sixth, fifth, fourth, third, second, first = digits
        return CommitPlan(self.seat, (first, second, third, fourth, fifth, sixth))

    def __iter__(self) -> Iterator[CommitPlan]:
        for plan in product(ACTS, ACTS, ACTS, ACTS, ACTS, ACTS):
            yield CommitPlan(self.seat, plan)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, CommitPlan) or action.seat != self.seat:
            return False
        acts: Sequence[object] = action.plan
        return len(acts) == PLAN_LENGTH and all(isinstance(act, Act) for act in acts)


def sample_chance(state: State, luck: Luck) -> Action:
    """Roll the refill that is due, by the key (what, round, how many of it before in the round).

    The bag is drawn from by piece: a number names one of all cubes (discs) of the box, and the next number is taken
    while that piece is not in the bag. So two matches with the same luck draw the same pieces as long as both bags
    hold them, however else they differ.
    """
    kind = refill_due(state)
    if kind is Refill.RESOURCES:
        dice = luck.dice("resources", state.round, state.refills[0])
        die = 1 + dice.below(len(state.board.villages))
        drawn = _draw_cubes(state.bag, SUPPLY[len(state.caravans)].cubes, dice)
        return RollResources(die, sparse(drawn))
    if kind is Refill.ORDER:
        dice = luck.dice("order", state.round, state.refills[1])
        die = 1 + dice.below(len(state.board.villages))
        while (order := state.board.orders[dice.below(len(state.board.orders))]) not in state.order_bag:
            pass
        return RollOrder(die, order.id)
    raise IllegalAction("chance has nothing to roll now")


def _draw_cubes(bag: Goods, count: int, dice: Dice) -> Goods:
    """Draw so many cubes, or all there are: of each kind the bag holds the cubes of the lowest numbers."""
    taken: set[int] = set()
    drawn = [0] * len(bag)
    while len(taken) < min(count, sum(bag)):
        piece = dice.below(len(BOX))
        rank, number = BOX[piece]
        if number < bag[rank] and piece not in taken:
            taken.add(piece)
            drawn[rank] += 1
    salt, barley, tea, jade, gold = drawn
    return salt, barley, tea, jade, gold
