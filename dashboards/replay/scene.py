"""What the browser draws: a board that stays, and one frame per event. No game's rules, names or texts are here.

Seats count from 0; -1 stands for nobody or nothing. Keys of a frame are short because there are some 450 of them:
a whole match is some 300 KiB of JSON and 20 KiB of it gzipped. `assets/replay/scene.d.ts` has the same types.
"""

from typing import Final, Literal, NotRequired, TypedDict

__all__ = [
    "FORMAT",
    "Area",
    "Board",
    "Disc",
    "Ending",
    "Frame",
    "Lane",
    "Level",
    "Link",
    "Marker",
    "Measure",
    "Moment",
    "Named",
    "Note",
    "Place",
    "Scene",
    "Seat",
    "Summary",
    "Token",
]

FORMAT: Final = 2
NOBODY: Final = -1


class Place(TypedDict):
    """A place on a map that pieces stand on; `icon` names its silhouette."""

    n: int
    x: float
    y: float
    icon: str
    name: str


class Link(TypedDict):
    """A way between two nodes; `style` names its line."""

    a: int
    b: int
    style: str


class Area(TypedDict):
    """A part of the land: the nodes around it in order (none if the links do not enclose it), where its name goes."""

    n: int
    x: float
    y: float
    tone: Literal[0, 1]
    corners: list[int]


class Level(TypedDict):
    """A kind of node: its silhouette, a mark for the legend, and what it is."""

    icon: str
    short: str
    name: str


class Board(TypedDict):
    """The still part of a map."""

    kind: Literal["map"]
    size: tuple[float, float]
    levels: list[Level]
    nodes: list[Place]
    links: list[Link]
    areas: list[Area]


class Seat(TypedDict):
    """Who sits where."""

    name: str
    player: str
    version: str


class Measure(TypedDict):
    """A column of the standings; `short` heads it."""

    key: str
    short: str
    name: str


class Token(TypedDict):
    """A kind of cube: its letter stands in the frames, its key names its colour."""

    key: str
    letter: str
    name: str


class Marker(TypedDict):
    """A kind of piece that each seat has one of and that lies on the board for a while."""

    icon: str
    letter: str
    name: str


class Named(TypedDict):
    """An icon and the words for it."""

    icon: str
    name: str


class Disc(TypedDict):
    """An order: the letters of what it demands, and what it pays."""

    demand: str
    pays: int


class Ending(TypedDict):
    """How the match ends if a frame is scored: who is out over what, in order, who wins, and that in words."""

    head: str
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


class Summary(TypedDict):
    """A round: from which frame to which, what each seat gained by measure and in words, and what was remarkable."""

    round: int
    at: int
    end: int
    gains: list[list[int]]
    got: list[str]
    contested: list[Note]
    late: list[Note]


class Lane(TypedDict):
    """A row of marks on the timeline: frame and seat of each."""

    name: str
    icon: str
    marks: list[tuple[int, int]]


class Frame(TypedDict):
    """A position.

    By node (from 1, so index 0 is the first): `n` letters of its cubes, `o` its order (index into `discs`), `u` whose
    stupa. By area: `d` the delegations of each seat, `l` who leads. By seat: `c` the node of its piece (0: none yet),
    `t` the nodes it came through this round, `f` its measures, `h` its cubes by kind, `s` its supplies, `p` its plan as
    letters of `acts` ("?" where the view does not see it), `m` what became of each planned action ("+" done, "." to
    come, or a letter of `voids`).
    `a` is whose action this was and `x` which of the six (0: none), `e` the ending, `y` who is first.
    Only in a scene with `markers`: `k` those on the board, each as its index, whose it is, and the node it lies on
    twice or the two nodes whose link it lies on; by seat, `w` the node its piece is on its way to (0: none) and `q`
    the letters of the markers it has left.
    """

    n: list[str]
    o: list[int]
    u: list[int]
    d: list[list[int]]
    l: list[int]  # noqa: E741
    c: list[int]
    t: list[list[int]]
    f: list[list[int]]
    h: list[list[int]]
    s: list[list[int]]
    p: list[str]
    m: list[str]
    a: int
    x: int
    e: int
    y: int
    k: NotRequired[list[tuple[int, int, int, int]]]
    w: NotRequired[list[int]]
    q: NotRequired[list[str]]


class Scene(TypedDict):
    """A match, ready to be drawn, as the seat `view` sees it (-1: all is seen).

    By frame: `plies`, `rounds`, and `when`, which never falls and is the same for the same moment of the calendar in
    every match of a game. `kinds` names the kinds of moments that occur. `names` has a name for each thing on the
    board: "n" with the number of a node, "l" with the index of a link, "a" with the number of an area, "u" with the
    node that a building stands on, "d" with the index of a disc; `groups` has what they are called by that letter.
    `visits` are the arrivals of pieces: frame, seat, node, and the index of the link (-1: it was put there).
    `summaries` are those of the rounds that began.
    """

    format: int
    match: str
    game: str
    status: str
    view: int
    seats: list[Seat]
    measures: list[Measure]
    tokens: list[Token]
    supplies: list[Named]
    markers: NotRequired[list[Marker]]
    acts: dict[str, Named]
    voids: dict[str, str]
    kinds: dict[str, str]
    names: dict[str, str]
    groups: dict[str, str]
    discs: list[Disc]
    board: Board
    plies: list[int]
    rounds: list[int]
    when: list[int]
    frames: list[Frame]
    endings: list[Ending]
    moments: list[Moment]
    visits: list[tuple[int, int, int, int]]
    summaries: list[Summary]
    lanes: list[Lane]
