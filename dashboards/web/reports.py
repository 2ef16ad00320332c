"""Reports over HTTP: `POST /api/reports` requests one, `GET` returns its progress, and its file when it is done.

A report is visible to the callers who requested it and to operators; for others it does not exist.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Response
from pydantic import WithJsonSchema

from dashboards.queries.addresses import url
from dashboards.queries.filters import Filter
from dashboards.queries.provenance import checks_stamp
from dashboards.report.model import ReportError
from dashboards.report.render import MIMETYPES, Format, Wanted, file_name, wanted_of
from dashboards.report.words import filter_from
from dashboards.web.access import Scope, caller, needs, note
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import answer_file
from dashboards.web.routing import NO_STORE, Body, Services, as_body, at_most, limited, refusals
from ingest.jobs import Busy, Job, Status

__all__ = ["REPORTS", "ReportJob", "routes"]

REPORTS: Final = f"{API}/reports"
REPORT: Final = "/{report}"
RATE: Final = 60
"""Maximum number of reports requested or cancelled per caller and minute."""
MOST_BYTES: Final = 16 << 10
UNKNOWN: Final = {
    401: "A token is needed",
    403: "The role allows neither running nor operating; or the request came from another site",
    404: "The caller has requested no such report, or it is no longer stored",
}
REFUSED: Final = {
    400: "The body is not a JSON object, or has unknown fields",
    401: "A token is needed",
    403: "The role does not allow running; or the request came from another site or for another host",
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    422: "There is no such format or filter key",
    429: "Too many requests within a minute",
    503: "Too many reports are queued",
}
KINDS: Final = tuple(MIMETYPES[each].partition(";")[0] for each in Format)


@dataclass(frozen=True, slots=True)
class ReportJob:
    """A requested report and its progress: `done` of `total` steps; `step` names the next step.

    `filter` is the query that selects its matches. `problem` says why it failed. `file` is the name of its file, `size`
    its size in bytes, null until it is done. `links` has the addresses of the report and of its file.
    """

    id: str
    status: Status
    format: Format
    filter: str
    done: int
    total: int
    step: str
    problem: str | None
    size: int | None
    file: str
    links: dict[str, str]


class WantedReport(Body):
    """A report to make; `filter` selects matches like the query of a page's address."""

    format: Annotated[Any, WithJsonSchema({"enum": [str(each) for each in Format]})] = None
    filter: Annotated[Any, WithJsonSchema({"type": "string"})] = None


def routes(services: Services) -> APIRouter:
    """Return the routes of reports."""
    api, reports, reader = APIRouter(prefix=REPORTS, dependencies=[NO_STORE]), services.reports, services.reader
    rate = limited(RATE)

    @api.post(
        "",
        status_code=HTTPStatus.ACCEPTED,
        operation_id="askForReport",
        summary="Request a report",
        description="Reports are made one at a time; callers who request the same one share it. The answer is sent "
        "before the report is made.",
        dependencies=[rate, at_most(MOST_BYTES)],
        responses=refusals(REFUSED),
    )
    @needs(Scope.RUN)
    def ask_for_report(wanted: WantedReport, answer: Response) -> ReportJob:
        where, kind = _checked(wanted)
        try:
            job = reports.ask(Wanted(where, kind, checks_stamp(reader)), caller().owner)
        except Busy as error:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": "10"}) from None
        note("make report", f"{job.id} {kind}")
        return _shown(job, answer)

    @api.get(REPORT, operation_id="lookAtReport", summary="Get the progress of a report", responses=refusals(UNKNOWN))
    @needs(Scope.RUN, Scope.OPERATE)
    def look_at_report(report: str, answer: Response) -> ReportJob:
        return _shown(_own(reports.jobs.find(report)), answer)

    @api.delete(
        REPORT,
        operation_id="cancelReport",
        summary="Cancel a report; its file is deleted once no other caller wants it",
        dependencies=[rate],
        responses=refusals(UNKNOWN),
    )
    @needs(Scope.RUN, Scope.OPERATE)
    def cancel_report(report: str, answer: Response) -> ReportJob:
        job = _own(reports.jobs.find(report))
        reports.jobs.cancel(report, caller().owner if caller().owner in job.owners else None)
        note("cancel report", job.id)
        return _shown(job, answer)

    @api.get(
        f"{REPORT}/file",
        operation_id="downloadReport",
        summary="Download the file of a finished report",
        response_class=Response,
        responses={
            200: as_body("The file", {"contentMediaType": "application/octet-stream"}, *KINDS),
            **refusals(UNKNOWN, {409: "It is unfinished, failed or cancelled; the message says which"}),
        },
    )
    @needs(Scope.RUN, Scope.OPERATE)
    def file_of_report(report: str) -> Response:
        job = _own(reports.jobs.find(report))
        content = job.content
        if job.status is not Status.DONE or content is None:
            why = f": {job.problem}" if job.problem else ""
            raise Refused(HTTPStatus.CONFLICT, f"The report has no file: it is {job.status}{why}")
        made = wanted_of(job)
        return answer_file(content, made.type, file_name(made.where, made.format))

    return api


def _checked(wanted: WantedReport) -> tuple[Filter, Format]:
    kind, text = wanted.format or "", "" if wanted.filter is None else wanted.filter
    if not isinstance(kind, str) or kind not in set(Format):
        expected = ", ".join(Format)
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"format: expected one of {expected}, found {str(kind)[:40]!r}")
    if not isinstance(text, str):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "filter: send the query of an address as text, such as seat=1")
    try:
        return filter_from(parse_qsl(text.removeprefix("?"), keep_blank_values=True)), Format(kind)
    except ReportError as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"filter: {error}") from None


def _own(job: Job | None) -> Job:
    """Return a report that the caller may see; raises `Refused` with status 404 for other reports."""
    if job is None or not (caller().owner in job.owners or Scope.OPERATE in caller().scopes):
        raise Refused(HTTPStatus.NOT_FOUND, "There is no report with that id, or it is no longer stored.")
    return job


def _shown(job: Job, answer: Response) -> ReportJob:
    """Return a report as an answer, and set the header `Location`."""
    here, made = url(f"{REPORTS}/{job.id}"), wanted_of(job)
    answer.headers["Location"] = here
    return ReportJob(
        job.id,
        job.status,
        made.format,
        urlencode(made.where.pairs()),
        job.done,
        job.total,
        job.step,
        job.problem,
        None if job.content is None else len(job.content),
        file_name(made.where, made.format),
        {"self": here, "file": f"{here}/file"},
    )
