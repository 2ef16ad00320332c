"""Random openings: a cuboid of 8 x 6 x 7 squares packed at random, then random moves (L-5.generator).

The two triples are in the middle. Ten columns of three cube-sized slots surround them: each of the nine doubles takes
two neighbouring slots, each cube one. The halves are on top. The moves follow the rules of the game, but keep the core
hidden and the structure connected.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias, TypeVar

from himalaya_core.climbers.blocks import Block, Cell, Pose, Shape, Size, poses_of
from himalaya_core.climbers.opening import hides_core
from himalaya_core.climbers.terrain import Terrain, obstacle_to_lifting, placed_pose
from himalaya_core.game import Dice

__all__ = ["packed"]

T = TypeVar("T")
Slot: TypeAlias = tuple[int, int, int]
"""A column, row and storey of the cuboid, in cubes."""

COLUMNS: Final = 4
ROWS: Final = 3
STOREYS: Final = 3
CORE: Final = ((1, 1), (2, 1))
"""Column and row of the two triples."""
RING: Final = tuple(place for place in product(range(COLUMNS), range(ROWS)) if place not in CORE)
SLOTS: Final[tuple[Slot, ...]] = tuple((column, row, storey) for column, row in RING for storey in range(STOREYS))
PAIRS: Final = tuple(
    (slot, other)
    for slot in SLOTS
    for other in SLOTS
    if other > slot and sum(abs(one - two) for one, two in zip(slot, other, strict=True)) == 1
)
"""Slots for a double: pairs that share a face."""


def packed(blocks: Sequence[Block], side: int, moves: int, dice: Dice) -> dict[int, Pose]:
    """Return the poses of a random opening in the middle of the table."""
    poses = dict(_cuboid(blocks, dice, Cell(side // 2 - COLUMNS, side // 2 - ROWS)))
    terrain = Terrain.of(tuple(poses[block.id] for block in blocks), side)
    for _ in range(moves):
        terrain = _moved(blocks, terrain, dice)
    return {block: pose for block, pose in enumerate(terrain.poses) if pose is not None}


def _cuboid(blocks: Sequence[Block], dice: Dice, corner: Cell) -> Iterator[tuple[int, Pose]]:
    """Yield each block and its pose in the cuboid."""
    by_size = {size: _shuffled([block for block in blocks if block.size is size], dice) for size in Size}
    pairs = _pairs(len(by_size[Size.DOUBLE]), dice)
    used = {slot for pair in pairs for slot in pair}
    single = [slot for slot in SLOTS if slot not in used]
    on_top = [(column, row, STOREYS) for column, row in product(range(COLUMNS), range(ROWS))]
    places = {
        Size.TRIPLE: [((*place, 0), (2, 2, 2 * STOREYS)) for place in CORE],
        Size.DOUBLE: [(slot, _edges(slot, other)) for slot, other in pairs],
        Size.CUBE: [(slot, (2, 2, 2)) for slot in single],
        Size.HALF: [(slot, (2, 2, 1)) for slot in on_top],
    }
    for size, chosen in by_size.items():
        for block, ((column, row, storey), edges) in zip(chosen, places[size], strict=True):
            shape = _lying(block, edges, dice)
            at = (corner.x + 2 * column, corner.y + 2 * row, 2 * storey)
            yield block.id, Pose(*at, shape.dx, shape.dy, shape.dz, shape.top)


def _pairs(count: int, dice: Dice) -> list[tuple[Slot, Slot]]:
    """Return disjoint pairs of slots; start again if the draw gets stuck."""
    while True:
        chosen: list[tuple[Slot, Slot]] = []
        used: set[Slot] = set()
        for pair in _shuffled(PAIRS, dice):
            if len(chosen) < count and used.isdisjoint(pair):
                chosen.append(pair)
                used.update(pair)
        if len(chosen) == count:
            return chosen


def _edges(slot: Slot, other: Slot) -> tuple[int, int, int]:
    x, y, z = (2 + 2 * (two - one) for one, two in zip(slot, other, strict=True))
    return x, y, z


def _lying(block: Block, edges: tuple[int, int, int], dice: Dice) -> Shape:
    """Return a random orientation of a block with these edges."""
    return _any([shape for shape in poses_of(block) if (shape.dx, shape.dy, shape.dz) == edges], dice)


def _moved(blocks: Sequence[Block], terrain: Terrain, dice: Dice) -> Terrain:
    """Return the terrain after a random legal move, found by rejection sampling."""
    side = terrain.grid.side
    while True:
        block = _any(blocks, dice)
        shape, at = _any(poses_of(block), dice), Cell(dice.below(side), dice.below(side))
        if obstacle_to_lifting(terrain, block.id, (), (), None):
            continue
        lifted = terrain.lifted(block.id)
        pose = placed_pose(lifted, at, shape)
        if isinstance(pose, str) or pose == terrain.poses[block.id]:
            continue
        after = lifted.placed(block.id, pose)
        built = after.built
        if hides_core(blocks, after) and after.grid.connected(built & -built, built) == built:
            return after


def _any(items: Sequence[T], dice: Dice) -> T:
    return items[dice.below(len(items))]


def _shuffled(items: Sequence[T], dice: Dice) -> list[T]:
    """Return items in random order (Fisher-Yates)."""
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = dice.below(last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled
