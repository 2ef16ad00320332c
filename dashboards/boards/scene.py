"""The data that the browser draws: a fixed board, and one frame per event. Nothing here is specific to a game.

This file has the types that all kinds of board share; the module of each kind adds its own. Seats count from 0; -1
means no seat or no thing. Keys of frames are short because a match has about 450 frames: some 300 KiB of JSON, 20 KiB
gzipped. `assets/replay/scene.d.ts` is made from these types.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, NotRequired, TypeAlias, TypedDict, TypeVar

from cachetools import LRUCache

from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Header
from himalaya_core.names import shown_name, visible
from himalaya_core.replay import Replay

__all__ = [
    "FORMAT",
    "Ending",
    "EventLane",
    "Frame",
    "Heading",
    "Kept",
    "Lane",
    "Link",
    "Measure",
    "Moment",
    "Named",
    "Note",
    "Reviewed",
    "Scene",
    "Seat",
    "Summary",
    "Terms",
    "Verbs",
    "check_view",
    "counted",
    "frame_at",
    "gains_between",
    "joined",
    "kinds_among",
    "lanes_of",
    "lead_changes",
    "names_of",
    "ply_names",
    "seats_of",
    "spans_of",
    "status_of",
    "verbs",
]


FORMAT: Final = 3
NOBODY: Final = -1


class Link(TypedDict):
    """A link between two nodes; `style` names how its line is drawn."""

    a: int
    b: int
    style: str


class Seat(TypedDict):
    """Name, player and version of a seat.

    Seats have the colours of assets/app.css, unless the rules of the game fix a seat's `colour`: "red" is `--seat-red`
    in the style sheets.
    """

    name: str
    player: str
    version: str
    colour: NotRequired[str]


class Measure(TypedDict):
    """A column of the standings; `short` is its heading."""

    key: str
    short: str
    name: str


class Named(TypedDict):
    """An icon and its label."""

    icon: str
    name: str


class Ending(TypedDict):
    """The result as of a frame: seats that are out, in the order of leaving and with the reason; the winners; a text.

    `over` is true if the match has ended; otherwise this is the result if it stopped now.
    """

    head: str
    over: bool
    out: list[tuple[int, str]]
    win: list[int]
    text: str


class Moment(TypedDict):
    """A line of the event list; it lasts from its frame to the next moment's.

    `on` has the ids of the things it touched: a letter for the kind of thing and a number, as in `Scene.names`.
    """

    at: int
    seat: int
    kind: str
    key: NotRequired[bool]
    text: str
    on: NotRequired[list[str]]


class Note(TypedDict):
    """A note on a round: its text, the frame that it is about, and its seat."""

    text: str
    at: int
    seat: int


class Heading(TypedDict):
    """The heading for one kind of notes, and the text to show if there are none."""

    title: str
    nothing: str


class Summary(TypedDict):
    """A round: its first and last frames, each seat's gains by measure and in words, notes by kind (`Terms.notes`)."""

    round: int
    at: int
    end: int
    gains: list[list[int]]
    got: list[str]
    notes: list[list[Note]]


class Lane(TypedDict):
    """A row of marks on the timeline: frame and seat of each."""

    name: str
    icon: str
    marks: list[tuple[int, int]]


class Terms(TypedDict):
    """A game's words for the parts of its matches.

    `round` and `rounds` are the words for one and several rounds; `short` is the letter before a round's number. `step`
    is the word for what `Frame.x` counts. `setup` names the time before the first round, `keys` the key events.
    `secrets` names what seats hide from each other ("" for nothing), `notes` the kinds of notes on a round. `chance` is
    a plural for what a seed decides, such as "dice".
    """

    round: str
    rounds: str
    short: str
    step: str
    setup: str
    keys: str
    secrets: str
    notes: list[Heading]
    chance: str


class Reviewed(TypedDict):
    """Optional parts of a match's review: `causes` is true if it splits changes of chances by cause and round."""

    causes: bool


class Frame(TypedDict):
    """Parts common to the positions of all games.

    `f` has each seat's measures, `a` is the seat to act, `e` the ending. `x` is the number of the current step, which
    `Terms.step` names (0: none).
    """

    f: list[list[int]]
    a: int
    x: int
    e: int


class Scene(TypedDict):
    """A match ready to be drawn, as the seat `view` sees it (-1: everything). `board` and `frames` are of one kind.

    `plies`, `rounds` and `when` have a value for each frame. `when` never decreases, and equal values mean the same
    point of the game's calendar in all its matches. `kinds` names the kinds of moments that occur. `names` has a name
    for each thing on the board by its id: "n" with the number of a node, "l" with the index of a link, and the letters
    of the kind of board; `groups` names each kind of thing by its letter. `visits` are the arrivals of pieces: frame,
    seat, node (-1: the piece was carried off), and the index of the link used (-1: none). `summaries` has an entry for
    each round that has begun. `opens` is the frame shown at the start, by default 0. `review` is present if the match
    can be reviewed. `title` is the game's name for readers.
    """

    format: int
    match: str
    game: str
    status: str
    view: int
    terms: Terms
    seats: list[Seat]
    measures: list[Measure]
    kinds: dict[str, str]
    names: dict[str, str]
    groups: dict[str, str]
    plies: list[int]
    rounds: list[int]
    when: list[int]
    endings: list[Ending]
    moments: list[Moment]
    visits: list[tuple[int, int, int, int]]
    summaries: list[Summary]
    lanes: list[Lane]
    opens: NotRequired[int]
    review: NotRequired[Reviewed]
    title: NotRequired[str]


MOST: Final = 2_000
"""Maximum number of entries in a cache; an entry is small compared with the positions of a match."""
Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Cache of values by the identity of the object they were computed for, not by equality; thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._lock = Lock()
        self._values: LRUCache[Hashable, tuple[object, Value]] = LRUCache(most)

    def of(self, thing: object, about: Hashable, count: Callable[[], Value]) -> Value:
        """Return the cached value for `thing` and `about`; the first time, compute it with `count`."""
        key = id(thing), about
        with self._lock:
            if key in self._values:  # the entry keeps the object alive, so its id is not reused
                return self._values[key][1]
        value = count()
        with self._lock:
            self._values[key] = thing, value
        return value


EventLane: TypeAlias = tuple[str, str, Callable[[Any], bool]]
"""A lane's name, its icon, and a test that is true for events with a mark on the lane."""


def lanes_of(entries: Sequence[Entry], lanes: Iterable[EventLane], winners: Sequence[Sequence[int]]) -> list[Lane]:
    """Return the lanes with marks of seats' events, then one with a mark at each change of the provisional winners.

    `winners` has the provisional winners by frame.
    """
    marked = [Lane(name=name, icon=icon, marks=_marks(entries, belongs)) for name, icon, belongs in lanes]
    return [*marked, lead_changes(winners)]


def _marks(entries: Sequence[Entry], belongs: Callable[[Any], bool]) -> list[tuple[int, int]]:
    return [(at, entry.seat) for at, entry in enumerate(entries) if entry.seat is not None and belongs(entry.event)]


def lead_changes(winners: Sequence[Sequence[int]]) -> Lane:
    """Return a lane with a mark at each frame in which the provisional winners change; `winners` has them by frame."""
    changes = [at for at in range(1, len(winners)) if winners[at] != winners[at - 1]]
    marks = [(at, winners[at][0] if len(winners[at]) == 1 else NOBODY) for at in changes]
    return Lane(name="Lead changes", icon="crown", marks=marks)


def spans_of(rounds: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each round the indexes of its first entry and of the first entry after it; set-up is not a round.

    `rounds` has the number of the round of each entry.
    """
    starts = [at for at in range(1, len(rounds)) if rounds[at] > rounds[at - 1]]
    return list(pairwise([*starts, len(rounds)]))


def gains_between(first: Sequence[Sequence[int]], last: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return how much each measure of each seat grew between two frames, given the `f` of both."""
    return [[now - then for then, now in zip(*rows, strict=True)] for rows in zip(first, last, strict=True)]


def check_view(header: Header, view: int | None) -> None:
    """Raise `ValueError` if the viewing seat is not in the match.

    `None` sees everything; `NOBODY` sees only what every seat sees.
    """
    if view not in (None, NOBODY, *range(len(header.seats))):
        raise ValueError(f"expected a seat from 0 to {len(header.seats) - 1}, found {view}")


def names_of(header: Header) -> list[str]:
    """Return the name of each seat."""
    return [shown_name(info.label) or f"Seat {info.seat + 1}" for info in header.seats]


def seats_of(header: Header) -> list[Seat]:
    """Return the seats for a scene."""
    return [
        Seat(name=name, player=shown_name(info.player), version=visible(info.version))
        for name, info in zip(names_of(header), header.seats, strict=True)
    ]


def status_of(replay: Replay) -> str:
    """Return the status of a match: `branch`, the reason for its end, or `unfinished`."""
    if replay.header.branch:
        return "branch"
    return str(replay.ended.reason) if replay.ended else "unfinished"


class Verbs(NamedTuple):
    """Verbs for an ending: one seat wins, several share the win, one or several seats are out."""

    win: str
    share: str
    went: str


IT_IS: Final = Verbs("won", "shared", "went")
IT_WOULD_BE: Final = Verbs("would win", "would share", "would be")


def verbs(*, over: bool) -> Verbs:
    """Return the verbs for a match that is over, or for the result if it stopped now."""
    return IT_IS if over else IT_WOULD_BE


def counted(count: int, one: str, many: str) -> str:
    """Return "1 delivery" or "2 deliveries"; "" for none."""
    return f"{count} {one if count == 1 else many}" if count else ""


def joined(words: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def kinds_among(moments: Sequence[Moment], names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the kinds that occur among moments, in the order of `names`."""
    occur = {moment["kind"] for moment in moments}
    return {kind: name for kind, name in names.items() if kind in occur}


NAME: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?", re.ASCII)


def ply_names(plies: Sequence[int]) -> list[str]:
    """Return the name of each frame, given the ply of each (as assets/replay/player/address.js does)."""
    names: list[str] = []
    first = 0
    for frame, ply in enumerate(plies):
        if frame and plies[frame - 1] != ply:
            first = frame
        goes_on = frame + 1 < len(plies) and plies[frame + 1] == ply
        names.append(f"{ply}.{frame - first + 1}" if goes_on else str(ply))
    return names


def frame_at(text: str | None, plies: Sequence[int]) -> int:
    """Return the index of the frame with a name such as `57.3`: 0 for `None`, the last for a ply beyond the end.

    Raises `ValueError` for an invalid name.
    """
    if text is None:
        return 0
    found = NAME.fullmatch(text)
    if not found:
        message = f"ply: expected a number such as 57 or 57.3, found {text!r}"
        raise ValueError(message)
    ply, event = int(found[1]), int(found[2] or 0)
    first = next((frame for frame, each in enumerate(plies) if each >= ply), None)
    if first is None:
        return len(plies) - 1
    last = first
    while last + 1 < len(plies) and plies[last + 1] == plies[first]:
        last += 1
    return min(first + event - 1, last) if event else last
