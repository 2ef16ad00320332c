"""Logs over HTTP, in with `POST /api/logs`, out with `GET /api/matches/<match>`; `/api/openapi.json` describes it.

Every refusal is JSON: `message`, and where a limit was passed, `limit` and `found`.
"""

import re
from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, abort, jsonify, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from dashboards.http import bookmarks
from dashboards.http.access import Door, Policy, Refused, Scope, caller, needs, note
from dashboards.http.bodies import accepting, check_log, encoding
from dashboards.http.openapi.document import API, LOGS, Refusal, as_json, document, shown
from dashboards.http.openapi.parts import Part
from dashboards.http.rates import Rate
from dashboards.http.sign_in import register_sign_in
from dashboards.http.upload import DROP
from dashboards.warehouse.logs import packed_log
from dashboards.warehouse.reader import Reader
from himalaya_core.arena.plan_file import TOURNAMENT_NAME
from ingest.receive.receive import Intake, Receipt, Status
from ingest.warehouse import Warehouse

__all__ = ["register", "register_intake"]

LOOKS: Final = 60
"""Logs that one address sends in a minute only to have them looked at."""


def register(server: Flask, reader: Reader, described: Sequence[Part] = ()) -> None:
    """Add the routes that only read; the document has the parts `described` too."""

    @cache
    def whole_document() -> dict[str, Any]:  # made when it is first asked for, which is rare
        return document(*described)

    @server.get(f"{API}/matches/<match>")
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

    @server.get(f"{API}/openapi.json")
    def openapi() -> Response:
        return jsonify(whole_document())

    @server.route(f"{API}/<path:_>", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    def nothing(_: str) -> Response:
        return abort(HTTPStatus.NOT_FOUND)

    @server.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        if not request.path.startswith(f"{API}/"):
            return Response(f"{error}\n", error.status, error.headers, mimetype="text/plain")
        answer = jsonify(as_json(Refusal(str(error), error.limit, error.found)))
        answer.status_code = error.status
        answer.headers.update(error.headers)
        return answer

    @server.errorhandler(HTTPException)
    def failed(error: HTTPException) -> Response | HTTPException:
        if not request.path.startswith(f"{API}/"):
            return error
        answer = jsonify(as_json(Refusal(error.description or error.name)))
        answer.status_code = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            answer.headers["Allow"] = ", ".join(error.valid_methods)
        return answer


def register_intake(server: Flask, warehouse: Warehouse, intake: Intake, policy: Policy) -> Door:
    """Add the routes that accept logs and bookmarks, and a look at who asks for anything at all; return who looks."""
    door = Door(warehouse, policy)
    door.guard(server)
    register_sign_in(server, door)
    bookmarks.register_writing(server, warehouse)
    bodies, looks = Rate(intake.limits.rate), Rate(LOOKS)

    @server.before_request
    def count_looks() -> None:
        if (request.method, request.path) == ("POST", DROP):
            looks.count(caller().key)

    @server.post(LOGS)
    @needs(Scope.SEND)
    def receive() -> Response:
        bodies.count(caller().key)
        check_log(intake.limits.body)
        with accepting():
            receipt = intake.receive(
                request.stream, source=caller().name, tournament=_tournament(), encoding=encoding()
            )
        note("send logs")
        return _answer(receipt, HTTPStatus.OK if receipt.status is Status.TAKEN else HTTPStatus.ACCEPTED)

    @server.get(f"{LOGS}/<receipt>")
    @needs(Scope.READ, Scope.SEND)
    def what_became_of(receipt: str) -> Response:
        found = intake.receipt(receipt)
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "There is no such receipt; its name is the SHA-256 of a body.")
        return _answer(found, HTTPStatus.OK)

    return door


def _answer(receipt: Receipt, status: HTTPStatus) -> Response:
    answer = jsonify(as_json(shown(receipt)))
    answer.status_code = status
    answer.headers["Location"] = f"{LOGS}/{receipt.receipt}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _tournament() -> str | None:
    name = request.args.get("tournament")
    if name is not None and not re.fullmatch(TOURNAMENT_NAME, name):
        message = f"tournament: expected 1 to 57 of A-Z a-z 0-9 . _ -, found {name!r}"
        raise Refused(HTTPStatus.BAD_REQUEST, message)
    return name
