"""The intents of a climbers match: what a seat, or chance, may choose."""

from typing import TypeAlias

from himalaya_core.climbers.blocks import BlockNumber, Cell, Colour, Coordinate, Edge, Pose
from himalaya_core.climbers.pieces import Ladder, SeatNumber
from himalaya_core.game import fact


@fact
class Placement:
    """A block and where it comes to lie."""

    block: BlockNumber
    pose: Pose


@fact
class BuildOpening:
    """Chance: how all blocks lie at the start."""

    placements: tuple[Placement, ...]


@fact
class DealColours:
    """Chance: the colour of each seat."""

    colours: tuple[Colour, ...]


@fact
class DrawLot:
    """Chance: who starts."""

    first: SeatNumber


@fact
class ClimbStep:
    """Go to another place, on any free square of it."""

    seat: SeatNumber
    to_cell: Cell
    ladder: Ladder = Ladder.NONE


@fact
class EndClimb:
    """Climb no more, or not at all, in this phase."""

    seat: SeatNumber


@fact
class Shift:
    """Set a climber, of any player, on another square of the block it is on."""

    player: SeatNumber
    to_cell: Cell


@fact
class MoveBlock:
    """Move or turn a block; how high it lies and is follows from where and how it lies."""

    seat: SeatNumber
    block: BlockNumber
    x: Coordinate
    y: Coordinate
    dx: Edge
    dy: Edge
    top: Colour
    shifts: tuple[Shift, ...] = ()


@fact
class SkipBlock:
    """Move no block."""

    seat: SeatNumber


@fact
class PlaceDisc:
    """Lay the blocking disc on a square of a block."""

    seat: SeatNumber
    block: BlockNumber
    cell: Cell


@fact
class SkipDisc:
    """Keep the blocking disc."""

    seat: SeatNumber


ChanceAction: TypeAlias = BuildOpening | DealColours | DrawLot
SeatAction: TypeAlias = ClimbStep | EndClimb | MoveBlock | SkipBlock | PlaceDisc | SkipDisc
Action: TypeAlias = ChanceAction | SeatAction
