"""The pieces (pawns, dice and cards), the terms for their moves, and the options of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

from himalaya_core.document import as_json, as_seat
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Option, Range


class Piece(StrEnum):
    """The five pawns of a seat. Sherpas are interchangeable; they are numbered only for logs."""

    CLIMBER = "C"
    SHERPA_0 = "S0"
    SHERPA_1 = "S1"
    SHERPA_2 = "S2"
    SHERPA_3 = "S3"


class Direction(StrEnum):
    """The direction of a pawn's move; only Sherpas move backward."""

    FORWARD = "fwd"
    BACKWARD = "back"


class SlideKind(StrEnum):
    """The two kinds of slide field."""

    LANDSLIDE = "landslide"
    AVALANCHE = "avalanche"


class ThrowCause(StrEnum):
    """The reason why the dice were thrown."""

    START = "start"
    POOL_EMPTY = "pool_empty"
    REROLL = "reroll"


class ChaseCause(StrEnum):
    """The reason why the Yeti chased a Sherpa."""

    YETI_ARRIVED = "yeti_arrived"
    CLIMBER_LEFT = "climber_left"
    SLID = "slid"


class StartMethod(StrEnum):
    """How the start player was chosen: by lot, or by an option."""

    LOT = "lot"
    NAMED = "named"


class Phase(StrEnum):
    """The current phase: the decision or roll that is due."""

    SHUFFLE = "shuffle"
    START = "start"
    TURN = "turn"
    DECIDE = "decide"
    THROW = "throw"
    DRAW = "draw"
    YETI = "yeti"
    RESOLVE = "resolve"
    CLOSE = "close"
    OVER = "over"


SeatNumber = Annotated[int, Range(0, 4)]
Face = Annotated[int, Range(1, 6)]
YetiCard = Annotated[int, Range(-5, 5)]
"""Number of fields a card moves the Yeti: up if positive, down if negative, never 0."""
Field = Annotated[int, Range(0, 999)]
"""The number of a field along the route; 0 is the base camp."""
Count = Annotated[int, Range(0, 99_999)]

Hand: TypeAlias = tuple[str, ...]
"""A seat's supply cards. A card is named by its two values, such as `3/4`."""

PLAYERS: Final = (2, 3, 4, 5)
COLOURS: Final = ("amber", "magenta", "blue", "green", "violet")
SHERPAS: Final = (Piece.SHERPA_0, Piece.SHERPA_1, Piece.SHERPA_2, Piece.SHERPA_3)
SHERPA_STARTS: Final = (1, 2, 3, 4)
"""The fields where the four Sherpas of each colour start."""
FACES: Final = 6
MOST_DICE: Final = 8
YETI_CARDS: Final = 9
FARTHEST_YETI: Final = 5
MOST_FIELDS: Final = 999


def values_of(card: str) -> tuple[int, int]:
    """Return the two values of a supply card."""
    first, _, second = card.partition("/")
    return int(first), int(second)


def without(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    """Return the cards without one of them. Raises `ValueError` if it is missing."""
    at = values.index(value)
    return values[:at] + values[at + 1 :]


OPTIONS: Final = (Option("first", "the start player (default: by lot)", SEAT),)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the start player, or `None` to draw lots (S-4.start)."""

    players: int = 4
    first: int | None = None


def parse_options(data: Mapping[str, Any]) -> Options:
    """Parse the options of a match. `OptionsError` names an invalid one."""
    unknown = sorted(set(data) - {"players", "first"})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; summit has players, first")
    players = data.get("players", 4)
    if type(players) is not int or players not in PLAYERS:
        raise OptionsError(f"summit needs {min(PLAYERS)} to {max(PLAYERS)} players; you named {as_json(players)}")
    first = data.get("first")
    if first is not None and (type(first) is not int or not 0 <= first < players):
        raise OptionsError(f"option first: expected a seat from 1 to {players}, found {as_seat(first)}")
    return Options(players, first)
