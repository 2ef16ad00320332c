"""How the classes of a drawn board look: presentation attributes, as assets/replay.css says it for the page.

A value that starts with two hyphens is a colour of the style sheets (`--seat` that of the element's seat), one that
ends with * grows with the scale of the map. A test holds this to what the browser computes from the style sheets.
"""

from collections.abc import Mapping
from typing import Final

from dashboards.boards.style_tower import TOWER_LOOKS
from dashboards.boards.style_track import TRACK_LOOKS

__all__ = ["LOOKS"]

MONO: Final = "ui-monospace, DejaVu Sans Mono, monospace"
LINE: Final = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}

LOOKS: Final[Mapping[str, Mapping[str, str]]] = {
    "seat-fill": {"fill": "--seat", "stroke": "--seat-line", "stroke-linejoin": "round"},
    **{f"seat-line-{seat}": {"stroke": f"--seat-{seat}"} for seat in range(6)},
    **{f"ink-{seat}": {"fill": f"--ink-{seat}"} for seat in range(6)},
    # The land
    "area": {"stroke": "--land-line", "stroke-width": "1", "stroke-linejoin": "round"},
    "area-0": {"fill": "--land-1"},
    "area-1": {"fill": "--land-2"},
    "link-casing": {"stroke": "--road-casing", "stroke-width": "9*", "stroke-linecap": "round"},
    "link": {"stroke-width": "4.4*", "fill": "none"},
    "link-soil": {"stroke": "--road-soil"},
    "link-stone": {"stroke": "--road-stone", "stroke-dasharray": "11 6*"},
    "link-ice": {
        "stroke": "--road-ice",
        "stroke-width": "5*",
        "stroke-linecap": "round",
        "stroke-dasharray": "0 9.5*",
    },
    "trail-casing": {"fill": "none", "stroke": "--road-casing", "stroke-width": "7*", "stroke-linecap": "round"},
    "trail": {"fill": "none", "stroke-width": "4*", "stroke-linecap": "round"},
    # Places and what lies there
    "village-wall": {
        "fill": "--village",
        "stroke": "--village-line",
        "stroke-width": "1.7",
        "stroke-linejoin": "round",
    },
    "village-rim": {"fill": "none", "stroke": "--village-line", "stroke-width": "1.3"},
    "village-number": {"fill": "--village-line", "font-size": "13.5", "font-weight": "700"},
    "cube-back": {"stroke": "--cube-line", "stroke-width": "1"},
    "cube-letter": {"fill": "--cube-text", "font-size": "10", "font-weight": "700"},
    "on-salt": {"fill": "--salt"},
    "on-barley": {"fill": "--barley"},
    "on-tea": {"fill": "--tea"},
    "on-jade": {"fill": "--jade"},
    "on-gold": {"fill": "--gold"},
    "order-pill": {"fill": "--card", "stroke": "--village-line", "stroke-width": "1.2"},
    "order-coin": {"fill": "--village-line"},
    "order-pays": {"fill": "--village", "font-size": "12", "font-weight": "700"},
    # Areas
    "area-name": {"fill": "--land-text", "font-size": "11.5", "font-weight": "600", "letter-spacing": "0.69"},
    "badge": {"stroke-width": "1.3"},
    "badge-count": {"font-size": "12", "font-weight": "700"},
    "badge-crown": {"fill": "--text", "stroke": "--land-1", "stroke-width": "1", "paint-order": "stroke"},
    # Pieces
    "marker-back": {"fill": "--card", "stroke": "--village-line", "stroke-width": "1.4", "stroke-linejoin": "round"},
    "marker-letter": {"fill": "--text", "font-size": "13", "font-weight": "750"},
    "glyph-line": {**LINE, "stroke": "--text", "stroke-width": "1.7"},
    "glyph-solid": {"fill": "--text"},
    "piece": {"stroke-width": "1.8"},
    "piece-ring": {"fill": "none", "stroke": "--accent", "stroke-width": "2.6"},
    # The strip of the standings
    "strip-head": {"fill": "--muted", "font-size": "12", "font-weight": "500"},
    "strip-rule": {"stroke": "--grid", "stroke-width": "1"},
    "strip-name": {"fill": "--text", "font-size": "14", "font-weight": "700"},
    "strip-player": {"fill": "--muted", "font-size": "12"},
    "strip-figure": {"fill": "--text", "font-size": "15", "font-weight": "600"},
    "strip-win": {"fill": "--good", "font-size": "12", "font-weight": "600"},
    "strip-out": {"fill": "--bad", "font-size": "12", "font-weight": "600"},
    "strip-ending": {"fill": "--text", "font-size": "12.5"},
    "strip-ending-head": {"fill": "--text", "font-size": "12.5", "font-weight": "700"},
    "plain-line": {"fill": "--text", "font-family": MONO},
    "caption": {"fill": "--text", "font-size": "15", "font-weight": "600"},
    **TRACK_LOOKS,
    **TOWER_LOOKS,
}
