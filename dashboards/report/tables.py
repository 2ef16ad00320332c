"""Figures in a report: title, finding, drawing and table, which stay together on paper."""

from html import escape
from typing import Final

from dashboards.catalog.numbers import definition_of, kind_of, written
from dashboards.report.figure_text import set_over
from dashboards.report.model import SYMMETRIC, Figure
from dashboards.report.schemes import DarkSheet
from himalaya_core.names import shown_name

__all__ = ["BESIDE_ROWS", "MOST_ROWS", "OPEN_ROWS", "card", "drawing", "table", "table_of"]

OPEN_ROWS: Final = 16
MOST_ROWS: Final = 600
PRINTED_ROWS: Final = 20
BESIDE_ROWS: Final = 12
"""Largest number of rows of a table on paper, without a drawing or below one; a table of pairs has all."""
WIDE: Final = 9
"""Number of columns beyond which a table is set smaller on paper."""
PEOPLE: Final = ("player", "other")
"""Columns of names, which are cut; the data has all of them."""
MOST_TEXT: Final = 160
"""Largest number of letters of any other text in a table."""


def card(figure: Figure, dark: DarkSheet, *, on_paper: bool) -> str:
    """Return a figure with its title, finding, drawing and table."""
    return (
        f'<article class="card" id="figure-{figure.name}">'
        f'<h3 id="title-{figure.name}">{escape(figure.title)}</h3>'
        f"{_drawn(figure, dark, on_paper=on_paper)}{table_of(figure, on_paper=on_paper)}</article>\n"
    )


def _drawn(figure: Figure, dark: DarkSheet, *, on_paper: bool) -> str:
    if not figure.draw:
        return f"<p>{escape(figure.finding)}</p>" if figure.finding else ""
    words = f"<figcaption>{escape(figure.finding)}</figcaption>" if figure.finding else ""
    svg = dark.both(figure.draw)
    return f"<figure>{words}{drawing(figure.title, set_over(svg) if on_paper else svg)}</figure>"


def drawing(title: str, svg: str, kind: str = "drawing") -> str:
    """Return a drawing in a box that scrolls if it is too wide."""
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{escape(title)}">{svg}</div>'


def table_of(figure: Figure, *, on_paper: bool) -> str:
    """Return the table of a figure, behind a click if it is long; long ones are left out on paper.

    They are in the page and the workbook.
    """
    rows = figure.frame.height
    if rows == 0:
        return ""
    most = (0 if figure.name in SYMMETRIC else BESIDE_ROWS) if figure.draw else PRINTED_ROWS
    if on_paper and rows > most:
        return f'<p class="meta">The table, {rows:,} rows, is in the web page and the workbook.</p>'
    if rows <= OPEN_ROWS or on_paper:
        return table(figure)
    return f"<details><summary>Show data ({rows:,} rows)</summary>{table(figure)}</details>"


def table(figure: Figure, most: int = MOST_ROWS) -> str:
    """Return the first rows of a figure, named by the title above; a caption says what is left out."""
    shown = figure.frame.head(most).select(*figure.columns)
    classes = [' class="number"' if kind.is_numeric() else "" for kind in shown.dtypes]
    head = "".join(
        f'<th scope="col"{kind}>{_heading(name, title)}</th>'
        for (name, title), kind in zip(figure.columns.items(), classes, strict=True)
    )
    body = []
    for row in shown.iter_rows():
        cells = [
            _cell(shown_name(value) if name in PEOPLE else written(name, value))
            for name, value in zip(figure.columns, row, strict=True)
        ]
        rest = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells[1:], classes[1:], strict=True))
        body.append(f'<tr><th scope="row"{classes[0]}>{cells[0]}</th>{rest}</tr>')
    left = figure.frame.height - shown.height
    more = f"<caption>The first {shown.height:,} of {figure.frame.height:,} rows</caption>" if left else ""
    wide = ' class="wide"' if len(figure.columns) > WIDE else ""
    name = f'aria-labelledby="title-{figure.name}"'
    return (
        f'<div class="scroll" tabindex="0" role="region" {name}><table{wide} {name}>{more}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return escape(text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…")


def _heading(column: str, title: str) -> str:
    metric = definition_of(column)
    if kind_of(column) == "points" and metric and column == metric.name:
        title = f"{title} (points)"
    return f'<a href="#metric-{metric.name}">{escape(title)}</a>' if metric else escape(title)
