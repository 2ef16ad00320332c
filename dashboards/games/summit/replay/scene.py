"""A summit match as a scene for replay: the route up the mountain, and the position after each event of the log."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from dashboards.boards.scene import (
    FORMAT,
    NOBODY,
    EventLane,
    Heading,
    Link,
    Measure,
    Terms,
    check_view,
    kinds_among,
    lanes_of,
    names_of,
    seats_of,
    status_of,
)
from dashboards.boards.track import Field, TrackBoard, TrackFrame, TrackScene
from dashboards.games.summit.replay.rounds import calendar, rounds_of, summaries
from dashboards.games.summit.replay.targets import GROUPS, arrivals, names_of_fields, names_of_targets, touch
from dashboards.games.summit.replay.text import KIND_NAMES, moments, outcomes
from dashboards.games.summit.terms import TERMS as WORDS
from himalaya_core.log.codec import Entry
from himalaya_core.replay import Replay
from himalaya_core.summit.board import Board
from himalaya_core.summit.events import (
    DiceRolled,
    DieTaken,
    Forfeited,
    PawnMoved,
    Resupplied,
    Slid,
    SupplyPlayed,
    TakeAlong,
    TurnStarted,
    YetiChased,
)
from himalaya_core.summit.flow import bad_weather_is_in, is_over
from himalaya_core.summit.pieces import SHERPAS, Phase, Piece
from himalaya_core.summit.state import State

__all__ = ["summit_scene"]

Move: TypeAlias = tuple[int, int, int, int, str]
PAWNS: Final = (Piece.CLIMBER, *SHERPAS)
TERMS: Final = Terms(
    round="Throw",
    rounds="throws",
    short="",
    step="turn",
    setup="Before the first throw the pawns are set up, the Yeti cards shuffled, and the start player found.",
    keys="a climber's move, a slide, a chase, the end",
    secrets="",
    notes=[
        Heading(title="Lost ground", nothing="No Sherpa lost ground."),
        Heading(title="Helped on", nothing="No Sherpa was helped on by others."),
    ],
    chance=WORDS.chance,
)
MEASURES: Final = (
    Measure(key="climber", short="Climber", name="Field of the climber"),
    Measure(key="sherpas", short="Sherpas", name="Fields of the four Sherpas, added up"),
)
LANES: Final[Sequence[EventLane]] = (
    ("Climber moves", "climb", lambda event: isinstance(event, PawnMoved) and event.piece is Piece.CLIMBER),
    ("Take-alongs", "along", lambda event: isinstance(event, TakeAlong)),
    ("Slides", "slide", lambda event: isinstance(event, Slid)),
    ("Chases", "yeti", lambda event: isinstance(event, YetiChased)),
    ("Supply cards", "supply", lambda event: isinstance(event, SupplyPlayed | Resupplied)),
)


def summit_scene(replay: Replay, view: int | None = None) -> TrackScene:
    """Return the scene of a match: one frame per log line, the first for `match_started`.

    All seats know the same (S-view), so `view` only names the viewer. Raises `ValueError` if there is no such seat.
    """
    header, entries, states = replay.header, replay.entries, replay.states
    check_view(header, view)
    names = names_of(header)
    found, which = outcomes(states, names)
    told = moments(entries, names, replay.board)
    touch(told, entries, replay.board)
    frames = _frames(entries, states, which)
    rounds = rounds_of(entries)
    return TrackScene(
        format=FORMAT,
        match=entries[0].match,
        game=header.game,
        status=status_of(replay),
        view=NOBODY if view is None else view,
        terms=TERMS,
        seats=seats_of(header),
        initials=initials(names),
        measures=list(MEASURES),
        kinds=kinds_among(told, KIND_NAMES),
        names=names_of_targets(replay.board, names),
        groups=dict(GROUPS),
        board=_board(replay.board, len(names)),
        plies=[entry.ply for entry in entries],
        rounds=rounds,
        when=calendar(entries, rounds),
        frames=frames,
        endings=found,
        moments=told,
        visits=arrivals(entries, replay.board),
        summaries=summaries(entries, rounds, frames, names),
        lanes=lanes_of(entries, LANES, [found[index]["win"] for index in which]),
    )


def initials(names: Sequence[str]) -> list[str]:
    """Return a letter for each name: the first letter that no earlier name has taken, else the seat number."""
    found: list[str] = []
    for seat, name in enumerate(names, start=1):
        letters = (letter.upper() for letter in name if letter.isalpha())
        found.append(next((letter for letter in letters if len(letter) == 1 and letter not in found), str(seat)))
    return found


def _board(board: Board, players: int) -> TrackBoard:
    kinds: dict[int, Any] = {0: "base", board.summit: "summit", board.cave: "cave"}
    kinds |= dict.fromkeys(board.high_camps, "camp") | dict.fromkeys(board.snow, "snow")
    kinds |= {source: str(slide.kind) for source, slide in board.slides.items()}
    names = names_of_fields(board)
    return TrackBoard(
        kind="track",
        nodes=[Field(n=number, kind=kinds.get(number, ""), name=names[number]) for number in range(board.summit + 1)],
        links=[Link(a=source, b=slide.to, style=str(slide.kind)) for source, slide in board.slides.items()],
        dice=board.dice[players],
        cards=len(board.yeti_cards) + 1,
    )


def _frames(entries: Sequence[Entry], states: Sequence[State], which: Sequence[int]) -> list[TrackFrame]:
    """Return the frames; the display of a turn remains until the next player's first action."""
    moves: list[Move] = []
    dice: list[int] = []
    acts, began = (NOBODY, 0), False
    frames = []
    for entry, state, ending in zip(entries, states, which, strict=True):
        if began:
            acts, moves = (state.active, state.turn), []
        began = isinstance(entry.event, TurnStarted)
        match entry.event:
            case DiceRolled(values=values):
                dice = sorted(values)
            case DieTaken(face=face) | Forfeited(face=face):
                dice = _without_one(dice, face)
            case event:
                moves = [*moves, *_moved(event)]
        frames.append(_frame(state, moves, dice, (*acts, ending)))
    return frames


def _without_one(dice: Sequence[int], face: int) -> list[int]:
    """Return the dice with the last die of this face negated, which marks it as taken."""
    at = len(dice) - 1 - dice[::-1].index(face)
    return [*dice[:at], -face, *dice[at + 1 :]]


def _moved(event: Any) -> list[Move]:
    match event:
        case PawnMoved():
            return [(event.seat, PAWNS.index(event.piece), event.from_, event.to, "m")]
        case TakeAlong():
            return [(event.seat, PAWNS.index(mover), event.from_, event.to, "a") for mover in event.movers]
        case Slid():
            return [(event.seat, PAWNS.index(event.piece), event.from_, event.to, "s")]
        case YetiChased():
            return [(event.seat, PAWNS.index(event.piece), event.from_, event.to, "y")]
        case _:
            return []


def _frame(state: State, moves: list[Move], dice: list[int], now: tuple[int, int, int]) -> TrackFrame:
    seat, turn, ending = now
    over = state.phase is Phase.OVER
    return TrackFrame(
        f=[[climber, sum(row)] for climber, row in zip(state.climbers, state.sherpas, strict=True)],
        a=NOBODY if is_over(state) else seat,
        x=turn,
        e=ending,
        c=list(state.climbers),
        s=[list(row) for row in state.sherpas],
        h=[list(hand) for hand in state.hands],
        u=[list(used) for used in state.used],
        v=[sorted(camps) for camps in state.gained],
        b=state.yeti,
        d=dice,
        k=list(state.seen),
        r=len(state.deck if state.cycle else state.board.yeti_cards) + bad_weather_is_in(state),
        w=2 if over else int(bad_weather_is_in(state)),
        t=moves,
    )
