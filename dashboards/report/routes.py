"""Reports over HTTP: `POST /api/reports` has one made, `GET` says how far it is, its file is there once it is done."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from flask import Flask, Response, jsonify

from dashboards.http.access import Door, Refused
from dashboards.http.bodies import json_object
from dashboards.http.openapi.described import served
from dashboards.http.openapi.document import as_json
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


def register_reports(server: Flask, warehouse: Warehouse, *, is_public: bool, host: str) -> Jobs:
    """Add the routes, and return the jobs, which are to be closed; `is_public` and `host` are those of `Door`."""
    door = Door(warehouse, rate=RATE, is_public=is_public, host=host)
    jobs, reader = Jobs(_making(warehouse)), Reader(warehouse)

    @served(server, "POST", REPORTS, ASK)
    def ask_for_report() -> Response:
        door.admit_look()
        where, kind = _asked(json_object(set(FIELDS)))
        try:
            return _answer(jobs.ask(where, kind, checks_stamp(reader)), HTTPStatus.ACCEPTED)
        except Busy as error:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": "10"}) from None

    @served(server, "GET", f"{REPORTS}/<report>", LOOK)
    def look_at_report(report: str) -> Response:
        return _answer(_known(jobs.find(report)))

    @served(server, "DELETE", f"{REPORTS}/<report>", CANCEL)
    def cancel_report(report: str) -> Response:
        door.admit_look()
        return _answer(_known(jobs.cancel(report)))

    @served(server, "GET", f"{REPORTS}/<report>/file", FILE)
    def file_of_report(report: str) -> Response:
        job = _known(jobs.find(report))
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


def _known(job: Job | None) -> Job:
    if job is None:
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
