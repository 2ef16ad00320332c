"""Actions of a climbers match: the choices open to a seat or to chance."""

from typing import TypeAlias

from himalaya_core.climbers.blocks import BlockNumber, Cell, Colour, Coordinate, Edge, Pose
from himalaya_core.climbers.pieces import Ladder, SeatNumber
from himalaya_core.game import fact


@fact
class Placement:
    """The position of one block in the opening."""

    block: BlockNumber
    pose: Pose


@fact
class BuildOpening:
    """Chance: choose the position of every block at the start."""

    placements: tuple[Placement, ...]


@fact
class DealColours:
    """Chance: choose the colour of each seat."""

    colours: tuple[Colour, ...]


@fact
class DrawLot:
    """Chance: choose the start player."""

    first: SeatNumber


@fact
class ClimbStep:
    """Step to another place, onto any free square there."""

    seat: SeatNumber
    to_cell: Cell
    ladder: Ladder = Ladder.NONE


@fact
class EndClimb:
    """End climbing in this phase, even without having climbed."""

    seat: SeatNumber


@fact
class Shift:
    """Move a climber of any player to another square on the same block."""

    player: SeatNumber
    to_cell: Cell


@fact
class MoveBlock:
    """Move or turn a block. Height and vertical edge are not stored, because they follow from the other fields."""

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
    seat: SeatNumber


@fact
class PlaceDisc:
    """Place the blocking disc on a square of a block."""

    seat: SeatNumber
    block: BlockNumber
    cell: Cell


@fact
class SkipDisc:
    """Do not place the blocking disc this turn."""

    seat: SeatNumber


ChanceAction: TypeAlias = BuildOpening | DealColours | DrawLot
SeatAction: TypeAlias = ClimbStep | EndClimb | MoveBlock | SkipBlock | PlaceDisc | SkipDisc
Action: TypeAlias = ChanceAction | SeatAction
