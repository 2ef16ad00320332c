"""Bookmarks over HTTP: `GET /api/bookmarks` finds them; POST, PATCH and DELETE write them, for who may write.

Refusals are JSON.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, jsonify, request

from dashboards.http.access import Refused, Scope, caller, needs, note
from dashboards.http.bodies import json_object
from dashboards.http.openapi.bookmarks import BOOKMARKS, MOST_LISTED, USUALLY_LISTED
from dashboards.http.openapi.document import as_json
from dashboards.http.rates import Rate
from dashboards.warehouse.bookmarks import listed_bookmarks
from dashboards.warehouse.reader import Reader
from ingest.bookmarks import add_bookmark, change_bookmark, remove_bookmark
from ingest.errors import NoBookmark, NoMatch, TooMany, Unfit, WarehouseError
from ingest.warehouse import Warehouse

__all__ = ["register", "register_writing"]

RATE: Final = 120
"""Changes that one sender makes in a minute."""
NEW: Final = {"match", "ply", "label", "tags"}
CHANGED: Final = {"ply", "label", "tags"}


def register(server: Flask, reader: Reader) -> None:
    """Add the route that reads."""

    @server.get(BOOKMARKS)
    def find() -> Response:
        asked = request.args
        match, words, tag = asked.get("match", ""), asked.get("q", ""), asked.get("tag", "")
        return _answer(listed_bookmarks(reader, match=match, find=words, tag=tag, most=_limit()))


def register_writing(server: Flask, warehouse: Warehouse) -> None:
    """Add the routes that write."""
    rate = Rate(RATE)

    @server.post(BOOKMARKS)
    @needs(Scope.WRITE)
    def add() -> Response:
        rate.count(caller().key)
        said = json_object(NEW)
        match = said.pop("match", None)
        if not isinstance(match, str):
            raise Refused(HTTPStatus.BAD_REQUEST, "match: expected the name of a match, found none")
        with _refusing():
            added = add_bookmark(warehouse, match, said)
        note("add bookmark", added.id)
        return _answer(added, HTTPStatus.CREATED)

    @server.patch(f"{BOOKMARKS}/<bookmark>")
    @needs(Scope.WRITE)
    def change(bookmark: str) -> Response:
        rate.count(caller().key)
        said = json_object(CHANGED)
        with _refusing():
            changed = change_bookmark(warehouse, bookmark, said)
        note("change bookmark", changed.id)
        return _answer(changed)

    @server.delete(f"{BOOKMARKS}/<bookmark>")
    @needs(Scope.WRITE)
    def remove(bookmark: str) -> Response:
        rate.count(caller().key)
        with _refusing():
            removed = remove_bookmark(warehouse, bookmark)
        note("remove bookmark", removed.id)
        return _answer(removed)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except (NoMatch, NoBookmark) as error:
        raise Refused(HTTPStatus.NOT_FOUND, str(error.args[0])) from None
    except TooMany as error:
        raise Refused(HTTPStatus.CONFLICT, str(error), error.limit, error.found) from None
    except Unfit as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), error.limit, error.found) from None
    except WarehouseError as error:
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from None


def _limit() -> int:
    text = request.args.get("limit", str(USUALLY_LISTED))
    number = int(text) if text.isascii() and text.isdigit() and len(text) < len(str(MOST_LISTED)) + 1 else 0
    if not 1 <= number <= MOST_LISTED:
        raise Refused(HTTPStatus.BAD_REQUEST, f"limit: expected 1 to {MOST_LISTED}, found {text[:20]!r}")
    return number


def _answer(record: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    answer = jsonify(as_json(record))
    answer.status_code = status
    answer.headers["Cache-Control"] = "no-store"
    return answer
