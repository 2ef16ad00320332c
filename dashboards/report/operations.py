"""Operations of a warehouse for reports and exports, run here or by the server that has the file open."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dashboards.report.build import build
from dashboards.report.data import data_of
from dashboards.report.errors import NothingToReport, Progress, ReportError
from dashboards.report.export import export, exportable
from dashboards.report.page import page
from dashboards.report.render import Format, make
from dashboards.report.words import filter_from
from dashboards.warehouse.reader import DatabaseError
from ingest.errors import WarehouseError
from ingest.private import as_usual
from ingest.warehouse import Report, Warehouse

__all__ = ["REPORT_OPERATIONS", "report_data", "write_report"]


def write_report(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a report: the operation `report`. Arguments: `filter` (pairs), `format`, `file`. Returns its `size`."""
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
    """Return the current data of a filter's report: the operation `report_data`. Arguments: `filter` (pairs).

    `page` is its page. The optional argument `players` has another report's claims about its players, which word the
    page; `coloured` is that report's order of colours. For a filter without any match only `nothing` is returned.
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
