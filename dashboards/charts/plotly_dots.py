"""Draws values with intervals with Plotly."""

from collections.abc import Callable, Sequence
from typing import Final

import plotly.graph_objects as go

from dashboards.charts.chart import Behind, Dot, Dots
from dashboards.charts.plotly_layout import (
    UNSEEN,
    Layout,
    axis,
    below,
    domains,
    figure,
    heading,
    hover,
    names_axis,
    nth,
    rule_above,
    spread,
)
from dashboards.charts.theme import Palette

__all__ = ["plotly_dots"]

ROW: Final = 36
"""Pixels of a row, in which a name has room in two lines."""
GAP: Final = 54
"""Between two lines of panels: numbers of an axis and the headings of the next."""
KEY: Final = 24
"""Height of the key of medians below the axes."""
Address = Callable[[Behind], str]


def plotly_dots(chart: Dots, colours: Palette, address: Address) -> go.Figure:
    """Return panels of values as a figure; `address` writes a mark's link."""
    many = chart.in_a_line
    lines = -(-len(chart.panels) // many)
    across = domains(many, min(0.06, 0.3 / many))
    each = GAP + ROW * len(chart.rows)
    down = domains(lines, GAP / (each * lines - GAP))[::-1]
    traces: list[go.Scatter] = []
    axes: Layout = {}
    texts: list[Layout] = []
    for place, panel in enumerate(chart.panels):
        if panel is None:
            continue
        line, column = divmod(place, many)
        on = {"xaxis": nth("x", place), "yaxis": nth("y", place)}
        if chart.reference:
            traces.append(_references(panel.dots, chart.reference, colours, on))
        for colour in dict.fromkeys(dot.colour for dot in panel.dots):
            of_colour = [dot for dot in panel.dots if dot.colour == colour]
            traces.append(_intervals(of_colour, colour, 7 if panel.is_thick else 3, on))
        traces.append(_marks(panel.dots, colours, address, on))
        axes[nth("xaxis", place)] = axis(
            colours,
            domain=across[column],
            anchor=on["yaxis"],
            rangemode="tozero",
            nticks=4,
            tickangle=0,
            tickformat=panel.ticks,
            zeroline=True,
            zerolinecolor=colours.muted,
        )
        axes[nth("yaxis", place)] = names_axis(
            colours, chart.rows, domain=down[line], anchor=on["xaxis"], showticklabels=column == 0
        )
        if panel.heading:
            texts.append({**heading(panel.heading, colours, across[column]), "y": down[line][1]})
        texts += _beside(chart, panel.dots, colours)
    if chart.key:
        texts.append(below(chart.key, colours))
    has_headings = any(panel and panel.heading for panel in chart.panels)
    top = 30 if has_headings or chart.reference else 8
    beside = max((len(dot.text) for panel in chart.panels if panel for dot in panel.dots), default=0)
    return figure(
        traces,
        colours,
        each * lines - GAP + (66 if has_headings else 58 + 22 * bool(chart.reference)) + KEY * bool(chart.key),
        least=130 + 150 * many if has_headings else 0,
        margin={"l": 8, "r": 16 + 8 * beside, "t": top, "b": 20 + KEY if chart.key else 8},
        annotations=texts,
        shapes=[rule_above(row, colours) for row in chart.apart],
        **axes,
    )


def _marks(dots: Sequence[Dot], colours: Palette, address: Address, on: Layout) -> go.Scatter:
    return go.Scatter(
        x=[dot.value for dot in dots],
        y=[dot.row for dot in dots],
        mode="markers",
        cliponaxis=False,
        showlegend=False,
        marker={
            "size": 11,
            "color": [dot.colour for dot in dots],
            "symbol": [dot.shape for dot in dots],
            "line": {"width": 1, "color": colours.text},
        },
        **hover(dots, address),
        **on,
    )


def _intervals(dots: Sequence[Dot], colour: str, thickness: int, on: Layout) -> go.Scatter:
    """Return the intervals of dots of one colour, as all those of a trace have one."""
    up = [None if dot.high is None or dot.value is None else dot.high - dot.value for dot in dots]
    down = [None if dot.low is None or dot.value is None else dot.value - dot.low for dot in dots]
    bars = spread(up, down, colour, thickness)
    return go.Scatter(x=[dot.value for dot in dots], y=[dot.row for dot in dots], error_x=bars, **UNSEEN, **on)


def _references(dots: Sequence[Dot], called: str, colours: Palette, on: Layout) -> go.Scatter:
    return go.Scatter(
        x=[dot.reference for dot in dots],
        y=[dot.row for dot in dots],
        mode="markers",
        name=called,
        marker={"symbol": "line-ns", "size": 20, "line": {"width": 2.5, "color": colours.muted}},
        hoverinfo="skip",
        **on,
    )


def _beside(chart: Dots, dots: Sequence[Dot], colours: Palette) -> list[Layout]:
    """Return texts to the right of the plot, so that no mark overlaps them."""
    return [
        {
            **heading(dot.text, colours, (1, 1)),
            "xanchor": "left",
            "xshift": 8,
            "y": chart.rows.index(dot.row),
            "yref": "y",
            "yanchor": "middle",
            "font": {"size": 12.5, "color": colours.text},
        }
        for dot in dots
        if dot.text
    ]
