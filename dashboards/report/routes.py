"""Reports over HTTP: `POST /api/reports` has one made, `GET` says how far it is, its file is there once it is done.

A report is for who asked for it, and for who operates the server; for all others there is none.
"""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from flask import Flask, Response, jsonify

from dashboards.http.access import Refused, Scope, caller, needs, note
from dashboards.http.bodies import json_object
from dashboards.http.openapi.described import served
from dashboards.http.openapi.document import as_json
from dashboards.http.rates import Rate
from dashboards.report.errors import Progress, ReportError
from dashboards.report.jobs import Busy, Job, Jobs, Status
from dashboards.report.openapi import ASK, CANCEL, FIELDS, FILE, LOOK, REPORTS, ReportJob
from dashboards.report.render import Format, file_name, make
from dashboards.report.words import filter_from
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.provenance import checks_stamp
from dashboards.warehouse.reader import Reader
from ingest.warehouse import Warehouse

__all__ = ["register_reports"]

RATE: Final = 60
"""Reports that one address asks for, or gives up, in a minute."""


def register_reports(server: Flask, warehouse: Warehouse) -> Jobs:
    """Add the routes, and return the jobs, which are to be closed."""
    rate, jobs, reader = Rate(RATE), Jobs(_making(warehouse)), Reader(warehouse)

    @served(server, "POST", REPORTS, ASK)
    @needs(Scope.RUN)
    def ask_for_report() -> Response:
        rate.count(caller().key)
        where, kind = _asked(json_object(set(FIELDS)))
        try:
            job = jobs.ask(where, kind, checks_stamp(reader), caller().owner)
        except Busy as error:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": "10"}) from None
        note("make report", f"{job.id} {kind}")
        return _answer(job, HTTPStatus.ACCEPTED)

    @served(server, "GET", f"{REPORTS}/<report>", LOOK)
    @needs(Scope.RUN, Scope.OPERATE)
    def look_at_report(report: str) -> Response:
        return _answer(_own(jobs.find(report)))

    @served(server, "DELETE", f"{REPORTS}/<report>", CANCEL)
    @needs(Scope.RUN, Scope.OPERATE)
    def cancel_report(report: str) -> Response:
        rate.count(caller().key)
        job = _own(jobs.find(report))
        jobs.cancel(report, caller().owner if caller().owner in job.owners else None)
        note("cancel report", job.id)
        return _answer(job)

    @served(server, "GET", f"{REPORTS}/<report>/file", FILE)
    @needs(Scope.RUN, Scope.OPERATE)
    def file_of_report(report: str) -> Response:
        job = _own(jobs.find(report))
        content = job.content
        if job.status is not Status.DONE or content is None:
            why = f": {job.problem}" if job.problem else ""
            raise Refused(HTTPStatus.CONFLICT, f"The report has no file: it is {job.status}{why}")
        answer = Response(content, content_type=job.type)
        answer.headers["Content-Disposition"] = f'attachment; filename="{file_name(job.where, job.format)}"'
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return jobs


def _making(warehouse: Warehouse) -> Any:
    def made(where: Filter, kind: Format, progress: Progress) -> bytes:
        def told(done: int, total: int, step: str) -> None:
            warehouse.backpressure.yield_to_readers()
            progress(done, total, step)

        with warehouse.of_one_file():
            return make(warehouse, where, kind, told)

    return made


def _asked(said: dict[str, Any]) -> tuple[Filter, Format]:
    kind, text = said.get("format", ""), said.get("filter", "")
    if not isinstance(kind, str) or kind not in set(Format):
        expected = ", ".join(Format)
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"format: expected one of {expected}, found {str(kind)[:40]!r}")
    if not isinstance(text, str):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "filter: expected the query of an address as text")
    try:
        return filter_from(parse_qsl(text.removeprefix("?"), keep_blank_values=True)), Format(kind)
    except ReportError as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"filter: {error}") from None


def _own(job: Job | None) -> Job:
    """Return a report that the caller may have, as if there were no others."""
    if job is None or not (caller().owner in job.owners or Scope.OPERATE in caller().scopes):
        raise Refused(HTTPStatus.NOT_FOUND, "There is no report with that id, or it is no longer kept.")
    return job


def _answer(job: Job, status: HTTPStatus = HTTPStatus.OK) -> Response:
    here = f"{REPORTS}/{job.id}"
    shown = ReportJob(
        job.id,
        job.status,
        job.format,
        urlencode(job.where.pairs()),
        job.done,
        job.total,
        job.step,
        job.problem,
        None if job.content is None else len(job.content),
        file_name(job.where, job.format),
        {"self": here, "file": f"{here}/file"},
    )
    answer = jsonify(as_json(shown))
    answer.status_code = status
    answer.headers["Location"] = here
    answer.headers["Cache-Control"] = "no-store"
    return answer
