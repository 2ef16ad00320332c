"""What reports that are made in the background are over HTTP: their record, and the operations on them."""

from dataclasses import dataclass
from typing import Final

from dashboards.http.openapi.described import API, Answer, Operation, body_of
from dashboards.report.jobs import Status
from dashboards.report.render import MIMETYPES, Format

__all__ = ["ASK", "CANCEL", "FIELDS", "FILE", "LOOK", "REPORTS", "ReportJob"]

REPORTS: Final = f"{API}/reports"
UNKNOWN: Final = {
    "401": "A token is needed",
    "403": "The token is not for running or operating; or it came from a page of another site",
    "404": "There is no report with that id that the caller asked for, or it is no longer kept",
}
FIELDS: Final = {
    "format": {"enum": [str(each) for each in Format]},
    "filter": {
        "type": "string",
        "default": "",
        "description": "Which matches, in the form of a page address's query: `tournament=cup&players=4`",
    },
}
"""Of the body that asks for a report."""


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


ASK: Final = Operation(
    "askForReport",
    "Request a report",
    {"202": Answer("Queued", ReportJob, headers={"Location": "where to ask how far it is"})},
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
    description="Reports are made one at a time and shared by all who ask for the same one; the answer comes at once.",
    body=body_of(FIELDS, required=["format"]),
)
LOOK: Final = Operation("lookAtReport", "Progress of a report", {"200": Answer("Its state", ReportJob)}, UNKNOWN)
CANCEL: Final = Operation(
    "cancelReport",
    "Cancel a report; its file is deleted once nobody else wants it",
    {"200": Answer("Its state now", ReportJob)},
    UNKNOWN,
)
FILE: Final = Operation(
    "downloadReport",
    "The file of a report that is done",
    {
        "200": Answer(
            "The file",
            {"contentMediaType": "application/octet-stream"},
            tuple(MIMETYPES[each].partition(";")[0] for each in Format),
        )
    },
    UNKNOWN | {"409": "It is unfinished, failed or cancelled; the message says which"},
)
