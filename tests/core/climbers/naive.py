"""Block moves listed by brute force from the specification: every block, orientation and square.

It uses no bit sets, levels or caches. Tests and the benchmark compare the product's listing with it.
"""

from collections.abc import Iterator
from typing import TypeAlias

from himalaya_core.climbers.blocks import Block, Cell, Colour, Pose, Shape, poses_of

Square: TypeAlias = tuple[int, int]
Heights: TypeAlias = dict[Square, int]
Tops: TypeAlias = dict[Square, int]
Placing: TypeAlias = tuple[int, int, int, int, int, Colour]
"""Block number, x, y, dx, dy, and the colour on top."""


def squares_under(x: int, y: int, shape: Shape | Pose) -> list[Square]:
    """Return the squares below a block with its lowest corner at x, y."""
    return [(column, row) for row in range(y, y + shape.dy) for column in range(x, x + shape.dx)]


def ground(poses: tuple[Pose | None, ...]) -> tuple[Heights, Tops]:
    """Return for each covered square the height and the top block."""
    heights: Heights = {}
    tops: Tops = {}
    for block, pose in enumerate(poses):
        for square in squares_under(pose.x, pose.y, pose) if pose else ():
            if pose and pose.z + pose.dz > heights.get(square, 0):
                heights[square] = pose.z + pose.dz
                tops[square] = block
    return heights, tops


def naive_moves(
    blocks: tuple[Block, ...],
    poses: tuple[Pose | None, ...],
    climbers: tuple[Cell | None, ...],
    discs: frozenset[int],
    last_moved: int | None,
    side: int,
) -> Iterator[Placing]:
    """Yield every block move, ignoring shifts of climbers."""
    _, tops = ground(poses)
    standing = [tops[cell.x, cell.y] for cell in climbers if cell]
    for block, pose in enumerate(poses):
        if pose is None or block in (*standing, *discs, last_moved):
            continue
        if any(tops[square] != block for square in squares_under(pose.x, pose.y, pose)):
            continue
        rest = (*poses[:block], None, *poses[block + 1 :])
        heights, below = ground(rest)
        for shape in poses_of(blocks[block]):
            for y in range(side - shape.dy + 1):
                for x in range(side - shape.dx + 1):
                    unturned = (x, y, shape.dx, shape.dy, shape.top) == (pose.x, pose.y, pose.dx, pose.dy, pose.top)
                    if not unturned and _may_rest(squares_under(x, y, shape), heights, below, standing, discs):
                        yield block, x, y, shape.dx, shape.dy, shape.top


def _may_rest(squares: list[Square], heights: Heights, tops: Tops, standing: list[int], discs: frozenset[int]) -> bool:
    """Return whether a block may be placed on some squares, by conditions 1 to 4 of section 3 of the specification."""
    if len({heights.get(square, 0) for square in squares}) > 1:
        return False
    if not heights.get(squares[0], 0):
        beside = ((x + right, y + up) for x, y in squares for right, up in ((-1, 0), (1, 0), (0, -1), (0, 1)))
        return any(square in heights for square in beside)
    for block in {tops[square] for square in squares}:
        left = sum(1 for square, top in tops.items() if top == block and square not in squares)
        if block in discs or left < standing.count(block):
            return False
    return True
