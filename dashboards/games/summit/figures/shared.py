"""What several figures of summit share: the tables that they count, names, panels."""

from collections.abc import Mapping
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import Panel, interval_panels, number
from dashboards.charts.theme import Palette

__all__ = ["COURSES", "EVENTS", "FIELDS", "SEATS", "draw_panels", "with_fields"]

SEATS: Final = "fct_summit_seats"
"""A row per seat."""
COURSES: Final = "fct_summit_courses"
"""A row per match."""
FIELDS: Final = "agg_summit_fields"
"""Arrivals on fields, and Sherpas sent back from them, added up."""
EVENTS: Final = {"take_alongs": "Take-alongs", "slides": "Slides", "chases": "Chased by the Yeti"}
"""What some events are called in drawings."""


def draw_panels(
    frame: pl.DataFrame, key: str, value: str, called: Mapping[str, str], colours: Palette, *, most: int
) -> go.Figure:
    """Draw a panel for each kind (`key`), named as `called` says; means (`value`) may be below zero."""
    parts = [
        Panel(called[kind], frame.filter(pl.col(key) == kind), value, number)
        for kind in frame[key].unique(maintain_order=True)
    ]
    figure = interval_panels(parts, colours, most=most)
    figure.update_xaxes(zeroline=True, zerolinecolor=colours.muted, zerolinewidth=1)
    return figure


def with_fields(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows of fields with what each is called inside a sentence, as `place`."""
    return frame.with_columns(pl.format("field {}", "field").alias("place"))
