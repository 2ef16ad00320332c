"""Positions for tests: pawns on given fields, and moves in a short notation."""

from collections.abc import Mapping, Sequence
from typing import Any

from himalaya_core.boards import shipped_board
from himalaya_core.engine import settle, step
from himalaya_core.game import IllegalAction
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import Action, DrawYetiCard, MoveByCard, MoveByDie
from himalaya_core.summit.board import Board
from himalaya_core.summit.events import Event, PawnMoved
from himalaya_core.summit.pieces import Direction, Options, Phase, Piece
from himalaya_core.summit.state import State, evolve, initial

BOARD: Board = shipped_board("summit")
RED, BLUE = 0, 1
CLIMBER = Piece.CLIMBER
S0, S1, S2, S3 = list(Piece)[1:]
FORWARD, BACKWARD = Direction.FORWARD, Direction.BACKWARD
ALL_FACES = (1, 2, 3, 4, 5, 6)


def position(
    players: int = 2,
    *,
    climbers: Sequence[int] = (),
    sherpas: Mapping[int, Sequence[int]] | None = None,
    pool: Sequence[int] = ALL_FACES,
    hands: Mapping[int, Sequence[str]] | None = None,
    used: Mapping[int, Sequence[str]] | None = None,
    **changes: Any,
) -> State:
    """Return a position in which red must choose; pawns without a given field are at the start."""
    start = initial(Options(players), BOARD)
    seats = range(players)
    pieces: dict[str, Any] = {
        "climbers": (*climbers, *start.climbers[len(climbers) :]),
        "sherpas": tuple(tuple((sherpas or {}).get(seat, start.sherpas[seat])) for seat in seats),
        "pool": tuple(sorted(pool)),
        "hands": tuple(tuple((hands or {}).get(seat, ())) for seat in seats),
        "used": tuple(tuple((used or {}).get(seat, ())) for seat in seats),
        "deck": tuple(sorted(BOARD.yeti_cards)),
        "cycle": 1,
        "turn": 1,
        "throws": 1,
        "phase": Phase.DECIDE,
    }
    return evolve(start, **{**pieces, **changes})


def draw_due(**changes: Any) -> State:
    """Return a position in which the dice were thrown again and a Yeti card must be drawn."""
    return position(phase=Phase.DRAW, throws=2, **changes)


def do(state: State, *actions: Action) -> tuple[list[Event], State]:
    """Carry out actions and their consequences; return all events and the resulting position."""
    events: list[Event] = []
    for action in actions:
        for event, after in step(SUMMIT, state, action):
            events.append(event)
            state = after
    return events, state


def settled(state: State) -> tuple[list[Event], State]:
    """Apply all forced events of a position; return them and the resulting position."""
    transitions = settle(SUMMIT, state)
    return [event for event, _ in transitions], transitions[-1][1] if transitions else state


def yeti_to(state: State, field: int) -> tuple[list[Event], State]:
    """Draw a card that moves the Yeti to a field; return the events and the resulting position."""
    return do(state, DrawYetiCard(field - state.yeti))


def die(
    face: int, piece: Piece, direction: Direction = FORWARD, along: tuple[Piece, ...] | None = None, seat: int = RED
) -> MoveByDie:
    return MoveByDie(seat, face, piece, direction, along)


def card(
    name: str,
    value: int,
    piece: Piece,
    direction: Direction = FORWARD,
    along: tuple[Piece, ...] | None = None,
    seat: int = RED,
) -> MoveByCard:
    return MoveByCard(seat, name, value, piece, direction, along)


def refusal(state: State, action: Action) -> str:
    """Return why an action is illegal; empty if legal."""
    try:
        SUMMIT.decide(state, action)
    except IllegalAction as error:
        return str(error)
    return ""


def legal(state: State, seat: int = RED) -> list[Any]:
    return list(SUMMIT.legal_actions(state, seat))


def landings(state: State, piece: Piece) -> set[int]:
    """Return the fields where a pawn may land, without taking Sherpas along."""
    moves = [move for move in legal(state) if isinstance(move, MoveByDie | MoveByCard) and move.piece is piece]
    events = [event for move in moves for event in SUMMIT.decide(state, move)]
    return {event.to for event in events if isinstance(event, PawnMoved)}


def kinds(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
