"""The structure at the start: a random packed cuboid, or a given list of blocks placed one by one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias, TypeVar

from himalaya_core.climbers.blocks import Block, Cell, Pose, Shape, Size, poses_of
from himalaya_core.climbers.terrain import Terrain, obstacle_to_lifting, placed_pose
from himalaya_core.game import Dice

__all__ = ["OpeningError", "hides_core", "laid", "packed", "shape_of", "spelled"]


CORE_HEIGHT: Final = 6
AROUND_CORE: Final = 12
"""Number of squares around the two triples, if they are side by side and not at the table's edge."""
CORES: Final = {(2, 0), (-2, 0), (0, 2), (0, -2)}
"""Possible offsets of the second triple from the first; both are upright."""


class OpeningError(ValueError):
    """An invalid opening; the message names the block and the expected value."""


def spelled(block: Block, pose: Pose) -> str:
    """Format a block and its pose as in board documents, e.g. `Dyr@0,2,0:2x4x2:pink`."""
    letter = {Size.HALF: "H", Size.CUBE: "C", Size.DOUBLE: "D", Size.TRIPLE: "T"}[block.size]
    variant = "" if block.size in (Size.CUBE, Size.TRIPLE) else block.variant
    top = "" if block.size is Size.TRIPLE else f":{pose.top}"
    return f"{letter}{variant}@{pose.x},{pose.y},{pose.z}:{pose.dx}x{pose.dy}x{pose.dz}{top}"


def shape_of(pose: Pose) -> Shape:
    """Return the orientation of a pose."""
    return Shape(pose.dx, pose.dy, pose.dz, pose.top)


def laid(blocks: Sequence[Block], side: int, wanted: Mapping[int, Pose]) -> tuple[tuple[int, Pose], ...]:
    """Return the blocks in a legal order of placement: first the two triples (the core), then the others as given.

    Raises `OpeningError` if there is no legal order, if a block is missing or in an impossible pose, or if the core is
    visible.
    """
    if sorted(wanted) != list(range(len(blocks))):
        missing = sorted(set(range(len(blocks))) ^ set(wanted))
        raise OpeningError(f"expected each block of 0..{len(blocks) - 1} once, block {missing[0]} is not")
    for number, pose in wanted.items():
        if shape_of(pose) not in poses_of(blocks[number]):
            raise OpeningError(f"{spelled(blocks[number], pose)}: expected a way in which a block of its kind can lie")
    core = [block.id for block in blocks if block.size is Size.TRIPLE]
    terrain = _with_core(blocks, Terrain.of((None,) * len(blocks), side), {number: wanted[number] for number in core})
    waiting = [number for number in wanted if number not in core]
    order = list(core)
    while waiting:
        for number in waiting:
            pose = wanted[number]
            if placed_pose(terrain, Cell(pose.x, pose.y), shape_of(pose)) == pose:
                break
        else:
            raise OpeningError(_stuck(blocks, terrain, {number: wanted[number] for number in waiting}))
        terrain = terrain.placed(number, pose)
        waiting.remove(number)
        order.append(number)
    if not hides_core(blocks, terrain):
        around = f"the {AROUND_CORE} squares around them at least {CORE_HEIGHT} high"
        raise OpeningError(f"expected both triples hidden: {around}, and no face of theirs on top")
    return tuple((number, wanted[number]) for number in order)


def _with_core(blocks: Sequence[Block], terrain: Terrain, core: Mapping[int, Pose]) -> Terrain:
    """Place the two triples upright and side by side on the table (L-5.core)."""
    (first, one), (second, two) = core.items()
    for number, pose in core.items():
        if pose.dz != CORE_HEIGHT or pose.z or not terrain.grid.holds(pose.x, pose.y, pose.dx, pose.dy):
            raise OpeningError(f"{spelled(blocks[number], pose)}: expected a triple upright on the table")
    if (two.x - one.x, two.y - one.y) not in CORES:
        raise OpeningError(f"{spelled(blocks[second], two)}: expected both triples side by side, 4 x 2 in all")
    return terrain.placed(first, one).placed(second, two)


def _stuck(blocks: Sequence[Block], terrain: Terrain, waiting: Mapping[int, Pose]) -> str:
    number, pose = min(waiting.items(), key=lambda item: item[1].z)
    found = placed_pose(terrain, Cell(pose.x, pose.y), shape_of(pose))
    why = found if isinstance(found, str) else f"the blocks below it are {found.z} high, not {pose.z}"
    return f"{spelled(blocks[number], pose)}: expected a place where it can be laid, but {why}"


def hides_core(blocks: Sequence[Block], terrain: Terrain) -> bool:
    """Return whether the two upright triples are covered and surrounded to their full height (L-5.hidden)."""
    core = [block.id for block in blocks if block.size is Size.TRIPLE]
    middle = 0
    for number in core:
        middle |= terrain.footprints[number]
        if terrain.exposed[number]:
            return False
    around = terrain.grid.around(middle) & ~middle
    low = sum(squares for height, squares in terrain.levels.items() if height < CORE_HEIGHT)
    return around.bit_count() == AROUND_CORE and not around & low


T = TypeVar("T")
Slot: TypeAlias = tuple[int, int, int]
"""A place in the cuboid: column, row and storey, counted in cubes."""

COLUMNS: Final = 4
ROWS: Final = 3
STOREYS: Final = 3
CORE: Final = ((1, 1), (2, 1))
"""The slots of the two triples, as columns and rows of the cuboid."""
RING: Final = tuple(place for place in product(range(COLUMNS), range(ROWS)) if place not in CORE)
SLOTS: Final[tuple[Slot, ...]] = tuple((column, row, storey) for column, row in RING for storey in range(STOREYS))
PAIRS: Final = tuple(
    (slot, other)
    for slot in SLOTS
    for other in SLOTS
    if other > slot and sum(abs(one - two) for one, two in zip(slot, other, strict=True)) == 1
)
"""Places for a double block: pairs of neighbouring slots."""


def packed(blocks: Sequence[Block], side: int, moves: int, dice: Dice) -> dict[int, Pose]:
    """Return the pose of each block in a random opening in the middle of the table."""
    poses = dict(_cuboid(blocks, dice, Cell(side // 2 - COLUMNS, side // 2 - ROWS)))
    terrain = Terrain.of(tuple(poses[block.id] for block in blocks), side)
    for _ in range(moves):
        terrain = _moved(blocks, terrain, dice)
    return {block: pose for block, pose in enumerate(terrain.poses) if pose is not None}


def _cuboid(blocks: Sequence[Block], dice: Dice, corner: Cell) -> Iterator[tuple[int, Pose]]:
    """Yield each block and its random pose in a packed cuboid."""
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
    """Return random disjoint pairs of neighbouring slots. Start again if too few disjoint pairs are found."""
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
    return _any([shape for shape in poses_of(block) if (shape.dx, shape.dy, shape.dz) == edges], dice)


def _moved(blocks: Sequence[Block], terrain: Terrain, dice: Dice) -> Terrain:
    """Return the terrain after one random legal move; illegal candidates are drawn again."""
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
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = dice.below(last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled
