"""Positions for tests: some pieces on the board, the rest in the bags, and rounds played from plans."""

from collections.abc import Mapping, Sequence
from typing import Any

from himalaya_core.boards import shipped_board
from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import Action, CommitPlan
from himalaya_core.caravan.board import Board
from himalaya_core.caravan.events import Event
from himalaya_core.caravan.pieces import CUBES, NO_GOODS, Act, Options, Order, Resource, minus, plus, sparse
from himalaya_core.caravan.state import State, evolve, initial
from himalaya_core.engine import settle, step
from himalaya_core.game import IllegalAction

BOARD: Board = shipped_board("caravan")
VILLAGES = range(1, 21)
SALT_BARLEY = "o9"  # salt + barley for 3 yaks, as in the rulebook
Cubes = Mapping[Any, int]
"""How many of each resource, by its name."""


def order(name: str) -> Order:
    return BOARD.order_by_id[name]


def goods(cubes: Cubes) -> tuple[int, int, int, int, int]:
    return plus(NO_GOODS, {Resource(resource): count for resource, count in cubes.items()})


def put(values: Sequence[Any], changes: Mapping[int, Any]) -> tuple[Any, ...]:
    return tuple(changes.get(index, value) for index, value in enumerate(values))


def position(
    players: int = 4,
    *,
    cubes: Mapping[int, Cubes] | None = None,
    orders: Mapping[int, str] | None = None,
    caravans: Sequence[int] = (20, 19, 18, 17, 16, 15),
    hands: Mapping[int, Cubes] | None = None,
    on: Sequence[str] = (),
    **changes: Any,
) -> State:
    """Return the start of a round (by default the first) with these pieces on the board.

    `on` lists the options that are on. Without tokens the position is in the planning phase.
    """
    start = initial(Options(players, **dict.fromkeys(on, True)), BOARD)
    villages = put(start.goods, {village: goods(offered) for village, offered in (cubes or {}).items()})
    held = put(start.hands, {seat: goods(hand) for seat, hand in (hands or {}).items()})
    bag = CUBES
    for used in (*villages, *held):
        bag = minus(bag, sparse(used))
    discs = {village: order(name) for village, name in (orders or {}).items()}
    pieces: dict[str, Any] = {
        "goods": villages,
        "hands": held,
        "bag": bag,
        "orders": put(start.orders, discs),
        "order_bag": start.order_bag - set(discs.values()),
        "caravans": tuple(caravans[:players]),
        "round": 1,
    }
    return evolve(start, **{**pieces, **changes})


def do(state: State, *actions: Action) -> tuple[list[Event], State]:
    """Carry out actions and their consequences; return all events and the resulting position."""
    events: list[Event] = []
    for action in actions:
        for event, after in step(CARAVAN, state, action):
            events.append(event)
            state = after
    return events, state


def plan(words: str = "") -> Any:
    """Return a plan of six actions from words ("trade soil"), with rests for the missing ones."""
    acts = [Act(word) for word in words.split()]
    return (*acts, *[Act.REST] * (6 - len(acts)))


def reveal(state: State, plans: Mapping[int, str]) -> tuple[list[Event], State]:
    """Enter each seat's plan in words, and continue until a seat must choose."""
    return do(state, *(CommitPlan(seat, plan(plans.get(seat, ""))) for seat in CARAVAN.actors(state)))


def settled(state: State) -> tuple[list[Event], State]:
    """Apply all forced events of a position; return them and the resulting position."""
    transitions = settle(CARAVAN, state)
    return [event for event, _ in transitions], transitions[-1][1] if transitions else state


def refusal(state: State, action: Action) -> str:
    """Return why an action is illegal; empty if legal."""
    try:
        CARAVAN.decide(state, action)
    except IllegalAction as error:
        return str(error)
    return ""
