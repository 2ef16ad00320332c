"""Positions for tests: a few blocks in the middle of a small table, climbers on them, and results of actions."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import Action, ClimbStep, MoveBlock, Shift
from himalaya_core.climbers.blocks import Cell, Colour
from himalaya_core.climbers.events import Event
from himalaya_core.climbers.pieces import COLOURS, Disc, DiscPlace, Ladder, Ladders, Phase
from himalaya_core.climbers.state import State, evolve
from himalaya_core.engine import settle, step
from himalaya_core.game import IllegalAction
from tests.core.climbers.structures import built, put_on

TEAL, PURPLE, YELLOW, RED, PINK = range(5)
"""Seats, named by their colours in these positions."""
NONE, SHORT, LONG = Ladder
WITHOUT = Ladders(short=False, long=False)
AT = 6
"""Table coordinate of a structure's square 0, the same for x and y."""


def cell(x: int, y: int) -> Cell:
    return Cell(x + AT, y + AT)


def structure(
    text: str,
    seat: int = RED,
    phase: Phase = Phase.CLIMB,
    *,
    climbers: Mapping[int, tuple[int, int]] | None = None,
    ladders: Mapping[int, Ladders] | None = None,
    discs: Mapping[int, tuple[int, tuple[int, int]]] | None = None,
    **changes: Any,
) -> State:
    """Return a position with given blocks such as `Hyr@0,0,0:2x2x1:red`, in which a seat is to act.

    By default climbers are on the table and have both ladders. A disc is given by its block and square.
    """
    text = re.sub(r"@(-?\d+),(-?\d+)", lambda found: f"@{int(found[1]) + AT},{int(found[2]) + AT}", text)
    state = built(text)
    standing = {other: cell(*place) for other, place in (climbers or {}).items()}
    state = put_on(state, [standing.get(other) for other in state.seats])
    laid = {other: Disc(DiscPlace.ON, block, cell(*place)) for other, (block, place) in (discs or {}).items()}
    return evolve(
        state,
        active=seat,
        acting=seat,
        phase=phase,
        ladders=tuple((ladders or {}).get(other, state.ladders[other]) for other in state.seats),
        discs=tuple(laid.get(other, state.discs[other]) for other in state.seats),
        **changes,
    )


def fewer(state: State, players: int) -> State:
    """Return the position with only the first seats."""
    return evolve(
        state,
        options=type(state.options)(players),
        colours=COLOURS[:players],
        climbers=state.climbers[:players],
        ladders=state.ladders[:players],
        discs=state.discs[:players],
        reached=state.reached[:players],
    )


def climb(seat: int, x: int, y: int, ladder: Ladder = Ladder.NONE) -> ClimbStep:
    return ClimbStep(seat, cell(x, y), ladder)


def move(
    block: int,
    x: int,
    y: int,
    dx: int,
    dy: int,
    top: str,
    shifts: Mapping[int, tuple[int, int]] | None = None,
    seat: int = RED,
) -> MoveBlock:
    """Return an action that moves a block; the seat is red by default."""
    moved = tuple(Shift(player, cell(*to)) for player, to in (shifts or {}).items())
    return MoveBlock(seat, block, x + AT, y + AT, dx, dy, Colour(top), moved)


def do(state: State, *actions: Action) -> tuple[list[Event], State]:
    """Carry out actions and their consequences; return all events and the resulting position."""
    events: list[Event] = []
    for action in actions:
        for event, after in step(CLIMBERS, state, action):
            events.append(event)
            state = after
    return events, state


def settled(state: State) -> tuple[list[Event], State]:
    """Apply all forced events of a position; return them and the resulting position."""
    transitions = settle(CLIMBERS, state)
    return [event for event, _ in transitions], transitions[-1][1] if transitions else state


def refusal(state: State, *actions: Action) -> str:
    """Return why the last of some actions is illegal after the others; empty if legal."""
    *before, last = actions
    _, state = do(state, *before)
    try:
        CLIMBERS.decide(state, last)
    except IllegalAction as error:
        return str(error)
    return ""


def legal(state: State, seat: int = RED) -> list[Any]:
    return list(CLIMBERS.legal_actions(state, seat))


def kinds(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
