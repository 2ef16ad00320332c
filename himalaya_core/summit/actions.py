"""Actions of a summit match: the choices open to a seat or to chance."""

from typing import TypeAlias

from himalaya_core.game import fact
from himalaya_core.summit.pieces import Direction, Face, Piece, SeatNumber, YetiCard


@fact
class DrawLot:
    """Chance: choose the start player."""

    first: SeatNumber


@fact
class ThrowDice:
    """Chance: throw all dice. Their values are in ascending order."""

    values: tuple[Face, ...]


@fact
class DrawYetiCard:
    """Chance: draw a card that moves the Yeti up or down."""

    card: YetiCard


@fact
class DrawBadWeather:
    """Chance: draw the bad-weather card."""


@fact
class Reroll:
    """Throw all dice again instead of taking the last remaining die."""

    seat: SeatNumber


@fact
class MoveByDie:
    """Take a die and move a pawn by its value.

    `along` lists the seat's own Sherpas on the landing field that move on with the pawn by the take-along rule. It may
    be empty: then the pawn moves on alone. `None` means that the pawn stops there.
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
    """Take a die without moving, because no die can move any pawn."""

    seat: SeatNumber
    face: Face


@fact
class TakeBack:
    """Take back a used supply card while in a high camp."""

    seat: SeatNumber
    card: str


@fact
class Decline:
    """Do not take back a supply card."""

    seat: SeatNumber


ChanceAction: TypeAlias = DrawLot | ThrowDice | DrawYetiCard | DrawBadWeather
Move: TypeAlias = MoveByDie | MoveByCard
SeatAction: TypeAlias = Reroll | Move | Forfeit | TakeBack | Decline
Action: TypeAlias = ChanceAction | SeatAction
