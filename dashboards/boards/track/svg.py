"""A frame on a track, as SVG: mountain, route, pawns, dice, cards; as assets/replay/track/renderer.js draws it."""

import math
from collections.abc import Sequence
from typing import Final

from dashboards.boards.map.shapes import ink_shift, seat_path
from dashboards.boards.pen import Pen
from dashboards.boards.track.pawns import standing
from dashboards.boards.track.route import Point, Route, bow, mountain, route
from dashboards.boards.track.scene import Field, TrackFrame, TrackScene
from dashboards.boards.track.shapes import ARROW, FLAG, FLAKE, OUTLINES, PENNANT, YETI, YETI_FACE
from dashboards.boards.track.table import dice, weather, yeti_cards
from dashboards.charts.svg import element, number, plain

__all__ = ["draw_track"]

TRIM: Final = 18
TRAIL_TRIM: Final = 15
NAMES: Final = {"base": "Base camp", "cave": "Cave", "summit": "Summit"}
RINGS: Final = (16.5, 12)


def draw_track(scene: TrackScene, frame: TrackFrame, pen: Pen, room: tuple[float, float, float, float]) -> str:
    """Draw a frame into a room: left, top, width and height."""
    left, top, width, height = room
    laid = route(len(scene["board"]["nodes"]), width, height)
    pen = Pen(pen.theme, laid.scale)
    return pen.draw(
        "svg",
        "track",
        {"x": left, "y": top, "width": width, "height": height, "viewBox": f"0 0 {number(width)} {number(height)}"},
        *_land(scene, pen, laid),
        weather(frame, pen, laid.scale, (width, height)),
        pen.group("trails", {}, *_trails(frame, pen, laid)),
        _yeti(scene, frame, pen, laid),
        pen.group("pieces", {}, *_pawns(scene, frame, pen, laid)),
        dice(scene, frame, pen, laid.scale),
        yeti_cards(scene, frame, pen, laid.scale, width),
    )


def _at(point: Point, scale: float) -> str:
    return f"translate({number(point[0])} {number(point[1])}) scale({number(scale)})"


def _title(words: str) -> str:
    return element("title", {}, plain(words))


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _land(scene: TrackScene, pen: Pen, laid: Route) -> list[str]:
    nodes = scene["board"]["nodes"]
    around = mountain(laid, [node["n"] for node in nodes if node["kind"] == "snow"])
    snow = len(around.tiers) - 1
    ranges = [("far-range", around.far), ("near-range", around.near)]
    shapes = [
        ("rock rock-0", around.whole),
        *((f"rock rock-{'snow' if at == snow else at + 1}", tier) for at, tier in enumerate(around.tiers)),
        ("rock-shade", around.shade),
    ]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in laid.line)
    return [
        pen.draw("rect", "sky", {"width": laid.width, "height": laid.height}),
        pen.draw("circle", "sun", {"cx": laid.width * 0.7, "cy": laid.height * 0.2, "r": 36 * laid.scale}),
        *(pen.draw("polygon", look, {"points": _points(points)}) for look, points in ranges),
        pen.path("cloud", around.clouds),
        *(pen.draw("polygon", look, {"points": _points(points)}) for look, points in shapes),
        pen.path("firs", around.firs),
        pen.path("route-casing", line),
        pen.path("route", line),
        *(_slide(scene, pen, laid, index) for index in range(len(scene["board"]["links"]))),
        *(_field(scene, pen, laid, node) for node in nodes),
    ]


def _curve(start: Point, control: Point, end: Point) -> str:
    return f"M{start[0]:.1f} {start[1]:.1f}Q{control[0]:.1f} {control[1]:.1f} {end[0]:.1f} {end[1]:.1f}"


def _head(control: Point, end: Point, scale: float) -> str:
    """Return where the head of an arrow goes, and how it is turned."""
    angle = math.degrees(math.atan2(end[1] - control[1], end[0] - control[0]))
    return f"translate({number(end[0])} {number(end[1])}) rotate({number(angle)}) scale({number(scale)})"


def _slide(scene: TrackScene, pen: Pen, laid: Route, index: int) -> str:
    link = scene["board"]["links"][index]
    start, control, end = bow(laid.points[link["a"]], laid.points[link["b"]], laid.scale, 1, TRIM * laid.scale)
    curve, style = _curve(start, control, end), link["style"]
    return pen.group(
        "link-group",
        {"data-thing": f"l{index}"},
        _title(scene["names"][f"l{index}"]),
        pen.path("slide-casing", curve),
        pen.path(f"slide slide-{style}", curve),
        pen.path(f"slide-head head-{style}", ARROW, transform=_head(control, end, laid.scale)),
    )


def _field(scene: TrackScene, pen: Pen, laid: Route, node: Field) -> str:
    kind = node["kind"]
    name = NAMES.get(kind)
    outline = OUTLINES.get(kind)
    return pen.group(
        "field",
        {"data-thing": f"n{node['n']}", "transform": _at(laid.points[node["n"]], laid.scale)},
        _title(scene["names"][f"n{node['n']}"]),
        pen.path("field-flake", FLAKE) if kind == "snow" else "",
        pen.path("summit-flag", FLAG) if kind == "summit" else "",
        pen.path(f"field-back field-{kind}", outline.path) if outline else _disc(pen, kind),
        pen.path("field-rim", outline.rim) if outline else "",
        pen.text(
            "field-number" + (" on-cave" if kind == "cave" else ""), node["n"], y=outline.number if outline else 0.5
        ),
        pen.text("field-name", name, y=28) if name else "",
    )


def _disc(pen: Pen, kind: str) -> str:
    return pen.draw("circle", f"field-back field-{kind or 'plain'}", {"r": 14.5})


def _trails(frame: TrackFrame, pen: Pen, laid: Route) -> list[str]:
    """Draw the moves of this turn, those that several pawns made as one."""
    found = []
    for seat, start, end, way in dict.fromkeys((seat, start, end, way) for seat, _, start, end, way in frame["t"]):
        if start == end:
            continue
        first, control, last = bow(laid.points[start], laid.points[end], laid.scale, -1, TRAIL_TRIM * laid.scale)
        curve = _curve(first, control, last)
        look = "trail" if way in "ma" else "trail trail-back"
        found.append(
            element(
                "g",
                {"data-seat": seat},
                pen.path("trail-casing", curve),
                pen.path(f"{look} seat-line-{seat}", curve),
                pen.path(f"seat-fill seat-{seat}", ARROW, transform=_head(control, last, laid.scale)),
            )
        )
    return found


def _yeti(scene: TrackScene, frame: TrackFrame, pen: Pen, laid: Route) -> str:
    x, y = laid.points[frame["b"]]
    return pen.group(
        "yeti",
        {
            "data-thing": "y0",
            "data-at": frame["b"],
            "transform": _at((x + 27 * laid.scale, y - 4 * laid.scale), laid.scale),
        },
        _title(scene["names"]["y0"]),
        pen.path("yeti-body", YETI),
        pen.path("yeti-face", YETI_FACE),
    )


def _pawns(scene: TrackScene, frame: TrackFrame, pen: Pen, laid: Route) -> list[str]:
    """Draw the Sherpas and then the climbers of each seat; those that moved in this turn have a ring."""
    moved = {(seat, pawn) for seat, pawn, *_ in frame["t"]}
    found = []
    spots = standing(scene["board"]["nodes"], frame, laid.aside)
    for pawn in (1, 2, 3, 4, 0):
        for seat, who in enumerate(scene["seats"]):
            spot = spots[seat][pawn]
            x, y = laid.points[spot.field]
            scale, is_climber = laid.scale, pawn == 0
            size = 12 if is_climber else 8.4
            letter = scene["initials"][seat] + (str(spot.count) if spot.count > 1 else "")
            found.append(
                element(
                    "g",
                    {
                        "data-seat": seat,
                        "data-at": spot.field,
                        "data-thing": f"c{seat}" if is_climber else None,
                        "transform": _at((x + spot.x * scale, y + spot.y * scale), scale),
                    },
                    _title(f"{'Climber' if is_climber else 'Sherpa'} of {who['name']}"),
                    pen.draw("circle", "piece-ring", {"r": RINGS[not is_climber]}) if (seat, pawn) in moved else "",
                    pen.path(f"pawn seat-fill seat-{seat}", PENNANT) if is_climber else "",
                    pen.path(f"pawn seat-fill seat-{seat}", seat_path(seat, size)),
                    pen.text(
                        f"{'climber' if is_climber else 'sherpa'}-letter ink-{seat}",
                        letter,
                        y=0.5 + ink_shift(seat) * size,
                    )
                    if spot.top
                    else "",
                )
            )
    return found
