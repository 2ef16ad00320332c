"""The pieces besides the blocks (climbers, ladders and discs), and the options of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from himalaya_core.climbers.blocks import BlockNumber, Cell, Colour
from himalaya_core.document import as_json, as_seat
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Option, Range

T = TypeVar("T")


class Ladder(StrEnum):
    """The ladder used for a step."""

    NONE = "none"
    SHORT = "short"
    LONG = "long"


class Method(StrEnum):
    """How the colours or the start player were chosen: by lot or by an option."""

    LOT = "lot"
    NAMED = "named"


class DiscPlace(StrEnum):
    """The location of a blocking disc: with its player, on a block, or out of the game."""

    IN_HAND = "in_hand"
    ON = "on"
    GONE = "gone"


class Part(StrEnum):
    """The parts of a turn. The four phases have the letters used in the rulebook."""

    CLIMB = "A"
    BLOCK = "B"
    CLIMB_AGAIN = "C"
    DISC = "D"
    OTHERS = "others"


class Phase(StrEnum):
    """The current phase: a step of the set-up, a part of a turn, or the time between two parts."""

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
    """The ladders that a player has not used yet."""

    short: bool
    long: bool

    def has(self, ladder: Ladder) -> bool:
        """Return whether this ladder is still available; `NONE` always is."""
        return ladder is Ladder.NONE or (self.short if ladder is Ladder.SHORT else self.long)

    def without(self, ladder: Ladder) -> "Ladders":
        """Return the ladders left after using one. Raises `ValueError` if that one is already used."""
        if ladder is Ladder.NONE or not self.has(ladder):
            raise ValueError(f"there is no ladder {ladder}")
        return Ladders(self.short and ladder is not Ladder.SHORT, self.long and ladder is not Ladder.LONG)


@dataclass(frozen=True, slots=True)
class Disc:
    """A player's blocking disc; `block` and `cell` are set only while it is on a block."""

    place: DiscPlace
    block: BlockNumber | None = None
    cell: Cell | None = None


SeatNumber = Annotated[int, Range(0, 4)]
Count = Annotated[int, Range(0, 99_999)]
Level = Annotated[int, Range(0, 96)]
Rise = Annotated[int, Range(2, 4)]
"""Number of levels that a climber rises in one step."""

PLAYERS: Final = (2, 3, 4, 5)
COLOURS: Final = tuple(colour for colour in Colour if colour is not Colour.NEUTRAL)
"""The colours that belong to players."""
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
"""The ladders that permit a step, by the number of levels it rises. A step uses one of them (L-4.ladder)."""


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a copy with one value replaced. Raises `IndexError` for an invalid index."""
    if not 0 <= index < len(values):
        raise IndexError(f"there is no {index}")
    return (*values[:index], value, *values[index + 1 :])


OPTIONS: Final = (
    Option("first", "the start player (default: by lot)", SEAT),
    Option("shift_all", "a mover may shift every climber on the tops that the block comes to lie on", reading=True),
)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the start player, or `None` to draw lots (L-5.start).

    `shift_all`: the player who moves a block may shift every climber on a top that the block is placed on (L-3.whom).
    """

    players: int = 4
    first: int | None = None
    shift_all: bool = False


def parse_options(data: Mapping[str, Any]) -> Options:
    """Parse the options of a match. `OptionsError` names an invalid one."""
    unknown = sorted(set(data) - {"players", "first", "shift_all"})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; climbers has players, first, shift_all")
    players = data.get("players", 4)
    if type(players) is not int or players not in PLAYERS:
        raise OptionsError(f"climbers needs {min(PLAYERS)} to {max(PLAYERS)} players; you named {as_json(players)}")
    first = data.get("first")
    if first is not None and (type(first) is not int or not 0 <= first < players):
        raise OptionsError(f"option first: expected a seat from 1 to {players}, found {as_seat(first)}")
    shift_all = data.get("shift_all", False)
    if type(shift_all) is not bool:
        raise OptionsError(f"option shift_all: expected true or false, found {as_json(shift_all)}")
    return Options(players, first, shift_all)
