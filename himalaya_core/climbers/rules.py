"""The rules: whether an action is legal, and the events it causes, without listing all actions."""

from typing import assert_never

from himalaya_core.climbers.actions import (
    Action,
    BuildOpening,
    ClimbStep,
    DealColours,
    DrawLot,
    EndClimb,
    MoveBlock,
    PlaceDisc,
    SkipBlock,
    SkipDisc,
)
from himalaya_core.climbers.blocks import Cell, Shape, poses_of
from himalaya_core.climbers.climbing import free_squares, ground, obstacle_to_entering
from himalaya_core.climbers.events import (
    BlockMoved,
    BlockPlaced,
    ClimberShifted,
    ClimberStepped,
    ColourAssigned,
    DiscPlaced,
    Event,
    LadderSpent,
    LevelReached,
    PhaseSkipped,
    StartPlayerChosen,
)
from himalaya_core.climbers.flow import actors, disc_due
from himalaya_core.climbers.opening import OpeningError, laid
from himalaya_core.climbers.pieces import COLOURS, LADDERS_FOR, Ladder, Method, Part, Phase
from himalaya_core.climbers.shifting import obstacle_to_shifts
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Region, obstacle_to_lifting, placed_pose
from himalaya_core.game import CHANCE, IllegalAction

__all__ = ["decide", "obstacle_to_disc"]

CLIMBING = (Phase.CLIMB, Phase.CLIMB_AGAIN, Phase.OTHERS)


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events an action causes; `IllegalAction` says why it is not allowed."""
    match action:
        case MoveBlock():
            return _move_block(state, action)
        case ClimbStep():
            return _step(state, action)
        case EndClimb():
            _require(state, action.seat, *CLIMBING)
            return (PhaseSkipped(action.seat, Part(state.phase)),)
        case SkipBlock():
            _require(state, action.seat, Phase.BLOCK)
            return (PhaseSkipped(action.seat, Part(state.phase)),)
        case PlaceDisc():
            return _place_disc(state, action)
        case SkipDisc():
            _require(state, action.seat, Phase.DISC)
            return (PhaseSkipped(action.seat, Part(state.phase)),)
        case BuildOpening():
            return _build(state, action)
        case DealColours():
            return _deal(state, action)
        case DrawLot():
            return _draw_lot(state, action)
        case _:
            assert_never(action)


def _require(state: State, seat: int, *phases: Phase) -> None:
    if state.phase not in phases or seat == CHANCE or actors(state) != (seat,):
        raise IllegalAction(f"seat {seat + 1} has no such choice now")


def _step(state: State, action: ClimbStep) -> tuple[Event, ...]:
    """Step to an adjacent place that is as high or higher (L-4.step)."""
    seat = action.seat
    if state.phase not in CLIMBING or seat != state.acting or disc_due(state) is not None:
        raise IllegalAction(f"seat {seat + 1} does not climb now")
    terrain, cell = ground(state), state.climbers[seat]
    here, place = terrain.region_at(cell), _place_at(state, action.to_cell)
    if here is None or here == place:
        raise IllegalAction("to move within a surface is no step")
    obstacle = obstacle_to_entering(state, seat, place)
    if obstacle:
        raise IllegalAction(obstacle)
    if not terrain.grid.square(action.to_cell) & free_squares(state, place):
        raise IllegalAction("another climber is on that square")
    if not terrain.grid.around(here.squares) & place.squares:
        raise IllegalAction("a climber goes only to a surface that shares an edge with its own")
    rise = place.height - here.height
    _check_ladder(state, action, rise)
    stepped = ClimberStepped(seat, cell, action.to_cell, here.height, place.height, Part(state.phase))
    spent = () if action.ladder is Ladder.NONE else (LadderSpent(seat, action.ladder, rise),)
    reached = (LevelReached(seat, place.height, state.rises + 1),) if rise else ()
    return (stepped, *spent, *reached)


def _place_at(state: State, cell: Cell) -> Region:
    """Return the place of a square; `IllegalAction` beyond the table and on ground inside the structure."""
    side = state.board.side
    place = ground(state).region_at(cell) if cell.x < side and cell.y < side else None
    if place is None:
        raise IllegalAction("no climber can be on that square")
    return place


def _check_ladder(state: State, action: ClimbStep, rise: int) -> None:
    """Check that the ladder used fits the rise and is available (L-4.ladder)."""
    if rise not in LADDERS_FOR:
        raise IllegalAction("a climber never goes down" if rise < 0 else f"no ladder leads {rise} up")
    if action.ladder not in LADDERS_FOR[rise]:
        raise IllegalAction(f"for a step {rise} up: {' or '.join(LADDERS_FOR[rise])} ladder, not {action.ladder}")
    if not state.ladders[action.seat].has(action.ladder):
        raise IllegalAction(f"the {action.ladder} ladder is spent")


def _move_block(state: State, action: MoveBlock) -> tuple[Event, ...]:
    """Move or turn a block, and shift the climbers it would cover (L-3)."""
    seat, block = action.seat, action.block
    _require(state, seat, Phase.BLOCK)
    discs, before = state.disc_blocks, state.poses[block] if 0 <= block < len(state.poses) else None
    if before is None:
        raise IllegalAction(f"there is no block {block}")
    obstacle = obstacle_to_lifting(ground(state), block, state.climbers, discs, state.last_moved)
    if obstacle:
        raise IllegalAction(obstacle)
    lifted = ground(state).lifted(block)
    pose = placed_pose(lifted, Cell(action.x, action.y), _shape(state, action), state.climbers, discs)
    if isinstance(pose, str):
        raise IllegalAction(pose)
    if pose == before:
        raise IllegalAction("a block put back as it lay was not moved, only looked under")
    obstacle = obstacle_to_shifts(lifted, pose, state.climbers, action.shifts, all_on_top=state.options.shift_all)
    if obstacle:
        raise IllegalAction(obstacle)
    shifted = []
    for shift in action.shifts:
        cell = state.climbers[shift.player]
        (below,) = lifted.below(lifted.grid.square(shift.to_cell))
        assert cell is not None, "a climber to shift is on a block"
        shifted.append(ClimberShifted(seat, shift.player, below, cell, shift.to_cell))
    return (*shifted, BlockMoved(seat, block, before, pose))


def _shape(state: State, action: MoveBlock) -> Shape:
    """Return the orientation an action asks for (L-2.poses)."""
    for shape in poses_of(state.board.blocks[action.block]):
        if (shape.dx, shape.dy, shape.top) == (action.dx, action.dy, action.top):
            return shape
    raise IllegalAction(f"block {action.block} can't lie {action.dx} x {action.dy} with {action.top} on top")


def obstacle_to_disc(state: State, block: int) -> str:
    """Return why no disc may be placed on a block; empty if one may (L-6.disc)."""
    terrain = ground(state)
    free = terrain.exposed[block]
    if not free:
        return f"the top of block {block} is covered"
    if block in state.disc_blocks:
        return f"a disc is on block {block}"
    standing = [terrain.grid.square(cell) for cell in state.climbers if cell is not None]
    return f"a climber is on block {block}" if any(square & free for square in standing) else ""


def _place_disc(state: State, action: PlaceDisc) -> tuple[Event, ...]:
    """Place the disc, once in a match, on a surface without climbers (L-6.disc)."""
    _require(state, action.seat, Phase.DISC)
    block, terrain = action.block, ground(state)
    if not 0 <= block < len(state.poses):
        raise IllegalAction(f"there is no block {block}")
    obstacle = obstacle_to_disc(state, block)
    if obstacle:
        raise IllegalAction(obstacle)
    if not terrain.grid.square(action.cell) & terrain.exposed[block]:
        raise IllegalAction(f"that square is not one of block {block} that shows")
    return (DiscPlaced(action.seat, block, action.cell),)


def _build(state: State, action: BuildOpening) -> tuple[Event, ...]:
    """Place all blocks one by one, in a legal order (L-5.build)."""
    if state.phase is not Phase.BUILD or actors(state) != (CHANCE,):
        raise IllegalAction("there is nothing to build now")
    wanted = {placement.block: placement.pose for placement in action.placements}
    if len(wanted) != len(action.placements):
        raise IllegalAction("a block is laid once")
    try:
        return tuple(BlockPlaced(block, pose) for block, pose in laid(state.board.blocks, state.board.side, wanted))
    except OpeningError as error:
        raise IllegalAction(str(error)) from None


def _deal(state: State, action: DealColours) -> tuple[Event, ...]:
    """Deal each seat a different colour (L-5.colours)."""
    if state.phase is not Phase.COLOURS:
        raise IllegalAction("there are no colours to deal now")
    colours = action.colours
    if len(colours) != len(state.seats) or len(set(colours)) != len(colours) or not set(colours) <= set(COLOURS):
        raise IllegalAction(f"expected one of {', '.join(COLOURS)} for each of {len(state.seats)} seats, each once")
    return tuple(ColourAssigned(seat, colour, Method.LOT) for seat, colour in enumerate(colours))


def _draw_lot(state: State, action: DrawLot) -> tuple[Event, ...]:
    if state.phase is not Phase.START or state.options.first is not None:
        raise IllegalAction("there is no start player to draw now")
    if action.first not in state.seats:
        raise IllegalAction(f"there is no seat {action.first + 1}")
    return (StartPlayerChosen(action.first, Method.LOT),)
