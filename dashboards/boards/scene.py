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
    """A way between two nodes; `style` names its line."""

    a: int
    b: int
    style: str


class Seat(TypedDict):
    """Who sits where.

    Seats have the colours of assets/app.css, unless it is a rule of the game which `colour` one has: "red" is
    `--seat-red` in the style sheets.
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
    """How the match ends if it ends at a frame: who is out over what, in order, who wins, and that in words.

    `over` says whether it ended so; if not, that is what would be.
    """

    head: str
    over: bool
    out: list[tuple[int, str]]
    win: list[int]
    text: str


class Moment(TypedDict):
    """A line of the event list; it lasts from its frame to the next moment's.

    `on` has the ids of what it touched: a letter for the kind of thing and a number, as in `Scene.names`.
    """

    at: int
    seat: int
    kind: str
    key: NotRequired[bool]
    text: str
    on: NotRequired[list[str]]


class Note(TypedDict):
    """Something worth telling about a round: in words, the frame to look at, and whose it is."""

    text: str
    at: int
    seat: int


class Heading(TypedDict):
    """What notes of a kind are listed under, and what is said where there are none."""

    title: str
    nothing: str


class Summary(TypedDict):
    """A round: from which frame to which, what each seat gained by measure and in words, notes by `Terms.notes`."""

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
    """What a game calls the parts of its matches.

    A round is called `round`, several `rounds`, `short` is the letter before its number, `step` what `Frame.x` counts.
    `setup` says what comes before the first round, `keys` which events are key events, `secrets` what a seat does not
    know of the others ("": nothing), `notes` what there is to note about a round.
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
    """What a review of the match has beside chances and key moments: whether `causes` are told apart by round."""

    causes: bool


class Frame(TypedDict):
    """What the positions of all games have.

    `f` are the measures of each seat, `a` is who acts and `x` which of the steps that `Terms.step` names (0: none),
    `e` the ending.
    """

    f: list[list[int]]
    a: int
    x: int
    e: int


class Scene(TypedDict):
    """A match, ready to be drawn, as the seat `view` sees it (-1: all is seen); its `board` and `frames` are of a kind.

    By frame: `plies`, `rounds`, and `when`, which never falls and is the same for the same moment of the calendar in
    every match of a game. `kinds` names the kinds of moments that occur. `names` has a name for each thing on the
    board by its id: "n" with the number of a node, "l" with the index of a link, and what else a board has; `groups`
    has what they are called by that letter. `visits` are the arrivals of pieces: frame, seat, node (-1: none, it was
    carried off), and the index of the link (-1: by none). `summaries` are those of the rounds that began. `opens` is
    the frame that is shown first, by default the first one. `review` is there where the match can be reviewed.
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
