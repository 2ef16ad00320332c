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
        """Number of the village, from 1."""
        ...

    @property
    def x(self) -> float:
        """Horizontal position, growing to the right."""
        ...

    @property
    def y(self) -> float:
        """Vertical position, growing downwards."""
        ...

    @property
    def regions(self) -> Collection[int]:
        """Numbers of the regions that it borders."""
        ...


class Road(Protocol):
    """A road between two villages."""

    @property
    def type(self) -> str:
        """Kind of road, such as `ice`."""
        ...

    @property
    def between(self) -> tuple[int, int]:
        """Numbers of the two villages that it connects."""
        ...


class Land(Protocol):
    """Properties that a board needs to be drawn as a map."""

    @property
    def villages(self) -> Sequence[Village]:
        """All villages, by number."""
        ...

    @property
    def roads(self) -> Collection[Road]:
        """All roads."""
        ...

    @property
    def region_labels(self) -> Mapping[int, tuple[float, float]]:
        """Position of each region's name, by the region's number."""
        ...


Point: TypeAlias = tuple[float, float]


def region_corners(board: Land) -> dict[int, list[int]]:
    """Return the villages around each region, in order; none for a region that its villages do not enclose."""
    points = {village.number: (village.x, village.y) for village in board.villages}
    enclosed = [face for face in faces(points, [road.between for road in board.roads]) if area(face, points) > 0]
    by_villages = {frozenset(face): face for face in enclosed}
    members = {
        region: frozenset(village.number for village in board.villages if region in village.regions)
        for region in sorted(board.region_labels)
    }
    return {region: by_villages.get(villages, []) for region, villages in members.items()}


def faces(points: Mapping[int, Point], edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the faces of a connected plane graph; the outer face runs in the opposite direction to the others."""
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
    """A region of the map: the nodes around it in order (none if links do not enclose it), and its name's position."""

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
    """The part of a map that stays the same during a match."""

    kind: Literal["map"]
    size: tuple[float, float]
    levels: list[Level]
    nodes: list[Place]
    links: list[Link]
    areas: list[Area]


class Token(TypedDict):
    """A kind of cube: frames use its letter, and its key names its colour."""

    key: str
    letter: str
    name: str


class Marker(TypedDict):
    """A kind of piece that is on the board for a while; each seat has one of each kind."""

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

    Only in a scene with `markers`: `k` are the markers on the board: index, owner, and the two nodes of its link, or
    its own node twice. By seat, `w` is the node its piece is on its way to (0: none) and `q` the letters of the markers
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
    """A match on a map. Besides "n" and "l", ids of things start with "a" (areas), "u" (buildings) or "d" (discs)."""

    tokens: list[Token]
    supplies: list[Named]
    markers: NotRequired[list[Marker]]
    acts: dict[str, Named]
    voids: dict[str, str]
    discs: list[Disc]
    board: MapBoard
    frames: list[MapFrame]
