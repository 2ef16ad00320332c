"""The facts of a climbers match, as `docs/event-log.md` writes them; each is complete without the rules."""

from typing import TypeAlias

from himalaya_core.climbers.blocks import BlockNumber, Cell, Colour, Pose
from himalaya_core.climbers.pieces import Count, Ladder, Level, Method, Part, Rise, SeatNumber
from himalaya_core.game import fact


@fact
class BlockPlaced:
    """A block was laid as part of the opening."""

    block: BlockNumber
    pose: Pose


@fact
class SetupChecked:
    """All blocks lie; of the two triples in the middle nothing is seen."""

    core_hidden: bool


@fact
class ColourAssigned:
    player: SeatNumber
    colour: Colour
    method: Method


@fact
class StartPlayerChosen:
    player: SeatNumber
    method: Method


@fact
class TurnStarted:
    seat: SeatNumber
    no: Count


@fact
class DiscRemoved:
    seat: SeatNumber
    block: BlockNumber


@fact
class ClimberStepped:
    """A climber went to another place; from None: from the table."""

    seat: SeatNumber
    from_: Cell | None
    to: Cell
    from_level: Level
    to_level: Level
    phase: Part


@fact
class LadderSpent:
    """`diff`: how many levels it bridged."""

    seat: SeatNumber
    kind: Ladder
    diff: Rise


@fact
class LevelReached:
    """A climber rose; `no` counts the rises of all climbers from 1."""

    seat: SeatNumber
    level: Level
    no: Count


@fact
class ClimberShifted:
    """The seat whose turn it is set a player's climber on another square of the block, to make room there."""

    seat: SeatNumber
    player: SeatNumber
    block: BlockNumber
    from_cell: Cell
    to_cell: Cell


@fact
class BlockMoved:
    seat: SeatNumber
    block: BlockNumber
    from_pose: Pose
    to_pose: Pose


@fact
class DiscPlaced:
    seat: SeatNumber
    block: BlockNumber
    cell: Cell


@fact
class PhaseSkipped:
    """A seat did nothing, or nothing more, in a phase; without an action: there was nothing it could do."""

    seat: SeatNumber
    phase: Part


@fact
class OthersSlot:
    """After another's turn it is up to this seat whether to climb."""

    seat: SeatNumber


@fact
class TurnEnded:
    """`climbed`: whether anybody rose; `streak`: how many turns in a row nobody did."""

    seat: SeatNumber
    climbed: bool
    streak: Count


Event: TypeAlias = (
    BlockPlaced
    | SetupChecked
    | ColourAssigned
    | StartPlayerChosen
    | TurnStarted
    | DiscRemoved
    | ClimberStepped
    | LadderSpent
    | LevelReached
    | ClimberShifted
    | BlockMoved
    | DiscPlaced
    | PhaseSkipped
    | OthersSlot
    | TurnEnded
)
