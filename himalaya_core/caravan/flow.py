"""Determines automatic events, random actions, and the seats that must choose next."""

from functools import cache

from himalaya_core.caravan.actions import Action, RollOrder, RollResources
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
    StormEntered,
    TokenPassed,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import (
    CUBES,
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
    Token,
    VoidReason,
    holds,
    sparse,
)
from himalaya_core.caravan.scoring import next_scoring
from himalaya_core.caravan.state import State
from himalaya_core.game import CHANCE, Dice, DiceSource, IllegalAction

__all__ = [
    "acting_seat",
    "actors",
    "advance",
    "cheapest",
    "next_empty",
    "placing_seat",
    "refill_due",
    "sample_chance",
    "trade_obstacle",
]


_rested, _voided, _moved = cache(Rested), cache(ActionVoided), cache(Moved)
"""Cached constructors. A round consists mostly of a few thousand recurring events."""
ROADS = {Act.SOIL: RoadType.SOIL, Act.STONE: RoadType.STONE, Act.ICE: RoadType.ICE}


def advance(state: State) -> Event | None:
    """Return the next automatic event; `None` if an actor must choose or the match is over."""
    if 1 <= state.step <= PLAN_LENGTH:
        return _programmed(state)
    if state.round == 0:
        ready = refill_due(state) is None and all(state.caravans)
        return RoundStarted(state.options.first) if ready else None
    if state.step == 0:
        if tokens_due(state):
            seat = token_seat(state)
            return None if placeable_tokens(state, seat) else TokenPassed(seat)
        return PlansRevealed() if None not in state.plans else None
    return _closing(state)


def actors(state: State) -> tuple[int, ...]:
    """Return who may act: chance, the seat that is to place or trade, or all seats without a plan."""
    if 1 <= state.step <= PLAN_LENGTH:
        seat = acting_seat(state)
        return (seat,) if may_trade(state, seat) else ()
    if is_planning(state):
        clockwise = (*range(state.first, len(state.plans)), *range(state.first))
        return tuple([seat for seat in clockwise if state.plans[seat] is None])
    if state.round == 0 or state.step > PLAN_LENGTH:
        if refill_due(state) is not None:
            return (CHANCE,)
        placing = placing_seat(state) if state.round == 0 else inventory_seat(state)
        return () if placing is None else (placing,)
    seat = token_seat(state)
    return (seat,) if placeable_tokens(state, seat) else ()


def is_planning(state: State) -> bool:
    """Return whether seats are making plans now (C-II)."""
    return state.round > 0 and state.step == 0 and not tokens_due(state)


def may_trade(state: State, seat: int) -> bool:
    """Return whether a seat's current programmed action is a trade that the seat must decide on (C-III.trade)."""
    plan = state.plans[seat]
    trades = plan is not None and plan[state.step - 1] is Act.TRADE and not state.storms[seat]
    return trades and trade_obstacle(state, seat) is None


def acting_seat(state: State) -> int:
    """Return the seat that acts next: step by step, clockwise from the First Caravaneer (C-III.order)."""
    return (state.first + state.turn) % len(state.caravans)


def placing_seat(state: State) -> int | None:
    """Return the seat that places its caravan next, clockwise from the First Caravaneer (C-setup.caravans)."""
    clockwise = ((state.first + turn) % len(state.seats) for turn in state.seats)
    return next((seat for seat in clockwise if not state.caravans[seat]), None)


def tokens_due(state: State) -> bool:
    """Return whether any seat has yet to place a token or pass in phase I bis (C-Ib)."""
    return state.options.tokens and state.token_turn < len(state.caravans)


def token_seat(state: State) -> int:
    """Return the next seat to place a token or pass, clockwise from the First Caravaneer."""
    return (state.first + state.token_turn) % len(state.caravans)


def placeable_tokens(state: State, seat: int) -> frozenset[Token]:
    """Return a seat's unused tokens, except kinds already placed by any player this round (C-Ib.once)."""
    return state.tokens_left[seat] - {placed.token for placed in state.tokens} if state.options.tokens else frozenset()


def inventory_seat(state: State) -> int | None:
    """Return the winner of the last inventory count, if that seat has yet to choose a reward (C-V.full)."""
    inventory = state.inventory
    unpaid = inventory is not None and not inventory.rewarded and state.options.full_inventory
    return inventory.winner if inventory is not None and unpaid else None


def token_on(state: State, road: tuple[int, int]) -> Token | None:
    """Return the token on a road; `None` if there is none."""
    return next((placed.token for placed in state.tokens if placed.road == road), None)


def is_market(state: State, village: int) -> bool:
    """Return whether the market is in this village this round."""
    return any(placed.village == village for placed in state.tokens)


def _programmed(state: State) -> Event | None:
    """Return the event of the next programmed action; `None` if it is a trade that the seat must decide on."""
    seat = acting_seat(state)
    plan = state.plans[seat]
    assert plan, "plans are known while they are carried out"
    step = state.step
    act = plan[step - 1]
    if act is Act.REST:
        return _rested(seat, step)
    if state.storms[seat]:
        return _in_storm(state, seat, act)
    if act is Act.TRADE:
        obstacle = trade_obstacle(state, seat)
        return None if obstacle is None else _voided(seat, step, act, obstacle)
    village = state.caravans[seat]
    to = state.board.neighbours[village].get(ROADS[act])
    if to is None:
        return _voided(seat, step, act, VoidReason.NO_ROAD)
    token = token_on(state, (min(village, to), max(village, to))) if state.tokens else None
    if token is Token.YETI:
        return _voided(seat, step, act, VoidReason.YETI)
    if token is Token.SNOWSTORM:
        if act not in plan[step:]:
            return _voided(seat, step, act, VoidReason.STORM_UNFINISHED)
        return StormEntered(seat, step, ROADS[act], village, to)
    return _moved(seat, step, ROADS[act], village, to)


def _in_storm(state: State, seat: int, act: Act) -> Event:
    """Leave the snowstorm if the action is the type of its road; otherwise the action is void (C-Ib.snowstorm)."""
    village, toward = state.caravans[seat], state.storms[seat]
    if act is Act.TRADE or state.board.neighbours[village].get(ROADS[act]) != toward:
        return ActionVoided(seat, state.step, act, VoidReason.ON_STORM)
    return Moved(seat, state.step, ROADS[act], village, toward, storm=True)


def trade_obstacle(state: State, seat: int) -> VoidReason | None:
    """Return why a seat cannot trade in its caravan's village; `None` if it can (C-III.trade)."""
    village = state.caravans[seat]
    order = state.orders[village]
    if order is not None:
        return None if holds(state.hands[seat], order.demand) else VoidReason.GOODS_MISSING
    if state.goods[village] == NO_GOODS:
        return VoidReason.NOTHING_HERE
    return VoidReason.ALREADY_COLLECTED if village in state.collected[seat] else None


def cheapest(goods: Goods) -> Resource:
    """Return the cheapest resource among these goods, which must not be empty (C-III.collect)."""
    return next(resource for resource, count in zip(RESOURCES, goods, strict=True) if count)


def refill_due(state: State) -> Refill | None:
    """Return the kind of refill that is due: resources first, then orders. An empty bag is skipped (C-IV.refill)."""
    if state.round and (state.step <= PLAN_LENGTH or state.round_over or state.tokens):
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
    """Return the village rolled or, if it is not empty, the next higher empty one; 1 follows 20 (C-IV.next-empty)."""
    villages = len(state.board.villages)
    candidates = ((die - 1 + offset) % villages + 1 for offset in range(villages))
    return next(v for v in candidates if state.goods[v] == NO_GOODS and state.orders[v] is None)


def _closing(state: State) -> Event | None:
    """Return the event after all six actions: an inventory, the round's end, a new round or the final scoring."""
    if state.round_over:
        if state.round == ROUNDS:
            return next_scoring(state)
        return RoundStarted((state.first + 1) % len(state.seats))
    if state.tokens:
        return TokensRemoved(tuple(placed.token for placed in state.tokens))
    if refill_due(state) is not None:
        return None
    inventory = state.inventory
    if inventory is not None and not inventory.rewarded:
        if state.options.full_inventory:
            return None
        assert inventory.winner is not None, "only a winner is owed a reward"
        return InventoryMarkerTaken(inventory.winner, inventory.resource, yaks=3)
    if state.round in INVENTORY_ROUNDS:
        counted = 0 if inventory is None else RANK[inventory.resource] + 1
        if counted < len(RESOURCES):
            return _count(state, RESOURCES[counted])
    return RoundEnded()


def _count(state: State, resource: Resource) -> InventoryCounted:
    """Count who has most of a resource. A tie has no winner (C-V.inventory)."""
    counts = tuple(hand[RANK[resource]] for hand in state.hands)
    most = max(counts)
    winner = counts.index(most) if most and counts.count(most) == 1 else None
    return InventoryCounted(resource, counts, winner)


BOX = tuple((rank, number) for rank, count in enumerate(CUBES) for number in range(count))
"""All cubes, as pairs of the resource's index and the cube's number within that resource."""


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Roll the refill that is due. The dice key is its kind, the round, and how many such refills came before.

    Every cube and disc has a number. Numbers are drawn until one names a piece that is in the bag. Two matches with the
    same seed therefore draw the same pieces as long as both bags contain them.
    """
    kind = refill_due(state)
    if kind is Refill.RESOURCES:
        dice = seed.dice("resources", state.round, state.refills[0])
        die = _roll(state, dice)
        drawn = _draw_cubes(state.bag, SUPPLY[len(state.caravans)].cubes, dice)
        return RollResources(die, sparse(drawn))
    if kind is Refill.ORDER:
        dice = seed.dice("order", state.round, state.refills[1])
        die = _roll(state, dice)
        while (order := state.board.orders[dice.below(len(state.board.orders))]) not in state.order_bag:
            pass
        return RollOrder(die, order.id)
    raise IllegalAction("chance has nothing to roll now")


def _roll(state: State, dice: Dice) -> int:
    """Roll the d20. With village cards, roll again until the number's card is in the deck (C-setup.cards)."""
    die = 1 + dice.below(len(state.board.villages))
    while state.options.village_cards and die not in state.cards:
        die = 1 + dice.below(len(state.board.villages))
    return die


def _draw_cubes(bag: Goods, count: int, dice: Dice) -> Goods:
    """Draw `count` cubes, or all that are left. Drawn numbers are redrawn if their cube is not in the bag."""
    taken: set[int] = set()
    drawn = [0] * len(bag)
    wanted = min(count, sum(bag))
    while len(taken) < wanted:
        piece = dice.below(len(BOX))
        rank, number = BOX[piece]
        if number < bag[rank] and piece not in taken:
            taken.add(piece)
            drawn[rank] += 1
    salt, barley, tea, jade, gold = drawn
    return salt, barley, tea, jade, gold
