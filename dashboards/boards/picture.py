"""A position as a picture: one frame of a scene as an SVG that stands alone, for reports, cards and tests.

It reads nothing and asks nobody: the same scene, frame and size give the same bytes. The board is drawn by a renderer
for its kind; beside it, or below it where that suits the shape better, stand the influences of each seat and who would
win. Text is measured by counting letters, so it is cut a little early rather than late.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from dashboards.boards.legends import (
    Sample,
    map_legend,
    tower_legend,
    track_legend,
    where_on_map,
    where_on_tower,
    where_on_track,
)
from dashboards.boards.map.scene import MapScene
from dashboards.boards.map.shapes import seat_path
from dashboards.boards.map.svg import draw_map
from dashboards.boards.pen import Pen
from dashboards.boards.plain.scene import PlainScene
from dashboards.boards.plain.svg import draw_plain
from dashboards.boards.positions import ply_names
from dashboards.boards.tower.scene import TowerScene
from dashboards.boards.tower.svg import draw_tower
from dashboards.boards.track.scene import TrackScene
from dashboards.boards.track.svg import draw_track
from dashboards.charts.svg import LETTER, element, mixed, plain, wrapped
from dashboards.charts.theme import Scheme

__all__ = ["AnyScene", "draw_board", "told"]

AnyScene: TypeAlias = MapScene | TrackScene | TowerScene | PlainScene
Room: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of board is drawn, what its legend explains, and where each seat stands, in words."""

    draw: Callable[[Any, Any, Pen, Room], str]
    legend: Callable[[Any, Pen], list[Sample]]
    where: Callable[[Any, Any, int], str]


KINDS: Final[Mapping[str, Kind]] = {
    "map": Kind(draw_map, map_legend, where_on_map),
    "track": Kind(draw_track, track_legend, where_on_track),
    "tower": Kind(draw_tower, tower_legend, where_on_tower),
    "plain": Kind(draw_plain, lambda _scene, _pen: [], lambda _scene, _frame, _seat: ""),
}

PAD: Final = 14
CAPTION: Final = 26
COLUMN: Final = 304
BROAD: Final = 560
HEAD: Final = 22
ROW: Final = (26, 50)
FIGURE: Final = 54
TWO_LINES: Final = 38
LINE: Final = 16
LEGEND: Final = 20
SIZES: Final = {"caption": 15, "name": 14, "player": 12, "ending": 12.5}


def draw_board(
    scene: AnyScene, frame: int, *, theme: Scheme = "light", width: int = 1200, height: int = 630, caption: bool = True
) -> str:
    """Draw a frame of a scene as a whole SVG document."""
    pen = Pen(theme)
    top = PAD + (CAPTION if caption else 0)
    strip = _strip_room(scene, width, height, top)
    board = (
        (PAD, top, strip[0] - 2 * PAD, height - top - PAD)
        if strip[0] > PAD
        else (PAD, top, width - 2 * PAD, strip[1] - PAD - top)
    )
    where, what = told(scene, frame)
    return pen.page(
        {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"},
        element("title", {}, plain(f"{scene['match']}, {where}")),
        element("desc", {}, plain(_described(scene, frame))),
        element("rect", {"width": width, "height": height, "fill": pen.colours["--card"]}),
        _caption(pen, f"{where}: {what}", width) if caption else "",
        _ground(pen, board),
        KINDS[scene["board"]["kind"]].draw(scene, scene["frames"][frame], pen, board),
        _strip(scene, frame, pen, strip),
    )


def told(scene: AnyScene, frame: int) -> tuple[str, str]:
    """Return where in the match a frame is ("Round 3 · action 2 · ply 57"), and what happens there."""
    number, step, terms = scene["rounds"][frame], scene["frames"][frame]["x"], scene["terms"]
    before = "Set-up" if any(scene["rounds"]) else ""  # a game that counts no rounds has none before the first either
    parts = [f"{terms['round']} {number}" if number else before, f"{terms['step']} {step}" if step else ""]
    parts.append(f"ply {ply_names(scene['plies'])[frame]}")
    happens = [moment["text"] for moment in scene["moments"] if moment["at"] <= frame]
    return " · ".join(part for part in parts if part), happens[-1] if happens else ""


def _described(scene: AnyScene, at: int) -> str:
    frame = scene["frames"][at]
    where = KINDS[scene["board"]["kind"]].where
    sentences = []
    for seat, who in enumerate(scene["seats"]):
        values = [
            f"{measure['key']} {value}" for measure, value in zip(scene["measures"], frame["f"][seat], strict=True)
        ]
        sentences.append(f"{who['name']}{where(scene, frame, seat)}: {', '.join(values)}.")
    ending = scene["endings"][frame["e"]]
    return f"{': '.join(told(scene, at))}. {' '.join(sentences)} {ending['head']}: {ending['text']}"


def _caption(pen: Pen, text: str, width: float) -> str:
    (line,) = wrapped(text, width - 2 * PAD, SIZES["caption"], 1)
    return pen.text("caption", line, x=PAD, y=PAD + CAPTION / 2 - 4, text_anchor="start")


def _ground(pen: Pen, room: Room) -> str:
    x, y, width, height = room
    fill = mixed(pen.colours["--land-1"], 0.45, pen.colours["--card"])
    return element("rect", {"x": x, "y": y, "width": width, "height": height, "rx": 8, "fill": fill})


def _strip_room(scene: AnyScene, width: float, height: float, top: float) -> Room:
    """Return where the standings go: beside the board in a broad picture, below it in another."""
    if width >= max(BROAD, 1.25 * height):
        column = min(COLUMN, width * 0.36)
        return width - column - PAD, top, column, height - top - PAD
    tall = HEAD + len(scene["seats"]) * ROW[0] + 4 * LINE + 2 * LEGEND
    return PAD, height - tall - PAD, width - 2 * PAD, tall


def _strip(scene: AnyScene, at: int, pen: Pen, room: Room) -> str:
    x, y, width, height = room
    frame = scene["frames"][at]
    ending = scene["endings"][frame["e"]]
    row = min(ROW[1], max(ROW[0], (height - HEAD - 5 * LINE - 2 * LEGEND) / len(scene["seats"])))
    columns = [x + width - (len(scene["measures"]) - index - 0.5) * FIGURE for index in range(len(scene["measures"]))]
    heads = [
        pen.text("strip-head", measure["short"], x=column, y=y + HEAD / 2)
        for measure, column in zip(scene["measures"], columns, strict=True)
    ]
    rows = [
        _row(scene, at, seat, pen, (x, y + HEAD + seat * row, columns[0] - FIGURE / 2 - x, row), columns)
        for seat in range(len(scene["seats"]))
    ]
    below = y + HEAD + row * len(rows) + LINE
    room_left = max(1, int((y + height - below) / LINE))
    lines = wrapped(f"{ending['head']}: {ending['text']}", width, SIZES["ending"], min(7, room_left))
    words = [
        pen.text("strip-ending", line, x=x, y=below + index * LINE, text_anchor="start")
        for index, line in enumerate(lines)
    ]
    end = below + len(words) * LINE
    return pen.group("strip", {}, *heads, *rows, *words, _legend(scene, pen, (x, end, width, y + height - end)))


def _legend(scene: AnyScene, pen: Pen, room: Room) -> str:
    """Say what things on the board mean, at the foot of a room; nothing if it is too small for that."""
    left, top, width, height = room
    samples = KINDS[scene["board"]["kind"]].legend(scene, pen)
    found, x, y = [], 0.0, 0.0
    for before, name, sample in samples:
        needed = before + len(name) * SIZES["player"] * LETTER + 12
        if x and x + needed > width:
            x, y = 0.0, y + LEGEND
        found.append((x, y, sample + pen.text("strip-player", name, x=before, text_anchor="start")))
        x += needed
    first = top + height - y - LEGEND / 2
    if first < top + LEGEND / 2:
        return ""
    keys = [pen.group(None, {"transform": f"translate({left + x:.1f} {first + y:.1f})"}, key) for x, y, key in found]
    return pen.group("legend", {}, *keys)


def _row(scene: AnyScene, at: int, seat: int, pen: Pen, room: Room, columns: list[float]) -> str:
    """Draw a seat: shape, name, player, how it would end for it, and its measures."""
    x, y, width, height = room
    who, frame = scene["seats"][seat], scene["frames"][at]
    ending = scene["endings"][frame["e"]]
    out = next((over for gone, over in ending["out"] if gone == seat), None)
    wins = "" if seat not in ending["win"] else "shares" if len(ending["win"]) > 1 else "wins"
    verdict, look = (f"out: {out}", "strip-out") if out is not None else (wins, "strip-win")
    fate = [(look, verdict)] if verdict else []
    taken = 26 + len(verdict) * SIZES["player"] * LETTER
    middle, start, whole = y + height / 2, x + 26, columns[-1] + FIGURE / 2 - x
    figures = middle - 8 if height >= TWO_LINES else middle
    if height >= TWO_LINES:  # player and verdict stand below name and figures, over the whole width
        (name,) = wrapped(who["name"], width - 26, SIZES["name"], 1)
        (player,) = wrapped(who["player"], whole - taken, SIZES["player"], 1)
        second = [("strip-player", player), *fate]
        lines = [_said(pen, start, figures, [("strip-name", name)]), _said(pen, start, middle + 10, second)]
    else:
        (name,) = wrapped(who["name"], width - taken, SIZES["name"], 1)
        lines = [_said(pen, start, middle, [("strip-name", name), *fate])]
    return pen.group(
        "seat",
        {"data-seat": seat},
        pen.draw("line", "strip-rule", {"x1": x, "y1": y, "x2": columns[-1] + FIGURE / 2, "y2": y}),
        pen.path(f"seat-fill seat-{seat}", seat_path(seat, 8), transform=f"translate({x + 10:.1f} {middle:.1f})"),
        *lines,
        *(
            pen.text("strip-figure", value, x=column, y=figures)
            for value, column in zip(frame["f"][seat], columns, strict=True)
        ),
    )


def _said(pen: Pen, x: float, y: float, parts: list[tuple[str, str]]) -> str:
    """Write texts of different looks one after the other."""
    spans = [
        pen.draw("tspan", look, {"dx": 8 if index else None}, plain(words)) for index, (look, words) in enumerate(parts)
    ]
    return element("text", {"x": x, "y": y, "dy": "0.36em"}, *spans)
