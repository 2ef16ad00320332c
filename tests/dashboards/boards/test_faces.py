"""Regions of the map as polygons, derived from its roads."""

from itertools import pairwise

import pytest

from dashboards.boards.map import area, faces, region_corners, two_tones
from himalaya_core.boards import shipped_board

BOARD = shipped_board("caravan")
POINTS = {village.number: (village.x, village.y) for village in BOARD.villages}
SQUARE = {1: (0.0, 0.0), 2: (2.0, 0.0), 3: (2.0, 2.0), 4: (0.0, 2.0)}


def contains(face: list[int], x: float, y: float) -> bool:
    crossings = 0
    for (x1, y1), (x2, y2) in pairwise(POINTS[n] for n in (*face, face[0])):
        crossings += (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
    return crossings % 2 == 1


def test_a_square_has_an_inside_and_an_outside():
    inside, outside = sorted(faces(SQUARE, [(1, 2), (2, 3), (3, 4), (4, 1)]), key=lambda face: -area(face, SQUARE))
    assert area(inside, SQUARE) == 4
    assert area(outside, SQUARE) == -4


def test_a_diagonal_makes_two_triangles():
    found = faces(SQUARE, [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3)])
    assert sorted(area(face, SQUARE) for face in found) == [-4, 2, 2]


def test_the_map_has_eight_regions_and_one_outside():
    found = faces(POINTS, [road.between for road in BOARD.roads])
    assert sorted(area(face, POINTS) > 0 for face in found) == [False] + [True] * 8


@pytest.mark.parametrize("region", range(1, 9))
def test_a_region_holds_its_label_and_touches_its_villages(region: int):
    corners = region_corners(BOARD)[region]
    assert contains(corners, *BOARD.region_labels[region])
    assert set(corners) == {village.number for village in BOARD.villages if region in village.regions}


def test_regions_cover_the_land_without_overlap():
    inside = sum(area(corners, POINTS) for corners in region_corners(BOARD).values())
    outline = min(area(face, POINTS) for face in faces(POINTS, [road.between for road in BOARD.roads]))
    assert inside == pytest.approx(-outline)


def test_most_neighbours_differ_in_tone():
    corners = region_corners(BOARD)
    tones = two_tones(corners)
    borders = {region: {frozenset(edge) for edge in pairwise((*face, face[0]))} for region, face in corners.items()}
    pairs = [(a, b) for a in borders for b in borders if a < b and borders[a] & borders[b]]
    assert sum(tones[a] != tones[b] for a, b in pairs) > len(pairs) * 0.6
