"""Places that a climber can reach by its own steps in each position, and places that one block move would open."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from dashboards.boards.scene import Kept
from himalaya_core.climbers.blocks import Colour, Pose, poses_of
from himalaya_core.climbers.climbing import Reach, enterable, ground, reach
from himalaya_core.climbers.listing import Lift, corners_for, lifts, meeting
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Terrain, numbers, squares_of

__all__ = ["Reaches", "opened", "reach_on"]


def reach_on(state: State, seat: int, terrain: Terrain) -> Reach:
    """Return the places that a climber can reach by steps on the given terrain, including its ladders (L-4)."""
    others = [cell for other, cell in enumerate(state.climbers) if other != seat]
    entry = enterable(terrain, state.colours[seat], others, state.disc_blocks)
    return reach(terrain, state.climbers[seat], state.ladders[seat], entry)


def opened(state: State, seat: int) -> list[int]:
    """Return the places that one block move would make reachable, as the numbers of their first squares."""
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
    """Yield the terrain without the lifted block, then after each placement that may make a place reachable."""
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


_kept: Final[Kept[list[int]]] = Kept()


class Reaches:
    """All distinct reaches in a match. A reach is a list of places, each given by the number of its first square."""

    def __init__(self) -> None:
        self.found: list[list[int]] = []
        self._known: dict[object, int] = {}
        self._last: dict[int, tuple[tuple[object, ...], int]] = {}
        """Cache of the last inputs and result by seat, as consecutive calls mostly pass identical objects."""

    def of(self, state: State, seat: int) -> int:
        """Return the index of a seat's reach in `found`; the reach is empty until the seat has a colour."""
        key = (seat, state.poses, state.colours, state.climbers, state.ladders[seat], state.disc_blocks)
        last, number = self._last.get(seat, ((), 0))
        if last and all(now is then for now, then in zip(key[1:], last[1:], strict=True)):
            return number
        self._last[seat] = key, self._number(key, state, seat)
        return self._last[seat][1]

    def _number(self, key: object, state: State, seat: int) -> int:
        if key not in self._known:
            places = _kept.of(state, seat, partial(_places, state, seat)) if seat < len(state.colours) else []
            if places not in self.found:
                self.found.append(places)
            self._known[key] = self.found.index(places)
        return self._known[key]


def _places(state: State, seat: int) -> list[int]:
    """Return the places in a climber's reach, except the one it stands on (L-4)."""
    terrain = ground(state)
    ways = reach_on(state, seat, terrain)
    here = terrain.region_at(state.climbers[seat])
    found = []
    for region in terrain.regions:
        if region != here and region.squares & ways.at(region.height):
            first = next(terrain.grid.cells(region.squares))
            found.append(first.y * terrain.grid.side + first.x)
    return found
