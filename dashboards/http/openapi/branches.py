"""The operations of branches: trying something else in a match, keeping it, playing it out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import Field

from dashboards.http.openapi.described import UNREADABLE, Answer, Operation, Refusal, body_of, parameters
from dashboards.http.openapi.replay import SCENE, VIEW, NotReplayed
from dashboards.replay.branch_document import MOST_NODES, Document
from dashboards.replay.branches import MOST_SAMPLES, USUAL_SAMPLES
from dashboards.replay.chances import Valued
from dashboards.replay.checking import Checked
from dashboards.replay.choosing import Choices
from dashboards.warehouse.addresses import TEXT
from ingest.people.branches import MOST_TITLE, KeptBranch

__all__ = [
    "CHECK",
    "DOCUMENT",
    "FIND",
    "LOG",
    "MOST_SAMPLES",
    "OFFLINE",
    "PLAY",
    "PLAYOUTS",
    "REMOVE",
    "SHOW",
    "SOUGHT",
    "USUAL_SAMPLES",
    "BranchList",
    "Kept",
    "PlayedBranch",
    "Sought",
]


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


@dataclass(frozen=True, slots=True)
class Sought:
    """Which branches are asked for."""

    match: Annotated[str, Field(description="of this match")] = ""


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
DOCUMENT: Final[dict[str, Any]] = {
    "format": {"const": 1},
    "match": {"type": "string"},
    "lines_sha256": {"type": ["string", "null"], "description": "digest of the lines of the match; checked if given"},
    "seq": {"type": "integer", "minimum": 0, "description": "the last event of the match that holds for the branch"},
    "luck": {"type": ["string", "null"], "description": "seed of its dice; null for that of the match"},
    "nodes": {"type": "array", "maxItems": MOST_NODES, "items": NODE},
    "at": {"type": "integer", "minimum": -1, "description": "the node that is shown; -1: before the first"},
}
"""Fields of a branch."""
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
SOUGHT: Final = parameters(Sought)
REFUSED: Final = {
    "400": "The body is not a JSON object with these fields, or there is no such seat",
    "401": "A token is needed, or the one sent is unknown to this server",
    "403": "The token is not for that; or without one, it came from a page of another site",
    "404": "There is no match or branch of that name",
    "409": "The match has other lines now than those that the branch is of",
    "413": "The body is too large",
    "415": "The Content-Type is not JSON",
    "429": "Too many requests within a minute",
    "503": UNREADABLE,
}
NOT_ALLOWED: Final = {"422": Answer("What is not allowed, and why; nothing was changed", (Refusal, NotReplayed))}
THERE: Final = {"404": REFUSED["404"], "503": UNREADABLE}
PLAYED: Final = Answer("The branch with what was added, and all that a page shows of it", PlayedBranch)

PLAY: Final = Operation(
    "playBranch",
    "Carry out a branch of a match, and go on from there",
    {"200": PLAYED} | NOT_ALLOWED,
    REFUSED,
    description="The rules decide everything; dice fall as the seed has them, after whatever is done. The match stays "
    "as it is. In the `view` of a seat, what others chose in secret is sealed until it is revealed. Programs go on for "
    "who may run, and a branch is kept for who may write.",
    query=(VIEW,),
    body=body_of(DOCUMENT | {"then": THEN, "keep": TITLE}, required=["match", "seq"]),
    takes_token=True,
)
CHECK: Final = Operation(
    "checkBranchAction",
    "Ask whether an action is allowed in a branch, and if not, why",
    {"200": Answer("The answer", Checked)} | NOT_ALLOWED,
    REFUSED,
    query=(VIEW,),
    body=body_of(DOCUMENT | {"action": ACTION}, required=["match", "seq", "action"]),
    takes_token=True,
)
FIND: Final = Operation(
    "findBranches",
    "Branches that are kept, the newest first",
    {"200": Answer("The first thousand of them", BranchList)},
    {"503": UNREADABLE},
    query=SOUGHT,
)
SHOW: Final = Operation(
    "showBranch",
    "A branch that is kept, or was carried out a short while ago",
    {"200": PLAYED} | NOT_ALLOWED,
    THERE | {key: REFUSED[key] for key in ("400", "409")},
    query=(VIEW,),
)
REMOVE: Final = Operation(
    "removeBranch",
    "Keep a branch no longer",
    {"200": Answer("The branch as it was kept", KeptBranch)},
    {key: REFUSED[key] for key in ("401", "403", "404", "429", "503")},
    takes_token=True,
)
LOG: Final = Operation(
    "branchLog",
    "A branch as the log of a match of its own",
    {"200": Answer("The log", TEXT, ("application/jsonl",))} | NOT_ALLOWED,
    THERE | {"409": REFUSED["409"]},
    description="Its header says which match it branches from. It can be read, verified and ingested as any log, and "
    "is counted in no statistics.",
)
OFFLINE: Final = Operation(
    "offlineBranch",
    "A branch as one HTML file that plays from disk",
    {"200": Answer("The file", TEXT, ("text/html",))} | NOT_ALLOWED,
    THERE | {key: REFUSED[key] for key in ("400", "409")},
    query=(VIEW,),
)
PLAYOUTS: Final = Operation(
    "playOutBranch",
    "Play a branch and its match out many times, each pair on the same seed",
    {
        "200": Answer(
            "Lines of JSON: after `done` pairs `of` so many the share of the win of each seat in the `branch` and in "
            "the `original`, and the `difference` with its 95 % interval; empty lines where there is nothing to "
            "report; or why it ends, `error`",
            TEXT,
            ("application/jsonl",),
        )
    }
    | NOT_ALLOWED,
    REFUSED | {"429": "The caller has one played out already, or too many requests within a minute"},
    description="It ends when the client goes away.",
    query=(VIEW,),
    body=body_of(
        {
            "samples": {"type": "integer", "minimum": 1, "maximum": MOST_SAMPLES, "default": USUAL_SAMPLES},
            "players": {
                "type": ["array", "null"],
                "items": {"type": ["string", "null"]},
                "description": "by seat the name of the program that decides, null for the player that sat there",
            },
        }
    ),
    takes_token=True,
)
