"""Make a report from its filter: the figures once, then as a web page, a document or a workbook."""

import re
from enum import StrEnum
from typing import Final

from dashboards.report.errors import NothingToReport, Progress, ReportError
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.known_names import unknown_name
from dashboards.warehouse.reader import DatabaseError, Reader
from ingest.warehouse import Warehouse

__all__ = ["MIMETYPES", "Format", "file_name", "format_of", "make"]


class Format(StrEnum):
    """Format of a report's file."""

    HTML = "html"
    PDF = "pdf"
    XLSX = "xlsx"


MIMETYPES: Final = {
    Format.HTML: "text/html; charset=utf-8",
    Format.PDF: "application/pdf",
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


NOT_A_NAME: Final = re.compile(r"[^A-Za-z0-9._-]+")


def make(warehouse: Warehouse, where: Filter, kind: Format, progress: Progress = lambda *_: None) -> bytes:
    """Return the report of a filter as the bytes of a file; `ReportError` if there is none to make.

    The error for an unknown name suggests the nearest one.
    """
    from dashboards.report.build import build

    try:
        if unknown := unknown_name(Reader(warehouse), where):
            raise NothingToReport(f"the filter: {unknown}")
        report = build(warehouse, where, progress)
    except DatabaseError as error:
        raise ReportError(str(error)) from None
    match kind:
        case Format.HTML:
            from dashboards.report.page import page

            return page(report).encode()
        case Format.PDF:
            from dashboards.report.pdf import pdf

            return pdf(report, progress)
        case Format.XLSX:
            from dashboards.report.workbook import workbook

            return workbook(report)


def format_of(name: str) -> Format:
    """Return the format at the end of a file's or format's name; `ReportError` for another."""
    end = name.rpartition(".")[2].lower()
    if end not in set(Format):
        raise ReportError(f"expected a report as {', '.join(Format)}, found {end or name!r}")
    return Format(end)


def file_name(where: Filter, kind: Format) -> str:
    """Return the file name of a report."""
    about = NOT_A_NAME.sub("-", where.tournaments[0])[:60].strip("-.") if len(where.tournaments) == 1 else ""
    return f"himalaya-{about or 'report'}.{kind}"
