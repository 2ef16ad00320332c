"""Descriptions of summit events, as parts of a sentence about the win probability."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from himalaya_core.summit.actions import Decline, Forfeit, MoveByCard, MoveByDie, Reroll, SeatAction, TakeBack
from himalaya_core.summit.board import Board
from himalaya_core.summit.events import (
    BadWeather,
    DiceRolled,
    DieTaken,
    Forfeited,
    PawnMoved,
    RerollChosen,
    Resupplied,
    ResupplyDeclined,
    Slid,
    StartPlayerChosen,
    SupplyPlayed,
    TakeAlong,
    YetiCardDrawn,
    YetiChased,
    YetiMoved,
)
from himalaya_core.summit.pieces import Direction, Piece, ThrowCause

__all__ = ["brought", "doing", "used"]


def used(action: SeatAction) -> str:
    """Describe what an action uses: the die, the card, or a new throw."""
    match action:
        case MoveByDie(face=face) | Forfeit(face=face):
            return f"die {face}"
        case MoveByCard(card=card):
            return f"card {card}"
        case TakeBack(card=card):
            return f"taking back {card}"
        case Reroll():
            return "a new throw"
        case Decline():
            return "no card"


def brought(events: Sequence[Any], labels: Sequence[str]) -> str:
    """Describe what chance decided and its consequences; empty if that is not worth a sentence."""
    for event in events:
        match event:
            case DiceRolled(thrower=seat, values=values, cause=cause):
                anew = "new " if cause is ThrowCause.REROLL else ""
                return f"{labels[seat]}'s {anew}throw of {' '.join(map(str, values))}"
            case YetiCardDrawn():
                return _yeti(events, labels)
            case BadWeather():
                return "The bad weather that ended the match"
            case StartPlayerChosen(first=first):
                return f"The lot that let {labels[first]} start"
            case _:
                continue
    return ""


def _yeti(events: Sequence[Any], labels: Sequence[str]) -> str:
    chased = _chased(events, labels)
    moved = next((event for event in events if isinstance(event, YetiMoved)), None)
    if moved is None:
        return "A Yeti card"
    if moved.from_ == moved.to:
        return f"The Yeti staying on {moved.to}" + chased
    return f"The Yeti going {'up' if moved.to > moved.from_ else 'down'} from {moved.from_} to {moved.to}" + chased


def _chased(events: Sequence[Any], labels: Sequence[str]) -> str:
    """Return e.g. " and chasing 2 Sherpas of amber and a Sherpa of blue back to 12"; empty if none was chased."""
    gone = [event for event in events if isinstance(event, YetiChased)]
    if not gone:
        return ""
    counts = Counter(event.seat for event in gone)
    whose = [f"{'a Sherpa' if many == 1 else f'{many} Sherpas'} of {labels[seat]}" for seat, many in counts.items()]
    return f" and chasing {' and '.join(whose)} back to {gone[0].to}"


def doing(events: Sequence[Any], board: Board, labels: Sequence[str]) -> str:
    """Describe what a seat does and its consequences, e.g. "moving its climber from 5 to 11 with a 6"."""
    parts = [part for event in events if (part := _part(event, events, board))]
    return _listed(parts) + _chased(events, labels)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _part(event: Any, events: Sequence[Any], board: Board) -> str:
    match event:
        case RerollChosen():
            return "throwing all dice again"
        case Forfeited(face=face):
            return f"taking a {face} that moved nothing"
        case PawnMoved():
            return _move(event, events, board)
        case TakeAlong(to=to, movers=movers):
            more = len(movers) - 1
            return f"continuing to {to}" + (f" with {more} more of its Sherpas" if more else "")
        case Slid(to=to, kind=kind):
            first = next(each for each in events if isinstance(each, Slid))
            return f"going down the {kind} to {to}" if event == first else ""
        case Resupplied(card=card):
            return f"taking supply card {card} back"
        case ResupplyDeclined():
            return "taking no supply card back"
        case _:
            return ""


def _move(moved: PawnMoved, events: Sequence[Any], board: Board) -> str:
    chosen = next((event for event in events if isinstance(event, DieTaken | SupplyPlayed)), None)
    by = f" with a {chosen.face}" if isinstance(chosen, DieTaken) else ""
    if isinstance(chosen, SupplyPlayed):
        by = f" by {chosen.value} with supply card {chosen.card}"
    if moved.piece is Piece.CLIMBER and moved.to == board.summit:
        return f"taking its climber from {moved.from_} to the summit{by}"
    pawn = "its climber" if moved.piece is Piece.CLIMBER else "a Sherpa"
    back = "back " if moved.dir is Direction.BACKWARD else ""
    return f"moving {pawn} {back}from {moved.from_} to {moved.to}{by}"
