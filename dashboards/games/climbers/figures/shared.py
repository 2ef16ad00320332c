"""What several figures of The Climbers share: the tables that they count, names, panels."""

from collections.abc import Mapping
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import Panel, interval_panels, number
from dashboards.charts.theme import Palette

__all__ = ["COURSES", "NOBODY", "SEATS", "draw_panels"]

SEATS: Final = "fct_climbers_seats"
"""A row per seat."""
COURSES: Final = "fct_climbers_courses"
"""A row per match."""
NOBODY: Final = "No climber stood on any block under these filters."


def draw_panels(frame: pl.DataFrame, value: str, called: Mapping[str, str], colours: Palette) -> go.Figure:
    """Draw a panel for each kind, named as `called` says, all in a line."""
    parts = [
        Panel(called[kind], frame.filter(kind=kind), value, number)
        for kind in frame["kind"].unique(maintain_order=True)
    ]
    return interval_panels(parts, colours, most=5)
