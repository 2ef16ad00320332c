"""How the classes of a drawn tower look, as assets/replay-tower.css says it for the page; see style.py."""

from collections.abc import Mapping
from typing import Final

__all__ = ["TOWER_LOOKS"]

LINE: Final = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
FACES: Final = tuple(f"{side}{letter}" for side in ("", "x-", "y-") for letter in "TUYRIN")

TOWER_LOOKS: Final[Mapping[str, Mapping[str, str]]] = {
    "face": {
        "stroke": "--face-line",
        "stroke-width": "1",
        "stroke-linejoin": "round",
        "stroke-linecap": "round",
    },
    **{f"face-{face}": {"fill": f"--face-{face.lower()}"} for face in FACES},
    "tower-climber": {"stroke-width": "1.5"},
    "tower-disc": {"stroke-width": "1.5"},
    "tower-step-casing": {**LINE, "stroke": "--road-casing", "stroke-width": "6"},
    "tower-step": {**LINE, "stroke-width": "3", "stroke-dasharray": "2 6"},
    "tower-moved": {**LINE, "stroke": "--accent", "stroke-width": "2.4"},
    "tower-was": {**LINE, "stroke": "--accent", "stroke-width": "2", "stroke-dasharray": "5 4"},
    "tower-words": {"fill": "--text", "font-size": "13", "font-weight": "600"},
}
