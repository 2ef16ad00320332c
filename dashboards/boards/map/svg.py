"""A frame on a map, as SVG: land, ways, places, what lies on them, pieces; as assets/replay/map draws it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from dashboards.boards.map.scene import Area, MapFrame, MapScene
from dashboards.boards.map.shapes import (
    CROWN,
    MARKER_ICONS,
    MARKERS,
    PLACES,
    SOLID,
    STUPA,
    ink_shift,
    seat_path,
)
from dashboards.boards.pen import Pen
from dashboards.charts.svg import element, number, plain

__all__ = ["draw_map"]

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = Mapping[int, Point]

SIDE: Final = 54
TOP: Final = 50
LEAST_WIDTH: Final = 760
LANE: Final = 5
GAP: Final = 20
CUBE: Final = 14
NAME_BOX: Final = (36, -27, 17)
PLACE_BOX: Final = (37, -27, 42)
NUDGES: Final = [(right * 13, down * 9) for far in range(5) for right in (-far, 0, far) for down in (-far, 0, far)]
BESIDE: Final = 41
BESIDE_SHORT: Final = 50
ABOVE: Final = 22
SHORT: Final = 110


@dataclass(frozen=True, slots=True)
class Fit:
    """How a map fits into the room there is: the size of its box, where each node goes, how large things are."""

    width: float
    height: float
    left: float
    top: float
    stretch: float
    scale: float

    def put(self, x: float, y: float) -> Point:
        """Return where a point of the map goes."""
        return x - self.left, y * self.stretch - self.top


def fit(nodes: Sequence[Point], width: float, height: float) -> Fit:
    """Enlarge what lies on a small map, and stretch the land to the room."""
    west, east = min(x for x, _ in nodes), max(x for x, _ in nodes)
    north, south = min(y for _, y in nodes), max(y for _, y in nodes)
    scale = min(2.4, max(1.12, LEAST_WIDTH / width))
    box_width = east - west + 2 * SIDE * scale
    margins = 2 * TOP * scale
    stretch = min(2.4, max(0.8, (box_width * height / width - margins) / (south - north)))
    left, top = west - SIDE * scale, north * stretch - TOP * scale
    return Fit(box_width, (south - north) * stretch + margins, left, top, stretch, scale)


def draw_map(scene: MapScene, frame: MapFrame, pen: Pen, room: tuple[float, float, float, float]) -> str:
    """Draw a frame into a room: left, top, width and height."""
    left, top, width, height = room
    board = scene["board"]
    fitted = fit([(node["x"], node["y"]) for node in board["nodes"]], width, height)
    points = {node["n"]: fitted.put(node["x"], node["y"]) for node in board["nodes"]}
    pen = Pen(pen.theme, fitted.scale)
    zoom = min(width / fitted.width, height / fitted.height)
    x, y = left + (width - zoom * fitted.width) / 2, top + (height - zoom * fitted.height) / 2
    layers = (
        *_land(scene, pen, points),
        _trails(scene, frame, pen, points),
        *(_council(scene, frame, pen, index, fitted, points) for index in range(len(board["areas"]))),
        *(_place(scene, frame, pen, index, points) for index in range(len(board["nodes"]))),
        pen.group("markers", {}, *_markers(scene, frame, pen, points)),
        pen.group("pieces", {}, *_caravans(scene, frame, pen, points)),
    )
    return pen.group("map", {"transform": f"translate({number(x)} {number(y)}) scale({zoom:.4f})"}, *layers)


def _at(point: Point, scale: float | None = None) -> str:
    moved = f"translate({number(point[0])} {number(point[1])})"
    return moved if scale is None else f"{moved} scale({number(scale)})"


def _title(words: str) -> str:
    return element("title", {}, plain(words))


def _land(scene: MapScene, pen: Pen, points: Points) -> list[str]:
    board, names = scene["board"], scene["names"]
    areas, casings, lines = [], [], []
    for area in board["areas"]:
        corners = " ".join(f"{points[n][0]:.1f} {points[n][1]:.1f}" for n in area["corners"])
        thing = f"a{area['n']}"
        look = f"area area-{area['tone']}"
        areas.append(pen.draw("polygon", look, {"data-thing": thing, "points": corners}, _title(names[thing])))
    for index, link in enumerate(board["links"]):
        (x1, y1), (x2, y2) = points[link["a"]], points[link["b"]]
        ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        thing = f"l{index}"
        line = pen.draw("line", f"link link-{link['style']}", ends)
        casings.append(pen.draw("line", "link-casing", ends))
        lines.append(pen.group("link-group", {"data-thing": thing}, _title(names[thing]), line))
    return [*areas, *casings, *lines]


def _trails(scene: MapScene, frame: MapFrame, pen: Pen, points: Points) -> str:
    lines = []
    for seat, way in enumerate(frame["t"]):
        side = (seat - (len(scene["seats"]) - 1) / 2) * LANE * pen.scale
        path = _trail(points, way, side, GAP * pen.scale)
        if path:
            lines.append(pen.path("trail-casing", path) + pen.path(f"trail seat-line-{seat}", path, data_seat=seat))
    return pen.group("trails", {}, *lines)


def _trail(points: Points, way: Sequence[int], side: float, gap: float) -> str:
    """Draw the way a piece took, beside the roads so that others' trails stay visible."""
    path = ""
    for a, b in pairwise(way):
        (x1, y1), (x2, y2) = points[a], points[b]
        length = math.hypot(x2 - x1, y2 - y1)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        turn = side if a < b else -side
        nx, ny = -uy * turn, ux * turn
        path += f"M{x1 + ux * gap + nx:.1f} {y1 + uy * gap + ny:.1f}L{x2 - ux * gap + nx:.1f} {y2 - uy * gap + ny:.1f}"
    return path


def _place(scene: MapScene, frame: MapFrame, pen: Pen, index: int, points: Points) -> str:
    """Draw a place: its silhouette with its number, a stupa beside it, cubes or an order below."""
    node = scene["board"]["nodes"][index]
    outline = PLACES.get(node["icon"], PLACES["house"])
    owner, disc, letters = frame["u"][index], frame["o"][index], frame["n"][index]
    goods = []
    if letters:
        goods.append(_cubes(scene, pen, letters, {"transform": _at((-len(letters) * CUBE / 2, 26))}))
    if disc >= 0:
        goods.append(_order(scene, pen, disc))
    borders = [area["n"] for area in scene["board"]["areas"] if node["n"] in area["corners"]]
    land = f", borders region {', '.join(map(str, borders))}" if borders else ""
    stupa = (
        pen.draw(
            "g",
            f"stupa seat-fill seat-{owner}",
            {"data-thing": f"u{node['n']}", "transform": _at((-31, 15)), "stroke-width": 1.4},
            element("path", {"d": STUPA}),
            element("path", {"d": seat_path(owner, 4.5), "transform": _at((0, -20.5))}),
        )
        if owner >= 0
        else ""
    )
    return pen.group(
        "village",
        {"data-thing": f"n{node['n']}", "transform": _at(points[node["n"]], pen.scale)},
        _title(f"{node['name']}, {node['icon']}{land}"),
        pen.path("village-wall", outline.path),
        pen.path("village-rim", outline.rim),
        pen.text("village-number", node["n"], y=outline.number),
        stupa,
        pen.group("goods", {}, *goods) if goods else "",
    )


def _cubes(scene: MapScene, pen: Pen, letters: str, attributes: Mapping[str, str]) -> str:
    keys = {token["letter"]: token["key"] for token in scene["tokens"]}
    size = CUBE - 1
    return pen.group(
        None,
        attributes,
        *(
            pen.group(
                f"cube cube-{keys[letter]}",
                {},
                pen.draw(
                    "rect",
                    f"cube-back on-{keys[letter]}",
                    {"x": at * CUBE, "y": 0.5 - CUBE / 2, "width": size, "height": size, "rx": 2.5},
                ),
                # the dark cube has light letters
                pen.text("cube-letter", letter, x=at * CUBE + CUBE / 2 - 0.5, y=0.5, fill=pen.on_cube(keys[letter])),
            )
            for at, letter in enumerate(letters)
        ),
    )


def _order(scene: MapScene, pen: Pen, index: int) -> str:
    disc = scene["discs"][index]
    width = 28 + len(disc["demand"]) * CUBE
    return pen.group(
        "order",
        {"data-thing": f"d{index}", "transform": _at((13 - width / 2, 30))},
        pen.draw("rect", "order-pill", {"x": -13, "y": -12, "width": width, "height": 24, "rx": 12}),
        pen.draw("circle", "order-coin", {"r": 9.5}),
        pen.text("order-pays", disc["pays"], y=0.5),
        _cubes(scene, pen, disc["demand"], {"transform": _at((12, 0))}),
    )


def _council(scene: MapScene, frame: MapFrame, pen: Pen, index: int, fitted: Fit, points: Points) -> str:
    """Draw the delegations in an area: one badge for each seat that has any, a crown on the leader's."""
    area, row, leader = scene["board"]["areas"][index], frame["d"][index], frame["l"][index]
    present = [seat for seat, count in enumerate(row) if count]
    badges = []
    for slot, seat in enumerate(present):
        badges.append(
            element(
                "g",
                {"data-seat": seat, "transform": _at(((slot - (len(present) - 1) / 2) * 27, 6))},
                pen.path(f"badge seat-fill seat-{seat}", seat_path(seat, 10)),
                pen.path("badge-crown", CROWN, transform=_at((0, -10.5))) if seat == leader else "",
                pen.text(f"badge-count ink-{seat}", row[seat], y=0.5 + ink_shift(seat) * 10),
            )
        )
    spot = _beside_places(area, fitted, list(points.values()))
    name = pen.text("area-name", f"REGION {area['n']}", y=-19)
    return pen.group("council", {"data-thing": f"a{area['n']}", "transform": _at(spot, pen.scale)}, name, *badges)


def _beside_places(area: Area, fitted: Fit, places: Sequence[Point]) -> Point:
    """Return where the map says that an area's name goes, or a point close to it that covers less."""
    x, y = fitted.put(area["x"], area["y"])
    best, least = (x, y), math.inf
    for right, down in NUDGES:
        at = (x + right * fitted.scale, y + down * fitted.scale)
        cost = math.hypot(right, down) + sum(_covered(at, place, fitted.scale) for place in places)
        if cost < least:
            best, least = at, cost
    return best


def _covered(at: Point, place: Point, scale: float) -> float:
    (half, top, bottom), (place_half, place_top, place_bottom) = NAME_BOX, PLACE_BOX
    across = half + place_half - abs(at[0] - place[0]) / scale
    down = (at[1] - place[1]) / scale
    along = min(down + bottom, place_bottom) - max(down + top, place_top)
    return across * along if across > 0 and along > 0 else 0


def _markers(scene: MapScene, frame: MapFrame, pen: Pen, points: Points) -> list[str]:
    found = []
    for kind, seat, a, b in frame.get("k", ()):
        marker = scene.get("markers", [])[kind]
        icon = "glyph-solid" if marker["icon"] in SOLID else "glyph-line"
        found.append(
            pen.group(
                "marker",
                {
                    "data-marker": marker["letter"],
                    "data-seat": seat,
                    "data-at": _key(a, b),
                    "transform": _at(_marker_spot(points[a], points[b], pen.scale), pen.scale),
                },
                pen.path("marker-back", MARKERS.get(marker["icon"], MARKERS["yeti"])),
                element(
                    "g",
                    {"transform": "translate(-15 -8.5) scale(0.85)"},
                    pen.path(icon, MARKER_ICONS.get(marker["icon"], "")),
                ),
                pen.text("marker-letter", marker["letter"], x=9, y=0.5),
                pen.path(f"seat-fill seat-{seat}", seat_path(seat, 6), transform=_at((-17, -12))),
            )
        )
    return found


def _key(a: int, b: int) -> str:
    """Name a node, or the two of a link."""
    return str(a) if a == b else f"{min(a, b)}-{max(a, b)}"


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _is_short(a: Point, b: Point, scale: float) -> bool:
    return math.hypot(a[0] - b[0], a[1] - b[1]) < SHORT * scale


def _marker_spot(a: Point, b: Point, scale: float) -> Point:
    """Return the middle of a link, but a place beside a short one, to leave room for pieces on their way."""
    x, y = _middle(a, b)
    if a == b:
        return x + BESIDE * scale, y
    return (x + BESIDE_SHORT * scale, y) if _is_short(a, b, scale) else (x, y)


def _caravans(scene: MapScene, frame: MapFrame, pen: Pen, points: Points) -> list[str]:
    """Draw the pieces, beside each other where several stand at one place."""
    tops = {node["n"]: PLACES.get(node["icon"], PLACES["house"]).top for node in scene["board"]["nodes"]}
    ahead = frame.get("w", [0] * len(scene["seats"]))
    spots = [frozenset((here, to)) if to else frozenset((here,)) for here, to in zip(frame["c"], ahead, strict=True)]
    found = []
    for seat, here in enumerate(frame["c"]):
        if not here:
            continue
        if ahead[seat]:
            a, b = points[here], points[ahead[seat]]
            x, y = _middle(a, b)
            y -= 0 if _is_short(a, b, pen.scale) else ABOVE * pen.scale
        else:
            x, y = points[here]
            y += (tops[here] - 9) * pen.scale
        beside = spots[:seat].count(spots[seat]) - (spots.count(spots[seat]) - 1) / 2
        acts = frame["a"] == seat and frame["x"] > 0
        found.append(
            element(
                "g",
                {
                    "data-seat": seat,
                    "data-at": _key(here, ahead[seat] or here),
                    "transform": _at((x + beside * 21 * pen.scale, y), pen.scale),
                },
                _title(f"Caravan of {scene['seats'][seat]['name']}"),
                pen.draw("circle", "piece-ring", {"r": 14}) if acts else "",
                pen.path(f"piece seat-fill seat-{seat}", seat_path(seat, 9.5)),
            )
        )
    return found
