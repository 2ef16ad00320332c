"""The terrain formed by the blocks: heights, surfaces and places, derived from the poses and never stored.

Blocks have neither overhangs nor gaps below them. Every column is therefore solid, and a map of heights describes the
structure (L-3.support). A set of unit squares is an integer with one bit per square: column x, row y is bit
y * (side + 1) + x. The extra column in each row is always empty; it catches bits shifted past the table's edge.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeVar

from himalaya_core.climbers.blocks import Cell, Colour, Pose, Shape

__all__ = [
    "Grid",
    "Region",
    "Terrain",
    "forget_terrains",
    "numbers",
    "obstacle_to_lifting",
    "placed_pose",
    "terrain_of",
]

T = TypeVar("T")

KEPT: Final = 256
"""Maximum number of cached terrains. One turn needs the same few repeatedly."""


@dataclass(frozen=True)
class Grid:
    """The squares of a table. Sets of squares are integers, one bit per square."""

    side: int

    @cached_property
    def stride(self) -> int:
        """The distance in bits between a square and its neighbour in the next row."""
        return self.side + 1

    @cached_property
    def whole(self) -> int:
        """All squares of the table."""
        return _box(self.stride, self.side, self.side)

    def square(self, cell: Cell) -> int:
        """Return the set that contains only this square."""
        return 1 << (cell.y * self.stride + cell.x)

    def box(self, x: int, y: int, dx: int, dy: int) -> int:
        """Return the squares of a rectangle, given its lowest corner and edge lengths."""
        return _box(self.stride, dx, dy) << (y * self.stride + x)

    def holds(self, x: int, y: int, dx: int, dy: int) -> bool:
        """Return whether a rectangle lies entirely on the table."""
        return 0 <= x <= self.side - dx and 0 <= y <= self.side - dy

    def cells(self, squares: int) -> Iterator[Cell]:
        """Yield the squares of a set, row by row."""
        for number in numbers(squares):
            yield Cell(number % self.stride, number // self.stride)

    def around(self, squares: int) -> int:
        """Return the neighbours by edge of every square in the set, including neighbours inside the set (L-4.edge)."""
        stride = self.stride
        return (squares << 1 | squares >> 1 | squares << stride | squares >> stride) & self.whole

    def connected(self, start: int, within: int) -> int:
        """Return the squares of `within` connected to `start` by edges. Ignores `start` outside `within`."""
        found = start & within
        while (wider := found | self.around(found) & within) != found:
            found = wider
        return found

    def parts(self, squares: int) -> Iterator[int]:
        """Yield the connected parts of a set, ordered by their first squares."""
        while squares:
            part = self.connected(squares & -squares, squares)
            yield part
            squares ^= part


_grid = lru_cache(maxsize=16)(Grid)


@lru_cache(maxsize=256)
def _box(stride: int, dx: int, dy: int) -> int:
    row = (1 << dx) - 1
    return sum(row << (stride * y) for y in range(dy))


def numbers(squares: int) -> Iterator[int]:
    """Yield the bit numbers of a set, ascending."""
    bits = bin(squares)[:1:-1]
    number = bits.find("1")
    while number >= 0:
        yield number
        number = bits.find("1", number + 1)


@dataclass(frozen=True, slots=True)
class Region:
    """A place for climbers: a connected part of a block's top, or the open table (`block` is `None`).

    `squares` is a set as in `Grid`. Blocks can divide a top into parts, which are different places (L-4.region).
    """

    block: int | None
    height: int
    top: Colour
    squares: int

    @property
    def capacity(self) -> int:
        """Maximum number of climbers: one per square. The open table has no limit."""
        return self.squares.bit_count()


@dataclass(frozen=True, eq=False)
class Terrain:
    """A structure of blocks, as sets of squares per block and per height."""

    grid: Grid
    poses: tuple[Pose | None, ...]
    footprints: tuple[int, ...]
    """The squares below each block, indexed by block number; 0 if the block is not placed."""
    exposed: tuple[int, ...]
    """The uncovered squares of each block's top."""
    levels: dict[int, int]
    """The squares of each height. The key 0, the bare table, is always present."""

    @classmethod
    def of(cls, poses: tuple[Pose | None, ...], side: int) -> "Terrain":
        """Return the terrain of blocks on a table of `side` by `side` squares."""
        grid = _grid(side)
        footprints = tuple([grid.box(pose.x, pose.y, pose.dx, pose.dy) if pose else 0 for pose in poses])
        exposed, covered = [0] * len(poses), 0
        levels: dict[int, int] = {}
        placed = [(pose.z, pose.z + pose.dz, block) for block, pose in enumerate(poses) if pose]
        for _, height, block in sorted(placed, reverse=True):
            free = footprints[block] & ~covered
            covered |= free
            if free:
                exposed[block] = free
                levels[height] = levels.get(height, 0) | free
        levels[0] = grid.whole & ~covered
        return cls(grid, poses, footprints, tuple(exposed), levels)

    @property
    def built(self) -> int:
        """The squares covered by blocks."""
        return self.grid.whole & ~self.levels[0]

    @cached_property
    def heights(self) -> bytes:
        """The height of each square, row by row, without the extra column."""
        side, stride = self.grid.side, self.grid.stride
        heights = bytearray(side * side)
        for height, squares in self.levels.items():
            for number in numbers(squares) if height else ():
                heights[number // stride * side + number % stride] = height
        return bytes(heights)

    def height_at(self, cell: Cell) -> int:
        """Return the height of a square."""
        square = self.grid.square(cell)
        return next(height for height, squares in self.levels.items() if squares & square)

    def block_at(self, cell: Cell) -> int | None:
        """Return the topmost block on a square; `None` on the bare table."""
        square = self.grid.square(cell)
        return next((block for block, free in enumerate(self.exposed) if free & square), None)

    @cached_property
    def outside(self) -> Region:
        """The open table: bare squares connected to the table's edge (L-4.table)."""
        bare, grid = self.levels[0], self.grid
        inner = grid.box(1, 1, grid.side - 2, grid.side - 2)
        return Region(None, 0, Colour.NEUTRAL, grid.connected(grid.whole & ~inner, bare))

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The places on blocks, ordered by block number and first square."""
        return tuple([region for block in range(len(self.poses)) for region in self.regions_of(block)])

    def regions_of(self, block: int) -> tuple[Region, ...]:
        """Return the places on one block."""
        pose = self.poses[block]
        if pose is None:
            return ()
        height = pose.z + pose.dz
        return tuple([Region(block, height, pose.top, part) for part in self.grid.parts(self.exposed[block])])

    def region_at(self, cell: Cell | None) -> Region | None:
        """Return the place that contains a square; `None` gives the open table. Enclosed bare squares have no place."""
        if cell is None:
            return self.outside
        block = self.block_at(cell)
        square = self.grid.square(cell)
        if block is None:
            return self.outside if self.outside.squares & square else None
        return next(region for region in self.regions_of(block) if region.squares & square)

    def tops(self, colour: Colour) -> Mapping[int, int]:
        """Return the squares on tops that are neutral or of this colour, by height (L-4.colour)."""
        if colour not in self._tops:
            found: dict[int, int] = {}
            for pose, free in zip(self.poses, self.exposed, strict=True):
                if free and pose and pose.top in (colour, Colour.NEUTRAL):
                    height = pose.z + pose.dz
                    found[height] = found.get(height, 0) | free
            self._tops[colour] = found
        return self._tops[colour]

    @cached_property
    def _tops(self) -> dict[Colour, Mapping[int, int]]:
        return {}

    def lifted(self, block: int) -> "Terrain":
        """Return the terrain without a block. The block must be uncovered."""
        if block not in self._lifted:
            self._lifted[block] = self._without(block)
        return self._lifted[block]

    @cached_property
    def _lifted(self) -> dict[int, "Terrain"]:
        return {}

    def _without(self, block: int) -> "Terrain":
        pose, below = self._pose(block), self.footprints[block]
        exposed = list(self.exposed)
        for other, footprint in enumerate(self.footprints):
            lower = self.poses[other] if footprint & below else None
            if lower and lower.z + lower.dz == pose.z:
                exposed[other] |= footprint & below
        exposed[block] = 0
        levels = self._moved(below, pose.z + pose.dz, pose.z)
        return Terrain(
            self.grid,
            _with(self.poses, block, None),
            _with(self.footprints, block, 0),
            tuple(exposed),
            levels,
        )

    def placed(self, block: int, pose: Pose) -> "Terrain":
        """Return the terrain with one more block, without checking that the placement is legal."""
        below = self.grid.box(pose.x, pose.y, pose.dx, pose.dy)
        exposed = tuple([free & ~below for free in self.exposed])
        levels = self._moved(below, pose.z, pose.z + pose.dz)
        return Terrain(
            self.grid,
            _with(self.poses, block, pose),
            _with(self.footprints, block, below),
            _with(exposed, block, below),
            levels,
        )

    def _pose(self, block: int) -> Pose:
        pose = self.poses[block]
        if pose is None:
            raise ValueError(f"block {block} lies nowhere")
        return pose

    def _moved(self, squares: int, height: int, to: int) -> dict[int, int]:
        levels = {**self.levels, to: self.levels.get(to, 0) | squares}
        levels[height] &= ~squares
        if not levels[height] and height:
            del levels[height]
        return levels

    def height_below(self, squares: int) -> int | None:
        """Return the common height of a set of squares; `None` if their heights differ (L-3.support)."""
        for height, level in self.levels.items():
            if level & squares:
                return None if squares & ~level else height
        return None

    def touches(self, squares: int) -> bool:
        """Return whether any of these bare squares shares an edge with a block (L-3.contact)."""
        return self.grid.around(squares) & self.built != 0

    def below(self, squares: int) -> list[int]:
        """Return the blocks that are on top at any of these squares."""
        return [block for block, free in enumerate(self.exposed) if free & squares]


def _with(items: tuple[T, ...], block: int, item: T) -> tuple[T, ...]:
    return (*items[:block], item, *items[block + 1 :])


_kept = lru_cache(maxsize=KEPT)(Terrain.of)
_latest: tuple[object, int, Terrain | None] = (None, 0, None)


def terrain_of(poses: tuple[Pose | None, ...], side: int) -> Terrain:
    """Return the terrain of these poses, cached.

    Most calls pass the same tuple object as the previous call. An identity check takes a hundredth of the time of a
    hash.
    """
    global _latest  # noqa: PLW0603  assigning a tuple is atomic, so other threads see the old or the new value
    before, its_side, terrain = _latest
    if before is poses and its_side == side and terrain is not None:
        return terrain
    terrain = _kept(poses, side)
    _latest = (poses, side, terrain)
    return terrain


def forget_terrains() -> None:
    """Clear the cache; used by benchmarks."""
    global _latest  # noqa: PLW0603  atomic, as above
    _kept.cache_clear()
    _latest = (None, 0, None)


def squares_of(grid: Grid, climbers: Iterable[Cell | None]) -> list[int]:
    """Return, for each climber on a block, the set that contains only its square."""
    return [grid.square(cell) for cell in climbers if cell]


def obstacle_to_lifting(
    terrain: Terrain, block: int, climbers: Iterable[Cell | None], discs: Collection[int], last_moved: int | None
) -> str:
    """Return why a block may not be moved now; empty if it may (L-3.removable, L-3.last)."""
    footprint = terrain.footprints[block]
    if not footprint:
        return f"block {block} lies nowhere"
    if terrain.exposed[block] != footprint:
        return f"another block is on block {block}"
    if any(square & footprint for square in squares_of(terrain.grid, climbers)):
        return f"a climber is on block {block}"
    if block in discs:
        return f"a disc is on block {block}"
    return f"block {block} was moved in the turn before" if block == last_moved else ""


def placed_pose(
    terrain: Terrain, at: Cell, shape: Shape, climbers: Iterable[Cell | None] = (), discs: Collection[int] = ()
) -> Pose | str:
    """Return the pose of a block placed with its lowest corner at `at`, or why that is illegal (L-3.placeable).

    `terrain` excludes the block; `discs` are the blocks that have a disc on them.
    """
    grid = terrain.grid
    if not grid.holds(at.x, at.y, shape.dx, shape.dy):
        return "part of the block would be off the table"
    below = grid.box(at.x, at.y, shape.dx, shape.dy)
    height = terrain.height_below(below)
    if height is None:
        return "the ground below a block is even, with no gap and nothing that hangs over"
    if height == 0 and not terrain.touches(below):
        return "a block touches another with at least one square"
    standing = squares_of(grid, climbers)
    for block in terrain.below(below) if height else ():
        free = terrain.exposed[block]
        if block in discs:
            return f"a disc is on block {block}"
        if (free & ~below).bit_count() < sum(square & free != 0 for square in standing):
            return f"too little room would be left for the climbers on block {block}"
    return Pose(at.x, at.y, height, shape.dx, shape.dy, shape.dz, shape.top)
