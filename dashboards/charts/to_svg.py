"""SVG renderer of charts, for print: the same chart always gives the same text, without scripts or style sheets.

Each mark has a `title`, which browsers show on hover.
"""

from collections.abc import Sequence
from math import ceil
from typing import Final

from dashboards.charts.axes import Scale
from dashboards.charts.chart import Bars, Chart, Columns, Dot, Dots, Line, LinePanel, Lines, Matrix, Series
from dashboards.charts.svg import (
    FONT_SIZE,
    LETTER,
    PAD,
    WIDTH,
    About,
    Value,
    column_of,
    cut,
    element,
    grid,
    key_of,
    line,
    mark,
    number,
    picture,
    titled,
    words,
    wrapped,
)
from dashboards.charts.theme import Palette, readable, shade

__all__ = ["fits_on_paper", "svg_chart"]

ROW: Final = 26
LONG_ROW: Final = 18
LONG: Final = 10
"""With more rows than this, rows are drawn closer together."""
CELL: Final = 34
PANEL: Final = 84
MOST_IN_A_LINE: Final = 4
MOST_ROWS: Final = 24
MOST_PANELS: Final = 12
"""Maximum number of rows of line panels on a printed page."""
MOST_NAMES: Final = 14
"""Maximum number of rows or columns of a matrix on a printed page."""
Attributes = dict[str, Value]


def fits_on_paper(chart: Chart) -> bool:
    """Return whether the chart is readable on a printed page; with too many rows, a table is better."""
    match chart:
        case Dots() | Bars():
            return len(chart.rows) <= MOST_ROWS
        case Matrix():
            return max(len(chart.rows), len(chart.columns)) <= MOST_NAMES
        case Lines():
            return len(chart.rows) <= MOST_PANELS
        case Columns():
            return True


def svg_chart(chart: Chart, about: About, ink: Palette) -> str:
    """Return the chart as an SVG element with its title and description."""
    match chart:
        case Dots():
            return picture(about, *_dots(chart, ink))
        case Bars():
            return picture(about, *_bars(chart, ink))
        case Columns():
            return picture(about, *_columns(chart, ink))
        case Matrix():
            return picture(about, *_matrix(chart, ink))
        case Lines():
            return picture(about, *_lines(chart, ink))


def _dots(chart: Dots, ink: Palette) -> tuple[float, str]:
    left = column_of(chart.rows)
    beside = max((len(dot.text) for panel in chart.panels if panel for dot in panel.dots), default=0)
    right = 8.0 * beside if beside else 0.0
    many = min(chart.in_a_line, MOST_IN_A_LINE)
    wide = (WIDTH - left - PAD - right) / many
    tall = LONG_ROW if len(chart.rows) > LONG else ROW
    heads = [
        wrapped(panel.heading, wide - 10, FONT_SIZE, 2) if panel and panel.heading else [] for panel in chart.panels
    ]
    top = 6.0 + 14.0 * max(map(len, heads), default=0) + (18.0 if chart.reference else 0.0)
    each = top + tall * len(chart.rows) + 24
    parts = []
    if chart.reference:
        parts += [
            line(left + PAD, 5, left + PAD, 17, ink.muted, 2),
            words(chart.reference, left + PAD + 8, 11, ink.muted, size=11),
        ]
    for place, panel in enumerate(chart.panels):
        down, x = each * (place // many), left + PAD + wide * (place % many)
        if place % many == 0:
            parts += [
                words(cut(row, left), 0, down + top + tall * (nth + 0.5), ink.text)
                for nth, row in enumerate(chart.rows)
            ]
            parts += [
                line(0, down + top + tall * row, WIDTH, down + top + tall * row, ink.muted) for row in chart.apart
            ]
        if panel is None:
            continue
        room = (x + 14, x + wide - 14) if many > 1 else (x, x + wide - 16)
        scale = panel.scale(*room)
        bottom = down + each - 24
        parts += [
            words(text, x + wide / 2, down + 9 + 14 * nth, ink.text, anchor="middle", weight=600)
            for nth, text in enumerate(heads[place])
        ]
        parts.append(grid(scale, down + top, bottom, ink, panel.ticks, max(2, int(wide / 50))))
        if scale.low < 0 < scale.high:
            parts.append(line(scale(0), down + top, scale(0), bottom, ink.muted))
        parts += [
            _dot(dot, scale, down + top + tall * (chart.rows.index(dot.row) + 0.5), ink, 5 if panel.is_thick else 2.5)
            for dot in panel.dots
        ]
    height = each * ceil(len(chart.panels) / many) - 2
    if chart.key:
        parts.append(words(chart.key, left + PAD, height + 8, ink.muted, size=11))
    return height + (18 if chart.key else 0), "".join(parts)


def _dot(dot: Dot, scale: Scale, y: float, ink: Palette, thickness: float) -> str:
    """Draw a value with its interval, its reference and its text."""
    parts = []
    if dot.reference is not None:
        parts.append(line(scale(dot.reference), y - 8, scale(dot.reference), y + 8, ink.muted, 2))
    if dot.text:
        parts.append(words(dot.text, WIDTH, y, ink.text, anchor="end"))
    if dot.value is not None:
        if dot.low is not None and dot.high is not None:
            parts.append(line(scale(dot.low), y, scale(dot.high), y, dot.colour, thickness))
        parts.append(mark(dot.colour, dot.shape, scale(dot.value), y, 4.5, ink))
    return titled(dot.hover, *parts)


def _bars(chart: Bars, ink: Palette) -> tuple[float, str]:
    named = {
        part.name: part.bars[0].colour for panel in chart.panels for part in panel.parts if part.name and part.bars
    }
    key, tall = key_of(list(named.items()), 0, 9, ink, WIDTH) if named else ("", 0.0)
    left, right = column_of(chart.rows), 0.0 if named else 70.0
    wide = (WIDTH - left - right) / len(chart.panels)
    top = tall + (24 if any(panel.heading for panel in chart.panels) else 6)
    parts = [key, *(words(cut(row, left), 0, top + ROW * (nth + 0.5), ink.text) for nth, row in enumerate(chart.rows))]
    for place, panel in enumerate(chart.panels):
        x = left + PAD + wide * place
        lengths = dict.fromkeys(chart.rows, 0.0)
        most = 1.0 if chart.is_share else _longest(panel.parts, lengths)
        scale = Scale(0, most, x, x + wide - PAD)
        parts.append(words(panel.heading, x + wide / 2, tall + 9, ink.text, anchor="middle", weight=600))
        at = dict.fromkeys(chart.rows, 0.0)
        for bar in (bar for part in panel.parts for bar in part.bars):
            start, y = scale(at[bar.row]), top + ROW * chart.rows.index(bar.row)
            at[bar.row] += bar.length
            long, middle = scale(at[bar.row]) - start, y + ROW / 2
            box: Attributes = {"x": start, "y": y + 3, "width": long, "height": ROW - 6, "fill": bar.colour}
            drawn = element("rect", {**box, "stroke": ink.card if named else None}) if long > 0 else ""
            if not named:
                drawn += words(bar.text, start + long + 6, middle, ink.text)
            elif long > 34:
                drawn += words(bar.text, start + long / 2, middle, readable(bar.colour), anchor="middle", size=11)
            parts.append(titled(bar.hover, drawn))
    return top + ROW * len(chart.rows) + 4, "".join(parts)


def _longest(parts: Sequence[Series], lengths: dict[str, float]) -> float:
    for bar in (bar for part in parts for bar in part.bars):
        lengths[bar.row] += bar.length
    return max(lengths.values(), default=0) or 1.0


def _columns(chart: Columns, ink: Palette) -> tuple[float, str]:
    key, room = key_of(chart.parts, PAD, 9, ink, WIDTH) if len(chart.parts) > 1 else ("", 0.0)
    top, left = room + 24.0, 46.0
    bottom = top + 150
    places = [column.at for column in chart.columns] or [0]
    along = Scale(min(places) - chart.width / 2, max(places) + chart.width / 2, left, WIDTH - PAD)
    up = chart.scale(bottom, top)
    parts = [key]
    for tick, text in up.ticks(chart.ticks, 4):
        parts.append(line(left, up(tick), WIDTH - PAD, up(tick), ink.grid))
        parts.append(words(text, left - 6, up(tick), ink.muted, anchor="end", size=10))
    every = max(1, ceil(len(places) * 30 / (WIDTH - left - PAD)))
    wide = (along(1) - along(0)) * chart.width * 0.92
    for nth, column in enumerate(chart.columns):
        x, height, drawn = along(column.at), 0.0, []
        for part, (_, hue) in zip(column.parts, chart.parts, strict=True):
            box: Attributes = {"x": x - wide / 2, "y": up(height + part), "width": wide}
            drawn.append(element("rect", {**box, "height": up(height) - up(height + part), "fill": hue}))
            height += part
        if column.low is not None and column.high is not None:
            drawn.append(line(x, up(column.low), x, up(column.high), ink.text, 1.5))
        parts.append(titled(column.hover, *drawn))
        if nth % every == 0:
            parts.append(words(f"{column.at:g}", x, bottom + 12, ink.muted, anchor="middle", size=11))
    if chart.median is not None:
        x = along(chart.median)
        parts.append(line(x, top - 4, x, bottom, ink.text, 1.5, "2 3"))
        parts.append(words(f"median {chart.median:g}", x, top - 12, ink.text, anchor="middle", size=11))
    parts.append(words(chart.heading, WIDTH / 2, bottom + 30, ink.muted, anchor="middle", size=11))
    return bottom + 42, "".join(parts)


def _matrix(chart: Matrix, ink: Palette) -> tuple[float, str]:
    left = column_of(chart.rows)
    wide = min((WIDTH - left - PAD) / max(len(chart.columns), 1), 84)
    headings = [wrapped(name, wide - 4, 11, 2) for name in chart.columns]
    top = 14.0 + 12 * max(map(len, headings), default=1)
    parts = [
        words(text, left + PAD + wide * (place + 0.5), 12 + 12 * nth, ink.muted, anchor="middle", size=11)
        for place, texts in enumerate(headings)
        for nth, text in enumerate(texts)
    ]
    parts += [words(cut(row, left), 0, top + CELL * (nth + 0.5), ink.text) for nth, row in enumerate(chart.rows)]
    longest = max((len(cell.text) for cell in chart.cells), default=1)
    size = min(FONT_SIZE, (wide - 2) / (LETTER * max(longest, 1)))
    for cell in chart.cells:
        x = left + PAD + wide * chart.columns.index(cell.column)
        y = top + CELL * chart.rows.index(cell.row)
        hue = shade(cell.value, chart.scale, chart.least, chart.most)
        box: Attributes = {"x": x, "y": y, "width": wide, "height": CELL, "fill": hue, "stroke": ink.border}
        up, on = (6 if cell.below else 0), readable(hue)
        weight = 700 if cell.is_strong else 400
        drawn = words(cell.text, x + wide / 2, y + CELL / 2 - up, on, anchor="middle", size=size, weight=weight)
        if cell.below:
            drawn += words(cell.below, x + wide / 2, y + CELL / 2 + 8, on, anchor="middle", size=9)
        parts.append(titled(cell.hover, element("rect", box), drawn))
    bottom = top + CELL * len(chart.rows) + 4
    key = " ".join(head for head in chart.heads if head)
    if any(cell.below for cell in chart.cells):
        key += "; small print: 95% CI"
    if key:
        parts.append(words(key, 0, bottom + 8, ink.muted, size=10))
    return bottom + (18 if key else 0), "".join(parts)


def _lines(chart: Lines, ink: Palette) -> tuple[float, str]:
    colours = {each.name: each.colour for panel in chart.panels for each in panel.lines} if chart.has_key else {}
    key, room = key_of(list(colours.items()), 0, 9, ink, WIDTH) if colours else ("", 0.0)
    left, top = column_of(chart.rows), room + 22
    wide = (WIDTH - PAD - left - 34 * len(chart.columns)) / len(chart.columns)
    foot = top + PANEL * len(chart.rows)
    parts = [key]
    parts += [words(cut(row, left), 0, top + PANEL * (nth + 0.4), ink.text) for nth, row in enumerate(chart.rows)]
    for place, heading in enumerate(chart.columns):
        middle = left + 34 + place * (wide + 34) + wide / 2
        parts.append(words(heading, middle, room + 9, ink.text, anchor="middle", weight=600))
        parts.append(words(chart.heading, middle, foot + 8, ink.muted, anchor="middle", size=11))
    for panel in chart.panels:
        x = left + 34 + chart.columns.index(panel.column) * (wide + 34)
        y = top + PANEL * chart.rows.index(panel.row)
        parts.append(_panel(chart, panel, Scale(*chart.extent, x, x + wide), y, ink))
    return foot + 18, "".join(parts)


def _panel(chart: Lines, panel: LinePanel, along: Scale, y: float, ink: Palette) -> str:
    up = Scale(0, panel.most, y + PANEL - 16, y + 6)
    parts = []
    for tick, text in up.ticks("", 3):
        parts.append(line(along.start, up(tick), along.end, up(tick), ink.grid))
        parts.append(words(text, along.start - 5, up(tick), ink.muted, anchor="end", size=10))
    parts += [
        words(f"{tick:g}", along(tick), up.start + 8, ink.muted, anchor="middle", size=10) for tick in chart.ticks
    ]
    return "".join([*parts, *(_line(each, along, up) for each in panel.lines)])


def _line(each: Line, along: Scale, up: Scale) -> str:
    area = [*zip(each.x, each.high, strict=True), *zip(reversed(each.x), reversed(each.low), strict=True)]
    band = element("polygon", {"points": _points(area, along, up), "fill": each.colour, "fill-opacity": 0.26})
    middle: Attributes = {"points": _points(list(zip(each.x, each.middle, strict=True)), along, up), "fill": "none"}
    return titled(
        f"{each.hover[0]}; {each.hover[-1]}",
        band,
        element("polyline", {**middle, "stroke": each.colour, "stroke-width": 2.2}),
    )


def _points(values: Sequence[tuple[float, float]], along: Scale, up: Scale) -> str:
    return " ".join(f"{number(along(x))},{number(up(y))}" for x, y in values)
