"""Applies events by copying their values into the next position. The rules are not checked."""

from typing import TypeVar, assert_never

from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Eliminated,
    Event,
    InfluenceScored,
    InventoryCounted,
    InventoryMarkerTaken,
    Moved,
    OrderReturned,
    PlanCommitted,
    PlansRevealed,
    PoliticsRecounted,
    RefillRolled,
    RegionLeaders,
    Rested,
    RoundEnded,
    RoundStarted,
    StormEntered,
    StupaPlaced,
    TokenPassed,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import VILLAGE_CARDS, Cause, Influence, Refill, minus, plus
from himalaya_core.caravan.state import (
    Elimination,
    Inventory,
    PlacedToken,
    Scores,
    State,
    evolve,
    next_turn,
    travelled,
    turned,
)

T = TypeVar("T")


def apply(state: State, event: Event) -> State:
    """Return the position after an event that is valid here. Frequent types of event are matched first."""
    match event:
        case Moved():
            storms = _put(state.storms, event.seat, 0) if event.storm else state.storms
            return travelled(state, _put(state.caravans, event.seat, event.to), storms)
        case Rested() | ActionVoided():
            return turned(state)
        case Collected():
            return _collect(state, event)
        case PlanCommitted():
            return evolve(state, plans=_put(state.plans, event.seat, event.plan))
        case RefillRolled():
            return _refill(state, event)
        case Delivered():
            step, turn = next_turn(state)
            hand = minus(state.hands[event.seat], event.spent)
            bag = plus(state.bag, event.spent)
            return evolve(state, hands=_put(state.hands, event.seat, hand), bag=bag, step=step, turn=turn)
        case Bartered() | OrderReturned():
            return _take_order(state, event)
        case StupaPlaced():
            left = _put(state.stupas_left, event.seat, state.stupas_left[event.seat] - 1)
            state = evolve(state, stupas=_put(state.stupas, event.village, event.seat), stupas_left=left)
            return _rewarded(state) if event.cause is Cause.INVENTORY else state
        case StormEntered():
            return travelled(state, state.caravans, _put(state.storms, event.seat, event.toward))
        case DelegationsSent():
            return _send(state, event)
        case CaravanPlaced():
            return evolve(state, caravans=_put(state.caravans, event.seat, event.village))
        case _:
            return _calendar(state, event)


def _calendar(
    state: State,
    event: RoundStarted
    | TokenPlaced
    | TokenPassed
    | PlansRevealed
    | TokensRemoved
    | InventoryCounted
    | InventoryMarkerTaken
    | RoundEnded
    | InfluenceScored
    | Eliminated
    | PoliticsRecounted,
) -> State:
    match event:
        case RoundStarted():
            return _start_round(state, event.first)
        case TokenPlaced():
            return _place_token(state, event)
        case TokenPassed():
            return evolve(state, token_turn=state.token_turn + 1)
        case TokensRemoved():
            return evolve(state, tokens=())
        case PlansRevealed():
            return evolve(state, step=1, turn=0)
        case InventoryCounted():
            return evolve(state, inventory=Inventory(event.resource, event.winner, rewarded=event.winner is None))
        case InventoryMarkerTaken():
            markers = _put(state.markers, event.seat, state.markers[event.seat] + 1)
            return _rewarded(evolve(state, markers=markers))
        case RoundEnded():
            return evolve(state, round_over=True)
        case InfluenceScored():
            regions = _leaders(event.regions)
            return evolve(state, scores=Scores(event.religious, event.political, event.economic, regions))
        case Eliminated():
            return _eliminate(state, event)
        case PoliticsRecounted():
            assert state.scores is not None, "a recount follows a scoring"
            religious, economic = state.scores.religious, state.scores.economic
            scores = Scores(religious, event.political, economic, _leaders(event.regions))
            return evolve(state, scores=scores, recounted=True)
        case _:
            assert_never(event)


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a copy with one value replaced. Raises `IndexError` for an invalid index."""
    if not 0 <= index < len(values):
        raise IndexError(f"there is no {index}")
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def _collect(state: State, event: Collected) -> State:
    step, turn = next_turn(state)
    cube = {event.resource: 1}
    seat, village = event.seat, event.village
    return evolve(
        state,
        goods=_put(state.goods, village, minus(state.goods[village], cube)),
        hands=_put(state.hands, seat, plus(state.hands[seat], cube)),
        collected=_put(state.collected, seat, state.collected[seat] | {village}),
        step=step,
        turn=turn,
    )


def _refill(state: State, event: RefillRolled) -> State:
    resources, orders = state.refills
    if event.kind is Refill.RESOURCES:
        assert event.drawn is not None, "a refill of resources names the cubes drawn"
        return evolve(
            state,
            goods=_put(state.goods, event.village, plus(state.goods[event.village], event.drawn)),
            bag=minus(state.bag, event.drawn),
            refills=(resources + 1, orders),
            cards=state.cards - {event.die} or VILLAGE_CARDS,
        )
    assert event.order is not None, "a refill of orders says which disc was drawn"
    return evolve(
        state,
        orders=_put(state.orders, event.village, event.order),
        order_bag=state.order_bag - {event.order},
        refills=(resources, orders + 1),
        cards=state.cards - {event.die} or VILLAGE_CARDS,
    )


def _take_order(state: State, event: Bartered | OrderReturned) -> State:
    village = state.caravans[event.seat]
    order = state.orders[village]
    assert order is not None, "the caravan's village has no order"
    orders = _put(state.orders, village, None)
    if isinstance(event, Bartered):
        return evolve(state, orders=orders, herds=_put(state.herds, event.seat, (*state.herds[event.seat], order)))
    return evolve(state, orders=orders, order_bag=state.order_bag | {order})


def _send(state: State, event: DelegationsSent) -> State:
    seat, delegations = event.seat, state.delegations
    for region, count in event.regions.items():
        row = delegations[region]
        delegations = _put(delegations, region, _put(row, seat, row[seat] + count))
    left = state.delegations_left[seat] - sum(event.regions.values())
    state = evolve(state, delegations=delegations, delegations_left=_put(state.delegations_left, seat, left))
    return _rewarded(state) if event.cause is Cause.INVENTORY else state


def _rewarded(state: State) -> State:
    assert state.inventory is not None, "a reward follows a count"
    return evolve(state, inventory=Inventory(state.inventory.resource, state.inventory.winner, rewarded=True))


def _place_token(state: State, event: TokenPlaced) -> State:
    placed = PlacedToken(event.token, event.seat, event.road, event.village)
    left = state.tokens_left[event.seat] - {event.token}
    return evolve(
        state,
        tokens=(*state.tokens, placed),
        tokens_left=_put(state.tokens_left, event.seat, left),
        token_turn=state.token_turn + 1,
    )


def _start_round(state: State, first: int) -> State:
    players = len(state.caravans)
    return evolve(
        state,
        round=state.round + 1,
        first=first,
        token_turn=0,
        plans=(None,) * players,
        step=0,
        turn=0,
        collected=(frozenset(),) * players,
        refills=(0, 0),
        inventory=None,
        round_over=False,
    )


def _eliminate(state: State, event: Eliminated) -> State:
    """Record an elimination. If it is for religious influence, also remove the seat's stupas and delegations."""
    seat = event.seat
    gone = Elimination(seat, event.influence, event.value, event.tie_break)
    eliminated = (*state.eliminated, gone)
    if event.influence is not Influence.RELIGIOUS:
        return evolve(state, eliminated=eliminated)
    return evolve(
        state,
        eliminated=eliminated,
        stupas=tuple(None if owner == seat else owner for owner in state.stupas),
        delegations=tuple(_put(row, seat, 0) for row in state.delegations),
    )


def _leaders(regions: RegionLeaders) -> tuple[int | None, ...]:
    return (None, *(regions[region] for region in sorted(regions)))
