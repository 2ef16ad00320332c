"""Branches over HTTP: `POST /api/branches` carries one out and goes on from there; kept ones have an address.

The rules of the game decide what is allowed. What a seat must not know is not sent to who looks from it.
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

from dashboards.replay.branch_document import MOST_NODES, Document, DocumentError, Then, as_document, read_record
from dashboards.replay.branches import OtherLines, Played
from dashboards.replay.chances import Valued
from dashboards.replay.checking import Checked
from dashboards.replay.choosing import Choices
from dashboards.replay.offline import offline_name, offline_page
from dashboards.replay.scenes import as_bytes, folded, seat_of
from dashboards.warehouse.logs import has_match
from dashboards.web.access import Scope, caller, gone, needs, note, require
from dashboards.web.limiter import Rate
from dashboards.web.refusals import API, Refusal, Refused
from dashboards.web.replayed import SCENE, NotReplayed, Unreplayed, View, answer_file, log_of, packed
from dashboards.web.routing import NO_STORE, Body, as_body, at_most, limited, refusals
from dashboards.web.services import Services
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
"""Of the body of a branch."""
MOVES: Final = 600
"""Branches that one address has carried out, or actions checked, in a minute."""
CHANGES: Final = 120
"""Branches that one address keeps or removes in a minute."""
QUICK: Final = 1
"""How hard a scene is compressed that is asked for once: a twentieth of the time for twice the bytes."""
NO_REVIEW: Final = as_bytes({"not_valued": "a branch is not reviewed"})
ACTION: Final = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"type": "string"}, "seat": {"type": "integer", "minimum": 0, "maximum": 5}},
    "description": "as the `action` of a line of a log has it, and the seat from 0 where a seat chose it",
}
NODE: Final = {
    "type": "object",
    "required": ["parent", "action"],
    "additionalProperties": False,
    "properties": {
        "parent": {"type": "integer", "minimum": -1, "description": "the node before, an earlier one; -1: none"},
        "action": ACTION,
        "by": {"type": "string", "description": "person, chance, or the name of a player"},
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
                    "description": "by seat the name of the program that decides, null for the player that sat there",
                },
                "decisions": {"type": ["integer", "null"], "minimum": 0, "description": "how many; null: to the end"},
            },
        },
    },
    "description": "what is to be done after the node `at`",
}
TITLE: Final = {"type": "string", "minLength": 1, "maxLength": MOST_TITLE, "description": "keep it under this title"}
REFUSED: Final = {
    400: "The body is not a JSON object with these fields, or there is no such seat",
    401: "A token is needed, or the one sent is unknown to this server",
    403: "The token is not for that; or without one, it came from a page of another site",
    404: "There is no match or branch of that name",
    409: "The match has other lines now than those that the branch is of",
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    429: "Too many requests within a minute",
    503: "The database cannot be read at present",
}
NOT_ALLOWED: Final[dict[int | str, dict[str, Any]]] = {
    422: {"model": Refusal | NotReplayed, "description": "What is not allowed, and why; nothing was changed"}
}
THERE: Final = {status: REFUSED[status] for status in (400, 404, 409, 503)}
ABOUT: Final = """\
The rules decide everything; dice fall as the seed has them, after whatever is done. The match stays as it is. In the
`view` of a seat, what others chose in secret is sealed until it is revealed. Programs go on for who may run, and a
branch is kept for who may write."""


@dataclass(frozen=True, slots=True)
class Kept:
    """How a branch that is kept is called, and by whom and when it was kept."""

    title: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayedBranch:
    """A branch carried out: itself with what was added, and its scene, of which frame `from` is where it leaves.

    `choices` is what may be chosen next, null at the end. `chances` are those after its decisions, as of a match, from
    where it leaves; there are none where matches of the kind are not valued.
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
    """Branches that are kept, the newest first."""

    branches: list[KeptBranch]


PLAYED: Final = {
    "model": PlayedBranch,
    "description": "The branch with what was added, and all that a page shows of it",
}


class BranchDocument(Body):
    """A branch; `match` and `seq` are needed."""

    format: Annotated[Any, WithJsonSchema({"const": 1})] = None
    match: Annotated[Any, WithJsonSchema({"type": "string"})] = None
    lines_sha256: Annotated[
        Any,
        WithJsonSchema(
            {"type": ["string", "null"], "description": "digest of the lines of the match; checked if given"}
        ),
    ] = None
    seq: Annotated[
        Any,
        WithJsonSchema(
            {"type": "integer", "minimum": 0, "description": "the last event of the match that holds for the branch"}
        ),
    ] = None
    luck: Annotated[
        Any,
        WithJsonSchema({"type": ["string", "null"], "description": "seed of its dice; null for that of the match"}),
    ] = None
    nodes: Annotated[Any, WithJsonSchema({"type": "array", "maxItems": MOST_NODES, "items": NODE})] = None
    at: Annotated[
        Any,
        WithJsonSchema(
            {"type": "integer", "minimum": -1, "description": "the node that is shown; -1: before the first"}
        ),
    ] = None


class PlayedDocument(BranchDocument):
    """A branch, what is to be done after it, and the title under which it is kept."""

    then: Annotated[Any, WithJsonSchema(THEN)] = None
    keep: Annotated[Any, WithJsonSchema(TITLE)] = None


class CheckedDocument(BranchDocument):
    """A branch, and an action that may be allowed after it."""

    action: Annotated[dict[str, Any], WithJsonSchema(ACTION)]


def routes(services: Services) -> APIRouter:
    """Return the routes of branches."""
    api, reader, tried = APIRouter(default_response_class=JSONResponse), services.reader, services.branches
    keeping = Rate(CHANGES)
    moves, changes, body = limited(MOVES), limited(keeping), at_most(MOST_BYTES)

    @api.get(
        BRANCHES,
        operation_id="findBranches",
        summary="Branches that are kept, the newest first",
        dependencies=[NO_STORE],
        responses=refusals({503: REFUSED[503]}),
    )
    def find(match: Annotated[str, FromQuery(description="of this match")] = "") -> BranchList:
        with reader.app() as store:
            return BranchList(branches_of(store, match))

    @api.get(
        BRANCH,
        operation_id="showBranch",
        summary="A branch that is kept, or was carried out a short while ago",
        response_class=Response,
        responses={200: PLAYED, **NOT_ALLOWED, **refusals(THERE)},
    )
    def show(branch: str, view: View = None) -> Response:
        document, kept = found(services, branch)
        return _scene(_carried_out(services, document, None, view), kept)

    @api.get(
        f"{BRANCH}/log.jsonl",
        operation_id="branchLog",
        summary="A branch as the log of a match of its own",
        description="Its header says which match it branches from. It can be read, verified and ingested as any log, "
        "and is counted in no statistics.",
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
        summary="A branch as one HTML file that plays from disk",
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
        summary="Carry out a branch of a match, and go on from there",
        description=ABOUT,
        response_class=Response,
        dependencies=[moves, body],
        responses={200: PLAYED, **NOT_ALLOWED, **refusals(REFUSED)},
    )
    @needs(Scope.READ)
    def play(said: PlayedDocument, view: View = None) -> Response:
        if said.keep is not None:
            keeping.count(caller().key)
            require(Scope.WRITE)
        then = None if said.then is None else read_record(Then, said.then)
        if then is not None and then.go_on is not None:
            require(Scope.RUN)
        document = read_record(Document, said.said("then", "keep"))
        played = _carried_out(services, document, then, view)
        kept = None if said.keep is None else _keep(services, played, said.keep)
        return _scene(played, kept or _kept(services, played.document.id))

    @api.post(
        f"{BRANCHES}/check",
        operation_id="checkBranchAction",
        summary="Ask whether an action is allowed in a branch, and if not, why",
        dependencies=[NO_STORE, moves, body],
        responses={**NOT_ALLOWED, **refusals(REFUSED)},
    )
    @needs(Scope.READ)
    def check(said: CheckedDocument, view: View = None) -> Checked:
        document = read_record(Document, said.said("action"))
        log = log_of(reader, document.match)
        return tried.check(log, document, said.action, _seat(log, view))

    @api.delete(
        BRANCH,
        operation_id="removeBranch",
        summary="Keep a branch no longer",
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
    """Return a branch that is kept, and what is known of that, or one carried out a short while ago."""
    with services.reader.app() as store:
        kept = find_branch(store, number)
    if kept is not None:
        return as_document(kept[1]), _about(kept[0])
    document = services.branches.recalled(number)
    if document is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no branch {number[:40]}; it may have been removed.")
    return document, None


def answer_of(services: Services, number: str) -> dict[str, Any] | None:
    """Return what a page is answered that asks for a branch; `None` for one that is not here or cannot be played."""
    with suppress(Refused, Unreplayed, OtherLines, DocumentError, NoBranch, Unfit, WarehouseError, ReplayError):
        document, kept = found(services, number)
        played = services.branches.play(log_of(services.reader, document.match), document, None, None, gone())
        return played.answer(None if kept is None else to_jsonable_python(kept))
    return None


def keep_tried(services: Services, number: str, title: str) -> None:
    """Keep a branch that was carried out a short while ago, if it is not kept and its match is still here."""
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
    """Return the seat from which the request looks at a match."""
    return seat_of(view, len(folded(log).header.seats))


def _scene(played: Played, kept: Kept | None) -> Response:
    """Answer with a branch; it is never asked for twice, so it is compressed in little time."""
    body = as_bytes(played.answer(None if kept is None else to_jsonable_python(kept)))
    return packed("", gzip.compress(body, QUICK), is_kept=False)
