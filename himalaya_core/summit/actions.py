"""Actions of a summit match: the choices open to a seat or to chance."""

from typing import TypeAlias

from himalaya_core.game import fact
from himalaya_core.summit.pieces import Direction, Face, Piece, SeatNumber, YetiCard


@fact
class DrawLot:
    """Chance: the start player."""

    first: SeatNumber


@fact
class ThrowDice:
    """Chance: the values of all dice, in ascending order."""

    values: tuple[Face, ...]


@fact
class DrawYetiCard:
    """Chance: the top card moves the Yeti up or down."""

    card: YetiCard


@fact
class DrawBadWeather:
    """Chance: the top card is bad weather."""


@fact
class Reroll:
    """Throw all dice again instead of taking the last one."""

    seat: SeatNumber


@fact
class MoveByDie:
    """Take a die and move a pawn by it.

    `along` applies the take-along rule: the seat's own Sherpas on the landing field that move along (may be empty).
    `None`: the pawn stops there.
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
    """Take a die without moving, as no die can move a pawn."""

    seat: SeatNumber
    face: Face


@fact
class TakeBack:
    """Take back a used supply card in a high camp."""

    seat: SeatNumber
    card: str


@fact
class Decline:
    """Take back no card."""

    seat: SeatNumber


ChanceAction: TypeAlias = DrawLot | ThrowDice | DrawYetiCard | DrawBadWeather
Move: TypeAlias = MoveByDie | MoveByCard
SeatAction: TypeAlias = Reroll | Move | Forfeit | TakeBack | Decline
Action: TypeAlias = ChanceAction | SeatAction
