"""The regions of a map as polygons: the faces of the plane graph that its roads draw."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Literal, TypeAlias

from dashboards.boards.map.land import Land

__all__ = ["area", "faces", "region_corners", "two_tones"]

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
