"""Bookmarks over HTTP: `GET /api/bookmarks` finds them; POST, PATCH and DELETE write them, for who may write.

Refusals are JSON.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from flask import Flask, Response
from pydantic import Field

from dashboards.http.access import Refused, Scope, caller, needs, note
from dashboards.http.bodies import json_object
from dashboards.http.kept import keeping, record_answer
from dashboards.http.openapi.described import API, UNREADABLE, Answer, Operation, asked, body_of, parameters, served
from dashboards.http.rates import Rate
from dashboards.warehouse.bookmarks import listed_bookmarks
from dashboards.warehouse.reader import Reader
from ingest.people.bookmarks import (
    MOST_LABEL,
    MOST_TAG,
    MOST_TAGS,
    PLY,
    Bookmark,
    Listed,
    add_bookmark,
    change_bookmark,
    remove_bookmark,
)
from ingest.warehouse import Warehouse

__all__ = ["register", "register_writing"]

RATE: Final = 120
"""Changes that one sender makes in a minute."""
BOOKMARKS: Final = f"{API}/bookmarks"
MOST_LISTED: Final = 1_000
USUALLY_LISTED: Final = 100
CHANGED: Final[dict[str, Any]] = {
    "label": {"type": "string", "minLength": 1, "maxLength": MOST_LABEL},
    "ply": {
        "type": ["string", "null"],
        "pattern": f"^{PLY}$",
        "description": "`57` is after ply 57, `57.3` after its third event; null for the whole match",
    },
    "tags": {
        "type": "array",
        "maxItems": MOST_TAGS,
        "items": {"type": "string", "minLength": 1, "maxLength": MOST_TAG, "pattern": "^[^,]+$"},
    },
}
"""Fields of a bookmark that can be changed."""
NEW: Final[dict[str, Any]] = {"match": {"type": "string"}} | CHANGED
NOT_ADMITTED: Final = {
    "401": "A token is needed, or the one sent is unknown to this server",
    "403": "The token is not for writing; or without one, it came from a page of another site or under another name",
    "429": "Too many requests within a minute",
    "503": "Nothing can be written here",
}
NOT_READ: Final = {
    "400": "The body is not a JSON object with these fields",
    "413": "The body is too large",
    "415": "The Content-Type is not JSON",
    "422": "A field is invalid; the message names it",
}
NOT_FOUND: Final = {"404": "There is no bookmark with that id"}


@dataclass(frozen=True, slots=True)
class Sought:
    """Which bookmarks are asked for."""

    match: Annotated[str, Field(description="of this match")] = ""
    q: Annotated[
        str, Field(description="with all these words in the label, a tag, the match, its line-up or its tournament")
    ] = ""
    tag: Annotated[str, Field(description="with this tag")] = ""
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="at most this many")] = USUALLY_LISTED


FIND: Final = Operation(
    "findBookmarks",
    "Bookmarks on matches and plies, the newest first",
    {"200": Answer("The first of them, how many there are, and all tags in use", Listed)},
    {"400": "The limit is out of range", "503": UNREADABLE},
    query=parameters(Sought),
)
ADD: Final = Operation(
    "addBookmark",
    "Set a bookmark",
    {"201": Answer("It", Bookmark)},
    NOT_ADMITTED
    | NOT_READ
    | {"404": "There is no match of that name", "409": "The match has the most bookmarks it may have"},
    body=body_of(NEW, required=["match", "label"]),
    takes_token=True,
)
CHANGE: Final = Operation(
    "changeBookmark",
    "Change a bookmark; fields left out stay",
    {"200": Answer("The bookmark as it is now", Bookmark)},
    NOT_ADMITTED | NOT_READ | NOT_FOUND,
    body=body_of(CHANGED),
    takes_token=True,
)
REMOVE: Final = Operation(
    "removeBookmark",
    "Remove a bookmark",
    {"200": Answer("The bookmark as it was", Bookmark)},
    NOT_ADMITTED | NOT_FOUND,
    takes_token=True,
)


def register(server: Flask, reader: Reader) -> None:
    """Add the route that reads."""

    @served(server, "GET", BOOKMARKS, FIND)
    def find() -> Response:
        sought = asked(Sought)
        return record_answer(
            listed_bookmarks(reader, match=sought.match, find=sought.q, tag=sought.tag, most=sought.limit)
        )


def register_writing(server: Flask, warehouse: Warehouse) -> None:
    """Add the routes that write."""
    rate = Rate(RATE)

    @served(server, "POST", BOOKMARKS, ADD)
    @needs(Scope.WRITE)
    def add() -> Response:
        rate.count(caller().key)
        said = json_object(set(NEW))
        match = said.pop("match", None)
        if not isinstance(match, str):
            raise Refused(HTTPStatus.BAD_REQUEST, "match: expected the name of a match, found none")
        with keeping():
            added = add_bookmark(warehouse, match, said)
        note("add bookmark", added.id)
        return record_answer(added, HTTPStatus.CREATED)

    @served(server, "PATCH", f"{BOOKMARKS}/<bookmark>", CHANGE)
    @needs(Scope.WRITE)
    def change(bookmark: str) -> Response:
        rate.count(caller().key)
        said = json_object(set(CHANGED))
        with keeping():
            changed = change_bookmark(warehouse, bookmark, said)
        note("change bookmark", changed.id)
        return record_answer(changed)

    @served(server, "DELETE", f"{BOOKMARKS}/<bookmark>", REMOVE)
    @needs(Scope.WRITE)
    def remove(bookmark: str) -> Response:
        rate.count(caller().key)
        with keeping():
            removed = remove_bookmark(warehouse, bookmark)
        note("remove bookmark", removed.id)
        return record_answer(removed)
