"""Events of a summit match, documented in `docs/reference/summit-log.md`. This module does not need the rules."""

from typing import Annotated, TypeAlias

from himalaya_core.game import Range, fact
from himalaya_core.summit.pieces import (
    ChaseCause,
    Count,
    Direction,
    Face,
    Field,
    Piece,
    SeatNumber,
    SlideKind,
    StartMethod,
    ThrowCause,
    YetiCard,
)

Cycle = Annotated[int, Range(1, 2)]


@fact
class DeckShuffled:
    """The Yeti cards were shuffled. The log gives each card only when it is drawn."""

    cycle: Cycle
    size: Count


@fact
class StartPlayerChosen:
    first: SeatNumber
    method: StartMethod


@fact
class TurnStarted:
    seat: SeatNumber
    no: Count


@fact
class RerollChosen:
    seat: SeatNumber


@fact
class DiceRolled:
    """A seat threw all dice; `values` are in ascending order."""

    thrower: SeatNumber
    values: tuple[Face, ...]
    cause: ThrowCause


@fact
class YetiCardDrawn:
    card: YetiCard
    draw_no: Count


@fact
class YetiMoved:
    """The Yeti moved. `clamped` is true if the card would have moved it beyond the route."""

    from_: Field
    to: Field
    clamped: bool


@fact
class YetiChased:
    seat: SeatNumber
    piece: Piece
    from_: Field
    to: Field
    cause: ChaseCause


@fact
class DieTaken:
    seat: SeatNumber
    face: Face


@fact
class SupplyPlayed:
    seat: SeatNumber
    card: str
    value: Face


@fact
class PawnMoved:
    """A pawn moved by a die or a card. `steps` may be more than the fields left on the route."""

    seat: SeatNumber
    piece: Piece
    from_: Field
    to: Field
    dir: Direction
    steps: Face


@fact
class TakeAlong:
    """A Sherpa landed on other Sherpas and moved on by their number.

    `movers` lists that Sherpa and those of the same seat that it took along.
    """

    seat: SeatNumber
    found: Count
    movers: tuple[Piece, ...]
    from_: Field
    to: Field


@fact
class Slid:
    seat: SeatNumber
    piece: Piece
    from_: Field
    to: Field
    kind: SlideKind


@fact
class Resupplied:
    seat: SeatNumber
    camp: Field
    card: str


@fact
class ResupplyDeclined:
    seat: SeatNumber
    camp: Field


@fact
class Forfeited:
    seat: SeatNumber
    face: Face


@fact
class TurnEnded:
    seat: SeatNumber


@fact
class BadWeather:
    draw_no: Count


Event: TypeAlias = (
    DeckShuffled
    | StartPlayerChosen
    | TurnStarted
    | RerollChosen
    | DiceRolled
    | YetiCardDrawn
    | YetiMoved
    | YetiChased
    | DieTaken
    | SupplyPlayed
    | PawnMoved
    | TakeAlong
    | Slid
    | Resupplied
    | ResupplyDeclined
    | Forfeited
    | TurnEnded
    | BadWeather
)
