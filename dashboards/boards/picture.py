"""A position as a picture: one frame of a scene as a self-contained SVG, for reports, cards and tests.

`engine` runs the same JavaScript modules as the replay page. The same scene, frame and size give the same bytes.
Standings, chances of winning and legend are next to the board, or below it if the picture is narrow. `alone` leaves
them out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from dashboards.boards.engine import run
from dashboards.boards.map import MapFrame, MapScene
from dashboards.boards.plain import PlainScene
from dashboards.boards.scene import ply_names
from dashboards.boards.tower import TowerFrame, TowerScene
from dashboards.boards.track import TrackFrame, TrackScene
from dashboards.charts.svg import colours
from dashboards.charts.theme import FONT, Scheme, mixed

__all__ = ["AnyScene", "draw_board", "only", "place_and_event", "scheme_of"]

AnyScene: TypeAlias = MapScene | TrackScene | TowerScene | PlainScene

MONO: Final = 'ui-monospace, "DejaVu Sans Mono", monospace'
UNSEEN: Final = ("plies", "rounds", "when", "moments", "visits", "summaries", "lanes", "kinds", "groups")
"""Parts of a scene that describe the course of the match; a picture of one position does not need them."""


def draw_board(
    scene: AnyScene,
    frame: int,
    *,
    theme: Scheme = "light",
    width: int = 1200,
    height: int = 630,
    caption: bool = True,
    alone: bool = False,
) -> str:
    """Draw a frame of a scene as an SVG document. Raises `engine.DrawingError` if it fails or exceeds limits."""
    where, what = place_and_event(scene, frame)
    card = {
        "scene": only(scene, frame),
        "scheme": scheme_of(theme),
        "width": width,
        "height": height,
        "title": f"{scene['match']}, {where}",
        "about": _described(scene, frame),
        "caption": f"{where}: {what}" if caption and not alone else "",
        "alone": alone,
    }
    return str(run("picture", card))


def scheme_of(theme: Scheme) -> dict[str, str]:
    """Return the CSS properties of a theme: colours, fonts, and `--ground`, the background of boards."""
    found = dict(colours(theme))
    ground = mixed(found["--land-1"], 0.45, found["--card"])
    return {**found, "--ground": ground, "--font": FONT, "--font-mono": MONO}


def only(scene: AnyScene, frame: int) -> dict[str, Any]:
    """Return the parts of a scene that are needed to draw one of its frames."""
    return {key: value for key, value in scene.items() if key not in UNSEEN} | {"frames": [scene["frames"][frame]]}


def place_and_event(scene: AnyScene, frame: int) -> tuple[str, str]:
    """Return the place of a frame in the match ("Round 3 · action 2 · ply 57"), and its event."""
    number, step, terms = scene["rounds"][frame], scene["frames"][frame]["x"], scene["terms"]
    before = "Set-up" if any(scene["rounds"]) else ""  # games without rounds have no set-up either
    parts = [f"{terms['round']} {number}" if number else before, f"{terms['step']} {step}" if step else ""]
    parts.append(f"ply {ply_names(scene['plies'])[frame]}")
    happens = [moment["text"] for moment in scene["moments"] if moment["at"] <= frame]
    return " · ".join(part for part in parts if part), happens[-1] if happens else ""


def _described(scene: AnyScene, at: int) -> str:
    frame = scene["frames"][at]
    where = WHERE[scene["board"]["kind"]]
    sentences = []
    for seat, who in enumerate(scene["seats"]):
        values = [
            f"{measure['key']} {value}" for measure, value in zip(scene["measures"], frame["f"][seat], strict=True)
        ]
        sentences.append(f"{who['name']}{where(scene, frame, seat)}: {', '.join(values)}.")
    ending = scene["endings"][frame["e"]]
    return f"{': '.join(place_and_event(scene, at))}. {' '.join(sentences)} {ending['head']}: {ending['text']}"


def _on_map(scene: MapScene, frame: MapFrame, seat: int) -> str:
    """Return ", in village 7", or an empty text for a seat with no piece on the map yet."""
    names = {node["n"]: node["name"] for node in scene["board"]["nodes"]}
    return f", in {names[frame['c'][seat]].lower()}" if frame["c"][seat] in names else ""


def _on_track(scene: TrackScene, frame: TrackFrame, seat: int) -> str:
    return f", climber on {scene['board']['nodes'][frame['c'][seat]]['name'].lower()}"


def _on_tower(_scene: TowerScene, frame: TowerFrame, seat: int) -> str:
    return f", on level {frame['f'][seat][0]}" if frame["c"][seat] else ", on the table"


WHERE: Final[Mapping[str, Callable[[Any, Any, int], str]]] = {
    "map": _on_map,
    "track": _on_track,
    "tower": _on_tower,
    "plain": lambda _scene, _frame, _seat: "",
}
"""Functions that describe where a seat's piece is, by kind of board."""
