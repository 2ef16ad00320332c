"""A report as an XLSX workbook: one sheet per table, typed columns, a frozen header, and no formulas."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain, islice
from math import isfinite
from typing import IO, Any, Final

import polars as pl
import xlsxwriter

from dashboards.catalog.metrics import key_of
from dashboards.catalog.numbers import definition_of, kind_of, rounded
from dashboards.games.analytics import terms_of
from dashboards.queries.encoded import neutral
from dashboards.report.model import Figure, Report
from dashboards.report.words import METHOD, address_of, in_words, listed, summary

__all__ = ["FORMATS", "MADE", "Sheet", "sheet_name", "workbook", "write_sheets"]

MADE: Final = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""Creation time of every workbook, fixed so that the same report gives the same bytes."""
FORMATS: Final = {
    "share": "0.0%",
    "points": "+0.0;-0.0;0.0",
    "elo": "+0;-0;0",
    "ratio": "0.00",
    "p": "0.000",
    "seat": "0",
    "number": "#,##0.##",
    "whole": "#,##0",
    "moment": "yyyy-mm-dd hh:mm:ss",
}
WIDEST: Final = 60
LOOKED_AT: Final = 200
"""Number of rows at the top that determine the width of a column."""
FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
LONGEST: Final = 31
MOST_TEXT: Final = 32_767


class Sheet:
    """A table to write: its name, headings, number formats (`text` if not a number), and rows."""

    def __init__(self, name: str, heads: Sequence[str], kinds: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.name = name
        self.heads = heads
        self.kinds = kinds
        self.rows = rows


def workbook(report: Report) -> bytes:
    """Return the workbook of a report; the same report gives the same bytes."""
    sentences = [[sentence] for sentence in summary(report)]
    scope = report.scope
    facts: list[list[Any]] = [
        ["Report", report.title],
        ["Filter", in_words(report.where, report.game)],
        ["Filter as an address", address_of(report.where)],
        ["Matches", scope.matches],
        ["Seeds", scope.seeds],
        ["Tournaments", listed(scope.tournaments)],
        ["Rules", listed(scope.rules)],
        ["Board", listed(scope.boards)],
        ["Checked", scope.checks.in_words(terms_of(report.game).chance)],
        *([["Interim looks", looked_at]] if (looked_at := scope.looked_at()) else []),
        ["Digest of the logs", report.digest],
        ["Made with himalaya", report.software],
    ]
    definitions = [
        [metric.name, metric.sentence, metric.formula, metric.unit, metric.grain, metric.source]
        for metric in report.definitions
    ]
    telling = [[match.match, match.why, match.line_up, match.moment] for match in report.telling]
    method: list[list[Any]] = [list(part) for part in METHOD.items()]
    columns = [
        [f.title, heading, name, _defined(name, report.game)]
        for f in report.figures
        for name, heading in f.columns.items()
    ]
    sheets = [
        Sheet("Report", ["What", "Value"], ["text", "whole"], facts),
        Sheet("Summary", ["Summary"], ["text"], sentences),
        *(_of_figure(figure) for figure in report.figures),
        *([Sheet("Notable matches", ["Match", "Why", "Players", "Moment"], ["text"] * 4, telling)] if telling else []),
        Sheet("Method", ["What", "How"], ["text"] * 2, method),
        Sheet("Definitions", ["Metric", "What", "Formula", "Unit", "One row per", "Source"], ["text"] * 6, definitions),
        Sheet("Columns", ["Figure", "Heading", "Column", "Metric"], ["text"] * 4, columns),
        Sheet("Players", ["Player", "Version", "Matches"], ["text", "text", "whole"], report.versions.iter_rows()),
        Sheet("Logs", ["Match", "SHA-256 of its log"], ["text"] * 2, report.logs.iter_rows()),
    ]
    file = io.BytesIO()
    write_sheets(file, sheets, report.title)
    return file.getvalue()


def write_sheets(file: IO[bytes], sheets: Iterable[Sheet], title: str, *, streamed: bool = False) -> None:
    """Write sheets to a file as a workbook; `streamed` keeps only one row at a time in memory."""
    options = {"in_memory": not streamed, "constant_memory": streamed}
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, options | plain) as book:
        book.set_properties({"title": str(neutral(title)), "created": MADE})
        formats = {kind: book.add_format({"num_format": shape, "valign": "top"}) for kind, shape in FORMATS.items()}
        formats["head"] = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        formats["text"] = book.add_format({"text_wrap": not streamed, "valign": "top"})
        taken: set[str] = set()
        for sheet in sheets:
            _fill(book.add_worksheet(sheet_name(sheet.name, taken)), sheet, formats)


def _fill(page: Any, sheet: Sheet, formats: Mapping[str, Any]) -> None:
    """Write one sheet; columns are as wide as their first rows need."""
    first = list(islice(rows := iter(sheet.rows), LOOKED_AT))
    for place, (name, kind) in enumerate(zip(sheet.heads, sheet.kinds, strict=True)):
        texts = [str(row[place]) for row in first if isinstance(row[place], str)]
        width = max([min(len(name), 24), *(min(len(text), WIDEST) for text in texts)])
        page.set_column(place, place, width + 3, formats.get(kind))
    page.freeze_panes(1, 0)
    for place, name in enumerate(sheet.heads):
        page.write_string(0, place, neutral(name), formats["head"])
    count = 0
    for count, row in enumerate(chain(first, rows), 1):
        for place, (value, kind) in enumerate(zip(row, sheet.kinds, strict=True)):
            _write(page, count, place, value, formats.get(kind))
    if count and len(sheet.heads) > 1:
        page.autofilter(0, 0, count, len(sheet.heads) - 1)


def _write(page: Any, row: int, column: int, value: Any, look: Any) -> None:
    """Write a value as a cell of matching type."""
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, bool):
        page.write_boolean(row, column, value, look)
    elif isinstance(value, int | float):
        if isfinite(value):
            page.write_number(row, column, rounded(value), look)
    elif isinstance(value, datetime | date):
        page.write_datetime(row, column, value, look)
    elif value is not None:
        page.write_string(row, column, neutral(str(value))[:MOST_TEXT], look)


def sheet_name(name: str, taken: set[str]) -> str:
    """Return a valid and unique name for a sheet."""
    plain = FORBIDDEN.sub(" ", name).strip("' ")[:LONGEST] or "Sheet"
    found, number = plain, 2
    while found.lower() in taken:
        found, number = f"{plain[: LONGEST - 4]} {number}", number + 1
    taken.add(found.lower())
    return found


def _of_figure(figure: Figure) -> Sheet:
    """Return the sheet of a figure. As in all displays, seats count from 1 and differences are in percentage points."""
    frame = figure.frame.select(*figure.columns)
    kinds = {
        name: _kind(name, whole=kind.is_integer()) if kind.is_numeric() else "text"
        for name, kind in frame.schema.items()
    }
    points = [name for name, kind in kinds.items() if kind == "points"]
    frame = frame.with_columns(pl.col(points) * 100) if points else frame
    if "seat" in frame.columns:
        frame = frame.with_columns(pl.col("seat") + 1)
    heads = [f"{head} (points)" if kinds[name] == "points" else head for name, head in figure.columns.items()]
    return Sheet(figure.title, heads, list(kinds.values()), frame.iter_rows())


def _kind(column: str, *, whole: bool) -> str:
    kind = kind_of(column)
    return "whole" if kind == "number" and whole else kind


def _defined(column: str, game: str) -> str:
    metric = definition_of(column)
    return metric.name if metric else f"key: {key_of(column, game)}"
