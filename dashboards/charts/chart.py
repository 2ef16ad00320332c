"""Chart data classes, independent of Plotly and SVG: kind, series, marks, axes, labels and links."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import polars as pl

from dashboards.charts.axes import Scale, scale_over
from dashboards.charts.theme import Palette
from dashboards.queries.participants import Participant

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
    "Narrows",
    "Row",
    "Series",
    "finite",
    "narrowing",
    "of_all_alike",
    "of_participants",
    "of_row",
]


Row = Mapping[str, Any]
Narrows = Callable[[Row], Mapping[str, str]]
"""Function that returns the filter keys and values that select the matches of a figure's row."""
KEYS: Final = {
    "player": "player",
    "other": "with",
    "version": "version",
    "tournament": "tournament",
    "players": "players",
    "seat": "seat",
    "match": "find",
}
"""Columns with the same meaning in all figures, mapped to the filter key in a page's address."""


def of_all_alike(_: Row) -> dict[str, str]:
    """Return no further filter keys: player, table size and seat already select the matches of a row."""
    return {}


def narrowing(**keys: Any) -> str:
    """Return filter keys and values as the query of an address: `narrowing(player="trader", result="won")`."""
    return urlencode([(key, str(value)) for key, value in keys.items() if value is not None])


def of_row(row: Row | str, narrows: Narrows = of_all_alike) -> str:
    """Return the query of an address that selects a row's matches; `narrows` adds the figure's own keys.

    If `row` is a string, it is already a query and is returned unchanged.
    """
    if isinstance(row, str):
        return row
    pairs = {key: row[column] for column, key in KEYS.items() if row.get(column) is not None}
    if "seat" in pairs:
        pairs["seat"] += 1
    return narrowing(**pairs, **narrows(row))


def of_participants(participants: Iterable[Participant]) -> Callable[[str], str]:
    """Return a function that turns a row, or the query of its address, into a query that filters understand.

    The query names participants; the function replaces them with keys that select their matches. Matches are found by
    which players sat together, not by settings. So settings of opponents are dropped.
    """
    keys = {each.name: (each.key, each.value) for each in participants}

    def translated(narrow: str) -> str:
        pairs = [
            keys.get(value, (key, value)) if key == "player" else (key, value)
            for key, value in parse_qsl(narrow)
            if key != "with" or value not in keys
        ]
        return urlencode(pairs)

    return translated if keys else str


Behind = Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class Dot:
    """A value in a row, with an interval if both bounds are known; `text` is written to the right.

    `shape` is one of `theme.SHAPES`, filled according to one of `theme.FILLS`. `reference` is the value to compare
    with.
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
    """Dots that share an axis; `is_thick` means that their intervals are middle halves."""

    heading: str
    dots: tuple[Dot, ...]
    ticks: str = ""
    is_thick: bool = False

    def scale(self, start: float, end: float) -> Scale:
        """Return the scale of the axis, from coordinate `start` to `end`."""
        ends = (end for dot in self.dots for end in (dot.value, dot.low, dot.high, dot.reference))
        return scale_over(ends, start, end)


@dataclass(frozen=True, slots=True)
class Dots:
    """Values with intervals, in panels that share their rows; `in_a_line` is the number of panels side by side.

    `None` among the panels is a gap. `reference` names the value to compare with, `key` explains dots and intervals.
    `apart` are the indices of rows with a line above.
    """

    rows: tuple[str, ...]
    panels: tuple[DotPanel | None, ...]
    in_a_line: int = 1
    reference: str = ""
    key: str = ""
    apart: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """Part of a row's bar. `text` is written on the part if there is room; with a single part, it follows the bar."""

    row: str
    length: float
    colour: str
    text: str
    hover: str
    behind: Behind


@dataclass(frozen=True, slots=True)
class Series:
    """Series of parts, one for each row's bar; a series without a name is not in the colour key."""

    name: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class BarPanel:
    """A panel of bars with the same parts; it may lack bars for some rows."""

    heading: str
    parts: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Horizontal bars: panels that share rows, parts and axis; the axis ends at 1 for shares of a whole."""

    rows: tuple[str, ...]
    panels: tuple[BarPanel, ...]
    is_share: bool


@dataclass(frozen=True, slots=True)
class Column:
    """Vertical bar at a position on a numeric axis: its parts from the bottom up, and the interval of the total."""

    at: float
    parts: tuple[float, ...]
    hover: str
    behind: Behind
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Vertical bars along a numeric axis labelled `heading`.

    `parts` are the name and colour of each part, `width` is a bar's width in axis units, and `median` is marked.
    """

    columns: tuple[Column, ...]
    parts: tuple[tuple[str, str], ...]
    heading: str
    ticks: str
    width: float = 1
    median: float | None = None

    def scale(self, start: float, end: float) -> Scale:
        """Return the scale of the vertical axis, from coordinate `start` to `end`."""
        return scale_over((end for column in self.columns for end in (sum(column.parts), column.high)), start, end)


@dataclass(frozen=True, slots=True)
class Cell:
    """The value in a row and column; `below` is its interval, printed under the value on paper."""

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
    """A table of coloured cells: `scale` maps values from `least` to `most` to colours.

    `heads` are the titles of the rows and the columns.
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
    """A line through medians (`x`, `middle`), with a band from `low` to `high`; `dash` is one of `theme.DASHES`."""

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
    """The lines in one row and column of the grid; the panel's axis ends at `most`."""

    row: str
    column: str
    lines: tuple[Line, ...]
    most: float


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines in a grid of panels.

    If `has_key` is true, the lines of a panel overlap and a key names them. `heading` labels the `x` axis, `ticks` are
    the labelled numbers on this axis, `extent` are its ends.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    panels: tuple[LinePanel, ...]
    heading: str
    ticks: tuple[int, ...]
    extent: tuple[int, int]
    has_key: bool = False


def finite(value: float | None) -> float | None:
    """Return the bound of an interval; `None` if it is infinite or missing."""
    return value if value is not None and isfinite(value) else None


Chart = Dots | Bars | Columns | Matrix | Lines
Drawing = Callable[[pl.DataFrame, Palette], Chart]
"""Function that draws a figure: it takes a frame and colours, and returns a chart."""
