"""Bookmarks over HTTP: `GET /api/bookmarks` finds them; POST, PATCH and DELETE need the scope `write`."""

from typing import Annotated, Any, Final

from fastapi import APIRouter
from fastapi import Query as FromQuery
from pydantic import Field, WithJsonSchema

from dashboards.queries.reader import listed_bookmarks
from dashboards.web.access import Scope, needs, note
from dashboards.web.refusals import API
from dashboards.web.routing import NO_STORE, UNREADABLE, WRITING, Body, Services, at_most, limited, refusals
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

__all__ = ["routes"]

RATE: Final = 120
"""Maximum number of bookmark changes per caller and minute."""
MOST_BYTES: Final = 16 << 10
MOST_LISTED: Final = 1_000
USUALLY_LISTED: Final = 100
BODY: Final = {
    400: "The body is not a JSON object with these fields",
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    422: "A field is invalid; the message names it",
}
NO_BOOKMARK: Final = {404: "There is no bookmark with that id"}
Label = Annotated[Any, WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MOST_LABEL})]
Ply = Annotated[
    Any,
    WithJsonSchema({"type": ["string", "null"], "pattern": f"^{PLY}$"}),
    Field(description="`57` is after ply 57, `57.3` after its third event; null is the whole match"),
]
Tag = {"type": "string", "minLength": 1, "maxLength": MOST_TAG, "pattern": "^[^,]+$"}
Match = Annotated[str, FromQuery(description="only bookmarks on this match")]
Words = Annotated[
    str, FromQuery(description="only bookmarks with all these words in label, tags, match, line-up or tournament")
]
Tagged = Annotated[str, FromQuery(description="only bookmarks with this tag")]
Limit = Annotated[int, FromQuery(ge=1, le=MOST_LISTED, description="maximum number of bookmarks")]
Tags = Annotated[Any, WithJsonSchema({"type": "array", "maxItems": MOST_TAGS, "items": Tag})]


class ChangedBookmark(Body):
    """Fields of a bookmark to change; omitted fields keep their values."""

    label: Label = None
    ply: Ply = None
    tags: Tags = None


class NewBookmark(ChangedBookmark):
    """A new bookmark; `match` and `label` are required."""

    match: str


def routes(services: Services) -> APIRouter:
    """Return the routes of bookmarks."""
    api, warehouse = APIRouter(prefix=f"{API}/bookmarks", dependencies=[NO_STORE]), services.warehouse
    rate, small = limited(RATE), at_most(MOST_BYTES)

    @api.get(
        "",
        operation_id="findBookmarks",
        summary="Find bookmarks on matches and plies, newest first",
        responses=refusals({400: "The limit is out of range"}, UNREADABLE),
    )
    def find(match: Match = "", q: Words = "", tag: Tagged = "", limit: Limit = USUALLY_LISTED) -> Listed:
        return listed_bookmarks(services.reader, match=match, find=q, tag=tag, most=limit)

    @api.post(
        "",
        status_code=201,
        operation_id="addBookmark",
        summary="Add a bookmark",
        dependencies=[rate, small],
        responses=refusals(
            WRITING, BODY, {404: "There is no such match", 409: "The match has the maximum number of bookmarks"}
        ),
    )
    @needs(Scope.WRITE)
    def add(new: NewBookmark) -> Bookmark:
        added = add_bookmark(warehouse, new.match, new.given("match"))
        note("add bookmark", added.id)
        return added

    @api.patch(
        "/{bookmark}",
        operation_id="changeBookmark",
        summary="Change a bookmark; fields left out stay",
        dependencies=[rate, small],
        responses=refusals(WRITING, BODY, NO_BOOKMARK),
    )
    @needs(Scope.WRITE)
    def change(bookmark: str, fields: ChangedBookmark) -> Bookmark:
        changed = change_bookmark(warehouse, bookmark, fields.given())
        note("change bookmark", changed.id)
        return changed

    @api.delete(
        "/{bookmark}",
        operation_id="removeBookmark",
        summary="Remove a bookmark",
        dependencies=[rate],
        responses=refusals(WRITING, NO_BOOKMARK),
    )
    @needs(Scope.WRITE)
    def remove(bookmark: str) -> Bookmark:
        removed = remove_bookmark(warehouse, bookmark)
        note("remove bookmark", removed.id)
        return removed

    return api
