"""Applies events by copying their values into the next position. The rules are not checked."""

from collections.abc import Iterable
from typing import TypeVar, assert_never

from himalaya_core.summit.events import (
    BadWeather,
    DeckShuffled,
    DiceRolled,
    DieTaken,
    Event,
    Forfeited,
    PawnMoved,
    RerollChosen,
    Resupplied,
    ResupplyDeclined,
    Slid,
    StartPlayerChosen,
    SupplyPlayed,
    TakeAlong,
    TurnEnded,
    TurnStarted,
    YetiCardDrawn,
    YetiChased,
    YetiMoved,
)
from himalaya_core.summit.pieces import SHERPAS, Phase, Piece, ThrowCause, without
from himalaya_core.summit.state import State, evolve

T = TypeVar("T")


def apply(state: State, event: Event) -> State:
    """Return the position after an event that is valid here. Frequent types of event are matched first."""
    match event:
        case PawnMoved():
            return _moved(state, event.seat, (event.piece,), event.to)
        case DieTaken():
            return evolve(state, pool=_less(state.pool, event.face))
        case TurnEnded():
            return evolve(state, phase=Phase.TURN)
        case TurnStarted():
            return evolve(state, active=event.seat, turn=event.no, rerolled=False, arrived=None, phase=Phase.DECIDE)
        case TakeAlong():
            return _moved(state, event.seat, event.movers, event.to)
        case Slid():
            return _moved(state, event.seat, (event.piece,), event.to)
        case SupplyPlayed():
            hands = _put(state.hands, event.seat, without(state.hands[event.seat], event.card))
            used = _put(state.used, event.seat, (*state.used[event.seat], event.card))
            return evolve(state, hands=hands, used=used)
        case Resupplied():
            return _resupply(state, event)
        case ResupplyDeclined():
            return evolve(state, phase=Phase.CLOSE)
        case Forfeited():
            return evolve(state, pool=_less(state.pool, event.face), phase=Phase.RESOLVE)
        case RerollChosen():
            return evolve(state, rerolled=True, phase=Phase.THROW)
        case _:
            return _chance(state, event)


def _chance(
    state: State,
    event: DeckShuffled | StartPlayerChosen | DiceRolled | YetiCardDrawn | YetiMoved | YetiChased | BadWeather,
) -> State:
    match event:
        case DiceRolled():
            phase = Phase.DECIDE if event.cause is ThrowCause.START else Phase.DRAW
            return evolve(state, pool=tuple(sorted(event.values)), throws=state.throws + 1, phase=phase)
        case YetiCardDrawn():
            deck, seen = _less(state.deck, event.card), (*state.seen, event.card)
            return evolve(state, deck=deck, seen=seen, draws=event.draw_no, phase=Phase.YETI)
        case YetiMoved():
            return evolve(state, yeti=event.to, phase=Phase.DECIDE)
        case YetiChased():
            return evolve(state, sherpas=_sherpas(state, event.seat, (event.piece,), event.to))
        case DeckShuffled():
            phase = Phase.START if state.phase is Phase.SHUFFLE else state.phase
            return evolve(state, deck=tuple(sorted(state.board.yeti_cards)), seen=(), cycle=event.cycle, phase=phase)
        case StartPlayerChosen():
            return evolve(state, active=event.first, phase=Phase.TURN)
        case BadWeather():
            return evolve(state, draws=event.draw_no, phase=Phase.OVER)
        case _:
            assert_never(event)


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a copy with one value replaced. Raises `IndexError` for an invalid index."""
    if not 0 <= index < len(values):
        raise IndexError(f"there is no {index}")
    return (*values[:index], value, *values[index + 1 :])


def _less(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    """Return the dice or cards without one of them. Raises `ValueError` if it is missing."""
    at = values.index(value)
    return values[:at] + values[at + 1 :]


def _moved(state: State, seat: int, pieces: Iterable[Piece], to: int) -> State:
    pawns = tuple(pieces)
    if pawns == (Piece.CLIMBER,):
        return evolve(state, climbers=_put(state.climbers, seat, to), arrived=to, phase=Phase.RESOLVE)
    return evolve(state, sherpas=_sherpas(state, seat, pawns, to), arrived=to, phase=Phase.RESOLVE)


def _sherpas(state: State, seat: int, pieces: Iterable[Piece], to: int) -> tuple[tuple[int, ...], ...]:
    row: tuple[int, ...] = state.sherpas[seat]
    for piece in pieces:
        row = _put(row, SHERPAS.index(piece), to)
    return _put(state.sherpas, seat, row)


def _resupply(state: State, event: Resupplied) -> State:
    seat = event.seat
    return evolve(
        state,
        used=_put(state.used, seat, without(state.used[seat], event.card)),
        hands=_put(state.hands, seat, (*state.hands[seat], event.card)),
        gained=_put(state.gained, seat, state.gained[seat] | {event.camp}),
        phase=Phase.CLOSE,
    )
