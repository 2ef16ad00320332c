"""The intents of a summit match: what a seat, or chance, may choose."""

from typing import TypeAlias

from himalaya_core.game import fact
from himalaya_core.summit.pieces import Direction, Face, Piece, SeatNumber, YetiCard


@fact
class DrawLot:
    """Chance: who starts."""

    first: SeatNumber


@fact
class ThrowDice:
    """Chance: what all dice show, in ascending order."""

    values: tuple[Face, ...]


@fact
class DrawYetiCard:
    """Chance: the top card sends the Yeti up or down."""

    card: YetiCard


@fact
class DrawBadWeather:
    """Chance: the top card is the bad weather."""


@fact
class Reroll:
    """Throw all dice anew instead of taking the last one."""

    seat: SeatNumber


@fact
class MoveByDie:
    """Take a die and move a pawn by it.

    `along` applies the take-along rule: the own Sherpas of the landing field that come along, perhaps none.
    """

    seat: SeatNumber
    face: Face
    piece: Piece
    dir: Direction
    along: tuple[Piece, ...] | None = None


@fact
class MoveByCard:
    """Play a supply card for one of its two values instead of taking a die."""

    seat: SeatNumber
    card: str
    value: Face
    piece: Piece
    dir: Direction
    along: tuple[Piece, ...] | None = None


@fact
class Forfeit:
    """Take a die that moves nothing, because no die can."""

    seat: SeatNumber
    face: Face


@fact
class TakeBack:
    """Take a used supply card back in a high camp."""

    seat: SeatNumber
    card: str


@fact
class Decline:
    """Leave the used cards where they are."""

    seat: SeatNumber


ChanceAction: TypeAlias = DrawLot | ThrowDice | DrawYetiCard | DrawBadWeather
Move: TypeAlias = MoveByDie | MoveByCard
SeatAction: TypeAlias = Reroll | Move | Forfeit | TakeBack | Decline
Action: TypeAlias = ChanceAction | SeatAction
