"""Logs over HTTP, in with `POST /api/logs`, out with `GET /api/matches/<match>`; `/api/openapi.json` describes it.

Every refusal is JSON: `message`, and where a limit was passed, `limit` and `found`.
"""

import re
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from dashboards.http import bookmarks, branch_playouts, branches, drafts, studies
from dashboards.http.access import Door, Policy, Refused, Scope, caller, needs, note
from dashboards.http.bodies import accepting, check_log, encoding
from dashboards.http.callbacks import CALLBACKS
from dashboards.http.kept import unavailable
from dashboards.http.openapi.described import IF_NONE_MATCH, UNREADABLE, Answer, Operation, said, served
from dashboards.http.openapi.document import API, LOGS, Refusal, as_json, document
from dashboards.http.quota import Quota
from dashboards.http.rates import Rate
from dashboards.http.sign_in import register_sign_in
from dashboards.http.upload import DROP
from dashboards.warehouse.addresses import Key
from dashboards.warehouse.logs import packed_log
from dashboards.warehouse.reader import Reader
from himalaya_core.names import TOURNAMENT_NAME
from ingest.errors import WarehouseError
from ingest.load.summary import Summary
from ingest.receive.inbox import Encoding
from ingest.receive.receive import Intake, Receipt, Status
from ingest.warehouse import Warehouse

__all__ = ["register", "register_intake"]

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
LOOKS: Final = 60
"""Logs that one address sends in a minute only to have them looked at."""

BODY_TYPES: Final = ("application/jsonl", "application/gzip", "application/zstd", "application/octet-stream")
JSON_LINES: Final = {"type": "string", "contentMediaType": "application/jsonl"}


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


TOURNAMENT: Final = Key("tournament", "given to matches whose log names none", {"pattern": f"^{TOURNAMENT_NAME}$"})
PLACE: Final = {"Location": "where to ask what became of it"}
SEND: Final = Operation(
    "sendLogs",
    "Send logs",
    {
        "202": Answer("It is safe on disk and will be loaded soon", ReceivedLog, headers=PLACE),
        "200": Answer("It was sent before and is loaded", ReceivedLog, headers=PLACE),
    },
    {
        "400": "The body is empty, or the tournament's name is not allowed",
        "401": "A token is needed, or the one sent is unknown to this server",
        "403": "The token is not for sending; or without a token, it came from a page of another site or under "
        "another name; or what is served is only read",
        "413": "The body is too large, or has too many lines",
        "415": "The Content-Type is not that of a log",
        "422": "The compressed body is damaged, compressed twice, or not as Content-Encoding says",
        "429": "Too many bytes within a minute from this sender; Retry-After says when to come back",
        "503": "Too much waits to be loaded, and Retry-After says when to come back; or nothing can be written",
        "507": "The disk is full",
    },
    description="The body is JSON Lines, plain or one gzip or zstd stream, recognised by its first bytes; it is "
    "kept as it is sent. Content-Encoding may say the same; data compressed twice is refused. The answer comes "
    "once the body is safe on the disk. Sending the same bytes again changes nothing.",
    query=(TOURNAMENT,),
    headers=(Key("Content-Encoding", "how the body is compressed", {"enum": [str(each) for each in Encoding]}),),
    body={
        "required": True,
        "content": {kind: {"schema": {"contentMediaType": "application/jsonl"}} for kind in BODY_TYPES},
    },
    takes_token=True,
)
ASK_RECEIPT: Final = Operation(
    "askReceipt",
    "What became of logs that were sent",
    {"200": Answer("What is known of it", ReceivedLog)},
    {"404": "Nothing was received under that digest"},
)
DOWNLOAD: Final = Operation(
    "downloadLog",
    "The log of a match, as it was",
    {
        "200": Answer("Its lines", JSON_LINES, ("application/jsonl",), {"ETag": "SHA-256 of the lines"}),
        "304": Answer("It has not changed"),
    },
    {"404": "There is no match of that name", "503": UNREADABLE},
    headers=(IF_NONE_MATCH,),
)
DESCRIBE: Final = Operation("describe", "This document", {"200": Answer("It", {"type": "object"})})


def register(server: Flask, reader: Reader) -> None:
    """Add the routes that only read; the document has all that is served once it is asked for."""

    @cache
    def whole_document() -> dict[str, Any]:  # made when it is first asked for, which is rare
        return document(server)

    @served(server, "GET", f"{API}/matches/<match>", DOWNLOAD)
    def match_log(match: str) -> Response:
        log = packed_log(reader, match)
        if log is None:
            raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match} in this database.")
        answer = Response(mimetype="application/jsonl")
        answer.set_etag(log.sha256)
        answer.headers["Cache-Control"] = "private, no-cache"
        answer.make_conditional(request)
        if answer.status_code == HTTPStatus.OK:
            answer.set_data(log.text())
            answer.headers["Content-Disposition"] = f'attachment; filename="{match}.jsonl"'
        return answer

    @served(server, "GET", f"{API}/openapi.json", DESCRIBE)
    def openapi() -> Response:
        return jsonify(whole_document())

    @server.route(f"{API}/", methods=METHODS, strict_slashes=False)
    @server.route(f"{API}/<path:_>", methods=METHODS)
    def nothing(_: str = "") -> Response:
        raise Refused(HTTPStatus.NOT_FOUND, "There is nothing at this address; /api/openapi.json lists what there is.")

    _say_why_not(server)


def _say_why_not(server: Flask) -> None:
    """Answer errors in a sentence, as JSON to programs."""

    @server.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        if not _is_asked_by_programs():
            return Response(f"{error}\n", error.status, error.headers, mimetype="text/plain")
        answer = jsonify(as_json(Refusal(str(error), error.limit, error.found)))
        answer.status_code = error.status
        answer.headers.update(error.headers)
        return answer

    @server.errorhandler(WarehouseError)
    def not_now(error: WarehouseError) -> Response:
        return refused(unavailable(error))

    @server.errorhandler(HTTPException)
    def failed(error: HTTPException) -> Response | HTTPException:
        if not _is_asked_by_programs():
            return error
        answer = jsonify(as_json(Refusal(error.description or error.name)))
        answer.status_code = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            answer.headers["Allow"] = ", ".join(error.valid_methods)
        return answer


def register_intake(server: Flask, warehouse: Warehouse, intake: Intake, policy: Policy) -> Door:
    """Add the routes that write, and a look at who asks for anything at all; return who looks."""
    door = Door(warehouse, policy)
    door.guard(server)
    register_sign_in(server, door)
    bookmarks.register_writing(server, warehouse)
    branches.register_playing(server, warehouse)
    branch_playouts.register(server, warehouse)
    studies.register_writing(server, warehouse)
    drafts.register_writing(server, warehouse, intake)
    quota, looks = Quota(intake.limits.bytes_per_minute), Rate(LOOKS)

    @server.before_request
    def count_looks() -> None:
        if (request.method, request.path) == ("POST", DROP):
            looks.count(caller().key)

    @served(server, "POST", LOGS, SEND)
    @needs(Scope.SEND)
    def receive() -> Response:
        who = caller()
        quota.require(who.key)
        check_log(intake.limits.body)
        with accepting():
            intake.require_room()
            quota.count(who.key, request.content_length or 0)
            receipt = intake.receive(request.stream, source=who.name, tournament=_tournament(), encoding=encoding())
        if request.content_length is None:
            quota.count(who.key, receipt.size)
        note("send logs")
        return _answer(receipt, HTTPStatus.OK if receipt.status is Status.TAKEN else HTTPStatus.ACCEPTED)

    @served(server, "GET", f"{LOGS}/<receipt>", ASK_RECEIPT)
    @needs(Scope.READ, Scope.SEND)
    def what_became_of(receipt: str) -> Response:
        found = intake.receipt(receipt)
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "There is no such receipt; its name is the SHA-256 of a body.")
        return _answer(found, HTTPStatus.OK)

    return door


def _is_asked_by_programs() -> bool:
    return request.path in {API, CALLBACKS} or request.path.startswith(f"{API}/")


def shown(receipt: Receipt) -> ReceivedLog:
    """Return a receipt as the API shows it."""
    facts = {each.name: getattr(receipt, each.name) for each in fields(receipt)}
    facts["received_at"] = receipt.received_at.replace(tzinfo=UTC)
    return ReceivedLog(**facts, links={"self": f"{LOGS}/{receipt.receipt}", "matches": f"{API}/matches"})


def _answer(receipt: Receipt, status: HTTPStatus) -> Response:
    answer = jsonify(as_json(shown(receipt)))
    answer.status_code = status
    answer.headers["Location"] = f"{LOGS}/{receipt.receipt}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _tournament() -> str | None:
    name = said(TOURNAMENT)
    if name is not None and not re.fullmatch(TOURNAMENT.schema["pattern"], name):
        message = f"tournament: expected 1 to 57 of A-Z a-z 0-9 . _ -, found {name!r}"
        raise Refused(HTTPStatus.BAD_REQUEST, message)
    return name
