"""Lists block moves: about 10,000 per turn, found with bit sets and created as objects only on access.

A shape fits if every square below it has the same height. Combining shifted copies of one bit set per height finds all
such places. Finding all moves of a turn takes a few hundred operations on thousand-bit integers.

A climber that the block would cover is shifted to the nearest free square of its surface (ties: lowest row, then lowest
column). Only this variant of a move is listed; `decide` accepts the others too (L-3.shift).
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import accumulate, repeat
from typing import Final, overload

from himalaya_core.climbers.actions import MoveBlock, SeatAction, Shift, SkipBlock
from himalaya_core.climbers.blocks import Cell, Shape, poses_of
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Grid, Terrain, numbers, obstacle_to_lifting, terrain_of

__all__ = ["BlockMoves", "Lift", "corners_for", "lifts", "meeting", "shifts_for"]

SETTERS: Final = {field.name: getattr(MoveBlock, field.name).__set__ for field in fields(MoveBlock)}
"""Functions that set the fields of a `MoveBlock` directly, faster than its constructor."""
KEPT: Final = 1024
"""Number of terrains for which the possible corners are cached."""


def spread(squares: int, step: int, count: int, *, every: bool) -> int:
    """Return squares from which a line of `count` squares, `step` bits apart, has every (or any) square in the set."""
    done = 1
    while done < count:
        more = min(done, count - done)
        shifted = squares >> (more * step)
        squares = squares & shifted if every else squares | shifted
        done += more
    return squares


@dataclass(frozen=True, slots=True)
class Even:
    """The squares where a block may be placed.

    `along_x` and `along_y` are the squares with the same height as the next square in x or y.
    """

    squares: int
    along_x: int
    along_y: int

    @classmethod
    def of(cls, terrain: Terrain, barred: int) -> "Even":
        """Return the squares of a terrain on which a block may be placed, except those in `barred`."""
        squares = along_x = along_y = 0
        for level in terrain.levels.values():
            free = level & ~barred
            squares |= free
            along_x |= free & free >> 1
            along_y |= free & free >> terrain.grid.stride
        return cls(squares, along_x, along_y)

    def anchors(self, terrain: Terrain, dx: int, dy: int) -> int:
        """Return the corners of level areas of a size; on the bare table, only next to a block (L-3.contact)."""
        stride = terrain.grid.stride
        found = self.squares if dx == 1 else spread(self.along_x, 1, dx - 1, every=True)
        if dy > 1:
            found = spread(found, stride, dy, every=True) & spread(self.along_y, stride, dy - 1, every=True)
        bare = found & terrain.levels[0]
        return found ^ bare | bare & meeting(terrain.grid, terrain.grid.around(terrain.built), dx, dy)


def meeting(grid: Grid, squares: int, dx: int, dy: int) -> int:
    """Return the lowest corners of all rectangles of this size that meet the given squares, even off the table."""
    return spread(spread(squares, 1, dx, every=False), grid.stride, dy, every=False)


@dataclass(frozen=True, slots=True)
class Lift:
    """A movable block, the terrain without it, and the corners where it can be placed."""

    block: int
    terrain: Terrain
    corners: Mapping[tuple[int, int], int]
    """Bit sets of lowest corners, by edge lengths along x and y. The block's present place is included."""


def lifts(state: State) -> Iterator[Lift]:
    """Yield the blocks that the active player may move, in ascending order."""
    whole = terrain_of(state.poses, state.board.side)
    discs = state.disc_blocks
    for block in range(len(state.poses)):
        if not obstacle_to_lifting(whole, block, state.climbers, discs, state.last_moved):
            terrain = whole.lifted(block)
            barred = 0
            for disc in discs:
                barred |= terrain.exposed[disc]
            standing = tuple(crowds(terrain, state.climbers))
            edges = frozenset([(shape.dx, shape.dy) for shape in poses_of(state.board.blocks[block])])
            yield Lift(block, terrain, _all_corners(terrain, edges, barred, standing))


@lru_cache(maxsize=KEPT)
def _all_corners(
    terrain: Terrain, edges: frozenset[tuple[int, int]], barred: int, standing: tuple[tuple[int, int], ...]
) -> Mapping[tuple[int, int], int]:
    """Return the possible corners by edge lengths. They are cached, because players query a position many times."""
    even = Even.of(terrain, barred)
    return {edge: _corners(terrain, even, standing, *edge) for edge in edges}


def corners_for(state: State, lift: Lift, shape: Shape) -> int:
    """Return the possible lowest corners of a block in this shape, except its present pose (L-3.unturned)."""
    pose, corners = state.poses[lift.block], lift.corners[shape.dx, shape.dy]
    if pose and (pose.dx, pose.dy, pose.top) == (shape.dx, shape.dy, shape.top):
        corners &= ~lift.terrain.grid.square(Cell(pose.x, pose.y))
    return corners


def _corners(terrain: Terrain, even: Even, standing: Iterable[tuple[int, int]], dx: int, dy: int) -> int:
    """Return the corners, on any level, of rectangles that leave enough room for the climbers below (L-3.placeable)."""
    found = even.anchors(terrain, dx, dy)
    for free, climbers in standing:
        if free.bit_count() - dx * dy < climbers:
            near = found & meeting(terrain.grid, free, dx, dy)
            for cell in terrain.grid.cells(near):
                box = terrain.grid.box(cell.x, cell.y, dx, dy)
                if (free & ~box).bit_count() < climbers:
                    found &= ~terrain.grid.square(cell)
    return found


def crowds(terrain: Terrain, climbers: Sequence[Cell | None]) -> Iterator[tuple[int, int]]:
    """Yield, for each block top with climbers, its free squares and its number of climbers (L-3.room)."""
    standing = [terrain.grid.square(cell) for cell in climbers if cell]
    for block in terrain.below(sum(standing)) if standing else ():
        free = terrain.exposed[block]
        yield free, sum(1 for square in standing if square & free)


def shifts_for(terrain: Terrain, box: int, climbers: Sequence[Cell | None]) -> tuple[Shift, ...]:
    """Return the shifts of climbers that a block would cover, each to the nearest free square of the same top."""
    grid = terrain.grid
    taken = sum(grid.square(cell) for cell in climbers if cell)
    shifts: list[Shift] = []
    for seat, cell in enumerate(climbers):
        if cell and grid.square(cell) & box:
            (block,) = terrain.below(grid.square(cell))
            to = _nearest(cell, grid.cells(terrain.exposed[block] & ~box & ~taken))
            taken |= grid.square(to)
            shifts.append(Shift(seat, to))
    return tuple(shifts)


def _nearest(here: Cell, cells: Iterable[Cell]) -> Cell:
    """Return the nearest square by Manhattan distance; the first one if several are equally near."""
    return min(cells, key=lambda cell: abs(cell.x - here.x) + abs(cell.y - here.y))


@dataclass(frozen=True)
class _Ways:
    """The moves of a block in one orientation: `clear` are the corners where it covers no climber."""

    lift: Lift
    shape: Shape
    clear: int
    covering: int

    @property
    def count(self) -> int:
        return self.clear.bit_count() + self.covering.bit_count()

    @cached_property
    def numbers(self) -> list[int]:
        return [*numbers(self.clear), *numbers(self.covering)]


def _ways_of(state: State, lift: Lift) -> Iterator[_Ways]:
    grid = lift.terrain.grid
    standing = sum(grid.square(cell) for cell in state.climbers if cell)
    for shape in poses_of(state.board.blocks[lift.block]):
        corners = corners_for(state, lift, shape)
        covering = corners & meeting(grid, standing, shape.dx, shape.dy)
        yield _Ways(lift, shape, corners & ~covering, covering)


@lru_cache(maxsize=16)
def _split(squares: int, stride: int) -> tuple[list[int], list[int]]:
    """Return the columns and rows of a set of squares. Cached, because colours often have the same set."""
    found = list(numbers(squares))
    return [number % stride for number in found], [number // stride for number in found]


class BlockMoves(Sequence[SeatAction]):
    """All block moves of the active player, by block and shape. The last item is the choice to move no block.

    The length and single items are computed without creating the other moves.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    @cached_property
    def _ways(self) -> list[_Ways]:
        return [ways for lift in lifts(self._state) for ways in _ways_of(self._state, lift)]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate([ways.count for ways in self._ways]))

    def __len__(self) -> int:
        return (self._ends[-1] if self._ends else 0) + 1

    def __iter__(self) -> Iterator[SeatAction]:
        for ways in self._ways:
            yield from self._clear_moves(ways)
            for number in numbers(ways.covering):
                yield self._move(ways, number)
        yield SkipBlock(self._state.active)

    @overload
    def __getitem__(self, index: int) -> SeatAction: ...
    @overload
    def __getitem__(self, index: slice) -> list[SeatAction]: ...
    def __getitem__(self, index: int | slice) -> SeatAction | list[SeatAction]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        found = bisect_right(self._ends, number)
        if found == len(self._ends):
            return SkipBlock(self._state.active)
        ways = self._ways[found]
        from_its_end = number - self._ends[found]
        return self._move(ways, ways.numbers[from_its_end])

    def _clear_moves(self, ways: _Ways) -> list[MoveBlock]:
        """Return the moves that cover no climber. Setting fields directly is four times as fast as `MoveBlock()`."""
        shape = ways.shape
        xs, ys = _split(ways.clear, ways.lift.terrain.grid.stride)
        columns: dict[str, Iterable[object]] = {
            "seat": repeat(self._state.active),
            "block": repeat(ways.lift.block),
            "x": xs,
            "y": ys,
            "dx": repeat(shape.dx),
            "dy": repeat(shape.dy),
            "top": repeat(shape.top),
            "shifts": repeat(()),
        }
        moves = [object.__new__(MoveBlock) for _ in xs]
        for name, values in columns.items():
            deque(map(SETTERS[name], moves, values), maxlen=0)
        return moves

    def _move(self, ways: _Ways, number: int) -> MoveBlock:
        terrain, shape = ways.lift.terrain, ways.shape
        y, x = divmod(number, terrain.grid.stride)
        box = terrain.grid.box(x, y, shape.dx, shape.dy)
        shifts = shifts_for(terrain, box, self._state.climbers)
        return MoveBlock(self._state.active, ways.lift.block, x, y, shape.dx, shape.dy, shape.top, shifts)
