"""Levels gained in own turns, and after the turns of others."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bars import stacked_parts
from dashboards.charts.plotly.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "gained"]

GAINED: Final = {"own": "f.levels_own", "others": "f.levels_others"}
"""Levels gained in a player's own turns, and after those of others."""
CALLED: Final = {"own": "own turns", "others": "after others' turns"}


def gained(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, levels_gained` and its bounds: in own turns, after others'."""
    found = seat_sums(reader, SEATS, where, GAINED)
    return in_order(means_of_seats(found, ["player", "kind"], "levels_gained"), "kind", GAINED)


def gained_finding(frame: pl.DataFrame) -> str:
    """Say who gains how many levels in its own turns, and after those of others."""
    if frame.is_empty():
        return NOTHING
    times = {"own": "in its own turns", "others": "after the turns of others"}
    return " ".join(
        told(
            frame.filter(kind=kind),
            "levels_gained",
            "player",
            f"{{}} gains the most levels {text}: {{}} a match",
            f"{{}} gains {{}} levels a match {text}",
        )
        for kind, text in times.items()
    )


def draw_gained(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Levels gained in own turns and after those of others, as parts of one bar."""
    return stacked_parts(frame, "kind", "levels_gained", CALLED, colours.parts, colours, shown=number)


METRICS: Final = (
    Metric(
        "levels_gained",
        "How many levels a climber rises in a match in its own turns, or after those of others.",
        "Σ levels / played",
        source_of(gained, f"interval: {GROUPED}"),
        "player, kind",
        "levels per player and match",
    ),
)
FIGURE: Final = Figure(
    "levels-gained",
    "Levels gained in own turns and after others'",
    "why",
    gained,
    {"player": "Player", "kind": "When", **OF_PLAYER, **interval("levels_gained", "Levels per match")},
    gained_finding,
    draw=draw_gained,
)
