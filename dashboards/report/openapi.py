"""What the OpenAPI document says of reports that are made in the background."""

from dataclasses import dataclass
from typing import Any, Final

from dashboards.http.openapi.parts import API, Answer, Part, answers, path_parameter, ref
from dashboards.report.jobs import Status
from dashboards.report.render import MIMETYPES, Format

__all__ = ["REPORTS", "ReportJob", "report_part"]

REPORTS: Final = f"{API}/reports"
ID: Final = "^[A-Za-z0-9_-]{16}$"
UNKNOWN: Final = {
    "401": "A token is needed",
    "403": "The token is not for running or operating; or it came from a page of another site",
    "404": "There is no report with that id that the caller asked for, or it is no longer kept",
}


@dataclass(frozen=True, slots=True)
class ReportJob:
    """A report that was asked for, and how far it is: `done` of `total` steps, `step` says which comes.

    `filter` is the query of the address that it goes by. `problem` says why it failed; `size` is that of the file, in
    bytes, once it is done, `file` its name. `links` are where to ask again, and where the file is.
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


def report_part() -> Part:
    """Return the part of the OpenAPI document on reports."""
    one = f"{REPORTS}/{{report}}"
    paths = {
        REPORTS: {"post": _ask()},
        one: {"get": _look(), "delete": _cancel()},
        f"{one}/file": {"get": _file()},
    }
    return Part(paths, (ReportJob,))


def _ask() -> dict[str, Any]:
    fields = {
        "format": {"enum": [str(each) for each in Format]},
        "filter": {
            "type": "string",
            "default": "",
            "description": "Which matches, in the form of a page address's query: `tournament=cup&players=4`",
        },
    }
    schema = {"type": "object", "additionalProperties": False, "properties": fields, "required": ["format"]}
    place = {"Location": "where to ask how far it is"}
    return {
        "operationId": "askForReport",
        "summary": "Request a report",
        "description": "Reports are made one at a time and shared by all who ask for the same one; the answer"
        " comes at once.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": answers(
            {"202": Answer("Queued", ref(ReportJob), headers=place)},
            {
                "400": "The body is not a JSON object, or has unknown fields",
                "401": "A token is needed",
                "403": "The token is not for running; or it came from a page of another site, or under another name",
                "413": "The body is too large",
                "415": "The Content-Type is not JSON",
                "422": "There is no such format or filter key",
                "429": "Too many requests within a minute",
                "503": "Too many reports are queued",
            },
        ),
    }


def _look() -> dict[str, Any]:
    return {
        "operationId": "lookAtReport",
        "summary": "Progress of a report",
        "parameters": [_id()],
        "responses": answers({"200": Answer("Its state", ref(ReportJob))}, UNKNOWN),
    }


def _cancel() -> dict[str, Any]:
    return {
        "operationId": "cancelReport",
        "summary": "Cancel a report; its file is deleted once nobody else wants it",
        "parameters": [_id()],
        "responses": answers(
            {"200": Answer("Its state now", ref(ReportJob))},
            UNKNOWN,
        ),
    }


def _file() -> dict[str, Any]:
    described = Answer("The file", {"contentMediaType": "application/octet-stream"}).described()
    described["content"] = {
        MIMETYPES[each].partition(";")[0]: {"schema": {"contentMediaType": MIMETYPES[each].partition(";")[0]}}
        for each in Format
    }
    found = answers({}, UNKNOWN | {"409": "It is unfinished, failed or cancelled; the message says which"})
    return {
        "operationId": "downloadReport",
        "summary": "The file of a report that is done",
        "parameters": [_id()],
        "responses": {"200": described, **found},
    }


def _id() -> dict[str, Any]:
    return path_parameter("report", "id of the report", ID)
