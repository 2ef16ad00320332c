"""The operations of matches that are being recorded, at a table or in play."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from dashboards.http.openapi.branches import ACTION
from dashboards.http.openapi.described import IF_NONE_MATCH, UNREADABLE, Answer, Operation, Refusal, body_of
from dashboards.http.openapi.replay import SCENE
from dashboards.replay.checking import Checked
from dashboards.replay.choosing import Choices
from dashboards.replay.draft import HandedIn
from dashboards.replay.draft_look import SeatOfDraft, ShownEntry
from dashboards.replay.draft_setup import PERSON
from dashboards.warehouse.addresses import TEXT, Key
from ingest.people.drafts import MOST_TITLE

__all__ = [
    "ACT",
    "BEGIN",
    "CHECK",
    "HAND_IN",
    "LIST",
    "LOG",
    "NOTATION",
    "REMOVE",
    "SEAT",
    "SHOW",
    "TAKE",
    "UNDO",
    "ListedRecord",
    "Record",
    "RecordList",
]


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """A match that is being recorded: which game, who plays, how far it has come, and whether it was handed in."""

    id: str
    game: str
    title: str
    players: list[str]
    made_by: str
    at: datetime
    changed_at: datetime
    entries: int
    over: bool
    handed_in: HandedIn | None


@dataclass(frozen=True, slots=True)
class RecordList:
    """Matches that are being recorded, the one that was changed last first."""

    records: list[ListedRecord]


@dataclass(frozen=True, slots=True)
class Record:
    """A match that is being recorded, as whoever asks may see it.

    `changes` is how many there were so far, which every change has to name in `expects`. `match` is what its log is
    called. `due` are the seats that may act now, -1 for chance; `turn` is the one whose `choices` follow, null at the
    end, and they are null for who does not decide for it. `expected` says what comes next and how it is written,
    `waiting` who else is to decide before. The scene's frame `frame` is the position after an entry.
    """

    id: str
    changes: int
    match: str
    game: str
    title: str
    made_by: str
    at: datetime
    kind: Literal["table", "play"]
    dice: Literal["entered", "drawn"]
    over: bool
    seats: list[SeatOfDraft]
    entries: list[ShownEntry]
    scene: Annotated[dict[str, Any], Field(json_schema_extra={"required": SCENE["required"]})]
    due: list[int]
    turn: int | None
    choices: Choices | None
    expected: str | None
    waiting: str | None
    handed_in: HandedIn | None


SEAT: Final = Key("seat", "of several that are to decide, the seat whose choices are told, from 0", {"type": "integer"})
EXPECTS: Final = {"type": "integer", "minimum": 0, "description": "the number of changes that the caller has seen"}
NAME: Final = {"type": "string", "pattern": PERSON}
WHOLE: Final = {"type": "integer", "minimum": 0}
SETUP: Final[dict[str, Any]] = {
    "game": {"type": "string"},
    "board": {"type": ["string", "null"], "description": "id of a board that ships with the game; null for the usual"},
    "options": {"type": "object", "description": "those of the game; how many play the seats say"},
    "seats": {
        "type": "array",
        "minItems": 1,
        "maxItems": 6,
        "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "name": {**NAME, "type": ["string", "null"], "description": "of a person; null: the seat is open"},
                "program": {
                    "type": ["string", "null"],
                    "description": "a program instead, such as rollout:playouts=80",
                },
            },
        },
    },
    "dice": {
        "enum": ["entered", "drawn"],
        "default": "entered",
        "description": "entered: people say what fell, or ask for it; drawn: the server draws whenever it is due",
    },
    "title": {"type": ["string", "null"], "maxLength": MOST_TITLE},
    "take": {"type": "array", "items": WHOLE, "description": "seats with a name that the caller takes"},
}
REFUSED: Final = {
    "400": "The body is not a JSON object with these fields",
    "401": "A token is needed, or the one sent is unknown to this server",
    "403": "The token is not for that, or the choice is another's; or without a token, it came from another site",
    "404": "No match of that id is being recorded",
    "409": "Somebody was faster, or it cannot be done as the match stands; the message says what happened",
    "413": "The body is too large",
    "415": "The Content-Type is not JSON",
    "429": "Too many requests within a minute",
    "503": "Nothing can be read or written at present",
}
NOT_ALLOWED: Final = {"422": Answer("What is not allowed, and what was expected; nothing was changed", Refusal)}
THERE: Final = {"404": REFUSED["404"], "503": UNREADABLE}
NOW: Final = Answer("The match as it is now", Record, headers={"Set-Cookie": "a key to the seats that were taken"})
STATE: Final = Answer("The match as it is now", Record)
KNOWN: Final = {"304": Answer("It has not changed")}

LIST: Final = Operation(
    "listRecords",
    "Matches that are being recorded, the one that was changed last first",
    {"200": Answer("The first thousand of them", RecordList)},
    {"503": UNREADABLE},
)
BEGIN: Final = Operation(
    "beginRecord",
    "Begin to record a match",
    {"201": NOW} | NOT_ALLOWED,
    {key: why for key, why in REFUSED.items() if key != "404"},
    description="Of persons alone it is one at a table: whoever may write enters for all. With programs, open seats or "
    "seats to take it is one in play: a browser decides for the seats that it has a key to, and what is chosen in "
    "secret stays secret until it is revealed.",
    body=body_of(SETUP, required=["game", "seats"]),
    takes_token=True,
)
SHOW: Final = Operation(
    "showRecord",
    "A match that is being recorded, as whoever asks may see it",
    {"200": Answer("It", Record, headers={"ETag": "tells whether it has changed"})} | KNOWN | NOT_ALLOWED,
    THERE | {"400": "There is no such seat"},
    description="Programs that are due go on while somebody asks.",
    query=(SEAT,),
    headers=(IF_NONE_MATCH,),
    takes_token=True,
)
ACT: Final = Operation(
    "enterAction",
    "Enter what was chosen, or what fell",
    {"200": STATE} | NOT_ALLOWED,
    REFUSED,
    description="As an action, as a text in the notation of the game, or `draw`: the server says what falls. It is on "
    "the disk when it is answered.",
    query=(SEAT,),
    body=body_of(
        {
            "expects": EXPECTS,
            "action": ACTION,
            "text": {"type": "string", "description": "an action in the notation of the game"},
            "draw": {"const": True},
        },
        required=["expects"],
    ),
    takes_token=True,
)
UNDO: Final = Operation(
    "undoEntries",
    "Go back to so many entries",
    {"200": STATE} | NOT_ALLOWED,
    REFUSED,
    description="Where dice are drawn it goes back to a choice, with programs to one of a person. A match against "
    "others is not taken back.",
    body=body_of({"expects": EXPECTS, "to": {**WHOLE, "description": "entries that stay"}}, required=["expects", "to"]),
    query=(SEAT,),
    takes_token=True,
)
TAKE: Final = Operation(
    "takeSeat",
    "Take a seat of a match in play",
    {"200": NOW} | NOT_ALLOWED,
    REFUSED,
    body=body_of({"seat": WHOLE, "name": {**NAME, "type": ["string", "null"]}}, required=["seat"]),
    query=(SEAT,),
    takes_token=True,
)
CHECK: Final = Operation(
    "checkRecordAction",
    "Ask whether an action is allowed now, and if not, why",
    {"200": Answer("The answer", Checked)} | NOT_ALLOWED,
    REFUSED,
    body=body_of({"action": ACTION, "text": {"type": "string"}}),
    query=(SEAT,),
    takes_token=True,
)
HAND_IN: Final = Operation(
    "handIn",
    "Hand the match in as a log, like any other",
    {"200": STATE} | NOT_ALLOWED,
    REFUSED | {"507": "The disk is full"},
    description="At a table at any time, and again once more was entered; in play when it is over.",
    body=body_of({"expects": EXPECTS}, required=["expects"]),
    query=(SEAT,),
    takes_token=True,
)
REMOVE: Final = Operation(
    "removeRecord",
    "Remove a match that is being recorded",
    {"200": Answer("What it was; a log that was handed in stays", ListedRecord)},
    {key: REFUSED[key] for key in ("401", "403", "404", "429", "503")},
    takes_token=True,
)
LOG: Final = Operation(
    "recordLog",
    "A match that is being recorded as a log, as far as nothing in it is secret",
    {"200": Answer("The log", TEXT, ("application/jsonl",))} | NOT_ALLOWED,
    THERE,
    query=(SEAT,),
    takes_token=True,
)
NOTATION: Final = Operation(
    "recordNotation",
    "A match that is being recorded on paper, as far as nothing in it is secret",
    {"200": Answer("As `himalaya record` reads it", TEXT, ("text/plain",))} | NOT_ALLOWED,
    THERE,
    query=(SEAT,),
    takes_token=True,
)
