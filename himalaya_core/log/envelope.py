"""The envelope around every event, and the data of a match's first and last lines."""

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from himalaya_core.game import GAME_NAME, Range, fact

__all__ = [
    "MATCH_ENDED",
    "MATCH_NAME",
    "MATCH_STARTED",
    "PERSON",
    "BoardReference",
    "BranchOrigin",
    "Ended",
    "Envelope",
    "Header",
    "Reason",
    "SeatInfo",
]

MATCH_STARTED: Final = "match_started"
MATCH_ENDED: Final = "match_ended"
PERSON: Final = "person"
"""Value of `version` in the header for a person, who has no version."""
MATCH_NAME: Final = r"^[A-Za-z0-9._-]{1,64}$"
TIME: Final = (
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
    "([.][0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])$"
)
"""An RFC 3339 time. A time zone without a colon is accepted too; second 60 is a leap second."""

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Seat = Annotated[int, Range(0, 5)]
Whole = Annotated[int, Range(0, 2**31 - 1)]
Time = Annotated[str, Field(pattern=TIME, json_schema_extra={"format": "date-time"})]


class Reason(StrEnum):
    """The reason why a match ended."""

    FINISHED = "finished"
    ABANDONED = "abandoned"


@fact
class SeatInfo:
    """The player of a seat: name, version, parameters, display label and, for external players, the source digest."""

    seat: Seat
    player: str
    version: str
    params: dict[str, Any]
    label: str
    source_sha256: Digest | None = None


@fact
class BoardReference:
    """The board of a match: its id and the SHA-256 of its canonical JSON."""

    id: str
    sha256: Digest


@fact
class BranchOrigin:
    """The branch point: the original match, the digest of its lines, and the event after which the branch differs.

    `luck` is the seed of the dice from there on, if the branch has one.
    """

    match: Annotated[str, Field(pattern=MATCH_NAME)]
    lines_sha256: Digest
    seq: Whole
    luck: str | None


@fact
class Header:
    """The data of the event `match_started`."""

    format: Literal[1]
    game: Annotated[str, Field(pattern=GAME_NAME)]
    rules_version: str
    options: dict[str, Any]
    board: BoardReference
    seats: Annotated[tuple[SeatInfo, ...], Field(min_length=1, max_length=6)]
    tournament: str | None
    pairing: Whole | None
    luck: str | None
    branch: BranchOrigin | None = None


@fact
class Ended:
    """The data of the event `match_ended`."""

    reason: Reason
    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[dict[str, int], ...]
    lines_sha256: Digest
    state_sha256: Digest


class Envelope(BaseModel):
    """The keys of every line. Unknown keys are kept but have no effect."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    match: Annotated[str, Field(pattern=MATCH_NAME, description="Which match.")]
    seq: Annotated[Whole, Field(description="The number of the line within the match: gapless, from 0.")]
    ply: Annotated[
        Whole,
        Field(description="The decision, a player's or chance's, that this event follows from; 0 before the first."),
    ]
    round: Annotated[Whole, Field(description="The round the game is in after the event; 0 is the set-up.")]
    type: Annotated[str, Field(description="What happened.")]
    seat: Annotated[Seat | None, Field(description="The seat that acted, if any.")] = None
    data: Annotated[dict[str, Any], Field(description="The result, complete: a reader needs no rules.")]
    action: Annotated[
        dict[str, Any] | None,
        Field(description="The intent, a seat's or chance's; only on the first event of a ply."),
    ] = None
    at: Annotated[
        Time | None,
        Field(description="When it happened, added by a recorder of live play; no rule reads it."),
    ] = None
