"""How far two sides are apart, with what the difference rests on."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import in_points, intervals
from dashboards.charts.theme import Palette
from dashboards.stats import words

__all__ = ["draw_apart"]

STAND: Final = 0.05


def draw_apart(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Differences of each two sides, the better one first; filled where they stand after Holm's correction."""
    named = frame.with_columns(pl.format("{} over {}", "player", "other").alias("row"))
    stands = [holm is not None and holm <= STAND for holm in frame["side_difference_holm"]]
    marks = [(colours.accent, "circle" if one else "circle-open") for one in stands]
    return intervals(
        in_points(named, "side_difference"),
        "side_difference",
        colours,
        rows="row",
        shown=words.signed,
        zero=True,
        axis_format="+d",
        marks=marks,
    )
