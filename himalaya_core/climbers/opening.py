"""The opening structure: placed block by block, with the two triples hidden in the middle (L-5.core, L-5.build)."""

from collections.abc import Mapping, Sequence
from typing import Final

from himalaya_core.climbers.blocks import Block, Cell, Pose, Shape, Size, poses_of
from himalaya_core.climbers.terrain import Terrain, placed_pose

__all__ = ["OpeningError", "hides_core", "laid", "shape_of", "spelled"]

CORE_HEIGHT: Final = 6
AROUND_CORE: Final = 12
"""Squares around the two triples if they are side by side and away from the table's edge."""
CORES: Final = {(2, 0), (-2, 0), (0, 2), (0, -2)}
"""Possible offsets of the second upright triple from the first."""


class OpeningError(ValueError):
    """An invalid opening; the message names the block and what was expected."""


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
    """Return the blocks in a legal order of placement: the core first, then as given.

    `OpeningError` if there is none, a block is missing or in an impossible pose, or the core is visible.
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
    """Explain why the lowest of the waiting blocks cannot be placed."""
    number, pose = min(waiting.items(), key=lambda item: item[1].z)
    found = placed_pose(terrain, Cell(pose.x, pose.y), shape_of(pose))
    why = found if isinstance(found, str) else f"the blocks below it are {found.z} high, not {pose.z}"
    return f"{spelled(blocks[number], pose)}: expected a place where it can be laid, but {why}"


def hides_core(blocks: Sequence[Block], terrain: Terrain) -> bool:
    """Return whether the two upright triples are hidden: covered, and surrounded to their full height (L-5.hidden)."""
    core = [block.id for block in blocks if block.size is Size.TRIPLE]
    middle = 0
    for number in core:
        middle |= terrain.footprints[number]
        if terrain.exposed[number]:
            return False
    around = terrain.grid.around(middle) & ~middle
    low = sum(squares for height, squares in terrain.levels.items() if height < CORE_HEIGHT)
    return around.bit_count() == AROUND_CORE and not around & low
