"""Request bodies and answers of recording sessions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from fastapi import Query as FromQuery
from pydantic import Field, WithJsonSchema

from dashboards.replay.scenes import Choices
from dashboards.replay.session import PERSON, HandedIn
from dashboards.replay.session_view import Offered, SeatOfDraft, ShownEntry
from dashboards.web.branches import ACTION
from dashboards.web.replay import SCENE
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
            "name": {**NAME, "type": ["string", "null"], "description": "name of a person; null: an open seat"},
            "program": {
                "type": ["string", "null"],
                "description": "name of a program instead, such as rollout:playouts=80",
            },
        },
    },
}
Expects = Annotated[
    Any, WithJsonSchema({**WHOLE, "description": "number of changes that the caller has seen; 409 if there are more"})
]
Seat = Annotated[
    str | None,
    FromQuery(description="seat, from 0, to return choices for, if the caller decides for several"),
    WithJsonSchema({"type": "integer"}),
]


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """A recording session: its game and players, its progress, and when it was submitted (`handed_in`)."""

    id: str
    game: str
    game_title: str
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
    """Recording sessions, most recently changed first."""

    records: list[ListedRecord]


@dataclass(frozen=True, slots=True)
class Record:
    """A recording session, as the caller may see it.

    `changes` counts the changes so far; a request for another change sends this number as `expects`. `match` is the
    name of the match. `due` lists the seats that may act now, -1 for chance. `turn` is the seat that `choices`
    belong to, null if the match is over. `choices` is null if the caller does not decide for that seat. `expected`
    describes the next entry and its notation; `offers` has texts that may follow its first word; `waiting` names
    the seats that decide first. The `frame` of an entry is the index of the scene's frame after it.
    """

    id: str
    changes: int
    match: str
    game: str
    game_title: str
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
    offers: list[Offered]
    waiting: str | None
    handed_in: HandedIn | None


STATE: Final = {"model": Record, "description": "The session as it is now"}
KEY: Final = {"Set-Cookie": {"description": "key to the claimed seats", "schema": TEXT}}
TAG: Final = {"ETag": {"description": "changes with the session", "schema": TEXT}}


class SetUp(Body):
    """A match to record; `game` and `seats` are required."""

    game: Annotated[Any, WithJsonSchema(TEXT)] = None
    board: Annotated[
        Any,
        WithJsonSchema(
            {
                "type": ["string", "null"],
                "description": "id of a board that ships with the game; null for the default",
            }
        ),
    ] = None
    options: Annotated[
        Any, WithJsonSchema({"type": "object", "description": "options of the game, without the number of players"})
    ] = None
    seats: Annotated[Any, WithJsonSchema(SEATS)] = None
    dice: Annotated[
        Any,
        WithJsonSchema(
            {
                "enum": ["entered", "drawn"],
                "default": "entered",
                "description": "entered: people enter results or let the server draw them; drawn: the server draws "
                "each result when it is due",
            }
        ),
    ] = None
    title: Annotated[Any, WithJsonSchema({"type": ["string", "null"], "maxLength": MOST_TITLE})] = None
    take: Annotated[
        Any,
        WithJsonSchema({"type": "array", "items": WHOLE, "description": "named seats, from 0, that the caller claims"}),
    ] = None


class Entered(Body):
    """An entry: an action, a text in the notation of the game, or `draw` to let the server draw the result."""

    expects: Expects = None
    action: Annotated[Any, WithJsonSchema(ACTION)] = None
    text: Annotated[Any, WithJsonSchema({**TEXT, "description": "an action in the notation of the game"})] = None
    draw: Annotated[Any, WithJsonSchema({"const": True})] = None


class Undone(Body):
    """An undo: the number of entries to keep. All later entries are removed."""

    expects: Expects = None
    to: Annotated[Any, WithJsonSchema({**WHOLE, "description": "number of entries to keep"})] = None


class Asked(Body):
    """An action to check, as an object or as a text in the notation of the game."""

    action: Annotated[Any, WithJsonSchema(ACTION)] = None
    text: Annotated[Any, WithJsonSchema(TEXT)] = None


class Taken(Body):
    """A seat to claim, from 0, and the name of the person."""

    seat: Annotated[Any, WithJsonSchema(WHOLE)] = None
    name: Annotated[Any, WithJsonSchema({**NAME, "type": ["string", "null"]})] = None


class Whole(Body):
    """The number of changes (`expects`) of the match to submit."""

    expects: Expects = None
