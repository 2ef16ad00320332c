"""What must happen next without anybody's choice, and who must choose when nothing does."""

from himalaya_core.caravan.events import (
    ActionVoided,
    Event,
    InventoryCounted,
    InventoryMarkerTaken,
    Moved,
    PlansRevealed,
    Rested,
    RoundEnded,
    RoundStarted,
)
from himalaya_core.caravan.pieces import (
    INVENTORY_ROUNDS,
    NO_GOODS,
    PLAN_LENGTH,
    RANK,
    RESOURCES,
    ROUNDS,
    SUPPLY,
    Act,
    Goods,
    Refill,
    Resource,
    RoadType,
    VoidReason,
    holds,
)
from himalaya_core.caravan.scoring import next_scoring
from himalaya_core.caravan.state import State
from himalaya_core.game import CHANCE

__all__ = ["acting_seat", "actors", "advance", "cheapest", "next_empty", "placing_seat", "refill_due", "trade_obstacle"]

ROADS = {Act.SOIL: RoadType.SOIL, Act.STONE: RoadType.STONE, Act.ICE: RoadType.ICE}


def advance(state: State) -> Event | None:
    """Return the next event that nobody chooses; `None` when somebody must choose or the match is over."""
    if 1 <= state.step <= PLAN_LENGTH:
        return _programmed(state)
    if state.round == 0:
        ready = refill_due(state) is None and all(state.caravans)
        return RoundStarted(state.options.first) if ready else None
    if state.step == 0:
        return PlansRevealed() if None not in state.plans else None
    return _closing(state)


def actors(state: State) -> tuple[int, ...]:
    """Return who may act: chance for a refill, the placing or trading seat, or every seat that has no plan yet."""
    if 1 <= state.step <= PLAN_LENGTH:
        return (acting_seat(state),) if _programmed(state) is None else ()
    if state.round == 0 or state.step > PLAN_LENGTH:
        if refill_due(state) is not None:
            return (CHANCE,)
        placing = placing_seat(state)
        return () if placing is None else (placing,)
    clockwise = ((state.first + turn) % len(state.seats) for turn in state.seats)
    return tuple(seat for seat in clockwise if state.plans[seat] is None)


def acting_seat(state: State) -> int:
    """Return whose programmed action it is: from the First Caravaneer clockwise, step by step (C-III.order)."""
    return (state.first + state.turn) % len(state.caravans)


def placing_seat(state: State) -> int | None:
    """Return who places a caravan next, from the First Caravaneer clockwise (C-setup.caravans)."""
    clockwise = ((state.first + turn) % len(state.seats) for turn in state.seats)
    return next((seat for seat in clockwise if not state.caravans[seat]), None)


def _programmed(state: State) -> Event | None:
    """Return what the next programmed action does by itself; `None` for a trade that its seat decides on."""
    seat = acting_seat(state)
    plan = state.plans[seat]
    assert plan, "plans are known while they are carried out"
    step = state.step
    act = plan[step - 1]
    if act is Act.REST:
        return Rested(seat, step)
    if act is Act.TRADE:
        obstacle = trade_obstacle(state, seat)
        return None if obstacle is None else ActionVoided(seat, step, act, obstacle)
    village = state.caravans[seat]
    to = state.board.neighbours[village].get(ROADS[act])
    if to is None:
        return ActionVoided(seat, step, act, VoidReason.NO_ROAD)
    return Moved(seat, step, ROADS[act], village, to)


def trade_obstacle(state: State, seat: int) -> VoidReason | None:
    """Return why a seat cannot trade where its caravan stands, or `None` if it can (C-III.trade)."""
    village = state.caravans[seat]
    order = state.orders[village]
    if order is not None:
        return None if holds(state.hands[seat], order.demand) else VoidReason.GOODS_MISSING
    if state.goods[village] == NO_GOODS:
        return VoidReason.NOTHING_HERE
    return VoidReason.ALREADY_COLLECTED if village in state.collected[seat] else None


def cheapest(goods: Goods) -> Resource:
    """Return the cheapest resource among goods that are not empty (C-III.collect)."""
    return next(resource for resource, count in zip(RESOURCES, goods, strict=True) if count)


def refill_due(state: State) -> Refill | None:
    """Return what must be rolled for now: all resources first, then orders, unless a bag is empty (C-IV.refill)."""
    if not (state.round == 0 or (state.step > PLAN_LENGTH and not state.round_over)):
        return None
    supply = SUPPLY[len(state.caravans)]
    filled = len(state.goods) - state.goods.count(NO_GOODS)
    if filled < supply.resource_villages and state.bag != NO_GOODS:
        return Refill.RESOURCES
    ordered = len(state.orders) - state.orders.count(None)
    if ordered < supply.order_villages and state.order_bag:
        return Refill.ORDER
    return None


def next_empty(state: State, die: int) -> int:
    """Return the village rolled or the next empty one upwards; after 20 comes 1 (C-IV.next-empty)."""
    villages = len(state.board.villages)
    candidates = ((die - 1 + offset) % villages + 1 for offset in range(villages))
    return next(v for v in candidates if state.goods[v] == NO_GOODS and state.orders[v] is None)


def _closing(state: State) -> Event | None:
    """Return what follows the six actions: inventory, end of the round, the next round or the final scoring."""
    if state.round_over:
        if state.round == ROUNDS:
            return next_scoring(state)
        return RoundStarted((state.first + 1) % len(state.seats))
    if refill_due(state) is not None:
        return None
    inventory = state.inventory
    if inventory is not None and not inventory.rewarded:
        assert inventory.winner is not None, "only a winner is owed a reward"
        return InventoryMarkerTaken(inventory.winner, inventory.resource, yaks=3)
    if state.round in INVENTORY_ROUNDS:
        counted = 0 if inventory is None else RANK[inventory.resource] + 1
        if counted < len(RESOURCES):
            return _count(state, RESOURCES[counted])
    return RoundEnded()


def _count(state: State, resource: Resource) -> InventoryCounted:
    """Count who holds strictly most of a resource; a tie gives nothing (C-V.inventory)."""
    counts = tuple(hand[RANK[resource]] for hand in state.hands)
    most = max(counts)
    winner = counts.index(most) if most and counts.count(most) == 1 else None
    return InventoryCounted(resource, counts, winner)
