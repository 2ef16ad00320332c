"""Where a route goes in the room there is: the same as assets/replay/track/route.js; a test compares what both draw.

The route winds up a mountain in rows that get shorter towards the top, its fields equally far from each other. How
many rows there are is what keeps both the fields of a row and the rows apart; they are odd in number, so that a room
that gets a little higher or lower does not turn the whole route round. Lengths are pixels of the room.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

__all__ = ["Mountain", "Point", "Route", "bow", "mountain", "route"]

Point: TypeAlias = tuple[float, float]

SIDE: Final = 50
TOP: Final = 66
BOTTOM: Final = 42
FIELD: Final = 115
"""The side of the square that a field has for itself where things are drawn as large as they are meant."""
TAPER: Final = 0.84
SLANT: Final = 0.34
LAST_RISE: Final = 0.92
BULGE: Final = 0.26
WAVE: Final = 0.05
STEPS: Final = 16
MOST_ROWS: Final = 60
ABOVE: Final = (34, 4, 56)
BELOW: Final = (40, -64, -4)
"""How far to the side, and from where to where upwards, another field takes the room of pawns, or of a name."""
EDGES: Final = 12
JAGS: Final = (0.1, 0.9, -0.4, 0.6, -0.8, 0.5, -0.2, 0.8, -0.6, 0.3, -0.5, 0.4, 0)
RIDGE: Final = (0, 0.6, -0.5, 0.7, -0.3, 0.9, -0.6, 0.4, 0)
TIERS: Final = (0.2, 0.42, 0.62)
"""How far up the lower edges of the upper tones of the rock are; the snow begins below the first snowfield."""
NO_SNOW: Final = 0.84
FAR_RANGE: Final = (
    (0, 0.5),
    (0.08, 0.36),
    (0.17, 0.47),
    (0.27, 0.3),
    (0.38, 0.45),
    (0.6, 0.4),
    (0.7, 0.28),
    (0.8, 0.42),
    (0.9, 0.33),
    (1, 0.44),
)
FIRS: Final = (
    *((0.2, 3), (0.225, 9), (0.47, 5), (0.495, 14), (0.52, 4), (0.72, 12), (0.745, 22), (0.77, 7), (0.79, 15)),
    *((0.89, 26), (0.915, 11), (0.94, 20), (0.965, 7)),
)
CLOUDS: Final = ((0.2, 0.36, 1), (0.87, 0.44, 0.8), (0.3, 0.2, 0.6))
NEAR_RANGE: Final = (
    (0, 0.6),
    (0.1, 0.7),
    (0.2, 0.55),
    (0.3, 0.68),
    (0.66, 0.66),
    (0.76, 0.54),
    (0.88, 0.67),
    (1, 0.57),
)


@dataclass(frozen=True, slots=True)
class Route:
    """Where the fields are, the line through them, how large things are; what the mountain around them goes by."""

    points: list[Point]
    line: list[Point]
    scale: float
    width: float
    height: float
    half: float
    base: float
    top: float
    aside: list[int]
    """By field: pawns stand above it (0), or left (-1) or right (1) of it where another field is close above."""
    named: list[int]
    """By field: its name stands below it (0), or left or right of it where another field is close below."""

    def up(self, y: float) -> float:
        """Return how far up a height is: 0 at the foot, 1 on the summit."""
        return (self.base - y) / (self.base - self.top)


@dataclass(frozen=True, slots=True)
class Mountain:
    """The outlines behind a route: distant ranges, the mountain, its upper tones with the snow last, its shadow."""

    far: list[Point]
    near: list[Point]
    clouds: str
    firs: str
    whole: list[Point]
    tiers: list[list[Point]]
    shade: list[Point]


def route(count: int, width: float, height: float) -> Route:
    """Lay out the fields of a route in a room."""
    scale = min(1.25, max(0.3, math.sqrt(width * height / count) / FIELD))
    half, base, top = width / 2 - SIDE * scale, height - BOTTOM * scale, TOP * scale
    best: list[Point] = []
    most = -1.0
    for rows in range(1, MOST_ROWS, 2):
        gap = (base - top) / (rows - 1 + LAST_RISE)
        line = _line(rows, gap, width / 2, half, base, top)
        room = min(_length(line) / (count - 1), gap)
        if room <= most:
            break
        best, most = line, room
    points = _spread(best, count)
    aside, named = (_aside(points, taken, scale, width) for taken in (ABOVE, BELOW))
    return Route(points, best, scale, width, height, half, base, top, aside, named)


def _aside(points: Sequence[Point], taken: tuple[int, int, int], scale: float, width: float) -> list[int]:
    side, low, high = (length * scale for length in taken)
    near = [any(abs(a - x) < side and low < y - b < high for a, b in points) for x, y in points]
    return [0 if not each else -1 if x < width / 2 else 1 for each, (x, _) in zip(near, points, strict=True)]


def _line(rows: int, gap: float, middle: float, half: float, base: float, top: float) -> list[Point]:
    """Return the line of the route: rows that rise a little, and turns between them."""

    def reach(y: float) -> float:
        return half * (1 - TAPER * (base - y) / (base - top))

    points: list[Point] = []
    for row in range(rows):
        last = row == rows - 1
        side = 1 if row % 2 else -1
        low = base - row * gap
        high = top if last else low - SLANT * gap
        start, end = middle + side * reach(low), middle if last else middle - side * reach(high)
        for step in range(STEPS + 1):
            part = step / STEPS
            wave = math.sin(part * 2 * math.pi) * WAVE * gap
            points.append((start + (end - start) * part, low + (high - low) * part + wave))
        if not last:
            following = base - (row + 1) * gap
            onward = middle - side * reach(following)
            for step in range(1, STEPS // 2):
                part = step / (STEPS // 2)
                bulge = -side * math.sin(part * math.pi) * BULGE * gap
                points.append((end + (onward - end) * part + bulge, high + (following - high) * part))
    return points


def _length(line: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(line))


def _spread(line: Sequence[Point], count: int) -> list[Point]:
    """Return points on a line, equally far from each other, the first and the last at its ends."""
    apart = _length(line) / (count - 1)
    found, gone = [line[0]], 0.0
    for a, b in pairwise(line):
        length = math.dist(a, b)
        while len(found) < count - 1 and gone + length >= len(found) * apart:
            part = (len(found) * apart - gone) / length
            found.append((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))
        gone += length
    return [*found[: count - 1], line[-1]]


def bow(a: Point, b: Point, scale: float, side: int, trim: float) -> tuple[Point, Point, Point]:
    """Return start, control point and end of a curve from a point to another, bent down (1) or up (-1) the page.

    Both ends are `trim` away from the points.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) or 1
    across = (-dy / length, dx / length)
    turn = 1 if across[1] * side > 0 or (across[1] == 0 and across[0] > 0) else -1
    far = min(max(26 * scale, 0.34 * length), 64 * scale) * turn
    control = ((a[0] + b[0]) / 2 + across[0] * far, (a[1] + b[1]) / 2 + across[1] * far)
    return _towards(a, control, trim), control, _towards(b, control, trim)


def _towards(a: Point, b: Point, by: float) -> Point:
    length = math.dist(a, b) or 1
    return a[0] + (b[0] - a[0]) / length * by, a[1] + (b[1] - a[1]) / length * by


def mountain(laid: Route, snow: Sequence[int]) -> Mountain:
    """Return the outlines for a route; `snow` are its snowfields, which lie above the snow line."""
    left, right = _edge(laid, -1), _edge(laid, 1)
    peak = (laid.width / 2, laid.top - 20 * laid.scale)
    line = min((laid.up(laid.points[field][1]) for field in snow), default=NO_SNOW) - 0.05
    tiers = [tier for tier in TIERS if tier < line - 0.08] + [line]
    foot = laid.height + 30 * laid.scale
    shade = [
        (
            laid.width / 2 + step / 8 * 0.1 * laid.width + RIDGE[step] * 20 * laid.scale,
            peak[1] + (foot - peak[1]) * step / 8,
        )
        for step in range(9)
    ]
    return Mountain(
        _range(FAR_RANGE, laid),
        _range(NEAR_RANGE, laid),
        "".join(_cloud(x * laid.width, y * laid.height, size * laid.scale) for x, y, size in CLOUDS),
        "".join(_fir(x * laid.width, laid.height - y * laid.scale, laid.scale) for x, y in FIRS),
        [*left, peak, *right[::-1]],
        [_tier(laid, left, right, peak, tier) for tier in tiers],
        [*shade, *right, peak],
    )


def _range(shape: Sequence[Point], laid: Route) -> list[Point]:
    ends = [(laid.width, laid.height), (0.0, laid.height)]
    return [*((x * laid.width, y * laid.height) for x, y in shape), *ends]


def _cloud(x: float, y: float, size: float) -> str:
    def of(*lengths: float) -> str:
        return " ".join(f"{length * size:.1f}" for length in lengths)

    arcs = ((9, 2, -18), (13, 25, -3), (10, 15, 7), (7, -1, 14))
    puffs = "".join(f"a{of(radius, radius)} 0 0 1 {of(dx, dy)}" for radius, dx, dy in arcs)
    return f"M{x:.1f} {y:.1f}{puffs}Z"


def _fir(x: float, y: float, size: float) -> str:
    steps = ((6, 8), (-2.5, 0), (5, 8), (-17, 0), (5, -8), (-2.5, 0))
    outline = "".join(f"l{dx * size:.1f} {dy * size:.1f}" for dx, dy in steps)
    return f"M{x:.1f} {y - 16 * size:.1f}{outline}Z"


def _edge(laid: Route, side: int) -> list[Point]:
    """Return an edge of the mountain from its foot to below the peak."""
    points = []
    for step in range(EDGES + 1):
        up = step / EDGES * 1.14 - 0.16
        y = laid.base - up * (laid.base - laid.top)
        flank = laid.half * (1 - TAPER * up) + (34 * (1 - up) + 42) * laid.scale
        steep = 16 * laid.scale + (1 - up) * (laid.base - laid.top) * 2.6
        jag = JAGS[step if side < 0 else EDGES - step] * 14 * laid.scale * (1 - up / 2)
        points.append((laid.width / 2 + side * (min(flank, steep) + jag), y))
    return points


def _at_height(edge: Sequence[Point], y: float) -> float:
    for (x1, y1), (x2, y2) in pairwise(edge):
        if y1 >= y >= y2:
            return x1 + (x2 - x1) * (y1 - y) / (y1 - y2)
    return edge[-1][0]


def _tier(laid: Route, left: Sequence[Point], right: Sequence[Point], peak: Point, up: float) -> list[Point]:
    """Return what of the mountain lies above a height; its lower edge is ragged."""
    y = laid.base - up * (laid.base - laid.top)
    west, east = _at_height(left, y), _at_height(right, y)
    teeth = max(3, math.floor((east - west) / (64 * laid.scale))) * 2
    ragged = [
        (
            east + (west - east) * tooth / teeth,
            y + ((17 if tooth % 2 else -9) + 9 * JAGS[tooth % len(JAGS)]) * laid.scale,
        )
        for tooth in range(1, teeth)
    ]
    return [
        (west, y),
        *(point for point in left if point[1] < y),
        peak,
        *(point for point in right[::-1] if point[1] < y),
        (east, y),
        *ragged,
    ]
