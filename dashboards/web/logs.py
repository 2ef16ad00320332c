"""Logs over HTTP, in with `POST /api/logs`; what became of them is told under the SHA-256 of the body."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from fastapi import Query as FromQuery

from dashboards.warehouse.addresses import url
from dashboards.web.access import Scope, body, caller, needs, note
from dashboards.web.bodies import check_log, encoding
from dashboards.web.quota import Quota
from dashboards.web.refusals import API, Refused
from dashboards.web.routing import NO_STORE, refusals
from dashboards.web.services import Services
from himalaya_core.names import TOURNAMENT_NAME
from ingest.load.summary import Summary
from ingest.receive.inbox import Encoding
from ingest.receive.receive import Receipt, Status

__all__ = ["BODY_OF_LOG", "LOGS", "ReceivedLog", "routes"]

LOGS: Final = f"{API}/logs"
TYPES: Final = ("application/jsonl", "application/gzip", "application/zstd", "application/octet-stream")
BODY_OF_LOG: Final[Mapping[str, Any]] = {
    "required": True,
    "content": {kind: {"schema": {"contentMediaType": "application/jsonl"}} for kind in TYPES},
}
"""The body of a request that sends a log, as OpenAPI has it."""
CONTENT_ENCODING: Final = {
    "name": "Content-Encoding",
    "in": "header",
    "description": "how the body is compressed",
    "schema": {"enum": [str(each) for each in Encoding]},
}
PLACE: Final = {"Location": {"description": "where to ask what became of it", "schema": {"type": "string"}}}
REFUSED: Final = {
    400: "The body is empty, or the tournament's name is not allowed",
    401: "A token is needed, or the one sent is unknown to this server",
    403: "The token is not for sending; or without a token, it came from a page of another site or under another "
    "name; or what is served is only read",
    413: "The body is too large, or has too many lines",
    415: "The Content-Type is not that of a log",
    422: "The compressed body is damaged, compressed twice, or not as Content-Encoding says",
    429: "Too many bytes within a minute from this sender; Retry-After says when to come back",
    503: "Too much waits to be loaded, and Retry-After says when to come back; or nothing can be written",
    507: "The disk is full",
}
ABOUT: Final = """\
The body is JSON Lines, plain or one gzip or zstd stream, recognised by its first bytes; it is kept as it is sent.
Content-Encoding may say the same; data compressed twice is refused. The answer comes once the body is safe on the disk.
Sending the same bytes again changes nothing."""
Tournament = Annotated[
    str | None, FromQuery(description="given to matches whose log names none", pattern=f"^{TOURNAMENT_NAME}$")
]


@dataclass(frozen=True, slots=True)
class ReceivedLog:
    """What became of a body of logs. `receipt` is its SHA-256.

    `accepted`: it is safe on the server's disk; `pending`: it waits there, `problem` says why if it has to; `taken`: it
    was taken in, `summary` says what of it.
    """

    receipt: str
    status: Status
    size: int
    received_at: datetime
    summary: Summary | None
    problem: str | None
    links: dict[str, str]


def routes(services: Services) -> APIRouter:
    """Return the routes of logs that are sent."""
    api, intake = APIRouter(prefix=LOGS, dependencies=[NO_STORE]), services.intake
    quota = Quota(intake.limits.bytes_per_minute)

    @api.post(
        "",
        status_code=HTTPStatus.ACCEPTED,
        operation_id="sendLogs",
        summary="Send logs",
        description=ABOUT,
        responses={
            202: {"description": "It is safe on disk and will be loaded soon", "headers": PLACE},
            200: {"model": ReceivedLog, "description": "It was sent before and is loaded", "headers": PLACE},
            **refusals(REFUSED),
        },
        openapi_extra={"requestBody": BODY_OF_LOG, "parameters": [CONTENT_ENCODING]},
    )
    @needs(Scope.SEND)
    def receive(request: Request, answer: Response, tournament: Tournament = None) -> ReceivedLog:
        who, size = caller(), request.headers.get("Content-Length")
        quota.require(who.key)
        check_log(request.headers, intake.limits.body)
        intake.require_room()
        quota.count(who.key, int(size or 0))
        receipt = intake.receive(body(), source=who.name, tournament=tournament, encoding=encoding(request.headers))
        if size is None:
            quota.count(who.key, receipt.size)
        note("send logs")
        answer.status_code = HTTPStatus.OK if receipt.status is Status.TAKEN else HTTPStatus.ACCEPTED
        return _shown(receipt, answer)

    @api.get(
        "/{receipt}",
        operation_id="askReceipt",
        summary="What became of logs that were sent",
        responses=refusals({404: "Nothing was received under that digest"}),
    )
    @needs(Scope.READ, Scope.SEND)
    def what_became_of(receipt: str, answer: Response) -> ReceivedLog:
        found = intake.receipt(receipt)
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "There is no such receipt; its name is the SHA-256 of a body.")
        return _shown(found, answer)

    return api


def _shown(receipt: Receipt, answer: Response) -> ReceivedLog:
    """Return a receipt as the API shows it, and have the answer name its address."""
    facts = {each.name: getattr(receipt, each.name) for each in fields(receipt)}
    facts["received_at"] = receipt.received_at.replace(tzinfo=UTC)
    here = url(f"{LOGS}/{receipt.receipt}")
    answer.headers["Location"] = here
    return ReceivedLog(**facts, links={"self": here, "matches": url(f"{API}/matches")})
