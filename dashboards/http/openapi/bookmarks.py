"""What the OpenAPI document says of bookmarks."""

from typing import Any, Final

from dashboards.http.openapi.parts import API, UNREADABLE, Answer, answers, path_parameter, query, ref
from ingest.bookmarks import MOST_LABEL, MOST_TAG, MOST_TAGS, PLY, Bookmark, Listed

__all__ = ["BOOKMARKS", "MOST_LISTED", "RECORDS", "USUALLY_LISTED", "bookmark_paths"]

BOOKMARKS: Final = f"{API}/bookmarks"
MOST_LISTED: Final = 1_000
USUALLY_LISTED: Final = 100
RECORDS: Final[tuple[type, ...]] = (Bookmark, Listed)
FIELDS: Final[dict[str, Any]] = {
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
TOKEN: Final[list[dict[str, list[str]]]] = [{}, {"token": []}]
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


def bookmark_paths() -> dict[str, Any]:
    """Return the operations of bookmarks by their paths."""
    return {
        BOOKMARKS: {"get": _find(), "post": _add()},
        f"{BOOKMARKS}/{{bookmark}}": {"patch": _change(), "delete": _remove()},
    }


def _find() -> dict[str, Any]:
    text = {"type": "string"}
    limit = {"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "default": USUALLY_LISTED}
    return {
        "operationId": "findBookmarks",
        "summary": "Bookmarks on matches and plies, the newest first",
        "parameters": [
            query("match", "of this match", text),
            query("q", "with all these words in the label, a tag, the match, its line-up or its tournament", text),
            query("tag", "with this tag", text),
            query("limit", "at most this many", limit),
        ],
        "responses": answers(
            {"200": Answer("The first of them, how many there are, and all tags in use", ref(Listed))},
            {"400": "The limit is out of range", "503": UNREADABLE},
        ),
    }


def _add() -> dict[str, Any]:
    fields = {"match": {"type": "string"}} | FIELDS
    return {
        "operationId": "addBookmark",
        "summary": "Set a bookmark",
        "security": TOKEN,
        "requestBody": _body({"properties": fields, "required": ["match", "label"]}),
        "responses": answers(
            {"201": Answer("It", ref(Bookmark))},
            NOT_ADMITTED
            | NOT_READ
            | {"404": "There is no match of that name", "409": "The match has the most bookmarks it may have"},
        ),
    }


def _change() -> dict[str, Any]:
    return {
        "operationId": "changeBookmark",
        "summary": "Change a bookmark; fields left out stay",
        "security": TOKEN,
        "parameters": [path_parameter("bookmark", "id of the bookmark")],
        "requestBody": _body({"properties": FIELDS}),
        "responses": answers(
            {"200": Answer("The bookmark as it is now", ref(Bookmark))}, NOT_ADMITTED | NOT_READ | NOT_FOUND
        ),
    }


def _remove() -> dict[str, Any]:
    return {
        "operationId": "removeBookmark",
        "summary": "Remove a bookmark",
        "security": TOKEN,
        "parameters": [path_parameter("bookmark", "id of the bookmark")],
        "responses": answers({"200": Answer("The bookmark as it was", ref(Bookmark))}, NOT_ADMITTED | NOT_FOUND),
    }


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    full = {"type": "object", "additionalProperties": False} | schema
    return {"required": True, "content": {"application/json": {"schema": full}}}
