"""The drawing of each figure of the catalog: frame in, figure out."""

from collections.abc import Mapping
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.catalog.metrics import metric_of
from dashboards.charts.plotly import bars, dots, heat
from dashboards.charts.plotly.dots import Panel, by_part, interval_panels, middle_half, number, percent
from dashboards.charts.plotly.graph import Drawing
from dashboards.charts.theme import Palette
from dashboards.games.caravan.drawings import CARAVAN_DRAW, CARAVAN_OVERLAID
from dashboards.games.climbers.drawings import CLIMBERS_DRAW, CLIMBERS_OVERLAID
from dashboards.games.summit.drawings import SUMMIT_DRAW, SUMMIT_OVERLAID

__all__ = ["DRAW", "OVERLAID", "drawing"]


def draw_length(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How long matches are by the size of the table: median and middle half of rounds, plies and events."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    parts = [middle_half(part, "length") for part in by_part(named, "kind", "length", number)]
    return interval_panels(parts, colours, rows="row")


DRAW: Final[dict[str, Drawing]] = {
    "win-share": dots.draw_win_share,
    "ratings": dots.draw_ratings,
    "head-to-head": heat.draw_head_to_head,
    "placement": bars.draw_placement,
    "seat-effect": dots.draw_seat_effect,
    "paired": dots.draw_paired,
    "length": draw_length,
    **CARAVAN_DRAW,
    **SUMMIT_DRAW,
    **CLIMBERS_DRAW,
}
OVERLAID: Final[Mapping[str, Drawing]] = {**CARAVAN_OVERLAID, **SUMMIT_OVERLAID, **CLIMBERS_OVERLAID}
"""Drawings in which few players lie over each other, for comparing them."""


def drawing(name: str, columns: Mapping[str, str]) -> Drawing:
    """Return the drawing of a figure; one that has none of its own shows its intervals, or its numbers."""
    return DRAW.get(name) or (lambda frame, colours: _draw_any(frame, columns, colours))


def _draw_any(frame: pl.DataFrame, columns: Mapping[str, str], colours: Palette) -> go.Figure:
    """Draw what every column with an interval says of each row; of rows with several keys, a panel for each other."""
    known = {column: heading for column, heading in columns.items() if column in frame.columns}
    keys = [column for column in known if metric_of(column) is None]
    with_bounds = [column for column in known if f"{column}_low" in frame.columns]
    shown = with_bounds or [column for column in known if column not in keys and frame[column].dtype.is_numeric()]
    rows = "player" if "player" in keys else keys[0]
    named = frame.with_columns(pl.col(rows).cast(pl.String))
    others = [key for key in keys if key != rows]
    if others:
        named = named.with_columns(pl.concat_str(others, separator=" ").alias("part"))
        return interval_panels(by_part(named, "part", shown[0], _format(shown[0])), colours, rows=rows)
    parts = [Panel(known[column], named, column, _format(column)) for column in shown]
    return interval_panels(parts, colours, rows=rows)


def _format(column: str) -> dots.Format:
    metric = metric_of(column)
    return percent if metric and "share" in metric.unit else number
