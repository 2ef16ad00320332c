"""Branches over HTTP: `POST /api/branches` carries one out and goes on from there; kept ones have an address.

The rules of the game decide what is allowed. What a seat must not know is not sent to who looks from it.
"""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, request

from dashboards.http.access import GONE, Refused, Scope, caller, needs, note, require
from dashboards.http.bodies import json_object
from dashboards.http.kept import keeping, record_answer
from dashboards.http.openapi import branches as operations
from dashboards.http.openapi.branches import BranchList, Kept, Sought
from dashboards.http.openapi.described import API, asked, said, served
from dashboards.http.openapi.document import as_json
from dashboards.http.openapi.replay import VIEW
from dashboards.http.rates import Rate
from dashboards.http.replay import log_of, reading_or_said
from dashboards.http.uncollected import uncollected
from dashboards.replay.branch_document import Document, DocumentError, Then, as_document, read_record
from dashboards.replay.branches import Branches, OtherLines, Played
from dashboards.replay.offline import offline_name, offline_page
from dashboards.replay.scenes import as_bytes, folded, seat_of
from dashboards.warehouse.logs import has_match
from dashboards.warehouse.reader import Reader
from ingest.people.branches import KeptBranch, branches_of, find_branch, keep_branch, remove_branch
from ingest.warehouse import Warehouse

__all__ = ["BRANCH", "found", "keep_tried", "refusing", "register", "register_playing", "told", "tried_on", "viewing"]

BRANCHES: Final = f"{API}/branches"
BRANCH: Final = f"{BRANCHES}/<branch>"
MOST_BYTES: Final = 1 << 20
"""Of the body of a branch."""
MOVES: Final = 600
"""Branches that one address has carried out, or actions checked, in a minute."""
CHANGES: Final = 120
"""Branches that one address keeps or removes in a minute."""
FIELDS: Final = tuple(each.name for each in fields(Document))
TRIED: Final = "branches that were tried"
"""Under which a server has what it carried out a short while ago."""
NO_REVIEW: Final = as_bytes({"not_valued": "a branch is not reviewed"})
QUICK: Final = 1
"""How hard a scene is compressed that is asked for once: a twentieth of the time for twice the bytes."""


def register(server: Flask, reader: Reader) -> None:
    """Add the routes that read."""
    tried = tried_on(server)

    @served(server, "GET", BRANCHES, operations.FIND)
    def find() -> Response:
        with reading_or_said(), reader.app() as store:
            kept = branches_of(store, asked(Sought).match)
        return record_answer(BranchList(kept))

    @served(server, "GET", BRANCH, operations.SHOW)
    def show(branch: str) -> Response:
        document, kept = found(reader, tried, branch)
        with uncollected(), refusing():
            return _scene(_carried_out(reader, tried, document, None), kept)

    @served(server, "GET", f"{BRANCH}/log.jsonl", operations.LOG)
    def download(branch: str) -> Response:
        document, _ = found(reader, tried, branch)
        with refusing():
            log = tried.log(log_of(reader, document.match), document)
        return _file(log, "application/jsonl", f"{document.match}-{branch[:8]}.jsonl")

    @served(server, "GET", f"{BRANCH}/offline.html", operations.OFFLINE)
    def offline(branch: str) -> Response:
        document, _ = found(reader, tried, branch)
        with refusing():
            played = _carried_out(reader, tried, document, None)
            log = None if played.view is not None else tried.log(log_of(reader, document.match), document)
        page = offline_page(as_bytes(played.scene()), NO_REVIEW, log)
        return _file(page, "text/html", offline_name(f"{document.match}-{branch[:8]}", said(VIEW)))


def register_playing(server: Flask, warehouse: Warehouse) -> None:
    """Add the routes that carry out, and those that write."""
    reader, tried = Reader(warehouse), tried_on(server)
    moves, changes = Rate(MOVES), Rate(CHANGES)

    @served(server, "POST", BRANCHES, operations.PLAY)
    @needs(Scope.READ)
    def play() -> Response:
        moves.count(caller().key)
        body = json_object({*FIELDS, "then", "keep"}, MOST_BYTES)
        title = body.pop("keep", None)
        if title is not None:
            changes.count(caller().key)
            require(Scope.WRITE)
        with uncollected(), refusing():
            then = None if (wanted := body.pop("then", None)) is None else read_record(Then, wanted)
            if then is not None and then.go_on is not None:
                require(Scope.RUN)
            played = _carried_out(reader, tried, read_record(Document, body), then)
            kept = None if title is None else _keep(warehouse, tried, played, title)
            return _scene(played, kept or _kept(reader, played.document.id))

    @served(server, "POST", f"{BRANCHES}/check", operations.CHECK)
    @needs(Scope.READ)
    def check() -> Response:
        moves.count(caller().key)
        body = json_object({*FIELDS, "action"}, MOST_BYTES)
        action = body.pop("action", None)
        if not isinstance(action, dict):
            raise Refused(HTTPStatus.BAD_REQUEST, "action: expected an object, found something else")
        with refusing():
            document = read_record(Document, body)
            log = log_of(reader, document.match)
            found = tried.check(log, document, action, viewing(log))
        return record_answer(found)

    @served(server, "DELETE", BRANCH, operations.REMOVE)
    @needs(Scope.WRITE)
    def remove(branch: str) -> Response:
        changes.count(caller().key)
        with refusing():
            removed = remove_branch(warehouse.app, branch)
        note("remove branch", removed.id)
        return record_answer(removed)


def tried_on(server: Flask) -> Branches:
    """Return what carries branches out on a server."""
    tried: Branches = server.extensions.setdefault(TRIED, Branches())
    return tried


def found(reader: Reader, tried: Branches, number: str) -> tuple[Document, Kept | None]:
    """Return a branch that is kept, and what is known of that, or one carried out a short while ago."""
    with reading_or_said(), reader.app() as store:
        kept = find_branch(store, number)
    if kept is not None:
        return as_document(kept[1]), _about(kept[0])
    document = tried.recalled(number)
    if document is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no branch {number[:40]}; it may have been removed.")
    return document, None


def told(reader: Reader, tried: Branches, number: str) -> dict[str, Any] | None:
    """Return what a page is answered that asks for a branch; `None` for one that is not here or cannot be played."""
    with suppress(Refused), refusing():
        document, kept = found(reader, tried, number)
        played = tried.play(log_of(reader, document.match), document, None, None, request.environ.get(GONE))
        return played.answer(None if kept is None else as_json(kept))
    return None


def keep_tried(warehouse: Warehouse, tried: Branches, number: str, title: str) -> None:
    """Keep a branch that was carried out a short while ago, if it is not kept and its match is still here."""
    reader = Reader(warehouse)
    document = tried.recalled(number)
    if document is None or _kept(reader, number) is not None or not has_match(reader, document.match):
        return
    with refusing():
        log = log_of(reader, document.match)
        _keep(warehouse, tried, tried.play(log, document, None, None, request.environ.get(GONE)), title)


def _kept(reader: Reader, number: str) -> Kept | None:
    with reading_or_said(), reader.app() as store:
        kept = find_branch(store, number)
    return _about(kept[0]) if kept else None


def _about(branch: KeptBranch) -> Kept:
    return Kept(branch.title, branch.by, branch.at)


def _keep(warehouse: Warehouse, tried: Branches, played: Played, title: Any) -> Kept:
    document, text = played.document, tried.to_keep(played)
    kept = keep_branch(warehouse, document.id, document.match, text, title=title, by=caller().name)
    note("keep branch", kept.id)
    return _about(kept)


def _carried_out(reader: Reader, tried: Branches, document: Document, then: Then | None) -> Played:
    log = log_of(reader, document.match)
    return tried.play(log, document, then, viewing(log), request.environ.get(GONE))


def viewing(log: bytes) -> int | None:
    """Return the seat from which the request looks at a match."""
    return seat_of(said(VIEW), len(folded(log).header.seats))


@contextmanager
def refusing() -> Iterator[None]:
    """Say why within the block a branch cannot be carried out or kept."""
    try:
        with keeping():
            yield
    except OtherLines as error:
        raise Refused(HTTPStatus.CONFLICT, str(error)) from None
    except DocumentError as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None


def _scene(played: Played, kept: Kept | None) -> Response:
    """Answer with a branch; it is never asked for twice, so it is compressed in little time."""
    body = as_bytes(played.answer(None if kept is None else as_json(kept)))
    answer = Response(mimetype="application/json")
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        body = gzip.compress(body, QUICK)
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_data(body)
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _file(text: bytes, kind: str, name: str) -> Response:
    answer = Response(text, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer
