"""The data that the browser draws: a board that stays, and one frame per event. It has no game's rules, names or texts.

This file has the parts that the boards of all games share; the scene.py of each kind of board has the others. Seats
count from 0; -1 means no seat or no thing. Keys of a frame are short because there are some 450 of them: a whole match
is some 300 KiB of JSON and 20 KiB of it gzipped. `assets/replay/scene.d.ts` is made from these types.
"""

from typing import Final, NotRequired, TypedDict

__all__ = [
    "FORMAT",
    "Ending",
    "Frame",
    "Heading",
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
]

FORMAT: Final = 3
NOBODY: Final = -1


class Link(TypedDict):
    """A link between two nodes; `style` names its line."""

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
    """A column of the standings; `short` heads it."""

    key: str
    short: str
    name: str


class Named(TypedDict):
    """An icon and the words for it."""

    icon: str
    name: str


class Ending(TypedDict):
    """The ending of a match if it ends at a frame: seats that are out and the reason, in order, the winners, and text.

    `over` says whether it ended so; if not, this is the ending if the match stopped now.
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
    """A note on a round: text, the frame to look at, and its seat."""

    text: str
    at: int
    seat: int


class Heading(TypedDict):
    """The heading of notes of a kind, and the text if there are none."""

    title: str
    nothing: str


class Summary(TypedDict):
    """A round: its first and last frames, the gains of each seat by measure and in words, notes by `Terms.notes`."""

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

    A round is called `round`, several `rounds`, `short` is the letter before its number, `step` is counted by
    `Frame.x`. `setup` names the time before the first round, `keys` the key events, `secrets` what a seat does not know
    of the others ("": nothing), `notes` the kinds of notes on a round.
    """

    round: str
    rounds: str
    short: str
    step: str
    setup: str
    keys: str
    secrets: str
    notes: list[Heading]


class Reviewed(TypedDict):
    """Parts of a match's review in addition to chances and key moments: whether `causes` are separate by round."""

    causes: bool


class Frame(TypedDict):
    """Parts common to the positions of all games.

    `f` are the measures of each seat, `a` is the seat to act and `x` which of the steps that `Terms.step` names (0:
    none), `e` the ending.
    """

    f: list[list[int]]
    a: int
    x: int
    e: int


class Scene(TypedDict):
    """A match, ready to be drawn, as the seat `view` sees it (-1: all is seen); its `board` and `frames` are of a kind.

    By frame: `plies`, `rounds`, and `when`, which never falls and is the same for the same moment of the calendar in
    every match of a game. `kinds` names the kinds of moments that occur. `names` has a name for each thing on the board
    by its id: "n" with the number of a node, "l" with the index of a link, and other kinds of the board; `groups` names
    each kind by that letter. `visits` are the arrivals of pieces: frame, seat, node (-1: none, it was carried off), and
    the index of the link (-1: by none). `summaries` are those of the rounds that began. `opens` is the frame that is
    shown first, by default the first one. `review` is present if the match can be reviewed.
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
