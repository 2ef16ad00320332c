"""How every Plotly figure looks."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.theme import FONT, Palette

__all__ = [
    "MEDIAN_ROOM",
    "Drawing",
    "Narrows",
    "Row",
    "aside",
    "axis",
    "label",
    "layout",
    "median_key",
    "names_axis",
    "nth",
    "of_all_alike",
    "panels",
    "readable",
    "see_through",
    "spread",
    "title",
]

Drawing = Callable[[pl.DataFrame, Palette], go.Figure]
Row = Mapping[str, Any]
Narrows = Callable[[Row], Mapping[str, str]]
"""The keys of an address, and their values, that leave only the matches of a row of a figure."""
"""How a figure is drawn: frame and colours in, figure out."""

LONG: Final = 19
MEDIAN_ROOM: Final = 24
"""Pixels that the key of medians takes below the axes."""
MOST_LINES: Final = 2


def layout(colours: Palette, height: int, **more: Any) -> dict[str, Any]:
    """Return the layout that figures share, in one colour scheme."""
    return {
        "template": "none",
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": colours.text},
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "hoverlabel": {
            "bgcolor": colours.card,
            "bordercolor": colours.border,
            "font": {"family": FONT, "size": 12, "color": colours.text},
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "font": {"size": 12},
            "itemclick": False,
            "itemdoubleclick": False,
            "traceorder": "normal",
        },
        "dragmode": False,
        "hovermode": "closest",
        "uniformtext": {"minsize": 11, "mode": "hide"},
        **more,
    }


def axis(colours: Palette, **more: Any) -> dict[str, Any]:
    """Return an axis of numbers."""
    return {
        "gridcolor": colours.grid,
        "linecolor": colours.border,
        "zeroline": False,
        "tickfont": {"color": colours.muted, "size": 12},
        "fixedrange": True,
        "automargin": True,
        **more,
    }


def names_axis(colours: Palette, names: Sequence[str] = (), **more: Any) -> dict[str, Any]:
    """Return an axis of names, in the order of the rows, downwards."""
    named: dict[str, Any] = {}
    if names:
        in_order = {"categoryorder": "array", "categoryarray": list(names)}
        named = {**in_order, "tickvals": list(names), "ticktext": [label(name) for name in names]}
    # half a row above and below, so that rows are as high whatever is drawn in them
    extent = {"range": [len(names) - 0.5, -0.5]} if names else {"autorange": "reversed"}
    return axis(
        colours,
        **{
            "type": "category",
            "showgrid": False,
            "ticks": "",
            "ticklabelstandoff": 8,
            "tickfont": {"color": colours.text, "size": 13},
            **named,
            **extent,
            **more,
        },
    )


def label(name: str) -> str:
    """Write a name for an axis: a long one in two lines, broken where its parts end; a longer one is cut."""
    lines = [""]
    for part in re.findall(r".[^ :·_-]*", name):
        if len(lines[-1]) + len(part) <= LONG or not lines[-1]:
            lines[-1] += part
        else:
            lines.append(part.lstrip())
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1] + "…"]
    cut = (line if len(line) <= LONG + 2 else line[:LONG] + "…" for line in lines)
    return "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;") for line in cut)


def aside(texts: Sequence[str], colours: Palette) -> list[dict[str, Any]]:
    """Return texts to the right of a panel, one per row, where nothing can lie under them.

    A row is named by its number, for Plotly takes names that look like numbers for such.
    """
    return [
        {
            "text": text,
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 8,
            "y": row,
            "yref": "y",
            "showarrow": False,
            "font": {"size": 12.5, "color": colours.text},
        }
        for row, text in enumerate(texts)
    ]


def spread(low: pl.Series, middle: pl.Series, high: pl.Series, colour: str, thickness: int) -> dict[str, Any]:
    """Return bars from low to high around the middle."""
    return {
        "type": "data",
        "symmetric": False,
        "array": _finite(high - middle),
        "arrayminus": _finite(middle - low),
        "color": colour,
        "thickness": thickness,
        "width": 0,
    }


def nth(name: str, place: int) -> str:
    """Return Plotly's name of an axis: x, x2, x3 and so on."""
    return name if place == 0 else f"{name}{place + 1}"


def see_through(colour: str, strength: float) -> str:
    """Return a colour given as #rrggbb so much opaque."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{strength:g})"


def readable(on: str) -> str:
    """Return the colour of text that reads on a colour: black or white, by the contrast of WCAG 2.2."""
    parts = [int(on[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def _finite(values: pl.Series) -> list[float | None]:
    """Return lengths of bars; none where an interval has no end, which is then not drawn."""
    return [value if value is not None and isfinite(value) else None for value in values.to_list()]


def panels(count: int, gap: float) -> list[tuple[float, float]]:
    """Divide an axis of the paper into so many parts with a gap between them."""
    width = (1 - gap * (count - 1)) / count
    return [(max(0.0, place * (width + gap)), min(1.0, place * (width + gap) + width)) for place in range(count)]


def median_key(colours: Palette) -> dict[str, Any]:
    """Return what dots and bars of medians mean, below the axes."""
    return {
        "text": "dot: median; bar: middle half",
        "x": 0,
        "y": 0,
        "yshift": -20,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "top",
        "showarrow": False,
        "font": {"size": 11, "color": colours.muted},
    }


def title(text: str, colours: Palette, domain: tuple[float, float]) -> dict[str, Any]:
    """Return the title over a panel."""
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


def of_all_alike(_: Row) -> dict[str, str]:
    """Say that only player, table and seat narrow a filter to the matches of a row."""
    return {}
