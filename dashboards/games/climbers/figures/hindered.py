"""How often steps are taken away: by others' blocks and discs, and from others."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS, draw_panels
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "hindered"]

HINDERED: Final = {
    "blocks": "f.hindered_by_blocks",
    "discs": "f.hindered_by_discs",
    "hindering": "f.hindering",
    "shifted": "f.shifted",
}
"""How often a seat lost a step to others' blocks and discs, took one away from others, was set aside by others."""
CALLED: Final = {
    "blocks": "By blocks of others",
    "discs": "By discs of others",
    "hindering": "Blocking others",
    "shifted": "Set aside by others",
}


def hindered(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, hindrances` and its bounds, for each of `HINDERED`."""
    found = seat_sums(reader, SEATS, where, HINDERED)
    return in_order(means_of_seats(found, ["player", "kind"], "hindrances"), "kind", HINDERED)


def hindered_finding(frame: pl.DataFrame) -> str:
    """Say who loses how many steps to blocks and discs of others, and who takes them away."""
    if frame.is_empty():
        return NOTHING
    does = {
        "blocks": "loses a step to others' blocks",
        "discs": "loses a step to others' discs",
        "hindering": "hinders others",
    }
    return " ".join(
        told(
            frame.filter(kind=kind),
            "hindrances",
            "player",
            f"{{}} {text} most often: {{}} times a match",
            f"{{}} {text} {{}} times a match",
            hundredths,
        )
        for kind, text in does.items()
    )


def draw_hindered(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw a panel for each way of being hindered, and for hindering others."""
    return draw_panels(frame, "hindrances", CALLED, colours)


METRICS: Final = (
    Metric(
        "hindrances",
        "How often in a match another's block or disc takes away a step that the climber might have taken just before;"
        " how often its own do that to others, each one counted; how often another sets its climber aside.",
        "number / played",
        source_of(hindered, f"interval: {GROUPED}"),
        "player, kind",
        "times per player and match",
    ),
)
FIGURE: Final = Figure(
    "hindered",
    "Steps blocked",
    "why",
    hindered,
    {"player": "Player", "kind": "What", **OF_PLAYER, **interval("hindrances", "Times per match")},
    hindered_finding,
    is_wide=True,
    draw=draw_hindered,
)
