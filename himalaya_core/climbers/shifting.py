"""Making room for a block: which climbers may or must be shifted to another square of their surface."""

from collections.abc import Iterator, Sequence
from itertools import product

from himalaya_core.climbers.actions import Shift
from himalaya_core.climbers.blocks import Cell, Pose
from himalaya_core.climbers.terrain import Terrain

__all__ = ["obstacle_to_shifts", "ways_to_shift"]


def obstacle_to_shifts(
    terrain: Terrain, pose: Pose, climbers: Sequence[Cell | None], shifts: Sequence[Shift], *, all_on_top: bool = False
) -> str:
    """Return why these shifts are not allowed when a block is placed; empty if they are (L-3.shift).

    `terrain` is without the block. A climber under the block must be shifted, and one on a place it cuts in two may be.
    With `all_on_top`, so may any climber on a block below it (L-3.whom). Each goes to a free square of the same top, in
    any part of it (L-3.wall).
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
    """Yield all shifts of the climbers that a block would cover, near squares first; none if it covers no climber.

    `terrain` is without the block; `box` are the squares below it (L-3.shift).
    """
    covered = {seat: cell for seat, cell in enumerate(climbers) if cell and terrain.grid.square(cell) & box}
    choices = [[Shift(seat, to) for to in _squares_near(terrain, cell, box)] for seat, cell in covered.items()]
    return product(*choices) if choices else iter(())


def _squares_near(terrain: Terrain, here: Cell, box: int) -> list[Cell]:
    """Return the squares of a climber's top outside a box, nearest first."""
    (block,) = terrain.below(terrain.grid.square(here))
    cells = terrain.grid.cells(terrain.exposed[block] & ~box)
    return sorted(cells, key=lambda cell: abs(cell.x - here.x) + abs(cell.y - here.y))


def _is_below(terrain: Terrain, square: int, box: int) -> bool:
    """Return whether a climber is on a block that the new one would be placed on."""
    return not set(terrain.below(square)).isdisjoint(terrain.below(box))


def _is_cut(terrain: Terrain, square: int, box: int) -> bool:
    """Return whether a block would cut a climber's place into several parts (L-4.region)."""
    if not square:
        return False
    (block,) = terrain.below(square)
    here = terrain.grid.connected(square, terrain.exposed[block])
    left = here & ~box
    return left != here and left != terrain.grid.connected(square, left)
