"""Branches over HTTP: `POST /api/branches` plays a branch and continues it; saved branches have an address.

The rules of the game decide which actions are allowed. The view of a seat omits what is secret to that seat.
"""

import gzip
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter
from fastapi import Query as FromQuery
from pydantic import Field, WithJsonSchema
from pydantic_core import to_jsonable_python
from starlette.responses import JSONResponse, Response

from dashboards.queries.logs import has_match
from dashboards.replay.branch_document import MOST_NODES, Document, DocumentError, Then, as_document, read_record
from dashboards.replay.branches import OtherLines, Played
from dashboards.replay.offline import offline_name, offline_page
from dashboards.replay.reviews import Valued
from dashboards.replay.scenes import Checked, Choices, as_bytes, folded, seat_of
from dashboards.web.access import Scope, caller, gone, needs, note, require
from dashboards.web.limiter import Rate
from dashboards.web.refusals import API, Refusal, Refused
from dashboards.web.replay import SCENE, NotReplayed, Unreplayed, View, answer_file, log_of, packed
from dashboards.web.routing import NO_STORE, Body, Services, as_body, at_most, limited, refusals
from himalaya_core.replay import ReplayError
from ingest.errors import NoBranch, Unfit, WarehouseError
from ingest.people.branches import (
    MOST_TITLE,
    KeptBranch,
    branches_of,
    find_branch,
    keep_branch,
    remove_branch,
)

__all__ = ["ACTION", "BRANCH", "NOT_ALLOWED", "REFUSED", "answer_of", "found", "keep_tried", "routes"]

BRANCHES: Final = f"{API}/branches"
BRANCH: Final = f"{BRANCHES}/{{branch}}"
MOST_BYTES: Final = 1 << 20
"""Maximum size of a request body with a branch, in bytes."""
MOVES: Final = 600
"""Maximum number of branches played or actions checked per caller and minute."""
CHANGES: Final = 120
"""Maximum number of branches saved or removed per caller and minute."""
QUICK: Final = 1
"""Gzip level for a scene that is sent only once: compared with level 9, a twentieth of the time for twice the bytes."""
NO_REVIEW: Final = as_bytes({"not_valued": "a branch is not reviewed"})
ACTION: Final = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"type": "string"}, "seat": {"type": "integer", "minimum": 0, "maximum": 5}},
    "description": "an action as in a line of a log, with `seat`, from 0, if a seat chose it",
}
NODE: Final = {
    "type": "object",
    "required": ["parent", "action"],
    "additionalProperties": False,
    "properties": {
        "parent": {"type": "integer", "minimum": -1, "description": "index of the preceding node; -1 for none"},
        "action": ACTION,
        "by": {"type": "string", "description": "person, chance, or the name of a program"},
    },
}
THEN: Final = {
    "type": "object",
    "maxProperties": 1,
    "minProperties": 1,
    "additionalProperties": False,
    "properties": {
        "action": ACTION,
        "text": {"type": "string", "description": "an action in the notation of the game"},
        "go_on": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "players": {
                    "type": ["array", "null"],
                    "items": {"type": ["string", "null"]},
                    "description": "by seat, the name of the program that decides; null for the player that sat there",
                },
                "decisions": {
                    "type": ["integer", "null"],
                    "minimum": 0,
                    "description": "number of decisions; null plays to the end",
                },
            },
        },
    },
    "description": "what to play after the node `at`: an action, a text, or programs (`go_on`)",
}
TITLE: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": MOST_TITLE,
    "description": "save the branch under this title",
}
REFUSED: Final = {
    400: "The body is not a JSON object with these fields, or the match has no such seat",
    401: "A token is required, or the one sent is unknown",
    403: "The role does not allow this; or a request without a token came from another site",
    404: "There is no such match or branch",
    409: "The log of the match has changed since the branch was made",
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    429: "Too many requests within a minute",
    503: "The database cannot be read at present",
}
NOT_ALLOWED: Final[dict[int | str, dict[str, Any]]] = {
    422: {"model": Refusal | NotReplayed, "description": "Not allowed; the message says why, and nothing was changed"}
}
THERE: Final = {status: REFUSED[status] for status in (400, 404, 409, 503)}
ABOUT: Final = """\
The branch follows the rules of the game, and its dice come from its seed, whatever was chosen before. The match itself
does not change. In the `view` of a seat, secret choices of other seats are hidden until they are revealed. Letting
programs play (`go_on`) needs the scope `run`, saving (`keep`) needs `write`."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Title of a saved branch, the user who saved it, and the time."""

    title: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayedBranch:
    """A played branch, the nodes added to it, and its scene.

    The branch leaves the match at frame `from` of the scene. `choices` are the actions allowed next, null if the match
    is over. `chances` are each seat's chances of winning after the branch's decisions; the list is empty if there is no
    model for matches of this kind.
    """

    id: str
    branch: Document
    scene: Annotated[dict[str, Any], Field(json_schema_extra={"required": SCENE["required"]})]
    from_: Annotated[int, Field(alias="from")]
    choices: Choices | None
    chances: list[Valued]
    kept: Kept | None


@dataclass(frozen=True, slots=True)
class BranchList:
    """Saved branches, newest first."""

    branches: list[KeptBranch]


PLAYED: Final = {
    "model": PlayedBranch,
    "description": "The branch with the nodes added to it, and everything that a page shows of it",
}


class BranchDocument(Body):
    """A branch; `match` and `seq` are required."""

    format: Annotated[Any, WithJsonSchema({"const": 1})] = None
    match: Annotated[Any, WithJsonSchema({"type": "string"})] = None
    lines_sha256: Annotated[
        Any,
        WithJsonSchema(
            {"type": ["string", "null"], "description": "SHA-256 of the lines of the match; checked if given"}
        ),
    ] = None
    seq: Annotated[
        Any,
        WithJsonSchema({"type": "integer", "minimum": 0, "description": "seq of the last event shared with the match"}),
    ] = None
    luck: Annotated[
        Any,
        WithJsonSchema({"type": ["string", "null"], "description": "seed of its dice; null for the seed of the match"}),
    ] = None
    nodes: Annotated[Any, WithJsonSchema({"type": "array", "maxItems": MOST_NODES, "items": NODE})] = None
    at: Annotated[
        Any,
        WithJsonSchema(
            {"type": "integer", "minimum": -1, "description": "index of the node that is shown; -1: the start"}
        ),
    ] = None


class PlayedDocument(BranchDocument):
    """A branch, what to play after it, and a title under which to save it."""

    then: Annotated[Any, WithJsonSchema(THEN)] = None
    keep: Annotated[Any, WithJsonSchema(TITLE)] = None


class CheckedDocument(BranchDocument):
    """A branch, and an action to check after it."""

    action: Annotated[dict[str, Any], WithJsonSchema(ACTION)]


def routes(services: Services) -> APIRouter:
    """Return the routes of branches."""
    api, reader, tried = APIRouter(default_response_class=JSONResponse), services.reader, services.branches
    keeping = Rate(CHANGES)
    moves, changes, body = limited(MOVES), limited(keeping), at_most(MOST_BYTES)

    @api.get(
        BRANCHES,
        operation_id="findBranches",
        summary="List saved branches, newest first",
        dependencies=[NO_STORE],
        responses=refusals({503: REFUSED[503]}),
    )
    def find(match: Annotated[str, FromQuery(description="only branches of this match")] = "") -> BranchList:
        with reader.app() as store:
            return BranchList(branches_of(store, match))

    @api.get(
        BRANCH,
        operation_id="showBranch",
        summary="Get a branch that was saved, or played a short while ago",
        response_class=Response,
        responses={200: PLAYED, **NOT_ALLOWED, **refusals(THERE)},
    )
    def show(branch: str, view: View = None) -> Response:
        document, kept = found(services, branch)
        return _scene(_carried_out(services, document, None, view), kept)

    @api.get(
        f"{BRANCH}/log.jsonl",
        operation_id="branchLog",
        summary="Download a branch as the log of a separate match",
        description="Its header names the match that it branches from. It is read, verified and ingested like any log, "
        "and counts in no statistics.",
        response_class=Response,
        responses={
            200: as_body("The log", {"type": "string"}, "application/jsonl"),
            **NOT_ALLOWED,
            **refusals(THERE),
        },
    )
    def download(branch: str) -> Response:
        document, _ = found(services, branch)
        log = tried.log(log_of(reader, document.match), document)
        return answer_file(log, "application/jsonl", f"{document.match}-{branch[:8]}.jsonl")

    @api.get(
        f"{BRANCH}/offline.html",
        operation_id="offlineBranch",
        summary="Download a branch as one HTML file that plays from disk",
        response_class=Response,
        responses={200: as_body("The file", {"type": "string"}, "text/html"), **NOT_ALLOWED, **refusals(THERE)},
    )
    def offline(branch: str, view: View = None) -> Response:
        document, _ = found(services, branch)
        played = _carried_out(services, document, None, view)
        log = None if played.view is not None else tried.log(log_of(reader, document.match), document)
        page = offline_page(as_bytes(played.scene()), NO_REVIEW, log)
        return answer_file(page, "text/html", offline_name(f"{document.match}-{branch[:8]}", view))

    @api.post(
        BRANCHES,
        operation_id="playBranch",
        summary="Play a branch of a match, and continue it",
        description=ABOUT,
        response_class=Response,
        dependencies=[moves, body],
        responses={200: PLAYED, **NOT_ALLOWED, **refusals(REFUSED)},
    )
    @needs(Scope.READ)
    def play(sent: PlayedDocument, view: View = None) -> Response:
        if sent.keep is not None:
            keeping.count(caller().key)
            require(Scope.WRITE)
        then = None if sent.then is None else read_record(Then, sent.then)
        if then is not None and then.go_on is not None:
            require(Scope.RUN)
        document = read_record(Document, sent.given("then", "keep"))
        played = _carried_out(services, document, then, view)
        kept = None if sent.keep is None else _keep(services, played, sent.keep)
        return _scene(played, kept or _kept(services, played.document.id))

    @api.post(
        f"{BRANCHES}/check",
        operation_id="checkBranchAction",
        summary="Check whether an action is allowed in a branch; if not, say why",
        dependencies=[NO_STORE, moves, body],
        responses={**NOT_ALLOWED, **refusals(REFUSED)},
    )
    @needs(Scope.READ)
    def check(sent: CheckedDocument, view: View = None) -> Checked:
        document = read_record(Document, sent.given("action"))
        log = log_of(reader, document.match)
        return tried.check(log, document, sent.action, _seat(log, view))

    @api.delete(
        BRANCH,
        operation_id="removeBranch",
        summary="Remove a saved branch",
        dependencies=[NO_STORE, changes],
        responses=refusals({status: REFUSED[status] for status in (401, 403, 404, 429, 503)}),
    )
    @needs(Scope.WRITE)
    def remove(branch: str) -> KeptBranch:
        removed = remove_branch(services.warehouse.app, branch)
        note("remove branch", removed.id)
        return removed

    return api


def found(services: Services, number: str) -> tuple[Document, Kept | None]:
    """Return a saved branch and its title, or a recently played branch and `None`; `Refused` for any other id."""
    with services.reader.app() as store:
        kept = find_branch(store, number)
    if kept is not None:
        return as_document(kept[1]), _about(kept[0])
    document = services.branches.recalled(number)
    if document is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no branch {number[:40]}; it may have been removed.")
    return document, None


def answer_of(services: Services, number: str) -> dict[str, Any] | None:
    """Return the answer that shows a branch; `None` if it is missing or cannot be played."""
    with suppress(Refused, Unreplayed, OtherLines, DocumentError, NoBranch, Unfit, WarehouseError, ReplayError):
        document, kept = found(services, number)
        played = services.branches.play(log_of(services.reader, document.match), document, None, None, gone())
        return played.answer(None if kept is None else to_jsonable_python(kept))
    return None


def keep_tried(services: Services, number: str, title: str) -> None:
    """Save a recently played branch, unless it is already saved or its match is missing."""
    document = services.branches.recalled(number)
    if document is None or _kept(services, number) is not None or not has_match(services.reader, document.match):
        return
    log = log_of(services.reader, document.match)
    _keep(services, services.branches.play(log, document, None, None, gone()), title)


def _kept(services: Services, number: str) -> Kept | None:
    with services.reader.app() as store:
        kept = find_branch(store, number)
    return _about(kept[0]) if kept else None


def _about(branch: KeptBranch) -> Kept:
    return Kept(branch.title, branch.by, branch.at)


def _keep(services: Services, played: Played, title: Any) -> Kept:
    document, text = played.document, services.branches.to_keep(played)
    kept = keep_branch(services.warehouse, document.id, document.match, text, title=title, by=caller().name)
    note("keep branch", kept.id)
    return _about(kept)


def _carried_out(services: Services, document: Document, then: Then | None, view: str | None) -> Played:
    log = log_of(services.reader, document.match)
    return services.branches.play(log, document, then, _seat(log, view), gone())


def _seat(log: bytes, view: str | None) -> int | None:
    """Return the viewing seat of the request, from 0; `None` if the view shows everything."""
    return seat_of(view, len(folded(log).header.seats))


def _scene(played: Played, kept: Kept | None) -> Response:
    """Answer with a branch, compressed fast because it is sent only once."""
    body = as_bytes(played.answer(None if kept is None else to_jsonable_python(kept)))
    return packed("", gzip.compress(body, QUICK), is_kept=False)
