"""What of a tower is seen from a side, in the order in which it is painted: the same as assets/replay/tower/faces.js.

No block hangs over, so that every column is solid: seen from above, whatever is painted row by row from the back to the
front is covered as it ought to be. Faces are as large as that order allows: a side to x is one face, since it lies
before all of its row; a side to y and a top end with the row, and a seam covers the line between two such parts of a
face.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from dashboards.boards.tower.scene import Laying, Room

__all__ = ["Face", "Point", "Seam", "Stands", "Structure", "faces", "sides_of", "structure"]

Side: TypeAlias = Literal["top", "x", "y"]
Point: TypeAlias = tuple[float, float, float]
Square: TypeAlias = tuple[int, int]
Piece: TypeAlias = tuple[int, int, int]
"""A block in a column, and between which heights."""


@dataclass(frozen=True, slots=True)
class Face:
    """What is seen of a side of a block; its letter goes on `mark`, a corner and the ends of two edges."""

    kind: Side
    block: int
    letter: str
    rings: tuple[tuple[Point, ...], ...]
    mark: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Seam:
    """Between two parts of a face there is no line."""

    kind: Side
    letter: str
    ends: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Stands:
    """Here is painted what stands on a square."""

    at: Point
    square: Square


@dataclass(frozen=True, slots=True)
class Structure:
    """What lies in each column from the bottom, how each block lies, and the first square of each square's place."""

    columns: Mapping[Square, Sequence[Piece]]
    lies: Mapping[int, Laying]
    places: Mapping[Square, Square]

    def height(self, square: Square) -> int:
        """Return how high a column is."""
        return self.columns[square][-1][2] if square in self.columns else 0


def structure(layings: Sequence[Laying]) -> Structure:
    """Return the structure after some layings, in their order."""
    lies = {laying[0]: laying for laying in layings}
    columns: dict[Square, list[Piece]] = {}
    for block, x, y, z, dx, dy, dz, _ in sorted(lies.values(), key=lambda laying: laying[3]):
        for right in range(x, x + dx):
            for back in range(y, y + dy):
                columns.setdefault((right, back), []).append((block, z, z + dz))
    return Structure(columns, lies, _places(columns))


def _places(columns: Mapping[Square, Sequence[Piece]]) -> dict[Square, Square]:
    found: dict[Square, Square] = {}
    for first in sorted(columns, key=lambda square: square[::-1]):
        block, waiting = columns[first][-1][0], [first]
        while waiting:
            x, y = square = waiting.pop()
            if square not in found and square in columns and columns[square][-1][0] == block:
                found[square] = first
                waiting += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return found


def sides_of(laying: Laying, front: tuple[int, int]) -> tuple[tuple[Point, ...], ...]:
    """Return the top of a block and its sides to the front, whole."""
    _, x, y, z, dx, dy, dz, _ = laying
    right, back, high = x + dx, y + dy, z + dz
    at, edge = right if front[0] > 0 else x, back if front[1] > 0 else y
    return (
        ((x, y, high), (right, y, high), (right, back, high), (x, back, high)),
        ((at, y, z), (at, back, z), (at, back, high), (at, y, high)),
        ((x, edge, z), (right, edge, z), (right, edge, high), (x, edge, high)),
    )


def faces(built: Structure, room: Room, front: tuple[int, int]) -> Iterator[Face | Seam | Stands]:
    """Yield the faces in the order they are painted; `front` says to which side of x and y the front is, -1 or 1."""
    lettered: set[tuple[str, object]] = set()
    for x in _row(room["x"], room["dx"], front[0]):
        yield from _row_of_faces(built, x, _row(room["y"], room["dy"], front[1]), front, lettered)


def _row(start: int, count: int, way: int) -> range:
    return range(start, start + count) if way > 0 else range(start + count - 1, start - 1, -1)


def _row_of_faces(
    built: Structure, x: int, row: range, front: tuple[int, int], lettered: set[tuple[str, object]]
) -> Iterator[Face | Seam | Stands]:
    sx, sy = front
    rear = x if sx > 0 else x + 1
    sides: dict[int, list[tuple[int, int, int]]] = {}
    for y in row:
        square = (x, y)
        if square not in built.columns:
            continue
        height, place = built.height(square), built.places[square]
        if built.places.get((x, y - sy)) != place:
            yield (top := _top(built, square, row, front, lettered))
            (_, low, _), _, (_, high, _), _ = top.rings[0]
            joins = [each for each in range(int(low), int(high)) if built.places.get((x - sx, each)) == place]
            for start, end in _stretches(joins):
                yield Seam("top", top.letter, ((rear, start, height), (rear, end, height)))
        yield Stands((x + 0.5, y + 0.5, height), square)
        edge = y + 1 if sy > 0 else y
        left, right = (x, x + 1) if sy < 0 else (x + 1, x)
        beside = {block: levels for block, *levels in _shown(built, (x - sx, y), (x - sx, y + sy))}
        for block, low, high in _shown(built, square, (x, y + sy)):
            ring: tuple[Point, ...] = ((x, edge, low), (x + 1, edge, low), (x + 1, edge, high), (x, edge, high))
            mark: tuple[Point, ...] = ((left, edge, high - 1), (right, edge, high - 1), (left, edge, high))
            fresh = ("y", block) not in lettered
            lettered.add(("y", block))
            letter = built.lies[block][7][3 if sy > 0 else 4]
            yield Face("y", block, letter, (ring,), mark if fresh else ())
            first, last = beside.get(block, (high, high))
            if first < high:
                yield Seam("y", letter, ((rear, edge, max(low, first)), (rear, edge, min(high, last))))
        for block, low, high in _shown(built, square, (x + sx, y)):
            sides.setdefault(block, []).append((y, low, high))
    for block, parts in sides.items():
        yield from _side(built, block, parts, x + 1 if sx > 0 else x, sx)


def _top(
    built: Structure, square: Square, row: range, front: tuple[int, int], lettered: set[tuple[str, object]]
) -> Face:
    """Return as much of a top as lies in a row."""
    x, y = square
    place, height = built.places[square], built.height(square)
    last = y
    while last + row.step in row and built.places.get((x, last + row.step)) == place:
        last += row.step
    low, high = min(y, last), max(y, last) + 1
    block = built.columns[square][-1][0]
    ring: tuple[Point, ...] = ((x, low, height), (x + 1, low, height), (x + 1, high, height), (x, high, height))
    fresh = ("t", place) not in lettered
    lettered.add(("t", place))
    mark = _upright(x + 0.5, y + 0.5, height, front) if fresh else ()
    return Face("top", block, built.lies[block][7][0], (ring,), mark)


def _upright(x: float, y: float, z: float, front: tuple[int, int]) -> tuple[Point, ...]:
    """Return where a letter lies on a square, so that it stands upright for who looks from the front."""
    right, back = (front[0] - front[1]) / 2, (front[0] + front[1]) / 2
    left, low = x - (right - back) / 2, y - (back + right) / 2
    return (left, low, z), (left + right, low + back, z), (left - back, low + right, z)


def _shown(built: Structure, square: Square, beside: Square) -> Iterator[Piece]:
    """Yield what of a column shows above the one beside it."""
    least = built.height(beside)
    for block, low, high in built.columns.get(square, ()):
        if high > least:
            yield block, max(low, least), high


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of numbers that follow one another, each from its first to the one after its last."""
    for number in numbers:
        if number - 1 not in numbers:
            yield number, next(each + 1 for each in numbers if each >= number and each + 1 not in numbers)


def _side(
    built: Structure, block: int, parts: Sequence[tuple[int, int, int]], at: int, sx: int
) -> Iterator[Face | Seam]:
    """Yield the side to x of a block; parts of it next to each other between the same heights are one."""
    first, _, top = parts[0]
    left, right = (first, first + 1) if sx > 0 else (first + 1, first)
    joined: list[tuple[int, int, int, int]] = []
    for y, low, high in sorted(parts):
        if joined and joined[-1][1:] == (y, low, high):
            joined[-1] = (joined[-1][0], y + 1, low, high)
        else:
            joined.append((y, y + 1, low, high))
    rings = tuple(((at, y, low), (at, end, low), (at, end, high), (at, y, high)) for y, end, low, high in joined)
    mark = ((at, left, top - 1), (at, right, top - 1), (at, left, top))
    letter = built.lies[block][7][1 if sx > 0 else 2]
    yield Face("x", block, letter, rings, mark)
    for (_, end, below, above), (y, _, low, high) in pairwise(joined):
        if end == y:
            yield Seam("x", letter, ((at, y, max(low, below)), (at, y, min(high, above))))
