"""Functions that build charts from frames: bars, medians with the middle half, and values with their intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final

import polars as pl

from dashboards.charts.chart import (
    Bar,
    BarPanel,
    Bars,
    Behind,
    Column,
    Columns,
    Dot,
    DotPanel,
    Dots,
    Line,
    LinePanel,
    Lines,
    Series,
    finite,
)
from dashboards.charts.theme import Palette, players_of, pools_begin, styles
from dashboards.stats import words
from dashboards.stats.words import confidence

__all__ = [
    "Course",
    "Panel",
    "by_part",
    "counted",
    "histogram",
    "in_points",
    "interval_panels",
    "intervals",
    "middle_half",
    "number",
    "percent_label",
    "stacked",
    "stacked_parts",
]


def stacked(
    frame: pl.DataFrame,
    parts: Mapping[str, str],
    hues: Sequence[str],
    *,
    rows: str = "player",
    whole: pl.Series | None = None,
    part: str = "",
    hover: Mapping[tuple[str, str], str] | None = None,
) -> Bars:
    """Return a chart with one bar per row, split into the columns in `parts` (column → label).

    With `whole` (one value per row), bars show shares of it; otherwise a bar is as long as the sum of its parts. `part`
    is the column that was pivoted into the columns. `hover` maps row and column to a part's hover text.
    """
    names = frame[rows].to_list()
    found = []
    for (column, name), hue in zip(parts.items(), hues, strict=False):
        bars = []
        for place, row in enumerate(frame.iter_rows(named=True)):
            value = float(row[column] or 0)
            total = float(whole[place]) if whole is not None else 1.0
            share = value / total if total else 0.0
            text = hover[names[place], column] if hover else f"{value:,.0f} of {total:,.0f} ({share:.1%})"
            bars.append(
                Bar(
                    names[place],
                    share,
                    hue,
                    f"{value:.1f}" if whole is None else f"{share:.0%}",
                    f"{names[place]}, {name}: {text}",
                    {**row, part: column},
                )
            )
        found.append(Series(name, tuple(bars)))
    return Bars(tuple(names), (BarPanel("", tuple(found)),), is_share=whole is not None)


def stacked_parts(
    frame: pl.DataFrame,
    part: str,
    value: str,
    parts: Mapping[str, str],
    hues: Sequence[str],
    *,
    shown: Callable[[float], str],
    is_share: bool = False,
) -> Bars:
    """Return a chart with a bar per player, from a frame with one row per player and part.

    Parts that no player has are left out. If no player has any part, all are kept and bars have no length. Players are
    sorted by the sum of their parts, unless the parts are shares.
    """
    rows = frame.filter(pl.col(part).is_in(list(parts)))
    had = rows.filter(pl.col(value) > 0)
    present = {key: name for key, name in parts.items() if key in set((rows if had.is_empty() else had)[part])}
    some = rows.filter(pl.col(part).is_in(list(present)))
    wide = some.pivot(part, index="player", values=value, maintain_order=True)
    if not is_share:
        wide = wide.sort(pl.sum_horizontal(*present), "player", descending=[True, False])
    columns = ("player", part, value, f"{value}_low", f"{value}_high")
    hover = {
        (player, key): shown(middle or 0)
        + (f", {confidence(shown(low), shown(high))}" if low is not None and isfinite(low) else "")
        for player, key, middle, low, high in frame.select(columns).iter_rows()
    }
    whole = pl.Series([1.0] * wide.height) if is_share else None
    used = [hue for key, hue in zip(parts, hues, strict=False) if key in present]
    return stacked(wide, present, used, part=part, whole=whole, hover=hover)


def counted(
    labels: Sequence[str], counts: Sequence[int], hues: Sequence[str], *, hover: Sequence[str], behind: Sequence[Behind]
) -> Bars:
    """Return a chart with one bar per kind and its count to the right of the bar."""
    bars = (
        Bar(label, count, hue, f"{count:,}", text, row)
        for label, count, hue, text, row in zip(labels, counts, hues, hover, behind, strict=True)
    )
    return Bars(tuple(labels), (BarPanel("", (Series("", tuple(bars)),)),), is_share=False)


def histogram(
    frame: pl.DataFrame, at: str, count: str, share: str, colours: Palette, *, heading: str, unit: str = "matches"
) -> Columns:
    """Return a chart of how often each value (column `at`) occurred, with the median marked.

    `count` is the column with the frequency. The interval of a frequency is scaled from the interval of the column
    `share`.
    """
    total = frame[count].sum()
    columns, middle, passed = [], None, 0
    for row in frame.sort(at).iter_rows(named=True):
        number = row[count]
        passed += number
        middle = row[at] if middle is None and 2 * passed >= total else middle
        low, high = (_scaled(number, row[f"{share}{end}"], row[share]) for end in ("_low", "_high"))
        hover = f"{heading} {row[at]:,}: {number:,} of {total:,} {unit} ({number / (total or 1):.1%})"
        columns.append(Column(row[at], (number,), hover, "", low, high))
    return Columns(tuple(columns), (("", colours.accent),), heading, ",", median=middle)


def _scaled(count: int, end: float | None, share: float | None) -> float | None:
    """Return a bound of a count, scaled from the bound of its share."""
    bound = finite(end)
    return count * bound / share if bound is not None and share else None


@dataclass(frozen=True, slots=True)
class Course:
    """Line charts from frames with one row per player and kind (and round).

    - `key`: the column of kinds, which are listed in `kinds` with their labels.
    - `value`: the metric; the chart draws its quartiles.
    - `word`: the game's word for a round; `ticks`: the rounds labelled on the axis.
    - `hues`: a colour per kind; without it, lines have the player's colour.
    """

    key: str
    kinds: tuple[tuple[str, str], ...]
    value: str
    word: str
    ticks: tuple[int, ...]
    hues: Callable[[Palette], Sequence[str]] | None = None

    def by_round(self, frame: pl.DataFrame, colours: Palette) -> Lines:
        """Return a chart with one panel for each player (rows) and kind (columns)."""
        return self._lines(frame, colours, is_overlaid=False)

    def overlaid(self, frame: pl.DataFrame, colours: Palette) -> Lines:
        """Return a chart with one panel per kind, in which the lines of a few players overlap."""
        return self._lines(frame, colours, is_overlaid=True)

    def _lines(self, frame: pl.DataFrame, colours: Palette, *, is_overlaid: bool) -> Lines:
        players = players_of(frame.sort("player"))
        looks = styles(players, colours)
        parts = frame.partition_by("player", self.key, as_dict=True)
        hues = self.hues(colours) if self.hues and not is_overlaid else None
        panels: dict[tuple[str, str], LinePanel] = {}
        for nth, (kind, called) in enumerate(self.kinds):
            most = max([*frame.filter(pl.col(self.key) == kind)[f"{self.value}_upper"], 1.0]) * 1.08
            for player in players:
                if (player, kind) not in parts:
                    continue
                colour, shape, dash = looks[player]
                line = self._line(parts[player, kind].sort("round"), hues[nth] if hues else colour, shape, dash)
                row = "" if is_overlaid else player
                before = panels[row, called].lines if (row, called) in panels else ()
                panels[row, called] = LinePanel(row, called, (*before, line), most)
        rounds = frame["round"].to_list()
        first, last = min(rounds), max(rounds)
        ticks = tuple(number for number in self.ticks if first <= number <= last) or (first,)
        columns = tuple(called for _, called in self.kinds)
        rows = ("",) if is_overlaid else tuple(players)
        extent = (first, max(last, first + 1))
        return Lines(rows, columns, tuple(panels.values()), self.word, ticks, extent, is_overlaid)

    def _line(self, rows: pl.DataFrame, colour: str, shape: str, dash: str) -> Line:
        low, middle, high = (tuple(rows[f"{self.value}_{end}"]) for end in ("lower", "median", "upper"))
        found = rows.to_dicts()
        hover = tuple(
            f"{row['player']} after {self.word} {row['round']}: median {row[f'{self.value}_median']:g}, middle half"
            f" {row[f'{self.value}_lower']:g} to {row[f'{self.value}_upper']:g}, mean {row[self.value]:.1f}"
            for row in found
        )
        return Line(
            rows["player"][0], colour, shape, dash, tuple(rows["round"]), low, middle, high, hover, tuple(found)
        )


MEDIAN_KEY: Final = "dot: median; bar: middle half"
MIDDLE_HALF: Final = "middle half"
EQUAL: Final = "equal strength"
Format = Callable[[float], str]
Mark = tuple[str, str]
"""Colour and shape of a mark."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several panels with the same rows: heading, rows, the column shown, and its number format.

    `shape` is for rows that are not players, `colour` applies to all rows; by default players have their own.
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
    """Return a chart of one value per row with its interval, and the number to its right.

    `reference` is a column with the value to compare each row with, `called` its name in the key. `marks` are colour
    and shape for each row, by default the player's.
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
    """Return a chart of several values for the same rows, each in a panel with its own axis.

    Rows are in the order in which they first occur in the panels, and a panel may lack some rows. `None` leaves a gap
    between panels.
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
    """Return a panel that shows the median of a column with its middle half."""
    named = {f"{column}_lower": f"{column}_median_low", f"{column}_upper": f"{column}_median_high"}
    frame = panel.frame.drop(name for name in named.values() if name in panel.frame.columns).rename(named)
    return replace(panel, frame=frame, column=f"{column}_median", bounds=MIDDLE_HALF)


def by_part(frame: pl.DataFrame, key: str, column: str, shown: Format, ticks: str = "") -> list[Panel]:
    """Return one panel for each value of the column `key`, in row order."""
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
    """Return a dot per row; a row without bounds shows its value without an interval."""
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
    """Return a frame with a difference of shares and its bounds converted to percentage points."""
    return frame.with_columns(pl.col(column, f"{column}_low", f"{column}_high") * 100)


def percent_label(value: float) -> str:
    """Format a share: 31.4%."""
    return f"{value:.1%}"


def number(value: float) -> str:
    """Format a mean: 12.3."""
    if abs(value) < 10:
        return words.plain(value, 2)
    return f"{value:z,.1f}".replace("-", "\N{MINUS SIGN}")
