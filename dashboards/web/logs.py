"""Logs over HTTP: `POST /api/logs` receives a log, and its receipt reports what was loaded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from fastapi import Query as FromQuery
from starlette.datastructures import Headers

from dashboards.queries.addresses import url
from dashboards.web.access import body, caller, needs, note
from dashboards.web.limiter import Quota
from dashboards.web.refusals import API, Refused
from dashboards.web.routing import NO_STORE, Services, refusals
from himalaya_core.names import TOURNAMENT_NAME
from ingest.inbox.inbox import Encoding
from ingest.inbox.loading import Receipt, Status
from ingest.load.summary import Summary
from ingest.people.tokens import Scope

__all__ = ["BODY_OF_LOG", "LOGS", "ReceivedLog", "check_log", "encoding", "routes"]


NO_LOG: Final = re.compile(r"(image|audio|video|font|model|multipart)/|text/(html|css|xml)|application/(pdf|xml|zip)")
"""Media types that are refused. Types that clients send by default are accepted, such as curl's form data."""


def check_log(headers: Headers, most: int) -> None:
    """Refuse a body if its headers name a type in `NO_LOG`, or a size above `most` bytes."""
    found = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if NO_LOG.match(found):
        message = f"Content-Type: {found} is not a log; send JSON Lines, plain or compressed, as the body itself"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    size = int(headers.get("Content-Length", "0"))
    if size > most:
        message = f"body: expected at most {most} bytes as sent, found {size}"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, size)


def encoding(headers: Headers) -> Encoding | None:
    """Return the compression named by Content-Encoding, `None` for none."""
    found = headers.get("Content-Encoding", "").strip().lower()
    if found in {"", "identity"}:
        return None
    if found not in set(Encoding):
        message = f"Content-Encoding: expected {' or '.join(Encoding)}, found {found}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    return Encoding(found)


LOGS: Final = f"{API}/logs"
TYPES: Final = ("application/jsonl", "application/gzip", "application/zstd", "application/octet-stream")
BODY_OF_LOG: Final[Mapping[str, Any]] = {
    "required": True,
    "content": {kind: {"schema": {"contentMediaType": "application/jsonl"}} for kind in TYPES},
}
"""OpenAPI description of a request body with a log."""
CONTENT_ENCODING: Final = {
    "name": "Content-Encoding",
    "in": "header",
    "description": "compression of the body",
    "schema": {"enum": [str(each) for each in Encoding]},
}
PLACE: Final = {"Location": {"description": "address of the receipt", "schema": {"type": "string"}}}
REFUSED: Final = {
    400: "The body is empty, or the name of the tournament is not allowed",
    401: "A token is required, or the one sent is unknown",
    403: "The role does not allow sending; or a request without a token came from another site or for another "
    "host; or the server is read-only",
    413: "The body is too large, or has too many lines",
    415: "The Content-Type is not that of a log",
    422: "The compressed body is damaged, compressed twice, or does not match Content-Encoding",
    429: "Too many bytes from this sender within a minute; Retry-After has the seconds to wait",
    503: "Too many bodies wait to be loaded, and Retry-After has the seconds to wait; or nothing can be written",
    507: "The disk is full",
}
ABOUT: Final = """\
The body is JSON Lines, plain or as one gzip or zstd stream, recognised by its first bytes, and is stored as sent.
Content-Encoding is optional; data compressed twice is refused. The answer is sent once the body is safe on disk.
Sending the same bytes again changes nothing."""
Tournament = Annotated[
    str | None, FromQuery(description="tournament of matches whose log names none", pattern=f"^{TOURNAMENT_NAME}$")
]


@dataclass(frozen=True, slots=True)
class ReceivedLog:
    """The state of a request body with logs; `receipt` is its SHA-256, `size` its bytes as sent.

    `accepted`: the body is safe on the server's disk. `pending`: it waits to be loaded; if loading failed, `problem`
    says why. `taken`: it is loaded; `summary` has the counts.
    """

    receipt: str
    status: Status
    size: int
    received_at: datetime
    summary: Summary | None
    problem: str | None
    links: dict[str, str]


def routes(services: Services) -> APIRouter:
    """Return the routes of logs and their receipts."""
    api, intake = APIRouter(prefix=LOGS, dependencies=[NO_STORE]), services.intake
    quota = Quota(intake.limits.bytes_per_minute)

    @api.post(
        "",
        status_code=HTTPStatus.ACCEPTED,
        operation_id="sendLogs",
        summary="Send logs",
        description=ABOUT,
        responses={
            202: {"description": "The body is safe on disk and will be loaded soon", "headers": PLACE},
            200: {"model": ReceivedLog, "description": "The body was sent before and is loaded", "headers": PLACE},
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
        summary="Get the receipt of logs that were sent",
        responses=refusals({404: "No body with this SHA-256 was received"}),
    )
    @needs(Scope.READ, Scope.SEND)
    def get_receipt(receipt: str, answer: Response) -> ReceivedLog:
        found = intake.receipt(receipt)
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "There is no such receipt; use the SHA-256 of a body that was sent.")
        return _shown(found, answer)

    return api


def _shown(receipt: Receipt, answer: Response) -> ReceivedLog:
    """Return a receipt as the API shows it, and set the header `Location` to its address."""
    facts = {each.name: getattr(receipt, each.name) for each in fields(receipt)}
    facts["received_at"] = receipt.received_at.replace(tzinfo=UTC)
    here = url(f"{LOGS}/{receipt.receipt}")
    answer.headers["Location"] = here
    return ReceivedLog(**facts, links={"self": here, "matches": url(f"{API}/matches")})
