"""Charts of values with their intervals: one row per player, pair or seat, one panel per value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from dashboards.charts.chart import Behind, Dot, DotPanel, Dots, finite
from dashboards.charts.players import pools_begin, styles
from dashboards.charts.theme import Palette
from dashboards.stats import words

__all__ = ["Panel", "by_part", "in_points", "interval_panels", "intervals", "middle_half", "number", "percent"]

MEDIAN_KEY: Final = "dot: median; bar: middle half"
MIDDLE_HALF: Final = "middle half"
EQUAL: Final = "equal strength"
Format = Callable[[float], str]
Mark = tuple[str, str]
"""Colour and shape."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several panels that share their rows: its heading, its rows, the column shown, how numbers are written.

    `shape` is that of rows that are not players, `colour` that of all rows; without it players have their own.
    """

    heading: str
    frame: pl.DataFrame
    column: str
    shown: Format
    ticks: str = ""
    bounds: str = "95% CI"
    shape: str = "circle"
    colour: str = ""


def intervals(
    frame: pl.DataFrame,
    column: str,
    colours: Palette,
    *,
    rows: str = "player",
    shown: Format,
    ticks: str = "",
    reference: str = "",
    called: str = EQUAL,
    behind: Sequence[Behind] | None = None,
    marks: Sequence[Mark] | None = None,
) -> Dots:
    """Return a chart of one value per row with its interval, and the value to its right.

    `reference` is a column of what each value is compared with, `called` what that is. `marks` are colour and shape of
    each row, by default those of the player.
    """
    names = [str(name) for name in frame[rows]]
    marks = marks or _of_players(names, colours)
    compared = frame[reference].to_list() if reference else [None] * len(names)
    panel = Panel("", frame, column, shown, ticks)
    dots = [
        replace(
            dot,
            hover=dot.hover if other is None else f"{dot.hover}; {called} {shown(other)}",
            text="" if dot.value is None else shown(dot.value),
            reference=other,
            behind=row or dot.behind,
        )
        for dot, other, row in zip(_dots(panel, rows, marks), compared, behind or [""] * len(names), strict=True)
    ]
    drawn = DotPanel("", tuple(dots), ticks)
    return Dots(tuple(names), (drawn,), reference=called if reference else "", apart=tuple(pools_begin(frame)))


def interval_panels(
    parts: Sequence[Panel | None], colours: Palette, *, rows: str = "player", in_a_line: int = 6
) -> Dots:
    """Return a chart of several values of the same rows, each in a panel with its own axis.

    Rows keep the order of the panels; a panel may lack some. None leaves a gap.
    """
    names = list(dict.fromkeys(str(name) for part in parts if part for name in part.frame[rows]))
    players = dict(zip(names, _of_players(names, colours), strict=True)) if rows == "player" else {}
    panels: list[DotPanel | None] = []
    for part in parts:
        if part is None:
            panels.append(None)
            continue
        own = [players.get(str(name), (colours.accent, part.shape)) for name in part.frame[rows]]
        marks = [(part.colour or colour, shape) for colour, shape in own]
        panels.append(DotPanel(part.heading, tuple(_dots(part, rows, marks)), part.ticks, part.bounds == MIDDLE_HALF))
    has_key = any(part and part.bounds == MIDDLE_HALF and MIDDLE_HALF not in part.heading for part in parts)
    return Dots(tuple(names), tuple(panels), min(len(parts), in_a_line), key=MEDIAN_KEY if has_key else "")


def middle_half(panel: Panel, column: str) -> Panel:
    """Return a panel of the median of a column with its middle half."""
    named = {f"{column}_lower": f"{column}_median_low", f"{column}_upper": f"{column}_median_high"}
    frame = panel.frame.drop(name for name in named.values() if name in panel.frame.columns).rename(named)
    return replace(panel, frame=frame, column=f"{column}_median", bounds=MIDDLE_HALF)


def by_part(frame: pl.DataFrame, key: str, column: str, shown: Format, ticks: str = "") -> list[Panel]:
    """Return a panel for each value of a column, in the order of the rows."""
    values = frame[key].unique(maintain_order=True).to_list()
    return [
        Panel(_heading(value), frame.filter(pl.col(key).eq_missing(value)), column, shown, ticks) for value in values
    ]


def _heading(value: object) -> str:
    text = str(value).replace("_", " ")
    return text[:1].upper() + text[1:]


def _of_players(names: Sequence[str], colours: Palette) -> list[Mark]:
    looks = styles(names, colours)
    return [looks[name][:2] for name in names]


def _dots(part: Panel, rows: str, marks: Sequence[Mark]) -> list[Dot]:
    """Return a dot per row; without columns of bounds a value is its own."""
    ends = (f"{part.column}{end}" for end in ("_low", "_high"))
    lower, upper = (end if end in part.frame.columns else part.column for end in ends)
    dots = []
    for name, row, mark in zip(part.frame[rows], part.frame.to_dicts(), marks, strict=True):
        value, least, most = row[part.column], finite(row[lower]), finite(row[upper])
        prefix = f"{name}, {part.heading}: " if part.heading else f"{name}: "
        text = prefix + _hover(least, value, most, part.shown, part.bounds)
        dots.append(Dot(str(name), value, least, most, *mark, text, row))
    return dots


def _hover(low: float | None, middle: float | None, high: float | None, shown: Format, bounds: str) -> str:
    if middle is None:
        return "none"
    if low is None or high is None:
        return f"{shown(middle)}; too few seeds, so no interval"
    return shown(middle) if low == middle == high else f"{shown(middle)}, {bounds} {shown(low)} to {shown(high)}"


def in_points(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return a frame with a difference of shares and its bounds in points, hundredths of the whole."""
    return frame.with_columns(pl.col(column, f"{column}_low", f"{column}_high") * 100)


def percent(value: float) -> str:
    """Write a share: 31.4%."""
    return f"{value:.1%}"


def number(value: float) -> str:
    """Write a mean: 12.3."""
    if abs(value) < 10:
        return words.plain(value, 2)
    return f"{value:,.1f}".replace("-", "\N{MINUS SIGN}")
