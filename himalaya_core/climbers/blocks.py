"""The blocks: their classes, face colours and orientations.

Lengths are in unit squares, half the edge of a cube (L-2.unit). A block has two edges of length 2. Its third edge, the
odd edge, has length 1, 2, 4 or 6, depending on the size. The variant is the pair of colours on the two faces at the
ends of the odd edge. The rules use only the colour on top, so the 24 rotations reduce to the few shapes below
(L-2.poses).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from himalaya_core.game import Range, fact

__all__ = [
    "BLOCK_COUNT",
    "PARTNERS",
    "SIZES",
    "VARIANTS",
    "Block",
    "BlockNumber",
    "Cell",
    "Colour",
    "Coordinate",
    "Edge",
    "Pose",
    "Shape",
    "Size",
    "Variant",
    "blocks_of",
    "poses_of",
]


class Colour(StrEnum):
    """The colour of a face. All colours except neutral belong to players."""

    TEAL = "teal"
    PURPLE = "purple"
    YELLOW = "yellow"
    RED = "red"
    PINK = "pink"
    NEUTRAL = "neutral"


class Size(StrEnum):
    """The size of a block: a number as in the manual, or the neutral triple cube."""

    HALF = "1"
    CUBE = "2"
    DOUBLE = "4"
    TRIPLE = "triple"


class Variant(StrEnum):
    """The colours of the two faces at the ends of the odd edge; cubes and triples have no variant."""

    TEAL_PURPLE = "tp"
    YELLOW_RED = "yr"
    PINK_NEUTRAL = "pn"
    NONE = "none"


Coordinate = Annotated[int, Range(0, 63)]
BlockNumber = Annotated[int, Range(0, 34)]
Edge = Annotated[int, Range(1, 6)]

BLOCK_COUNT: Final = 35
ODD_EDGE: Final = {Size.HALF: 1, Size.CUBE: 2, Size.DOUBLE: 4, Size.TRIPLE: 6}
SIZES: Final = {Size.HALF: 12, Size.CUBE: 12, Size.DOUBLE: 9, Size.TRIPLE: 2}
"""Number of blocks of each size in the box (L-1.blocks)."""
PAIRS: Final = {
    Variant.TEAL_PURPLE: (Colour.TEAL, Colour.PURPLE),
    Variant.YELLOW_RED: (Colour.YELLOW, Colour.RED),
    Variant.PINK_NEUTRAL: (Colour.PINK, Colour.NEUTRAL),
}
PARTNERS: Final = {one: other for pair in PAIRS.values() for one, other in (pair, pair[::-1])}
"""Maps each colour to the colour of the opposite face (L-1.pairs)."""
VARIANTS: Final = tuple(PAIRS)


@fact
class Cell:
    """A unit square on the table or on top of the structure."""

    x: Coordinate
    y: Coordinate


@dataclass(frozen=True, slots=True)
class Shape:
    """An orientation of a block: its edge lengths along x, y and z, and the colour on top."""

    dx: int
    dy: int
    dz: int
    top: Colour


@fact
class Pose:
    """The position of a block: its lowest corner, its edge lengths and the colour on top."""

    x: Coordinate
    y: Coordinate
    z: Annotated[int, Range(0, 95)]
    dx: Edge
    dy: Edge
    dz: Edge
    top: Colour


@dataclass(frozen=True, slots=True)
class Block:
    """A block; blocks of the same size and variant are interchangeable."""

    id: int
    size: Size
    variant: Variant


def blocks_of(variants: Mapping[Size, Mapping[Variant, int]]) -> tuple[Block, ...]:
    """Return the 35 blocks, numbered by size (halves, cubes, doubles, triples) and then by variant.

    `variants` gives the number of halves and doubles of each variant, like `blocks` in a board document.
    """
    kinds: list[tuple[Size, Variant]] = []
    for size, count in SIZES.items():
        for variant, number in variants.get(size, {Variant.NONE: count}).items():
            kinds += [(size, variant)] * number
    return tuple(Block(number, size, variant) for number, (size, variant) in enumerate(kinds))


def _shapes(size: Size, variant: Variant) -> tuple[Shape, ...]:
    """Return the distinct orientations of a size and variant (L-2.poses)."""
    odd = ODD_EDGE[size]
    if size is Size.CUBE:
        return tuple(Shape(2, 2, 2, colour) for colour in Colour)
    sides = [(odd, 2), (2, odd)]
    if size is Size.TRIPLE:
        return (Shape(2, 2, odd, Colour.NEUTRAL), *(Shape(dx, dy, 2, Colour.NEUTRAL) for dx, dy in sides))
    across = PAIRS[variant]
    along = [colour for colour in Colour if colour not in across]
    upright = tuple(Shape(2, 2, odd, colour) for colour in across)
    return upright + tuple(Shape(dx, dy, 2, colour) for colour in along for dx, dy in sides)


SHAPES: Final[Mapping[tuple[Size, Variant], tuple[Shape, ...]]] = {
    (size, variant): _shapes(size, variant)
    for size in Size
    for variant in (VARIANTS if size in (Size.HALF, Size.DOUBLE) else (Variant.NONE,))
}


def poses_of(block: Block) -> tuple[Shape, ...]:
    """Return the distinct orientations of a block: 10 for halves and doubles, 6 for cubes, 3 for triples."""
    return SHAPES[block.size, block.variant]
