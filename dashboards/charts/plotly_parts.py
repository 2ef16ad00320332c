"""Parts of Plotly figures: the common layout, axes and headings; values with their intervals."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import cos, radians, sin
from typing import Any, Final

import plotly.graph_objects as go

from dashboards.charts.axes import Scale
from dashboards.charts.chart import Behind, Dot, Dots
from dashboards.charts.theme import FONT, Palette

__all__ = [
    "LEGEND",
    "UNSEEN",
    "Layout",
    "axis",
    "below",
    "domains",
    "figure",
    "heading",
    "hover",
    "label",
    "median_mark",
    "names_axis",
    "nth",
    "numbers",
    "places_of",
    "plotly_dots",
    "room_above",
    "room_beside",
    "rule_above",
    "spread",
]


LONG: Final = 19
Layout = dict[str, Any]
LEGEND: Final[Layout] = {
    "orientation": "h",
    "x": 0,
    "y": 1,
    "yanchor": "bottom",
    "font": {"size": 12},
    "itemclick": False,
    "itemdoubleclick": False,
    "traceorder": "normal",
}
UNSEEN: Final[Layout] = {"mode": "markers", "marker": {"opacity": 0}, "hoverinfo": "skip", "showlegend": False}
"""Settings of a trace that draws only intervals, with invisible marks."""


def figure(traces: Sequence[Any], colours: Palette, height: float, *, least: int = 0, **more: Any) -> go.Figure:
    """Return a figure in the common layout; it scrolls if less than `least` pixels wide."""
    layout = {
        "template": "none",
        "height": round(height),
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": colours.text},
        "hoverlabel": {
            "bgcolor": colours.card,
            "bordercolor": colours.border,
            "font": {"family": FONT, "size": 12, "color": colours.text},
        },
        "legend": LEGEND,
        "dragmode": False,
        "hovermode": "closest",
        "uniformtext": {"minsize": 11, "mode": "hide"},
        "meta": {"least": least},
    }
    return go.Figure(list(traces), {**layout, **more})


def axis(colours: Palette, **more: Any) -> Layout:
    """Return a numeric axis."""
    return {
        "gridcolor": colours.grid,
        "linecolor": colours.border,
        "zeroline": False,
        "tickfont": {"color": colours.muted, "size": 12},
        "fixedrange": True,
        "automargin": True,
        **more,
    }


def numbers(scale: Scale, form: str, most: int) -> Layout:
    """Return the ticks of a numeric axis, the same as on paper (formats: see `Scale.ticks`)."""
    places, texts = zip(*scale.ticks(form, most), strict=True)
    return {"tickvals": list(places), "ticktext": list(texts)}


def places_of(names: Sequence[str]) -> dict[str, int]:
    """Map names to their places on an axis.

    Plotly gets numbers with tick texts: its axes of categories fail on names like `constructor`, which are properties
    of every JavaScript object, and treat names that look like numbers as numbers.
    """
    return {name: place for place, name in enumerate(names)}


def names_axis(colours: Palette, names: Sequence[str], **more: Any) -> Layout:
    """Return a vertical axis of names with half a row of margin, so that all rows have the same height."""
    return axis(
        colours,
        showgrid=False,
        ticks="",
        ticklabelstandoff=8,
        tickvals=list(range(len(names))),
        ticktext=[label(name) for name in names],
        ticklabeloverflow="allow",
        range=[len(names) - 0.5, -0.5],
        **{"tickfont": {"color": colours.text, "size": 13}, **more},
    )


def label(name: str) -> str:
    """Return a name as an axis label: a long name is split into two lines, then shortened."""
    lines = [""]
    for part in re.findall(r".[^ :·_-]*", name):
        if len(lines[-1]) + len(part) <= LONG or not lines[-1]:
            lines[-1] += part
        else:
            lines.append(part.lstrip())
    if len(lines) > 2:
        lines = [lines[0], lines[1] + "…"]
    cut = (line if len(line) <= LONG + 2 else line[:LONG] + "…" for line in lines)
    return "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;") for line in cut)


def spread(up: Sequence[float | None], down: Sequence[float | None], colour: str, thickness: float) -> Layout:
    """Return error bars that reach `up` and `down` from a trace's marks; `None` draws none."""
    shape = {"type": "data", "symmetric": False, "width": 0}
    return {**shape, "array": list(up), "arrayminus": list(down), "color": colour, "thickness": thickness}


def rule_above(row: int, colours: Palette) -> Layout:
    """Return a line above a row; it separates pools of players that never met."""
    ends = {"x0": 0, "x1": 1, "y0": row - 0.5, "y1": row - 0.5}
    return {"type": "line", "xref": "paper", **ends, "line": {"color": colours.muted, "width": 1, "dash": "dot"}}


def heading(text: str, colours: Palette, domain: tuple[float, float]) -> Layout:
    """Return the heading of a panel."""
    return {
        "text": text,
        "x": sum(domain) / 2,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": colours.text},
    }


def below(text: str, colours: Palette) -> Layout:
    """Return the explanation of dots and intervals, placed below the axes."""
    place = {"x": 0, "xanchor": "left", "y": 0, "yshift": -20, "yanchor": "top"}
    return {**heading(text, colours, (0, 0)), **place, "font": {"size": 11, "color": colours.muted}}


def median_mark(at: float, colours: Palette) -> Layout:
    """Return the layout for a line that marks the median of columns."""
    line = {"color": colours.text, "width": 1.5, "dash": "dot"}
    text = {**heading(f"median {at:g}", colours, (at, at)), "xref": "x", "font": {"size": 12, "color": colours.text}}
    shape = {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": line}
    return {"shapes": [shape], "annotations": [text]}


def domains(count: int, gap: float) -> list[tuple[float, float]]:
    """Divide an axis of the figure into `count` parts, separated by a gap."""
    width = (1 - gap * (count - 1)) / count
    return [(max(0.0, place * (width + gap)), min(1.0, place * (width + gap) + width)) for place in range(count)]


def nth(name: str, place: int) -> str:
    """Return Plotly's id of an axis: x, x2, x3 and so on."""
    return name if place == 0 else f"{name}{place + 1}"


def room_above(columns: Sequence[str], angle: int) -> int:
    """Return the height in pixels that column names need, which is added to the height of the rows."""
    lines = [label(name).split("<br>") for name in columns]
    longest = 7 * max(map(len, chain.from_iterable(lines)), default=0)
    most = 16 * max(map(len, lines), default=0)
    return round(longest * sin(radians(angle)) + most * cos(radians(angle)))


def room_beside(names: Sequence[str]) -> int:
    """Return the width in pixels that the labels of names need."""
    return 8 * max((len(line) for name in names for line in label(name).split("<br>")), default=0)


def hover(marks: Sequence[Any], address: Callable[[Behind], str]) -> Layout:
    """Return the hover texts of marks, and their links."""
    return {
        "customdata": [mark.hover for mark in marks],
        "hovertemplate": "%{customdata}<extra></extra>",
        "meta": {"narrow": [address(mark.behind) for mark in marks]},
    }


ROW: Final = 36
"""Height of a row in pixels, enough for a name in two lines."""
GAP: Final = 54
"""Pixels between two lines of panels: enough for axis numbers and the headings below."""
KEY: Final = 24
"""Height in pixels of the key below the axes that explains medians."""
Address = Callable[[Behind], str]
Rows = Mapping[str, int]
"""Names of a chart's rows, mapped to their places on the axis."""


def plotly_dots(chart: Dots, colours: Palette, address: Address) -> go.Figure:
    """Return panels of values as a figure; `address` returns the link of a mark."""
    many = chart.in_a_line
    lines = -(-len(chart.panels) // many)
    across = domains(many, min(0.06, 0.3 / many))
    each = GAP + ROW * len(chart.rows)
    down = domains(lines, GAP / (each * lines - GAP))[::-1]
    rows = places_of(chart.rows)
    traces: list[go.Scatter] = []
    axes: Layout = {}
    texts: list[Layout] = []
    for place, panel in enumerate(chart.panels):
        if panel is None:
            continue
        line, column = divmod(place, many)
        on = {"xaxis": nth("x", place), "yaxis": nth("y", place)}
        if chart.reference:
            traces.append(_references(panel.dots, rows, chart.reference, colours, on))
        for colour in dict.fromkeys(dot.colour for dot in panel.dots):
            of_colour = [dot for dot in panel.dots if dot.colour == colour]
            traces.append(_intervals(of_colour, rows, colour, 7 if panel.is_thick else 3, on))
        traces.append(_marks(panel.dots, rows, colours, address, on))
        axes[nth("xaxis", place)] = axis(
            colours,
            domain=across[column],
            anchor=on["yaxis"],
            rangemode="tozero",
            tickangle=0,
            **numbers(panel.scale(0, 1), panel.ticks, 4),
            zeroline=True,
            zerolinecolor=colours.muted,
        )
        axes[nth("yaxis", place)] = names_axis(
            colours, chart.rows, domain=down[line], anchor=on["xaxis"], showticklabels=column == 0
        )
        if panel.heading:
            texts.append({**heading(panel.heading, colours, across[column]), "y": down[line][1]})
        texts += _beside(panel.dots, rows, colours)
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


def _marks(dots: Sequence[Dot], rows: Rows, colours: Palette, address: Address, on: Layout) -> go.Scatter:
    return go.Scatter(
        x=[dot.value for dot in dots],
        y=[rows[dot.row] for dot in dots],
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


def _intervals(dots: Sequence[Dot], rows: Rows, colour: str, thickness: int, on: Layout) -> go.Scatter:
    """Return the intervals of dots with one colour, because Plotly colours all intervals of a trace alike."""
    up = [None if dot.high is None or dot.value is None else dot.high - dot.value for dot in dots]
    down = [None if dot.low is None or dot.value is None else dot.value - dot.low for dot in dots]
    bars = spread(up, down, colour, thickness)
    return go.Scatter(x=[dot.value for dot in dots], y=[rows[dot.row] for dot in dots], error_x=bars, **UNSEEN, **on)


def _references(dots: Sequence[Dot], rows: Rows, called: str, colours: Palette, on: Layout) -> go.Scatter:
    return go.Scatter(
        x=[dot.reference for dot in dots],
        y=[rows[dot.row] for dot in dots],
        mode="markers",
        name=called,
        marker={"symbol": "line-ns", "size": 20, "line": {"width": 2.5, "color": colours.muted}},
        hoverinfo="skip",
        **on,
    )


def _beside(dots: Sequence[Dot], rows: Rows, colours: Palette) -> list[Layout]:
    """Return texts to the right of the plot, so that no mark overlaps them."""
    return [
        {
            **heading(dot.text, colours, (1, 1)),
            "xanchor": "left",
            "xshift": 8,
            "y": rows[dot.row],
            "yref": "y",
            "yanchor": "middle",
            "font": {"size": 12.5, "color": colours.text},
        }
        for dot in dots
        if dot.text
    ]
