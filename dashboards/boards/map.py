"""Scenes of maps: places, roads, regions with their outlines, cubes, orders, plans, markers."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Literal, NotRequired, Protocol, TypeAlias, TypedDict

from dashboards.boards.scene import Frame, Link, Named, Scene

__all__ = [
    "Area",
    "Disc",
    "Land",
    "Level",
    "MapBoard",
    "MapFrame",
    "MapScene",
    "Marker",
    "Place",
    "Road",
    "Token",
    "Village",
    "area",
    "faces",
    "region_corners",
    "two_tones",
]


class Village(Protocol):
    """A numbered place on the map."""

    @property
    def number(self) -> int:
        """From 1."""
        ...

    @property
    def x(self) -> float:
        """To the right."""
        ...

    @property
    def y(self) -> float:
        """Downwards."""
        ...

    @property
    def regions(self) -> Collection[int]:
        """The regions that have it on their borders."""
        ...


class Road(Protocol):
    """A road between two villages."""

    @property
    def type(self) -> str:
        """A word, such as `ice`."""
        ...

    @property
    def between(self) -> tuple[int, int]:
        """The numbers of its villages."""
        ...


class Land(Protocol):
    """A board in the form that maps need."""

    @property
    def villages(self) -> Sequence[Village]:
        """In the order of their numbers."""
        ...

    @property
    def roads(self) -> Collection[Road]:
        """All roads."""
        ...

    @property
    def region_labels(self) -> Mapping[int, tuple[float, float]]:
        """The position of each region's name."""
        ...


Point: TypeAlias = tuple[float, float]


def region_corners(board: Land) -> dict[int, list[int]]:
    """Return the villages around each region, in order; none for a region without a face enclosed by its villages."""
    points = {village.number: (village.x, village.y) for village in board.villages}
    enclosed = [face for face in faces(points, [road.between for road in board.roads]) if area(face, points) > 0]
    by_villages = {frozenset(face): face for face in enclosed}
    members = {
        region: frozenset(village.number for village in board.villages if region in village.regions)
        for region in sorted(board.region_labels)
    }
    return {region: by_villages.get(villages, []) for region, villages in members.items()}


def faces(points: Mapping[int, Point], edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the faces of a connected plane graph; the outer one runs in the other direction than those inside."""
    around: dict[int, list[int]] = {node: [] for node in points}
    for a, b in edges:
        around[a].append(b)
        around[b].append(a)
    for node, others in around.items():
        others.sort(key=lambda other: _angle(points[node], points[other]))
    left = {(node, other) for node, others in around.items() for other in others}
    found = []
    while left:
        edge = start = min(left)
        face = []
        while True:
            left.discard(edge)
            came, here = edge
            face.append(came)
            others = around[here]
            edge = (here, others[others.index(came) - 1])
            if edge == start:
                break
        found.append(face)
    return found


def area(face: Sequence[int], points: Mapping[int, Point]) -> float:
    """Return the area inside a face; negative for the outer one."""
    corners = [points[node] for node in (*face, face[0])]
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(corners)) / 2


def two_tones(corners: Mapping[int, Sequence[int]]) -> dict[int, Literal[0, 1]]:
    """Give each region one of two tones, so that as few neighbours as possible share theirs."""
    borders = {region: {frozenset(edge) for edge in pairwise((*face, *face[:1]))} for region, face in corners.items()}
    regions = sorted(borders)
    pairs = [(a, b) for a in regions for b in regions if a < b and borders[a] & borders[b]]
    either: tuple[Literal[0, 1], ...] = (0, 1)
    choices = (dict(zip(regions, tones, strict=True)) for tones in product(either, repeat=len(regions)))
    return min(choices, key=lambda tones: sum(tones[a] == tones[b] for a, b in pairs))


def _angle(origin: Point, to: Point) -> float:
    return math.atan2(to[1] - origin[1], to[0] - origin[0])


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
