"""Parts of a scene that only maps have: places, regions, cubes, orders, plans, markers."""

from typing import Literal, NotRequired, TypedDict

from dashboards.boards.scene import Frame, Link, Named, Scene

__all__ = ["Area", "Disc", "Level", "MapBoard", "MapFrame", "MapScene", "Marker", "Place", "Token"]


class Place(TypedDict):
    """A place on a map for pieces; `icon` names its silhouette."""

    n: int
    x: float
    y: float
    icon: str
    name: str


class Area(TypedDict):
    """A part of the land: the nodes around it in order (none if the links do not enclose it), and its name's place."""

    n: int
    x: float
    y: float
    tone: Literal[0, 1]
    corners: list[int]


class Level(TypedDict):
    """A kind of node: its silhouette, a mark for the legend, and its description."""

    icon: str
    short: str
    name: str


class MapBoard(TypedDict):
    """The still part of a map."""

    kind: Literal["map"]
    size: tuple[float, float]
    levels: list[Level]
    nodes: list[Place]
    links: list[Link]
    areas: list[Area]


class Token(TypedDict):
    """A kind of cube: its letter is used in the frames, its key names its colour."""

    key: str
    letter: str
    name: str


class Marker(TypedDict):
    """A kind of piece that each seat has one of, placed on the board for a while."""

    icon: str
    letter: str
    name: str


class Disc(TypedDict):
    """An order: the letters of its demands, and its pay."""

    demand: str
    pays: int


class MapFrame(Frame):
    """A position on a map.

    By node (from 1, so index 0 is the first): `n` letters of its cubes, `o` its order (index into `discs`), `u` the
    owner of its stupa. By area: `d` the delegations of each seat, `l` the leader. By seat: `c` the node of its piece
    (0: none yet), `t` the nodes it passed this round, `h` its cubes by kind, `s` its supplies, `p` its plan as letters
    of `acts` ("?" if the view does not see it), `m` the result of each planned action ("+" done, "." to come, or a
    letter of `voids`). `y` is the first seat; `x` counts planned actions.

    Only in a scene with `markers`: `k` those on the board, each as its index, its owner, and its node twice or the two
    nodes of its link. By seat, `w` is the node its piece is on its way to (0: none) and `q` the letters of the markers
    it has left.
    """

    n: list[str]
    o: list[int]
    u: list[int]
    d: list[list[int]]
    l: list[int]  # noqa: E741
    c: list[int]
    t: list[list[int]]
    h: list[list[int]]
    s: list[list[int]]
    p: list[str]
    m: list[str]
    y: int
    k: NotRequired[list[tuple[int, int, int, int]]]
    w: NotRequired[list[int]]
    q: NotRequired[list[str]]


class MapScene(Scene):
    """A match on a map. Things besides nodes and links: "a" areas, "u" buildings by their node, "d" discs by index."""

    tokens: list[Token]
    supplies: list[Named]
    markers: NotRequired[list[Marker]]
    acts: dict[str, Named]
    voids: dict[str, str]
    discs: list[Disc]
    board: MapBoard
    frames: list[MapFrame]
