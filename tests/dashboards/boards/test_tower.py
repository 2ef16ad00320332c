"""The painted tower: block colours, hidden climbers as ghosts, ground and shadows."""

import math
import re
from itertools import product
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest

from dashboards.boards.picture import draw_board
from dashboards.boards.tower import TowerScene
from dashboards.charts.svg import colours
from dashboards.charts.theme import Scheme
from himalaya_core.climbers.events import ColourAssigned
from tests.dashboards.boards.asking import Structure, asked, structure
from tests.dashboards.games.climbers.recorded import replay_of, scene_of

SVG = "{http://www.w3.org/2000/svg}"
ANGLES = range(0, 360, 10)
TILT = 34
UNIT = 24
"""Pixels of a drawn climber per square."""
HEIGHTS = (9, 17, 23)
"""Heights of points on a climber's middle line above its foot, in these pixels."""
PAINTED = """{
    $need("print/dom.js");
    const { projection } = $need("tower/view.js");
    const paint = of.createPaint(scene);
    const tower = { scene, count: frame.b, width: 800, height: 600 };
    return angles.map((turn) => {
        paint.draw(frame, projection([tower], tower, { turn, tilt }), -1, new Set());
        return paint.element.children
            .filter((each) => each.getAttribute("display") === null)
            .map((each) => [each.getAttribute("class"), each.getAttribute("data-seat")]);
    });
}"""
CLOSE = 0.04
"""Distance between sampled points along a line of sight, in squares."""


def painted(scene: TowerScene, frame: int) -> list[list[tuple[str, str | None]]]:
    needed = {key: scene[key] for key in ("seats", "layings", "board", "reaches")}
    found: list[list[tuple[str, str | None]]] = asked(
        "tower/paint.js", PAINTED, scene=needed, frame=scene["frames"][frame], angles=[*ANGLES], tilt=TILT
    )
    return found


def hidden(scene: TowerScene, frame: Any, turn: int, *, broad: bool = False) -> set[int]:
    """Return the seats whose climbers are hidden along their middle line, or if `broad`, almost entirely."""
    built = structure(scene, frame["b"])
    points = product((-0.35, 0, 0.35), (0, 5, *HEIGHTS)) if broad else ((0, above) for above in HEIGHTS)
    return {
        seat
        for (seat, cell), point in product(enumerate(frame["c"]), [*points])
        if cell and is_hidden(built, cell, point, turn, -0.8 if broad else 0)
    }


def is_hidden(built: Structure, cell: list[int], point: tuple[float, float], turn: int, near: float) -> bool:
    """Return whether blocks hide a point, given by its offset and height above the middle of a square, from the viewer.

    Only blocks at least `near` squares away along the line of sight count.
    """
    (x, y), (beside, above) = cell, point
    angle, tilt = math.radians(turn), math.radians(TILT)
    right, back = x + 0.5 + beside * math.cos(angle), y + 0.5 + beside * math.sin(angle)
    height = built.height((x, y)) + above / UNIT / math.cos(tilt)
    top = max(built.height(square) for square in built.columns)
    while height + near * math.sin(tilt) < top:
        near += CLOSE
        ahead = near * math.cos(tilt)
        square = math.floor(right + ahead * math.sin(angle)), math.floor(back - ahead * math.cos(angle))
        if square != (x, y) and built.height(square) > height + near * math.sin(tilt) + CLOSE:
            return True
    return False


@pytest.mark.slow("every side of the tower")
@pytest.mark.parametrize("players", [2, 5])
def test_a_climber_behind_a_block_is_a_ghost_from_every_side(players: int) -> None:
    scene = scene_of(players)
    at = len(scene["frames"]) - 1
    frame = scene["frames"][at]
    ghosts = [{int(seat or 0) for look, seat in strokes if "tower-ghost " in look} for strokes in painted(scene, at)]
    covered = [hidden(scene, frame, turn) for turn in ANGLES]
    near = [hidden(scene, frame, turn, broad=True) for turn in ANGLES]
    assert any(covered), "somebody is hidden from some side"
    assert any(len(seats) < players for seats in near), "and somebody is not"
    for turn, drawn, least, most in zip(ANGLES, ghosts, covered, near, strict=True):
        assert least <= drawn <= most, f"from {turn} degrees"


@pytest.mark.slow("every side of the tower")
def test_a_tower_casts_its_shadow_on_the_ground() -> None:
    scene = scene_of(5)
    for strokes in painted(scene, len(scene["frames"]) - 1):
        looks = [look for look, _ in strokes]
        assert looks[0] == "tower-ground"
        assert [look.split()[0] for look in looks[1:4]] == ["tower-shadow"] * 3
        assert "tower-shade" in looks
        assert looks.count("tower-foot") == sum(bool(cell) for cell in scene["frames"][-1]["c"])
        assert len(looks) < 900, "all are painted"


@pytest.mark.parametrize("theme", get_args(Scheme))
def test_a_pawn_has_the_colour_of_the_log(theme: Scheme) -> None:
    replay, scene = replay_of(5), scene_of(5)
    dealt = [entry.event for entry in replay.entries if isinstance(entry.event, ColourAssigned)]
    root = ET.fromstring(draw_board(scene, len(scene["frames"]) - 1, theme=theme))
    rows = {each.get("data-seat"): each for each in root.iter(f"{SVG}g") if each.get("class") == "seat"}
    assert len(dealt) == len(rows) == 5
    for event in dealt:
        pawns = [each for each in root.iter(f"{SVG}path") if each.get("data-thing") == f"c{event.player}"]
        fills = {each.get("fill") for each in pawns if "tower-climber" in (each.get("class") or "")}
        assert fills == {colours(theme)[f"--seat-{event.colour}"]}, event.colour
        row = rows[str(event.player)]
        assert {each.get("fill") for each in row.iter(f"{SVG}path")} == fills
        assert str(event.colour) in "".join(row.itertext())


def test_seats_are_called_by_colour() -> None:
    scene: Any = scene_of(5)
    assert [scene["names"][f"c{seat}"] for seat in range(5)] == [
        f"Climber of {seat['colour']}" for seat in scene["seats"]
    ]
    assert [seat["name"] for seat in scene["seats"]] == [seat["colour"] for seat in scene["seats"]]
    assert not any(re.search(r"climber [A-E]\b", moment["text"]) for moment in scene["moments"])


def test_a_board_opens_on_the_built_tower() -> None:
    scene: Any = scene_of(2)
    before, opened = (scene["frames"][scene["opens"] - 1 + step] for step in (0, 1))
    assert before["b"] == opened["b"] == len({laying[0] for laying in scene["layings"]})
    assert all(not cell for cell in opened["c"])
    assert scene["rounds"][scene["opens"]] == 1
