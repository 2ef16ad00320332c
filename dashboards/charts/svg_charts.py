"""The kinds of charts in a report: dots with intervals, stacked bars, bars, matrices, lines with bands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from dashboards.charts.canvas import (
    PAD,
    WIDTH,
    About,
    Scale,
    column_of,
    cut,
    grid,
    key_of,
    line,
    picture,
    scale_over,
    words,
)
from dashboards.charts.marks import mark
from dashboards.charts.players import Style
from dashboards.charts.svg import element, mixed, number, wrapped
from dashboards.charts.theme import Palette

__all__ = ["Band", "Bar", "Cell", "Dot", "Panel", "bands", "bars", "columns", "dots", "facets", "matrix", "stacks"]

ROW: Final = 26
LONG_ROW: Final = 18
LONG: Final = 10
"""Rows beyond which they stand closer."""
CELL: Final = 34
PANEL: Final = 84
FAINT: Final = 0.26
Shown = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its bounds; `at` is where a tick of comparison stands, `text` the value in words.

    `style` is that of the player it is about, if it is about one.
    """

    label: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    at: float | None = None
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of parts, or a single one, which may have an interval with two ends."""

    label: str
    parts: tuple[float, ...]
    texts: tuple[str, ...]
    ends: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table with its text, and what stands small below that."""

    value: float
    text: str
    below: str = ""
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """A line through the middles of a panel, its band from low to high."""

    x: tuple[float, ...]
    low: tuple[float, ...]
    middle: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several small charts side by side and below each other."""

    row: str
    column: str
    band: Band
    colour: str


def dots(
    about: About,
    rows: Sequence[Dot],
    ink: Palette,
    shown: Shown,
    *,
    zero: bool = False,
    tick: str = "",
    apart: Sequence[int] = (),
) -> str:
    """Draw a dot per row with its interval; `tick` says what the ticks of comparison are, `zero` marks the zero.

    A line sets the rows from a place of `apart` on off from those above.
    """
    left, right = column_of([row.label for row in rows]), 58.0
    ends = [value for row in rows for value in (row.value, row.low, row.high, row.at)]
    scale = scale_over(ends, left + PAD, WIDTH - right, zero=zero)
    top = 24.0 if tick else 6.0
    tall = LONG_ROW if len(rows) > LONG else ROW
    bottom = top + tall * len(rows)
    parts = [grid(scale, top, bottom, ink, shown)]
    if tick:
        parts += [
            line(left + PAD, 5, left + PAD, 17, ink.muted, 2),
            words(tick, left + PAD + 8, 11, ink.muted, size=11),
        ]
    if zero and scale.low < 0 < scale.high:
        parts.append(line(scale(0), top, scale(0), bottom, ink.muted))
    parts += [line(0, top + tall * place, WIDTH, top + tall * place, ink.muted) for place in apart]
    for place, row in enumerate(rows):
        y = top + tall * (place + 0.5)
        parts.append(words(cut(row.label, left), 0, y, ink.text))
        if row.at is not None:
            parts.append(line(scale(row.at), y - 8, scale(row.at), y + 8, ink.muted, 2))
        if row.value is None:
            continue
        parts += [_dot(row, scale, y, ink), words(row.text, WIDTH, y, ink.text, anchor="end")]
    return picture(about, bottom + 22, *parts)


def facets(
    about: About,
    heads: Sequence[str],
    rows: Sequence[tuple[str, Sequence[Dot | None]]],
    ink: Palette,
    shown: Shown,
    *,
    alike: bool = False,
) -> str:
    """Draw dots with intervals in columns, each of its own scale or all of one, one row of them per label."""
    left = column_of([label for label, _ in rows])
    wide = (WIDTH - left - PAD) / max(len(heads), 1)
    top = 24.0
    bottom = top + ROW * len(rows)
    parts = [words(cut(label, left), 0, top + ROW * (place + 0.5), ink.text) for place, (label, _) in enumerate(rows)]
    for place, head in enumerate(heads):
        x = left + PAD + wide * place
        of_it = [dot for _, row in rows for dot in (row if alike else row[place : place + 1]) if dot]
        scale = scale_over([value for dot in of_it for value in (dot.value, dot.low, dot.high)], x + 14, x + wide - 14)
        parts.append(words(cut(head, wide), x + wide / 2, 9, ink.text, anchor="middle", weight=600))
        parts.append(grid(scale, top, bottom, ink, shown, max(2, int(wide / 50))))
        for nth, (_, row) in enumerate(rows):
            dot, y = row[place], top + ROW * (nth + 0.5)
            if dot is not None:
                parts.append(_dot(dot, scale, y, ink))
    return picture(about, bottom + 22, *parts)


def _dot(dot: Dot, scale: Scale, y: float, ink: Palette) -> str:
    """Draw a value with its interval."""
    if dot.value is None:
        return ""
    colour = dot.style[0] if dot.style else ink.accent
    known = dot.low is not None and dot.high is not None
    interval = line(scale(dot.low or 0), y, scale(dot.high or 0), y, colour, 2.5) if known else ""
    if dot.style:
        return interval + mark(dot.style, scale(dot.value), y, 4.5, ink)
    return interval + element("circle", {"cx": scale(dot.value), "cy": y, "r": 4.5, "fill": colour})


def stacks(
    about: About, names: Sequence[str], colours: Sequence[tuple[str, str]], rows: Sequence[Bar], ink: Palette
) -> str:
    """Draw each row as parts of a whole; a colour goes with that of the text on it."""
    key, tall = key_of([(name, colour) for name, (colour, _) in zip(names, colours, strict=False)], 0, 9, ink, WIDTH)
    left, top = column_of([row.label for row in rows]), tall + 6
    parts = [key]
    for place, row in enumerate(rows):
        y, x = top + ROW * place, left + PAD
        parts.append(words(cut(row.label, left), 0, y + ROW / 2, ink.text))
        whole = sum(row.parts) or 1.0
        for part, text, (colour, on) in zip(row.parts, row.texts, colours, strict=False):
            wide = (WIDTH - left - PAD) * part / whole
            box: dict[str, str | float | None] = {"x": x, "y": y + 3, "width": wide, "height": ROW - 6}
            if wide > 0:
                parts.append(element("rect", {**box, "fill": colour, "stroke": ink.card}))
            if wide > 34:
                parts.append(words(text, x + wide / 2, y + ROW / 2, on, anchor="middle", size=11))
            x += wide
    return picture(about, top + ROW * len(rows) + 4, *parts)


def bars(about: About, rows: Sequence[Bar], ink: Palette, colours: Sequence[str] = ()) -> str:
    """Draw a bar per row with its number."""
    left = column_of([row.label for row in rows])
    most = max((row.parts[0] for row in rows), default=0) or 1.0
    scale = Scale(0, most, left + PAD, WIDTH - 70)
    parts = []
    for place, row in enumerate(rows):
        y = ROW * place
        colour = colours[place] if colours else ink.accent
        parts.append(words(cut(row.label, left), 0, y + ROW / 2, ink.text))
        wide = scale(row.parts[0]) - scale(0)
        parts.append(
            element("rect", {"x": scale(0), "y": y + 4, "width": max(wide, 1), "height": ROW - 8, "fill": colour})
        )
        parts.append(words(row.texts[0], scale(0) + wide + 6, y + ROW / 2, ink.text))
    return picture(about, ROW * len(rows) + 4, *parts)


def columns(about: About, rows: Sequence[Bar], ink: Palette, below: str) -> str:
    """Draw upright bars side by side, as of a histogram; `below` says what stands along the foot."""
    tall, top = 150.0, 18.0
    most = max((max((row.parts[0], *(row.ends or ()))) for row in rows), default=0) or 1.0
    wide = (WIDTH - 2 * PAD) / max(len(rows), 1)
    every = max(1, -(-len(rows) * 30 // (WIDTH - 2 * PAD)))
    parts = [line(PAD, top + tall, WIDTH - PAD, top + tall, ink.border)]
    for place, row in enumerate(rows):
        height = tall * row.parts[0] / most
        x, bar = PAD + wide * place, min(wide * 0.8, 46)
        middle = x + wide / 2
        box: dict[str, str | float | None] = {
            "x": middle - bar / 2,
            "y": top + tall - height,
            "width": bar,
            "height": height,
        }
        if height:
            parts.append(element("rect", {**box, "fill": ink.accent}))
        if row.ends:
            low, high = (top + tall - tall * end / most for end in row.ends)
            parts.append(line(middle, low, middle, high, ink.text, 1.5))
            height = max(height, top + tall - high)
        if wide > 30 and row.parts[0]:
            parts.append(words(row.texts[0], middle, top + tall - height - 8, ink.text, anchor="middle", size=11))
        if place % every == 0:
            parts.append(words(row.label, middle, top + tall + 12, ink.muted, anchor="middle", size=11))
    parts.append(words(below, WIDTH / 2, top + tall + 30, ink.muted, anchor="middle", size=11))
    return picture(about, top + tall + 42, *parts)


def matrix(
    about: About,
    names: Sequence[str],
    cells: Mapping[tuple[str, str], Cell],
    ink: Palette,
    extent: float,
    heads: Sequence[str],
    key: str = "",
) -> str:
    """Draw cells, row against column; values from -extent to extent are coloured. An unknown cell stays empty."""
    left = column_of(names)
    across = heads
    wide = min((WIDTH - left - PAD) / max(len(across), 1), 84)
    headings = [wrapped(name, wide - 4, 11, 2) for name in across]
    top = 14.0 + 12 * max(map(len, headings), default=1)
    parts = [
        words(text, left + PAD + wide * (place + 0.5), 12 + 12 * nth, ink.muted, anchor="middle", size=11)
        for place, texts in enumerate(headings)
        for nth, text in enumerate(texts)
    ]
    for place, name in enumerate(names):
        y = top + CELL * place
        parts.append(words(cut(name, left), 0, y + CELL / 2, ink.text))
        for column, other in enumerate(across):
            cell = cells.get((name, other))
            if cell is None:
                continue
            x = left + PAD + wide * column
            box: dict[str, str | float | None] = {"x": x, "y": y, "width": wide, "height": CELL}
            parts.append(element("rect", {**box, "fill": _heat(cell.value / extent, ink), "stroke": ink.border}))
            weight, middle = 700 if cell.is_strong else 400, x + wide / 2
            up = 6 if cell.below else 0
            parts.append(words(cell.text, middle, y + CELL / 2 - up, ink.text, anchor="middle", weight=weight))
            if cell.below:
                parts.append(words(cell.below, middle, y + CELL / 2 + 8, ink.text, anchor="middle", size=9))
    bottom = top + CELL * len(names) + 4
    if key:
        parts.append(words(key, 0, bottom + 8, ink.muted, size=10))
    return picture(about, bottom + (18 if key else 0), *parts)


def _heat(part: float, ink: Palette) -> str:
    """Return a tint, so that text reads on it: towards `more` above zero, towards `fewer` below."""
    strength = min(abs(part), 1.0)
    return mixed((ink.more if part > 0 else ink.fewer)[0], strength, ink.card)


def bands(about: About, panels: Sequence[Panel], ink: Palette, below: str) -> str:
    """Draw panels in rows and columns as their names say; panels of a column share their scale."""
    rows = list(dict.fromkeys(panel.row for panel in panels))
    heads = list(dict.fromkeys(panel.column for panel in panels))
    left = column_of(rows)
    wide = (WIDTH - left - 34 * len(heads)) / max(len(heads), 1)
    ends = [each for panel in panels for each in panel.band.x] or [0.0, 1.0]
    parts = []
    for panel in panels:
        place = heads.index(panel.column)
        x, y = left + 34 + place * (wide + 34), 22 + PANEL * rows.index(panel.row)
        of_column = [value for each in panels if each.column == panel.column for value in each.band.high]
        up = scale_over(of_column, y + PANEL - 16, y + 6, zero=True)
        along = Scale(min(ends), max(*ends, min(ends) + 1), x, x + wide)
        parts.append(_panel(panel.band, along, up, panel.colour, ink))
    foot = 22 + PANEL * len(rows)
    for place, head in enumerate(heads):
        middle = left + 34 + place * (wide + 34) + wide / 2
        parts.append(words(head, middle, 9, ink.text, anchor="middle", weight=600))
        parts.append(words(below, middle, foot + 8, ink.muted, anchor="middle", size=11))
    parts += [words(cut(row, left), 0, 22 + PANEL * (place + 0.4), ink.text) for place, row in enumerate(rows)]
    return picture(about, foot + 18, *parts)


def _panel(band: Band, along: Scale, up: Scale, colour: str, ink: Palette) -> str:
    parts = []
    for tick in up.ticks(3):
        parts.append(line(along.start, up(tick), along.end, up(tick), ink.grid))
        parts.append(words(f"{tick:g}", along.start - 5, up(tick), ink.muted, anchor="end", size=10))
    parts += [
        words(f"{tick:g}", along(tick), up.start + 8, ink.muted, anchor="middle", size=10) for tick in along.ticks(4)
    ]
    area = [*zip(band.x, band.high, strict=True), *zip(reversed(band.x), reversed(band.low), strict=True)]
    if all(isfinite(value) for _, value in area):
        parts.append(element("polygon", {"points": _points(area, along, up), "fill": colour, "fill-opacity": FAINT}))
    middle = {"points": _points(list(zip(band.x, band.middle, strict=True)), along, up), "fill": "none"}
    parts.append(element("polyline", {**middle, "stroke": colour, "stroke-width": 2.2}))
    return "".join(parts)


def _points(values: Sequence[tuple[float, float]], along: Scale, up: Scale) -> str:
    return " ".join(f"{number(along(x))},{number(up(y))}" for x, y in values)
