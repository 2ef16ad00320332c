"""The rules: which actions are legal, the events they cause, and each seat's legal actions (block moves lazily)."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import assert_never, overload

from himalaya_core.climbers.actions import (
    Action,
    BuildOpening,
    ClimbStep,
    DealColours,
    DrawLot,
    EndClimb,
    MoveBlock,
    PlaceDisc,
    SeatAction,
    Shift,
    SkipBlock,
    SkipDisc,
)
from himalaya_core.climbers.blocks import Cell, Pose, Shape, poses_of
from himalaya_core.climbers.climbing import free_squares, ground, obstacle_to_entering, steps
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
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.opening import OpeningError, laid
from himalaya_core.climbers.pieces import COLOURS, LADDERS_FOR, Ladder, Method, Part, Phase
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Region, Terrain, obstacle_to_lifting, placed_pose
from himalaya_core.game import CHANCE, IllegalAction

__all__ = ["decide", "legal_actions", "obstacle_to_disc", "obstacle_to_shifts", "ways_to_shift"]


def obstacle_to_shifts(
    terrain: Terrain, pose: Pose, climbers: Sequence[Cell | None], shifts: Sequence[Shift], *, all_on_top: bool = False
) -> str:
    """Return why these shifts are not allowed when a block is placed; empty if they are (L-3.shift).

    `terrain` excludes the block. A climber below the block must be shifted. A climber on a place that the block divides
    may be shifted. With `all_on_top`, so may every climber on a top below the block (L-3.whom). Each climber goes to a
    free square of the same top, which may be in another place (L-3.wall).
    """
    grid = terrain.grid
    box = grid.box(pose.x, pose.y, pose.dx, pose.dy)
    squares = [0 if cell is None else grid.square(cell) for cell in climbers]
    shifted = [shift.player for shift in shifts]
    if len(set(shifted)) != len(shifted) or not set(shifted) <= set(range(len(climbers))):
        return "a climber of the match is shifted, and once"
    for seat, square in enumerate(squares):
        if square & box and seat not in shifted:
            return f"the climber of seat {seat + 1} is there and must be shifted"
    taken = sum(square for seat, square in enumerate(squares) if seat not in shifted)
    for shift in shifts:
        here = squares[shift.player]
        may_be = here & box or _is_cut(terrain, here, box) or (all_on_top and _is_below(terrain, here, box))
        if not may_be:
            return f"the climber of seat {shift.player + 1} is not in the way"
        (block,) = terrain.below(here)
        to = grid.square(shift.to_cell)
        free = terrain.exposed[block] & ~box & ~taken & ~here
        if not grid.holds(shift.to_cell.x, shift.to_cell.y, 1, 1) or not to & free:
            return f"the climber of seat {shift.player + 1} is shifted to another free square of block {block}"
        taken |= to
    return ""


def ways_to_shift(terrain: Terrain, box: int, climbers: Sequence[Cell | None]) -> Iterator[tuple[Shift, ...]]:
    """Yield all possible shifts of the climbers that a block would cover, near squares first.

    If it covers no climber, yield one empty tuple. `terrain` excludes the block; `box` is the set of squares below it
    (L-3.shift).
    """
    covered = {seat: cell for seat, cell in enumerate(climbers) if cell and terrain.grid.square(cell) & box}
    choices = [[Shift(seat, to) for to in _squares_near(terrain, cell, box)] for seat, cell in covered.items()]
    return product(*choices) if choices else iter(())


def _squares_near(terrain: Terrain, here: Cell, box: int) -> list[Cell]:
    (block,) = terrain.below(terrain.grid.square(here))
    cells = terrain.grid.cells(terrain.exposed[block] & ~box)
    return sorted(cells, key=lambda cell: abs(cell.x - here.x) + abs(cell.y - here.y))


def _is_below(terrain: Terrain, square: int, box: int) -> bool:
    """Return whether a climber is on the top of a block that the moved block would be placed on."""
    return not set(terrain.below(square)).isdisjoint(terrain.below(box))


def _is_cut(terrain: Terrain, square: int, box: int) -> bool:
    """Return whether a block would divide the place a climber is on (L-4.region)."""
    if not square:
        return False
    (block,) = terrain.below(square)
    here = terrain.grid.connected(square, terrain.exposed[block])
    left = here & ~box
    return left != here and left != terrain.grid.connected(square, left)


CLIMBING = (Phase.CLIMB, Phase.CLIMB_AGAIN, Phase.OTHERS)


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events that an action causes. `IllegalAction` gives the reason if it is not allowed."""
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
    """Step to an adjacent place of the same or greater height (L-4.step)."""
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
    """Return the place of a square. Raises `IllegalAction` off the table and on bare table enclosed by blocks."""
    side = state.board.side
    place = ground(state).region_at(cell) if cell.x < side and cell.y < side else None
    if place is None:
        raise IllegalAction("no climber can be on that square")
    return place


def _check_ladder(state: State, action: ClimbStep, rise: int) -> None:
    """Check that the ladder suits the rise and is still available (L-4.ladder)."""
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
    """Return the orientation that an action describes (L-2.poses)."""
    for shape in poses_of(state.board.blocks[action.block]):
        if (shape.dx, shape.dy, shape.top) == (action.dx, action.dy, action.top):
            return shape
    raise IllegalAction(f"block {action.block} can't lie {action.dx} x {action.dy} with {action.top} on top")


def obstacle_to_disc(state: State, block: int) -> str:
    """Return why the disc may not be placed on a block; empty if it may (L-6.disc)."""
    terrain = ground(state)
    free = terrain.exposed[block]
    if not free:
        return f"the top of block {block} is covered"
    if block in state.disc_blocks:
        return f"a disc is on block {block}"
    standing = [terrain.grid.square(cell) for cell in state.climbers if cell is not None]
    return f"a climber is on block {block}" if any(square & free for square in standing) else ""


def _place_disc(state: State, action: PlaceDisc) -> tuple[Event, ...]:
    """Place the disc on a surface without climbers; once per match (L-6.disc)."""
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


def legal_actions(state: State, seat: int) -> Sequence[SeatAction]:
    """Return all legal actions of a seat. Actions of chance are not listed."""
    if seat == CHANCE or seat not in actors(state):
        return ()
    if state.phase is Phase.BLOCK:
        return Choices(state, BlockMoves(state))
    if state.phase is Phase.DISC:
        return Choices(state, [*_discs(state, seat), SkipDisc(seat)])
    return Choices(state, [*steps(state, seat), EndClimb(seat)])


def _discs(state: State, seat: int) -> Iterator[PlaceDisc]:
    """Yield each legal placement of the disc, on the first visible square of a block's top (L-8.square)."""
    terrain = ground(state)
    for block, free in enumerate(terrain.exposed):
        if not obstacle_to_disc(state, block):
            yield PlaceDisc(seat, block, next(terrain.grid.cells(free)))


class Choices(Sequence[SeatAction]):
    """A seat's legal actions. Equivalent ones are listed once, but `in` accepts them all (L-8.square, L-8.shift)."""

    def __init__(self, state: State, listed: Sequence[SeatAction]) -> None:
        self._state = state
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    @overload
    def __getitem__(self, index: int) -> SeatAction: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SeatAction]: ...
    def __getitem__(self, index: int | slice) -> SeatAction | Sequence[SeatAction]:
        return self._listed[index]

    def __iter__(self) -> Iterator[SeatAction]:
        return iter(self._listed)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, SeatAction):
            return False
        try:
            decide(self._state, action)
        except IllegalAction:
            return False
        return True
