"""Review of summit matches: compares each die and card used with all others that could have been used."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from himalaya_core.engine import step
from himalaya_core.game import CHANCE
from himalaya_core.log.codec import Entry, written_action
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT as GAME
from himalaya_core.summit.actions import Action, Decline, Forfeit, MoveByCard, MoveByDie, Reroll, SeatAction, TakeBack
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
from himalaya_core.summit.rules import legal_actions
from himalaya_core.summit.state import State
from himalaya_core.winprob.key_moments import Evaluation, GameReview, Swing, Value, by_turn, in_past, interval
from himalaya_core.winprob.review import labels_of

__all__ = ["SUMMIT", "brought", "doing", "used"]


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
    """Describe the result of chance and its consequences; empty if it is not worth a sentence."""
    for event in events:
        match event:
            case DiceRolled(thrower=seat, values=values, cause=cause):
                anew = "again: " if cause is ThrowCause.REROLL else ""
                return f"{labels[seat]} threw {anew}{' '.join(map(str, values))}"
            case YetiCardDrawn():
                return _yeti(events, labels)
            case BadWeather():
                return "Bad weather ended the match"
            case StartPlayerChosen(first=first):
                return f"The lot let {labels[first]} start"
            case _:
                continue
    return ""


def _yeti(events: Sequence[Any], labels: Sequence[str]) -> str:
    chased = _chased(events, labels, " and chased")
    moved = next((event for event in events if isinstance(event, YetiMoved)), None)
    if moved is None:
        return "A Yeti card was drawn"
    if moved.from_ == moved.to:
        return f"The Yeti stayed on {moved.to}" + chased
    return f"The Yeti went {'up' if moved.to > moved.from_ else 'down'} from {moved.from_} to {moved.to}" + chased


def _chased(events: Sequence[Any], labels: Sequence[str], verb: str) -> str:
    """Return e.g. " and chased 2 Sherpas of amber and a Sherpa of blue back to 12"; empty if none was chased."""
    gone = [event for event in events if isinstance(event, YetiChased)]
    if not gone:
        return ""
    counts = Counter(event.seat for event in gone)
    whose = [f"{'a Sherpa' if many == 1 else f'{many} Sherpas'} of {labels[seat]}" for seat, many in counts.items()]
    return f"{verb} {' and '.join(whose)} back to {gone[0].to}"


def doing(events: Sequence[Any], board: Board, labels: Sequence[str]) -> str:
    """Describe what a seat does and the consequences, e.g. "moving its climber from 5 to 11 with a 6"."""
    return _listed(_parts(events, board)) + _chased(events, labels, " and chasing")


def _parts(events: Sequence[Any], board: Board) -> list[str]:
    return [part for event in events if (part := _part(event, events, board))]


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
        return f"taking its climber from field {moved.from_} to the summit{by}"
    pawn = "its climber" if moved.piece is Piece.CLIMBER else "a Sherpa"
    back = "back " if moved.dir is Direction.BACKWARD else ""
    return f"moving {pawn} {back}from field {moved.from_} to {moved.to}{by}"


DRAWS: Final = tuple(Seed(f"review-{number}") for number in range(10))
"""Seeds for the samples of dice and cards drawn before another seat chooses."""


@dataclass(frozen=True, slots=True)
class Appraised:
    """A choice, and the seat's win probabilities after it, one per sampled draw (a single one if nothing is drawn)."""

    action: SeatAction
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over all draws."""
        return fmean(self.chances)


def _judgements(replay: Replay, value: Value) -> list[Evaluation]:
    """Return an evaluation of each decision compared with the best available choice.

    A choice is valued by the win probability when another seat next has to choose. Until then, the seat's further
    choices (a resupply, or a move after a reroll) are its best ones. Dice and cards are sampled several times. Every
    choice gets the same samples, which never include the draws of the match.
    """
    judged = []
    for state, entry in zip(replay.states, replay.entries[1:], strict=False):
        if entry.action is not None and entry.seat is not None:
            view = GAME.view(state, entry.seat)
            found = [_appraised(view, entry.seat, action, value) for action in legal_actions(view, entry.seat)]
            if len(found) > 1:
                judged.append(_judged(view, entry, found, labels_of(replay.header)))
    return judged


def _judged(view: State, entry: Entry, found: Sequence[Appraised], labels: Sequence[str]) -> Evaluation:
    chosen = next(each for each in found if each.action == entry.action)
    best = max(found, key=lambda each: (each.mean, each is chosen))
    cost, low, high = interval(_apart(best.chances, chosen.chances), chosen.mean)
    values: dict[str, float] = {}
    for each in found:
        values[used(each.action)] = max(each.mean, values.get(used(each.action), 0.0))
    assert entry.seat is not None, "a seat decided"
    return Evaluation(
        seq=entry.seq,
        shown=entry.seq,
        round=entry.round,
        seat=entry.seat,
        cost=cost,
        low=low,
        high=high,
        action=json.loads(written_action(GAME, best.action)),
        words=doing([event for event, _ in step(GAME, view, best.action)], view.board, labels),
        values=values,
    )


def _apart(best: tuple[float, ...], chosen: tuple[float, ...]) -> list[float]:
    """Return the difference between two choices for each sampled draw; a single value if nothing is drawn."""
    count = max(len(best), len(chosen))
    pairs = zip(best * (count // len(best)), chosen * (count // len(chosen)), strict=True)
    return [one - other for one, other in pairs]


def _appraised(view: State, seat: int, action: SeatAction, value: Value) -> Appraised:
    reached = _after(view, action)
    draws = DRAWS if _draws(reached) else DRAWS[:1]
    return Appraised(action, tuple([_outlook(reached, seat, value, draw) for draw in draws]))


def _after(state: State, action: Action) -> State:
    return step(GAME, state, action)[-1][1]


def _draws(state: State) -> bool:
    return GAME.outcome(state) is None and (not state.pool or GAME.actors(state) == (CHANCE,))


def _outlook(state: State, seat: int, value: Value, draw: Seed) -> float:
    """Return the seat's win probability when another seat next has to choose."""
    while GAME.actors(state) == (CHANCE,):
        state = _after(state, GAME.sample_chance(state, draw))
    if seat in GAME.actors(state):
        choices = legal_actions(state, seat)
        return max([_outlook(_after(state, action), seat, value, draw) for action in choices])
    return value(state)[seat]


def _words(replay: Replay, swing: Swing) -> str:
    """Describe the source of a change as the beginning of a sentence."""
    events = [entry.event for entry in replay.entries[swing.since + 1 : swing.seq + 1]]
    labels = labels_of(replay.header)
    if swing.by == CHANCE:
        return brought(events, labels)
    done = _listed(list(map(in_past, _parts(events, replay.board))))
    return f"{labels[swing.by]} {done}{_chased(events, labels, ', and the Yeti chased')}"


SUMMIT: Final = GameReview(swings=by_turn, judgements=_judgements, words=_words)
