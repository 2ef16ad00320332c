"""A frame on a tower, as SVG: blocks, climbers, discs; as assets/replay/tower draws it until it is turned."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dashboards.boards.map.shapes import seat_path
from dashboards.boards.pen import Pen
from dashboards.boards.tower.faces import Face, Point, Seam, Stands, faces, sides_of, structure
from dashboards.boards.tower.scene import Laying, TowerFrame, TowerScene
from dashboards.boards.tower.shapes import HEAD, HEAD_RADIUS, STAND, STROKES, UNIT, disc_path
from dashboards.charts.svg import number

__all__ = ["draw_tower"]

TURN: Final = math.radians(28)
TILT: Final = math.radians(34)
EDGE: Final = 14
FREE: Final = (14, 46, 30)
"""What is left free above, above in a narrow drawing, and below."""
NARROW: Final = 700
CLIMBER: Final = 1
LINE: Final = (14, 18, 24)
TABLE: Final = 112
SEAM: Final = (1.5, 1.0)
"""A seam: half its breadth, and how far it stays from its ends, where other lines are."""


def draw_tower(scene: TowerScene, frame: TowerFrame, pen: Pen, room: tuple[float, float, float, float]) -> str:
    """Draw a frame into a room: left, top, width and height."""
    left, top, width, height = room
    built = structure(scene["layings"][: frame["b"]])
    seen = Projection(scene, width, height)
    all_faces = faces(built, scene["board"]["room"], seen.front)
    return pen.draw(
        "svg",
        "tower",
        {"x": left, "y": top, "width": width, "height": height, "viewBox": f"0 0 {number(width)} {number(height)}"},
        pen.group("tower-faces", {}, *_painted(frame, pen, seen, all_faces), *_over(scene, frame, pen, seen)),
        pen.group("tower-table", {}, *_table(frame, pen, height)),
    )


class Projection:
    """How points of the tower are projected on a drawing: from `TURN` degrees beside the front, `TILT` above."""

    def __init__(self, scene: TowerScene, width: float, height: float) -> None:
        room = scene["board"]["room"]
        self.front = (1, -1)
        self._middle = (room["x"] + room["dx"] / 2, room["y"] + room["dy"] / 2, 0)
        beside, above, below = _extent(scene["layings"], self._middle[0], self._middle[1])
        top = FREE[1] if width < NARROW else FREE[0]
        high = height - top - FREE[2]
        self.scale = max(1.0, min((width / 2 - EDGE) / beside, high / (above + below)))
        self._at = (width / 2, top + high / 2 + (above - below) * self.scale / 2)

    def __call__(self, point: Point) -> tuple[float, float]:
        """Return where a point is on the drawing."""
        right, back, up = (value - middle for value, middle in zip(point, self._middle, strict=True))
        near = right * math.sin(TURN) - back * math.cos(TURN)
        across = right * math.cos(TURN) + back * math.sin(TURN)
        lower = near * math.sin(TILT) - up * math.cos(TILT)
        return self._at[0] + self.scale * across, self._at[1] + self.scale * lower

    def outline(self, ring: Sequence[Point]) -> str:
        """Return a closed outline as a path."""
        return f"M{'L'.join(_at(self(point)) for point in ring)}Z"


def _extent(layings: Sequence[Laying], x0: float, y0: float) -> tuple[float, float, float]:
    """Return how far the tower ever is beside, above and below the middle of its foot, however it is turned."""
    beside = above = below = 4.0
    for _, x, y, z, dx, dy, dz, _ in layings:
        away = math.hypot(max(x0 - x, x + dx - x0), max(y0 - y, y + dy - y0))
        beside = max(beside, away)
        above = max(above, away * math.sin(TILT) + (z + dz + CLIMBER) * math.cos(TILT))
        below = max(below, away * math.sin(TILT) - z * math.cos(TILT))
    return beside, above, below


def _at(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _painted(frame: TowerFrame, pen: Pen, seen: Projection, all_faces: Iterable[Face | Seam | Stands]) -> Iterator[str]:
    """Draw the faces from the back to the front, with climbers and discs among them."""
    for face in all_faces:
        if isinstance(face, Stands):
            yield from _standing(frame, pen, seen, face)
            continue
        is_top = face.kind == "top"
        colour = f"face-{'' if is_top else face.kind + '-'}{face.letter}"
        if isinstance(face, Seam):
            yield pen.path(f"face-seam {colour}", _seam(face, seen))
            continue
        path = "".join(map(seen.outline, face.rings)) + _lettering(face, seen)
        thing = f"{'t' if is_top else 'b'}{face.block}"
        yield pen.draw("path", f"face {colour}", {"d": path, "data-thing": thing})


def _seam(face: Seam, seen: Projection) -> str:
    """Return what covers the line between two parts of a face."""
    (x1, y1), (x2, y2) = map(seen, face.ends)
    length = math.hypot(x2 - x1, y2 - y1)
    half, short = SEAM
    if length <= 2 * short:
        return ""
    across, along = (x2 - x1) / length, (y2 - y1) / length

    def corner(x: float, y: float, on: float, aside: float) -> str:
        return _at((x + across * on - along * aside, y + along * on + across * aside))

    first, last = corner(x1, y1, short, half), corner(x2, y2, -short, half)
    return f"M{first}L{last}L{corner(x2, y2, -short, -half)}L{corner(x1, y1, short, -half)}Z"


def _lettering(face: Face, seen: Projection) -> str:
    if not face.mark:
        return ""
    corner, right, up = map(seen, face.mark)
    across = (right[0] - corner[0], right[1] - corner[1])
    along = (up[0] - corner[0], up[1] - corner[1])

    def point(x: float, y: float) -> str:
        return _at((corner[0] + across[0] * x + along[0] * y, corner[1] + across[1] * x + along[1] * y))

    return "".join(f"M{point(x1, y1)}L{point(x2, y2)}" for x1, y1, x2, y2 in STROKES[face.letter])


def _standing(frame: TowerFrame, pen: Pen, seen: Projection, stands: Stands) -> Iterator[str]:
    """Draw the discs and the climber on a square."""
    x, y = seen(stands.at)
    size = seen.scale / UNIT
    for seat, (block, *cell) in enumerate(frame["d"]):
        if block >= 0 and tuple(cell) == stands.square:
            move = f"translate({_at((x, y))}) scale({size:.3f} {size * math.sin(TILT):.3f})"
            yield _piece(pen, "disc", seat, disc_path(seat), move)
    for seat, cell in enumerate(frame["c"]):
        if tuple(cell) == stands.square:
            yield _piece(pen, "climber", seat, STAND, f"translate({_at((x, y))}) scale({size:.3f})")
            head = f"translate({_at((x, y + HEAD * size))}) scale({size:.3f})"
            yield _piece(pen, "climber", seat, seat_path(seat, HEAD_RADIUS), head)


def _piece(pen: Pen, kind: str, seat: int, path: str, move: str) -> str:
    attributes: dict[str, str | float | None] = {
        "d": path,
        "data-thing": f"{kind[0]}{seat}",
        "data-seat": seat,
        "transform": move,
    }
    return pen.draw("path", f"tower-{kind} seat-fill seat-{seat}", attributes)


def _over(scene: TowerScene, frame: TowerFrame, pen: Pen, seen: Projection) -> Iterator[str]:
    """Draw what lies over all: what was moved in this turn and where it lay, and the steps."""
    moved = frame["m"]
    if moved >= 0:
        *_, (_, x, y, z, dx, dy, _, _), lies = [each for each in scene["layings"][: frame["b"]] if each[0] == moved]
        yield pen.path("tower-was", seen.outline([(x, y, z), (x + dx, y, z), (x + dx, y + dy, z), (x, y + dy, z)]))
        yield pen.path("tower-moved", "".join(map(seen.outline, sides_of(lies, seen.front))))
    for seat, start, end, _ in frame["t"]:
        if len(start) == len(end):
            line = "M" + "L".join(_at(seen((x + 0.5, y + 0.5, z))) for x, y, z in (start, end))
            yield pen.path("tower-step-casing", line)
            yield pen.draw("path", f"tower-step seat-line-{seat}", {"d": line, "data-seat": seat})


def _table(frame: TowerFrame, pen: Pen, height: float) -> Iterator[str]:
    """Draw who is still on the table, in a corner."""
    left, up, apart = LINE
    seats = [seat for seat, cell in enumerate(frame["c"]) if not cell]
    if seats:
        yield pen.text("tower-words", "On the table", x=left, y=height - up, text_anchor="start")
    for place, seat in enumerate(seats):
        move = f"translate({number(left + TABLE + place * apart)} {number(height - up)})"
        yield _piece(pen, "climber", seat, seat_path(seat, 8), move)
