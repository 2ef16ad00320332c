"""Places that one block move would open to a climber: out of reach now, and in reach after that move.

A move opens something by lifting a block, or by laying one next to or on the climber's reach after that lift. The top
must be one that the climber may enter. Any other move only removes places. So a few hundred of some 10,000 are tried.
Moves that set a climber aside are left out.
"""

from collections.abc import Iterator

from himalaya_core.climbers.blocks import Colour, Pose, poses_of
from himalaya_core.climbers.climbing import ground
from himalaya_core.climbers.listing import Lift, corners_for, lifts, meeting
from himalaya_core.climbers.reach import Reach, enterable, reach
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Terrain, numbers, squares_of

__all__ = ["opened", "reach_on"]


def reach_on(state: State, seat: int, terrain: Terrain) -> Reach:
    """Return the reach of a climber's steps on some ground, with its ladders (L-4)."""
    others = [cell for other, cell in enumerate(state.climbers) if other != seat]
    entry = enterable(terrain, state.colours[seat], others, state.disc_blocks)
    return reach(terrain, state.climbers[seat], state.ladders[seat], entry)


def opened(state: State, seat: int) -> list[int]:
    """Return the places that one block move would open to a seat, each named by the number of its first square."""
    if seat >= len(state.colours):
        return []
    whole = ground(state)
    now = reach_on(state, seat, whole)
    gained = {height: 0 for height in whole.levels if height}
    for lift in lifts(state):
        for terrain in _after(state, seat, lift):
            found = reach_on(state, seat, terrain)
            for height in gained:
                gained[height] |= found.at(height)
    places = [region for region in whole.regions if region.squares & gained[region.height] & ~now.at(region.height)]
    firsts = [next(whole.grid.cells(region.squares)) for region in places]
    return [first.y * whole.grid.side + first.x for first in firsts]


def _after(state: State, seat: int, lift: Lift) -> Iterator[Terrain]:
    """Yield the ground without a block, and after each move of it that may open something."""
    terrain, grid = lift.terrain, lift.terrain.grid
    yield terrain
    found = reach_on(state, seat, terrain)
    reached = sum(found.at(height) & squares for height, squares in terrain.levels.items())
    standing = sum(squares_of(grid, state.climbers))
    for shape in poses_of(state.board.blocks[lift.block]):
        if shape.top not in (state.colours[seat], Colour.NEUTRAL):
            continue
        corners = corners_for(state, lift, shape) & meeting(grid, grid.around(reached) | reached, shape.dx, shape.dy)
        for number in numbers(corners & ~meeting(grid, standing, shape.dx, shape.dy)):
            y, x = divmod(number, grid.stride)
            height = terrain.height_below(grid.box(x, y, shape.dx, shape.dy))
            assert height is not None, "the ground below a block is even"
            yield terrain.placed(lift.block, Pose(x, y, height, shape.dx, shape.dy, shape.dz, shape.top))
