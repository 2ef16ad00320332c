"""What is in the box beside the blocks: climbers, ladders and discs, and the words for the parts of a match."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, NamedTuple, TypeVar

from himalaya_core.climbers.blocks import BlockNumber, Cell, Colour
from himalaya_core.game import Range

T = TypeVar("T")


class Ladder(StrEnum):
    """What a step is made with."""

    NONE = "none"
    SHORT = "short"
    LONG = "long"


class Method(StrEnum):
    """How colours or the start player were found: by lot, or named by the options."""

    LOT = "lot"
    NAMED = "named"


class DiscPlace(StrEnum):
    """Where a blocking disc is: with its player, on a block, or out of the game."""

    IN_HAND = "in_hand"
    ON = "on"
    GONE = "gone"


class Part(StrEnum):
    """The parts of a turn, the four phases by the letters that the rules give them."""

    CLIMB = "A"
    BLOCK = "B"
    CLIMB_AGAIN = "C"
    DISC = "D"
    OTHERS = "others"


class Phase(StrEnum):
    """What the match waits for: the set-up, a part of a turn, or what is between them."""

    BUILD = "build"
    COLOURS = "colours"
    START = "start"
    TURN = "turn"
    CLIMB = Part.CLIMB.value
    BLOCK = Part.BLOCK.value
    CLIMB_AGAIN = Part.CLIMB_AGAIN.value
    DISC = Part.DISC.value
    NEXT = "next"
    OTHERS = Part.OTHERS.value


class Ladders(NamedTuple):
    """The ladders that a player still has."""

    short: bool
    long: bool

    def has(self, ladder: Ladder) -> bool:
        """Say whether a step may be made with it; without any one may always try."""
        return ladder is Ladder.NONE or (self.short if ladder is Ladder.SHORT else self.long)

    def without(self, ladder: Ladder) -> "Ladders":
        """Return what is left when one is spent; `ValueError` if it is not there."""
        if ladder is Ladder.NONE or not self.has(ladder):
            raise ValueError(f"there is no ladder {ladder}")
        return Ladders(self.short and ladder is not Ladder.SHORT, self.long and ladder is not Ladder.LONG)


@dataclass(frozen=True, slots=True)
class Disc:
    """The blocking disc of a player; where it lies, if it lies on a block."""

    place: DiscPlace
    block: BlockNumber | None = None
    cell: Cell | None = None


SeatNumber = Annotated[int, Range(0, 4)]
Count = Annotated[int, Range(0, 99_999)]
Level = Annotated[int, Range(0, 96)]
Rise = Annotated[int, Range(2, 4)]
"""How much a ladder bridges."""

PLAYERS: Final = (2, 3, 4, 5)
COLOURS: Final = tuple(colour for colour in Colour if colour is not Colour.NEUTRAL)
"""The colours of players."""
IN_HAND: Final = Disc(DiscPlace.IN_HAND)
GONE: Final = Disc(DiscPlace.GONE)
BOTH: Final = Ladders(short=True, long=True)
LADDERS_FOR: Final = {
    0: (Ladder.NONE,),
    1: (Ladder.NONE,),
    2: (Ladder.SHORT, Ladder.LONG),
    3: (Ladder.LONG,),
    4: (Ladder.LONG,),
}
"""What a step up by so many levels is made with, one of these (L-4.ladder)."""


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return values with one changed; `IndexError` for one that is not there."""
    if not 0 <= index < len(values):
        raise IndexError(f"there is no {index}")
    return (*values[:index], value, *values[index + 1 :])
