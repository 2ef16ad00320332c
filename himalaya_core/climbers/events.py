"""Events of a climbers match, documented in `docs/reference/climbers-log.md`. This module does not need the rules."""

from typing import TypeAlias

from himalaya_core.climbers.blocks import BlockNumber, Cell, Colour, Pose
from himalaya_core.climbers.pieces import Count, Ladder, Level, Method, Part, Rise, SeatNumber
from himalaya_core.game import fact


@fact
class BlockPlaced:
    """A block was placed as part of the opening."""

    block: BlockNumber
    pose: Pose


@fact
class SetupChecked:
    """All blocks are placed. `core_hidden` is true if no face of the two triples in the middle is visible."""

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
    """A climber stepped to another place; `from_` is `None` if it came from the table."""

    seat: SeatNumber
    from_: Cell | None
    to: Cell
    from_level: Level
    to_level: Level
    phase: Part


@fact
class LadderSpent:
    """A ladder was used to climb `diff` levels, and is gone."""

    seat: SeatNumber
    kind: Ladder
    diff: Rise


@fact
class LevelReached:
    """A climber rose. `no` numbers the rises of all climbers, from 1."""

    seat: SeatNumber
    level: Level
    no: Count


@fact
class ClimberShifted:
    """The active seat moved a player's climber to another square of its block to make room."""

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
    """A seat did nothing, or nothing more, in a phase. If no action caused this event, it had no legal action."""

    seat: SeatNumber
    phase: Part


@fact
class OthersSlot:
    """A seat got the chance to climb after another seat's turn."""

    seat: SeatNumber


@fact
class TurnEnded:
    """A turn ended. `climbed` is true if any climber rose; `streak` counts turns in a row without a rise."""

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
