"""What is sent and answered about matches that are being recorded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from fastapi import Query as FromQuery
from pydantic import Field, WithJsonSchema

from dashboards.replay.choosing import Choices
from dashboards.replay.draft import HandedIn
from dashboards.replay.draft_look import SeatOfDraft, ShownEntry
from dashboards.replay.draft_setup import PERSON
from dashboards.web.branches import ACTION
from dashboards.web.replayed import SCENE
from dashboards.web.routing import Body
from ingest.people.drafts import MOST_TITLE

__all__ = [
    "KEY",
    "STATE",
    "TAG",
    "TEXT",
    "Asked",
    "Entered",
    "ListedRecord",
    "Record",
    "RecordList",
    "Seat",
    "SetUp",
    "Taken",
    "Undone",
    "Whole",
]

NAME: Final = {"type": "string", "pattern": PERSON}
WHOLE: Final = {"type": "integer", "minimum": 0}
TEXT: Final = {"type": "string"}
SEATS: Final = {
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
}
Expects = Annotated[Any, WithJsonSchema({**WHOLE, "description": "the number of changes that the caller has seen"})]
Seat = Annotated[
    str | None,
    FromQuery(description="of several that are to decide, the seat whose choices are told, from 0"),
    WithJsonSchema({"type": "integer"}),
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


STATE: Final = {"model": Record, "description": "The match as it is now"}
KEY: Final = {"Set-Cookie": {"description": "a key to the seats that were taken", "schema": TEXT}}
TAG: Final = {"ETag": {"description": "tells whether it has changed", "schema": TEXT}}


class SetUp(Body):
    """A match that is to be recorded; `game` and `seats` are needed."""

    game: Annotated[Any, WithJsonSchema(TEXT)] = None
    board: Annotated[
        Any,
        WithJsonSchema(
            {
                "type": ["string", "null"],
                "description": "id of a board that ships with the game; null for the usual",
            }
        ),
    ] = None
    options: Annotated[
        Any, WithJsonSchema({"type": "object", "description": "those of the game; how many play the seats say"})
    ] = None
    seats: Annotated[Any, WithJsonSchema(SEATS)] = None
    dice: Annotated[
        Any,
        WithJsonSchema(
            {
                "enum": ["entered", "drawn"],
                "default": "entered",
                "description": "entered: people say what fell, or ask for it; drawn: the server draws whenever it is "
                "due",
            }
        ),
    ] = None
    title: Annotated[Any, WithJsonSchema({"type": ["string", "null"], "maxLength": MOST_TITLE})] = None
    take: Annotated[
        Any,
        WithJsonSchema({"type": "array", "items": WHOLE, "description": "seats with a name that the caller takes"}),
    ] = None


class Entered(Body):
    """What is entered: an action, a text in the notation of the game, or `draw`, for the server to say what falls."""

    expects: Expects = None
    action: Annotated[Any, WithJsonSchema(ACTION)] = None
    text: Annotated[Any, WithJsonSchema({**TEXT, "description": "an action in the notation of the game"})] = None
    draw: Annotated[Any, WithJsonSchema({"const": True})] = None


class Undone(Body):
    """How many entries stay."""

    expects: Expects = None
    to: Annotated[Any, WithJsonSchema({**WHOLE, "description": "entries that stay"})] = None


class Asked(Body):
    """An action, or a text in the notation of the game."""

    action: Annotated[Any, WithJsonSchema(ACTION)] = None
    text: Annotated[Any, WithJsonSchema(TEXT)] = None


class Taken(Body):
    """A seat, and the name of who takes it."""

    seat: Annotated[Any, WithJsonSchema(WHOLE)] = None
    name: Annotated[Any, WithJsonSchema({**NAME, "type": ["string", "null"]})] = None


class Whole(Body):
    """How far the match is that is handed in."""

    expects: Expects = None
