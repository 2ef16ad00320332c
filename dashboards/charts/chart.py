"""Charts as records: kind, series, marks, axes and labels, independent of Plotly and SVG.

`to_plotly` draws a chart for pages, `to_svg` for print. Colours are `#rrggbb`. `hover` is a mark's hover text. `behind`
links a mark to its matches: the row of a frame, or the part of an address that narrows a filter to them (`narrow.py`).
`ticks` is the number format of an axis, in the language that Python and D3 share (`.0%`); empty for plain numbers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import polars as pl

from dashboards.charts.theme import Palette

__all__ = [
    "Bar",
    "BarPanel",
    "Bars",
    "Behind",
    "Cell",
    "Chart",
    "Column",
    "Columns",
    "Dot",
    "DotPanel",
    "Dots",
    "Drawing",
    "Line",
    "LinePanel",
    "Lines",
    "Matrix",
    "Series",
    "finite",
]

Behind = Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class Dot:
    """A value in a row, with an interval if both its ends are known; `text` is written to the right.

    `shape` is one of `players.SHAPES`, filled as one of `players.FILLS` says. `reference` is what the value is
    compared with.
    """

    row: str
    value: float | None
    low: float | None
    high: float | None
    colour: str
    shape: str
    hover: str
    behind: Behind
    text: str = ""
    reference: float | None = None


@dataclass(frozen=True, slots=True)
class DotPanel:
    """Dots that share an axis; `is_thick`: their intervals are middle halves."""

    heading: str
    dots: tuple[Dot, ...]
    ticks: str = ""
    is_thick: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """Values with intervals: panels that share their rows, `in_a_line` next to each other; None is a gap.

    `reference` is what the values are compared with, `key` explains dots and intervals. A line is drawn above each of
    the rows `apart`, by number.
    """

    rows: tuple[str, ...]
    panels: tuple[DotPanel | None, ...]
    in_a_line: int = 1
    reference: str = ""
    key: str = ""
    apart: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of a row's bar; `text` is written on it if there is room, or after it if the row has a single part."""

    row: str
    length: float
    colour: str
    text: str
    hover: str
    behind: Behind


@dataclass(frozen=True, slots=True)
class Series:
    """One part of each row's bar; without a name it is not in the key to colours."""

    name: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Bars of some of the rows, all of the same parts."""

    heading: str
    parts: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Level bars: panels that share rows, parts and axis, which ends at 1 for shares of a whole."""

    rows: tuple[str, ...]
    panels: tuple[BarPanel, ...]
    is_share: bool


@dataclass(frozen=True, slots=True)
class Column:
    """An upright bar at a number, its parts from below, with the interval of the whole if it has one."""

    at: float
    parts: tuple[float, ...]
    hover: str
    behind: Behind
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Upright bars along an axis of numbers that `heading` names.

    `parts` are the name and colour of each part, `width` is that of a bar on the axis, `median` is marked.
    """

    columns: tuple[Column, ...]
    parts: tuple[tuple[str, str], ...]
    heading: str
    ticks: str
    width: float = 1
    median: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A value where a row meets a column; `below` is its interval, printed under it on paper."""

    row: str
    column: str
    value: float
    text: str
    hover: str
    behind: Behind
    below: str = ""
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of coloured cells: values from `least` to `most` have the colours of `scale`, places from 0 to 1.

    `heads` say what rows and columns are.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[Cell, ...]
    scale: tuple[tuple[float, str], ...]
    least: float
    most: float
    heads: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Line:
    """A line through medians, `x` by `middle`, with a band from `low` to `high`; `dash` is one of `players.DASHES`."""

    name: str
    colour: str
    shape: str
    dash: str
    x: tuple[int, ...]
    low: tuple[float, ...]
    middle: tuple[float, ...]
    high: tuple[float, ...]
    hover: tuple[str, ...]
    behind: tuple[Behind, ...]


@dataclass(frozen=True, slots=True)
class LinePanel:
    """The lines of one row and column; its axis ends at `most`."""

    row: str
    column: str
    lines: tuple[Line, ...]
    most: float


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines in panels, side by side by column and below each other by row.

    With `has_key` the lines of a panel overlap and a key names them. `heading` is what `x` counts,
    `ticks` are the numbers that its axis names, `extent` are its ends.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    panels: tuple[LinePanel, ...]
    heading: str
    ticks: tuple[int, ...]
    extent: tuple[int, int]
    has_key: bool = False


def finite(value: float | None) -> float | None:
    """Return the end of an interval; None where it has none."""
    return value if value is not None and isfinite(value) else None


Chart = Dots | Bars | Columns | Matrix | Lines
Drawing = Callable[[pl.DataFrame, Palette], Chart]
"""How a figure is drawn: frame and colours in, chart out."""
