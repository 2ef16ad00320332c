"""Make a report from its filter as a page, PDF or workbook: directly, or as a background job of the server."""

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from dashboards.queries.filters import Filter
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.queries.where import unknown_name
from dashboards.report.build import build
from dashboards.report.export import export, exportable
from dashboards.report.model import NothingToReport, ReportError, data_of
from dashboards.report.page import page
from dashboards.report.words import filter_from
from ingest.errors import WarehouseError
from ingest.files import as_usual
from ingest.jobs import Job, Jobs, Progress
from ingest.warehouse import Report, Warehouse

__all__ = [
    "MIMETYPES",
    "REPORT_OPERATIONS",
    "Format",
    "Reports",
    "Wanted",
    "file_name",
    "format_of",
    "make",
    "report_data",
    "wanted_of",
    "write_report",
]


class Format(StrEnum):
    """File format of a report."""

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
    """Return the report of a filter as the bytes of a file; `ReportError` if it cannot be made.

    The error for an unknown name suggests the nearest known name.
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
    """Return the format given by name or by file extension; `ReportError` for an unknown format."""
    end = name.rpartition(".")[2].lower()
    if end not in set(Format):
        raise ReportError(f"expected a report as {', '.join(Format)}, found {end or name!r}")
    return Format(end)


def file_name(where: Filter, kind: Format) -> str:
    """Return the file name of a report."""
    about = NOT_A_NAME.sub("-", where.tournaments[0])[:60].strip("-.") if len(where.tournaments) == 1 else ""
    return f"himalaya-{about or 'report'}.{kind}"


class Wanted(NamedTuple):
    """A report request; `stamp` identifies the state of the database that the report is about."""

    where: Filter
    format: Format
    stamp: str = ""

    @property
    def type(self) -> str:
        """Return the media type of the file."""
        return MIMETYPES[self.format]


class Reports:
    """The report jobs of a server."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.jobs = Jobs("report", hint="; choose fewer matches")
        self._warehouse = warehouse

    def ask(self, wanted: Wanted, owner: str) -> Job:
        """Request a report for its owner; `Busy` if too many jobs wait. A report without a stamp is never shared."""
        return self.jobs.ask(wanted, partial(self._made, wanted), owner, shares=bool(wanted.stamp))

    def _made(self, wanted: Wanted, progress: Progress) -> bytes:
        def report(done: int, total: int, step: str) -> None:
            self._warehouse.backpressure.yield_to_readers()
            progress(done, total, step)

        with self._warehouse.of_one_file():
            return make(self._warehouse, wanted.where, wanted.format, report)


def wanted_of(job: Job) -> Wanted:
    """Return the requested report of a job."""
    assert isinstance(job.key, Wanted)
    return job.key


def write_report(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a report (operation `report`) and return its `size`. Arguments: `filter` (pairs), `format`, `file`."""
    file = Path(arguments["file"])
    try:
        where = filter_from([(key, value) for key, value in arguments["filter"]])
        made = make(warehouse, where, Format(arguments["format"]), _progress(warehouse, report))
    except ReportError as error:
        raise WarehouseError(str(error)) from None
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        part.write_bytes(made)
        as_usual(part).replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise WarehouseError(f"{file}: cannot be written ({error.strerror or error})") from None
    return {"size": len(made)}


def report_data(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return the current data of a filter's report (operation `report_data`). Arguments: `filter` (pairs).

    The result includes the page as `page`. Optional arguments come from another report: `players` are its claims about
    players, which affect wording, and `coloured` is its order of colours. For a filter without any match, the result
    has only `nothing`.
    """
    try:
        where = filter_from([(key, value) for key, value in arguments["filter"]])
        built = build(
            warehouse, where, _progress(warehouse, report), arguments.get("players"), arguments.get("coloured")
        )
        return data_of(built) | {"page": page(built)}
    except NothingToReport as error:
        return {"nothing": str(error)}
    except (ReportError, DatabaseError) as error:
        raise WarehouseError(str(error)) from None


def _progress(warehouse: Warehouse, report: Report) -> Progress:
    def progress(done: int, total: int, step: str) -> None:
        warehouse.backpressure.yield_to_readers()
        if total:
            report({"what": "report", "done": done, "total": total, "note": step})
        else:
            report({"what": step, "done": 0, "total": 1})

    return progress


REPORT_OPERATIONS: Final[Mapping[str, Any]] = {
    "report": write_report,
    "report_data": report_data,
    "export": export,
    "exportable": exportable,
}
