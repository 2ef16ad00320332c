"""Columns over the fields of the route, from the base camp to the summit."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.graph import axis, layout
from dashboards.charts.theme import Palette

__all__ = ["draw_along_the_route"]


def draw_along_the_route(
    frame: pl.DataFrame,
    value: str,
    parts: Mapping[str, str],
    texts: Sequence[str],
    hues: Sequence[str],
    colours: Palette,
    axis_format: str,
) -> go.Figure:
    """Draw columns over the fields of the route, in parts of different hues, with the interval of the whole."""
    fields = frame["field"].to_list()
    said = [
        f"Field {field} ({terrain}): {text}"
        for (field, terrain), text in zip(frame.select("field", "terrain").iter_rows(), texts, strict=True)
    ]
    bars: list[Any] = [
        go.Bar(
            x=fields,
            y=frame[column].to_list(),
            name=name,
            marker={"color": hue},
            customdata=said,
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=len(parts) > 1,
        )
        for (column, name), hue in zip(parts.items(), hues, strict=True)
    ]
    middle, low, high = (frame[f"{value}{end}"] for end in ("", "_low", "_high"))
    bars.append(
        go.Scatter(
            x=fields,
            y=middle.to_list(),
            mode="markers",
            marker={"opacity": 0},
            showlegend=False,
            hoverinfo="skip",
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [_reach(end, at) for end, at in zip(high, middle, strict=True)],
                "arrayminus": [_reach(at, end) for end, at in zip(low, middle, strict=True)],
                "color": colours.text,
                "thickness": 1.5,
                "width": 0,
            },
        )
    )
    across = axis(
        colours, showgrid=False, title={"text": "field", "font": {"size": 12}, "standoff": 6}, dtick=5, tick0=0
    )
    up = axis(colours, rangemode="tozero", nticks=5, tickformat=axis_format)
    margin = {"l": 8, "r": 16, "t": 30 if len(parts) > 1 else 8, "b": 8}
    more = {"xaxis": across, "yaxis": up, "barmode": "stack", "bargap": 0.12, "margin": margin}
    return go.Figure(bars, layout(colours, 280, **more))


def _reach(high: float | None, low: float | None) -> float | None:
    reach = None if high is None or low is None else high - low
    return reach if reach is not None and abs(reach) != float("inf") else None
