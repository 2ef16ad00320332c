"""Charts as records: kind, series, marks, axes, labels and links; independent of Plotly and SVG."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import polars as pl

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
"""The keys of an address, and their values, that leave only the matches of a row of a figure."""
KEYS: Final = {
    "player": "player",
    "other": "with",
    "version": "version",
    "tournament": "tournament",
    "players": "players",
    "seat": "seat",
    "match": "find",
}
"""Columns that mean the same in the frames of all figures, and the key of an address that chooses their value."""


def of_all_alike(_: Row) -> dict[str, str]:
    """Say that only player, table and seat narrow a filter to the matches of a row."""
    return {}


def narrowing(**keys: Any) -> str:
    """Return the part of an address that narrows a filter: `narrowing(player="trader", result="won")`."""
    return urlencode([(key, str(value)) for key, value in keys.items() if value is not None])


def of_row(row: Row | str, narrows: Narrows = of_all_alike) -> str:
    """Return the part of an address that narrows a filter to a row; `narrows` is what its figure knows besides.

    What is such a part already stays as it is.
    """
    if isinstance(row, str):
        return row
    pairs = {key: row[column] for column, key in KEYS.items() if row.get(column) is not None}
    if "seat" in pairs:
        pairs["seat"] += 1
    return narrowing(**pairs, **narrows(row))


def of_participants(participants: Iterable[Participant]) -> Callable[[str], str]:
    """Return what makes of a row's part of an address one that filters know: what leaves the participants it names.

    Matches are found by which players sat together, not by their settings, so such others are left out.
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
