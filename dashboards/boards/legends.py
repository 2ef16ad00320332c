"""What the legend of a drawn board explains, and where a seat stands in words, by kind of board."""

from typing import TypeAlias

from dashboards.boards.map.scene import MapFrame, MapScene
from dashboards.boards.map.shapes import seat_path
from dashboards.boards.pen import Pen
from dashboards.boards.tower.scene import TowerFrame, TowerScene
from dashboards.boards.tower.shapes import HEAD, HEAD_RADIUS, STAND, disc_path
from dashboards.boards.track.scene import TrackFrame, TrackScene
from dashboards.boards.track.shapes import ARROW, FLAKE, OUTLINES, PENNANT, YETI, YETI_FACE
from dashboards.charts.svg import element

__all__ = [
    "Sample",
    "map_legend",
    "tower_legend",
    "track_legend",
    "where_on_map",
    "where_on_tower",
    "where_on_track",
]

Sample: TypeAlias = tuple[float, str, str]
"""What stands in a legend: how broad a drawing is, what it means, and the drawing."""


def map_legend(scene: MapScene, pen: Pen) -> list[Sample]:
    """Explain lines, cubes and markers."""
    styles = sorted({link["style"] for link in scene["board"]["links"]})
    samples = [(30.0, style, pen.draw("line", f"link link-{style}", {"x1": 2, "x2": 24})) for style in styles]
    for token in scene["tokens"]:
        box = {"x": 0, "y": -6.5, "width": 13, "height": 13, "rx": 2.5}
        cube = pen.draw("rect", f"cube-back on-{token['key']}", box)
        letter = pen.text("cube-letter", token["letter"], x=6.5, fill=pen.on_cube(token["key"]))
        samples.append((18.0, token["name"], cube + letter))
    return samples + [
        (15.0, marker["name"], pen.text("marker-letter", marker["letter"], x=5)) for marker in scene.get("markers", ())
    ]


def where_on_map(scene: MapScene, frame: MapFrame, seat: int) -> str:
    """Return ", in village 7", or nothing for a seat whose piece is not there yet."""
    names = {node["n"]: node["name"] for node in scene["board"]["nodes"]}
    return f", in {names[frame['c'][seat]].lower()}" if frame["c"][seat] in names else ""


def track_legend(scene: TrackScene, pen: Pen) -> list[Sample]:
    """Explain pawns, slides, snowfields and the Yeti."""
    styles = sorted({link["style"] for link in scene["board"]["links"]})
    climber = pen.path("pawn seat-fill seat-0", PENNANT) + pen.path("pawn seat-fill seat-0", seat_path(0, 12))
    sherpa = pen.path("pawn seat-fill seat-0", seat_path(0, 7))
    lines = [
        (
            30.0,
            style,
            pen.draw("line", f"slide slide-{style}", {"x1": 2, "x2": 20})
            + pen.path(f"slide-head head-{style}", ARROW, transform="translate(23 0)"),
        )
        for style in styles
    ]
    snow = [node for node in scene["board"]["nodes"] if node["kind"] == "snow"]
    flake = element("g", {"transform": "translate(8 0) scale(0.32)"}, pen.path("field-flake", FLAKE))
    tent = pen.path("field-back field-camp", OUTLINES["camp"].path) + pen.path("field-rim", OUTLINES["camp"].rim)
    yeti = pen.path("yeti-body", YETI) + pen.path("yeti-face", YETI_FACE)
    return [
        (20.0, "climber", element("g", {"transform": "translate(8 2) scale(0.55)"}, climber)),
        (20.0, "Sherpa", element("g", {"transform": "translate(8 0)"}, sherpa)),
        (20.0, "camp", element("g", {"transform": "translate(8 2) scale(0.34)"}, tent)),
        *lines,
        *([(20.0, "snowfield", flake)] if snow else []),
        (20.0, "Yeti", element("g", {"transform": "translate(8 0) scale(0.45)"}, yeti)),
    ]


def where_on_track(scene: TrackScene, frame: TrackFrame, seat: int) -> str:
    """Return where a seat's climber stands."""
    return f", climber on {scene['board']['nodes'][frame['c'][seat]]['name'].lower()}"


def tower_legend(scene: TowerScene, pen: Pen) -> list[Sample]:
    """Explain the colours of faces, climbers and discs."""
    samples = []
    for letter, name in scene["board"]["colours"].items():
        box = {"x": 0, "y": -7, "width": 14, "height": 14, "rx": 3}
        written = pen.text("strip-player", letter, x=7, fill=pen.colours["--face-line"])
        samples.append((20.0, name, pen.draw("rect", f"face face-{letter}", box) + written))
    look = "tower-climber seat-fill seat-0"
    climber = pen.path(look, STAND) + pen.path(look, seat_path(0, HEAD_RADIUS), transform=f"translate(0 {HEAD})")
    disc = pen.path("tower-disc seat-fill seat-0", disc_path(0))
    return [
        *samples,
        (20.0, "climber", element("g", {"transform": "translate(8 7) scale(0.55)"}, climber)),
        (20.0, "disc", element("g", {"transform": "translate(8 0) scale(0.7)"}, disc)),
    ]


def where_on_tower(_scene: TowerScene, frame: TowerFrame, seat: int) -> str:
    """Return where a seat's climber stands."""
    return f", on level {frame['f'][seat][0]}" if frame["c"][seat] else ", on the table"
