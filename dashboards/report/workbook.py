"""A report as an XLSX workbook: a sheet a table, its columns typed, its head frozen, and no text in it a formula."""

import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any, Final

import polars as pl
import xlsxwriter

from dashboards.cells import neutral
from dashboards.report.method import METHOD
from dashboards.report.model import Figure, Report
from dashboards.report.numbers import definition_of, kind_of, rounded
from dashboards.report.summary import summary
from dashboards.report.words import address_of, counted, in_words, listed

__all__ = ["FORMATS", "MADE", "Sheet", "sheet_name", "workbook", "write_book"]

MADE: Final = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""When every workbook says it was made, so that the same report gives the same bytes."""
FORMATS: Final = {
    "share": "0.0%",
    "points": "+0.0%;-0.0%;0.0%",
    "elo": "+0;-0;0",
    "ratio": "0.00",
    "p": "0.000",
    "seat": "0",
    "number": "#,##0.##",
    "whole": "#,##0",
}
WIDEST: Final = 60
LOOKED_AT: Final = 200
"""Rows whose texts say how wide a column is."""
FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
LONGEST: Final = 31
MOST_TEXT: Final = 32_767


class Sheet:
    """A table to be written: its name, headings, kinds of numbers (`text` for none), and rows."""

    def __init__(self, name: str, heads: Sequence[str], kinds: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.name = name
        self.heads = heads
        self.kinds = kinds
        self.rows = rows


def workbook(report: Report) -> bytes:
    """Return the workbook of a report; the same report gives the same bytes."""
    said = [[sentence] for sentence in summary(report)]
    scope = report.scope
    facts: list[list[Any]] = [
        ["Report", report.title],
        ["Filter", in_words(report.where)],
        ["Filter as an address", address_of(report.where)],
        ["Matches", scope.matches],
        ["Lucks", scope.lucks],
        ["Tournaments", listed(scope.tournaments)],
        ["Rules", listed(scope.rules)],
        ["Board", listed(scope.boards)],
        ["Digest of the logs", report.digest],
        ["Made with himalaya", report.software],
    ]
    definitions = [
        [metric.name, metric.sentence, metric.formula, metric.unit, metric.grain, metric.source]
        for metric in report.definitions
    ]
    telling = [[match.match, match.why, match.line_up, match.moment] for match in report.telling]
    method: list[list[Any]] = [list(part) for part in METHOD.items()]
    columns = [[f.title, heading, name, _defined(name)] for f in report.figures for name, heading in f.columns.items()]
    sheets = [
        Sheet("Report", ["", counted(scope.matches, "finished match", "es")], ["text", "number"], facts),
        Sheet("Summary", ["Summary"], ["text"], said),
        *(_of_figure(figure) for figure in report.figures),
        *([Sheet("Telling matches", ["Match", "Why", "Players", "Moment"], ["text"] * 4, telling)] if telling else []),
        Sheet("Method", ["What", "How"], ["text"] * 2, method),
        Sheet("Definitions", ["Metric", "What", "Formula", "Unit", "One per", "Source"], ["text"] * 6, definitions),
        Sheet("Columns", ["Figure", "Heading", "Column", "Metric"], ["text"] * 4, columns),
        Sheet("Players", ["Player", "Version", "Seats"], ["text", "text", "whole"], report.versions.iter_rows()),
        Sheet("Logs", ["Match", "SHA-256 of its log"], ["text"] * 2, report.logs.iter_rows()),
    ]
    return write_book(sheets, report.title)


def write_book(sheets: Iterable[Sheet], title: str) -> bytes:
    """Return a workbook of some sheets."""
    file = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, options) as book:
        book.set_properties({"title": str(neutral(title)), "created": MADE})
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        text = book.add_format({"text_wrap": True, "valign": "top"})
        formats = {kind: book.add_format({"num_format": shape, "valign": "top"}) for kind, shape in FORMATS.items()}
        taken: set[str] = set()
        for sheet in sheets:
            page = book.add_worksheet(sheet_name(sheet.name, taken))
            widths = [min(len(name), 24) for name in sheet.heads]
            rows = 0
            for rows, row in enumerate(sheet.rows, 1):
                for place, value in enumerate(row):
                    _write(page, rows, place, value)
                    if rows < LOOKED_AT and isinstance(value, str):
                        widths[place] = max(widths[place], min(len(value), WIDEST))
            for place, (name, kind) in enumerate(zip(sheet.heads, sheet.kinds, strict=True)):
                page.write_string(0, place, neutral(name), head)
                page.set_column(place, place, widths[place] + 3, formats.get(kind, text))
            page.freeze_panes(1, 0)
            if rows and len(sheet.heads) > 1:
                page.autofilter(0, 0, rows, len(sheet.heads) - 1)
    return file.getvalue()


def _write(page: Any, row: int, column: int, value: Any) -> None:
    """Write a value as what it is; a column's format holds for its cells."""
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, bool):
        page.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        if isfinite(value):
            page.write_number(row, column, rounded(value))
    elif value is not None:
        page.write_string(row, column, neutral(str(value))[:MOST_TEXT])


def sheet_name(name: str, taken: set[str]) -> str:
    """Return a name that a sheet may have and no other has."""
    plain = FORBIDDEN.sub(" ", name).strip("' ")[:LONGEST] or "Sheet"
    found, number = plain, 2
    while found.lower() in taken:
        found, number = f"{plain[: LONGEST - 4]} {number}", number + 1
    taken.add(found.lower())
    return found


def _of_figure(figure: Figure) -> Sheet:
    """Return the sheet of a figure; seats are counted from 1, as everywhere where people read them."""
    frame = figure.frame.select(*figure.columns)
    kinds = []
    for name, kind in frame.schema.items():
        is_number = kind.is_numeric()
        kinds.append("text" if not is_number else _kind(name, whole=kind.is_integer()))
    if "seat" in frame.columns:
        frame = frame.with_columns(pl.col("seat") + 1)
    return Sheet(figure.title, list(figure.columns.values()), kinds, frame.iter_rows())


def _kind(column: str, *, whole: bool) -> str:
    kind = kind_of(column)
    return "whole" if kind == "number" and whole else kind


def _defined(column: str) -> str:
    metric = definition_of(column)
    return metric.name if metric else "key: says what the row is about"
