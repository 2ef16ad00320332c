"""Clickable targets on a summit board, and a seat's choices of action."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Moment
from dashboards.games.analytics import MOST_LISTED, Choice, Offer, Way, without_name
from dashboards.games.summit.replay.text import OPENING, event_in_words
from himalaya_core.engine import step
from himalaya_core.game import Game
from himalaya_core.log.codec import Entry, decode_action
from himalaya_core.replay import Replay
from himalaya_core.summit.actions import Decline, SeatAction, TakeBack
from himalaya_core.summit.board import Board
from himalaya_core.summit.events import PawnMoved, Resupplied, ResupplyDeclined, Slid, TakeAlong, YetiChased, YetiMoved
from himalaya_core.summit.pieces import Piece
from himalaya_core.summit.state import State
from himalaya_core.winprob.key_moments import Evaluation

__all__ = [
    "GROUPS",
    "alternative_targets",
    "arrivals",
    "names_of_fields",
    "names_of_targets",
    "summit_choices",
    "touch",
    "touched",
]


GROUPS: Final[Mapping[str, str]] = {"n": "Fields", "l": "Slides", "c": "Climbers", "y": "The Yeti"}
"""Kinds of targets, by the first letter of their ids."""
YETI: Final = "y0"


def names_of_fields(board: Board) -> list[str]:
    """Return the name of each field."""
    kinds = {0: "Base camp", board.summit: "Summit", board.cave: "Cave"}
    kinds |= dict.fromkeys(board.high_camps, "High camp") | dict.fromkeys(board.snow, "Snowfield")
    kinds |= {source: str(slide.kind).capitalize() for source, slide in board.slides.items()}
    return [f"{kinds.get(number, 'Field')} {number}" for number in range(board.summit + 1)]


def names_of_targets(board: Board, names: Sequence[str]) -> dict[str, str]:
    """Map the id of each field, slide, climber and of the Yeti (`n7`, `l3`, `c0`, `y0`) to a readable name."""
    found = {f"n{number}": name for number, name in enumerate(names_of_fields(board))}
    for index, (source, slide) in enumerate(board.slides.items()):
        found[f"l{index}"] = f"{str(slide.kind).capitalize()} from {source} to {slide.to}"
    found |= {f"c{seat}": f"Climber of {name}" for seat, name in enumerate(names)}
    return found | {YETI: "Yeti"}


def touch(moments: Sequence[Moment], entries: Sequence[Entry], board: Board) -> None:
    """Add to each moment the targets that its events involve."""
    slides = {source: index for index, source in enumerate(board.slides)}
    ends = [moment["at"] for moment in moments[1:]] + [len(entries)]
    for moment, end in zip(moments, ends, strict=True):
        found: dict[str, None] = {}
        for at in range(moment["at"], end):
            found |= dict.fromkeys(_touched(entries[at].event, slides))
        if found:
            moment["on"] = list(found)


def arrivals(entries: Sequence[Entry], board: Board) -> list[tuple[int, int, int, int]]:
    """Return `(entry, seat, field, slide)` for each arrival of a pawn, for the traffic view."""
    slides = {source: index for index, source in enumerate(board.slides)}
    found: list[tuple[int, int, int, int]] = []
    for at, entry in enumerate(entries):
        match entry.event:
            case PawnMoved(seat=seat, to=to):
                found.append((at, seat, to, NOBODY))
            case TakeAlong(seat=seat, to=to, movers=movers):
                found += [(at, seat, to, NOBODY)] * len(movers)
            case Slid(seat=seat, from_=source, to=to):
                found.append((at, seat, to, slides[source]))
            case YetiChased(seat=seat, to=to):
                found.append((at, seat, to, NOBODY))
            case _:
                pass
    return found


def alternative_targets(replay: Replay, judged: Evaluation) -> list[str]:
    """Return the targets of an alternative: the fields and slides on its path, and its climber."""
    events = replay.game.decide(replay.states[judged.seq - 1], decode_action(replay.game, judged.action, judged.seat))
    return touched(events, replay.board)


def touched(events: Sequence[Any], board: Board) -> list[str]:
    """Return the targets involved in these events."""
    slides = {source: index for index, source in enumerate(board.slides)}
    return list(dict.fromkeys(target for event in events for target in _touched(event, slides)))


def _touched(event: Any, slides: Mapping[int, int]) -> list[str]:
    match event:
        case PawnMoved(piece=Piece.CLIMBER):
            return [f"n{event.from_}", f"n{event.to}", f"c{event.seat}"]
        case PawnMoved() | TakeAlong():
            return [f"n{event.from_}", f"n{event.to}"]
        case Slid():
            return [f"n{event.from_}", f"l{slides[event.from_]}", f"n{event.to}"]
        case YetiMoved() | YetiChased():
            return [f"n{event.from_}", f"n{event.to}", YETI]
        case Resupplied(camp=camp) | ResupplyDeclined(camp=camp):
            return [f"n{camp}"]
        case _:
            return []


def summit_choices(game: Game[Any, Any, Any], state: State, seat: int, names: Sequence[str]) -> Offer:
    """Return the choices of a seat."""
    listed = islice(game.legal_actions(state, seat), MOST_LISTED)
    return Offer(Way.LIST, [_choice(game, state, action, names) for action in listed])


def _choice(game: Game[Any, Any, Any], state: State, action: SeatAction, names: Sequence[str]) -> Choice:
    if isinstance(action, TakeBack | Decline):
        what = f"supply card {action.card}" if isinstance(action, TakeBack) else "no supply card"
        return Choice(action, f"Takes {what} back", touched(game.decide(state, action), state.board))
    events = _with_what_follows([event for event, _ in step(game, state, action)])
    return Choice(
        action,
        without_name(event_in_words(events, names, state.board)[0], names[action.seat]),
        touched(events, state.board),
    )


def _with_what_follows(events: Sequence[Any]) -> list[Any]:
    """Return the first event and its consequences, up to the next event that begins a moment."""
    after = next((at for at, event in enumerate(events) if at and isinstance(event, OPENING)), len(events))
    return list(events[:after])
