"""How the classes of a drawn track look, as assets/replay-track.css says it for the page; see style.py."""

from collections.abc import Mapping
from typing import Final

__all__ = ["TRACK_LOOKS"]

LINE: Final = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
TEXT: Final = {"fill": "--text"}

TRACK_LOOKS: Final[Mapping[str, Mapping[str, str]]] = {
    # The mountain
    "sky": {"fill": "--sky"},
    "sun": {"fill": "--sun"},
    "far-range": {"fill": "--range-far"},
    "near-range": {"fill": "--range-near"},
    "cloud": {"fill": "--cloud"},
    "firs": {"fill": "--fir"},
    "rock": {"stroke": "--rock-line", "stroke-width": "1", "stroke-linejoin": "round"},
    **{f"rock-{tone}": {"fill": f"--rock-{tone}"} for tone in ("0", "1", "2", "3", "snow")},
    "rock-shade": {"fill": "--rock-shade", "fill-opacity": "0.1"},
    # The route
    "route-casing": {**LINE, "stroke": "--route-casing", "stroke-width": "15*"},
    "route": {**LINE, "stroke": "--route", "stroke-width": "2.2*", "stroke-dasharray": "1 7*"},
    "slide-casing": {**LINE, "stroke": "--route-casing", "stroke-width": "8*"},
    "slide": {**LINE, "stroke-width": "3.6*"},
    "slide-landslide": {"stroke": "--landslide", "stroke-dasharray": "9 6*"},
    "slide-avalanche": {"stroke": "--avalanche", "stroke-width": "4.6*", "stroke-dasharray": "0 8*"},
    "slide-head": {"stroke": "--route-casing", "stroke-width": "1"},
    "head-landslide": {"fill": "--landslide"},
    "head-avalanche": {"fill": "--avalanche"},
    # Fields
    "field-back": {"fill": "--village", "stroke": "--village-line", "stroke-width": "1.5", "stroke-linejoin": "round"},
    "field-landslide": {"stroke": "--landslide", "stroke-width": "3.2", "stroke-dasharray": "5 3"},
    "field-avalanche": {
        "stroke": "--avalanche",
        "stroke-width": "3.4",
        "stroke-dasharray": "1.5 4",
        "stroke-linecap": "round",
    },
    "field-snow": {"fill": "--snowfield"},
    "field-cave": {"fill": "--cave"},
    "field-camp": {"fill": "--tent"},
    "field-base": {"fill": "--tent"},
    "field-summit": {"fill": "--snowfield"},
    "field-rim": {**LINE, "stroke": "--village-line", "stroke-width": "1.3"},
    "field-flake": {**LINE, "stroke": "--avalanche", "stroke-width": "2.4"},
    "field-number": {"fill": "--village-line", "font-size": "12.5", "font-weight": "700"},
    "on-cave": {"fill": "--on-cave"},
    "field-name": {
        "fill": "--text",
        "font-size": "11",
        "font-weight": "650",
        "stroke": "--route-casing",
        "stroke-width": "3.5",
        "stroke-linejoin": "round",
        "paint-order": "stroke",
    },
    "summit-flag": {"fill": "--accent", "stroke": "--route-casing", "stroke-width": "1.2", "stroke-linejoin": "round"},
    # Pawns
    "trail-back": {"stroke-dasharray": "2 7*"},
    "pawn": {"stroke-width": "1.6"},
    "climber-letter": {"font-size": "13", "font-weight": "750"},
    "sherpa-letter": {"font-size": "9.5", "font-weight": "700"},
    "yeti-body": {"fill": "--yeti", "stroke": "--yeti-line", "stroke-width": "1.7", "stroke-linejoin": "round"},
    "yeti-face": {"fill": "--yeti-line"},
    # Dice and cards
    "table-back": {"fill": "--card", "fill-opacity": "0.9", "stroke": "--border", "stroke-width": "1"},
    "table-head": {"fill": "--text", "font-size": "12", "font-weight": "650"},
    "table-foot": {"fill": "--muted", "font-size": "11", "font-weight": "500"},
    "die-back": {"fill": "--village", "stroke": "--village-line", "stroke-width": "1.5"},
    "die-taken": {"fill": "none", "stroke": "--muted", "stroke-width": "1", "stroke-dasharray": "3 2.5"},
    "die-pips": {"fill": "--village-line"},
    "die-gone": {"fill": "--muted", "fill-opacity": "0.45"},
    "card-face": {"fill": "--village", "stroke": "--village-line", "stroke-width": "1.3"},
    "card-back": {"fill": "--raised", "stroke": "--muted", "stroke-width": "1", "stroke-dasharray": "3 2.5"},
    "card-mark": {**LINE, "stroke": "--muted", "stroke-width": "1"},
    "card-arrow": {"fill": "--accent"},
    "card-number": {"fill": "--village-line", "font-size": "12", "font-weight": "700"},
    "weather-cloud": {"fill": "--storm", "stroke": "--village-line", "stroke-width": "0.3", "stroke-linejoin": "round"},
    "weather-bolt": {"fill": "--gold", "stroke": "--village-line", "stroke-width": "0.3", "stroke-linejoin": "round"},
    "card-cloud": {"fill": "--muted", "stroke": "--village-line", "stroke-width": "1.3", "stroke-linejoin": "round"},
}
