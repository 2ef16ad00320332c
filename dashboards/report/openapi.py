"""What the OpenAPI document says of reports that are made in the background."""

from dataclasses import dataclass
from typing import Any, Final

from dashboards.http.openapi.parts import API, Answer, Part, answers, path_parameter, ref
from dashboards.report.jobs import Status
from dashboards.report.render import MIMETYPES, Format

__all__ = ["REPORTS", "ReportJob", "report_part"]

REPORTS: Final = f"{API}/reports"
ID: Final = "^[A-Za-z0-9_-]{16}$"
UNKNOWN: Final = {"404": "No report of that id was asked for, or it is not kept any more"}


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
            "description": "Which matches, as the query of a page's address says it: `tournament=cup&players=4`",
        },
    }
    schema = {"type": "object", "additionalProperties": False, "properties": fields, "required": ["format"]}
    place = {"Location": "where to ask how far it is"}
    return {
        "operationId": "askForReport",
        "summary": "Have a report made",
        "description": "One is made at a time and shared by all who ask for the same; the answer comes at once.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": answers(
            {"202": Answer("It will be made", ref(ReportJob), headers=place)},
            {
                "400": "The body is no JSON object, or has other fields",
                "403": "A page of another site sent it, or under another name of this machine",
                "413": "The body is too large",
                "415": "The body is not said to be JSON",
                "422": "There is no such format, or a key of the filter is none",
                "429": "Too many requests within a minute",
                "503": "Too many reports wait to be made",
            },
        ),
    }


def _look() -> dict[str, Any]:
    return {
        "operationId": "lookAtReport",
        "summary": "How far a report is",
        "parameters": [_id()],
        "responses": answers({"200": Answer("As it stands", ref(ReportJob))}, UNKNOWN),
    }


def _cancel() -> dict[str, Any]:
    return {
        "operationId": "cancelReport",
        "summary": "Give a report up; its file goes once nobody else wants it",
        "parameters": [_id()],
        "responses": answers(
            {"200": Answer("As it stands now", ref(ReportJob))}, UNKNOWN | {"403": "From another site"}
        ),
    }


def _file() -> dict[str, Any]:
    described = Answer("The file", {"contentMediaType": "application/octet-stream"}).described()
    described["content"] = {
        MIMETYPES[each].partition(";")[0]: {"schema": {"contentMediaType": MIMETYPES[each].partition(";")[0]}}
        for each in Format
    }
    found = answers({}, UNKNOWN | {"409": "It is not done yet, failed, or was cancelled; the message says which"})
    return {
        "operationId": "downloadReport",
        "summary": "The file of a report that is done",
        "parameters": [_id()],
        "responses": {"200": described, **found},
    }


def _id() -> dict[str, Any]:
    return path_parameter("report", "id of the report", ID)
