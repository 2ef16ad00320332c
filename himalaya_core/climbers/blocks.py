"""The blocks of the box: their classes, the colours of their faces, and the ways each can lie.

Lengths are in unit squares, half the edge of a cube (L-2.unit). A block has two edges of 2; its third, the odd one,
is 1, 2, 4 or 6 long by its size. Its variant says which pair of colours is on the two faces across the odd edge.
Only the colour on top matters to the rules, so that the 24 rotations fold to the few shapes below (L-2.poses).
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
    """What a face shows; all but neutral are colours of players."""

    TEAL = "teal"
    PURPLE = "purple"
    YELLOW = "yellow"
    RED = "red"
    PINK = "pink"
    NEUTRAL = "neutral"


class Size(StrEnum):
    """How big a block is: the manual's number, or the neutral triple cube."""

    HALF = "1"
    CUBE = "2"
    DOUBLE = "4"
    TRIPLE = "triple"


class Variant(StrEnum):
    """Which pair of colours is on the faces across the odd edge; a cube and a triple have no odd one out."""

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
"""How many blocks of each size are in the box (L-1.blocks)."""
PAIRS: Final = {
    Variant.TEAL_PURPLE: (Colour.TEAL, Colour.PURPLE),
    Variant.YELLOW_RED: (Colour.YELLOW, Colour.RED),
    Variant.PINK_NEUTRAL: (Colour.PINK, Colour.NEUTRAL),
}
PARTNERS: Final = {one: other for pair in PAIRS.values() for one, other in (pair, pair[::-1])}
"""The colour on the opposite face (L-1.pairs)."""
VARIANTS: Final = tuple(PAIRS)


@fact
class Cell:
    """A unit square of the table, or of what stands on it."""

    x: Coordinate
    y: Coordinate


@dataclass(frozen=True, slots=True)
class Shape:
    """A way a block can lie: its edges along x, y and z, and the colour on top."""

    dx: int
    dy: int
    dz: int
    top: Colour


@fact
class Pose:
    """Where a block lies, by its lowest corner, and how."""

    x: Coordinate
    y: Coordinate
    z: Annotated[int, Range(0, 95)]
    dx: Edge
    dy: Edge
    dz: Edge
    top: Colour


@dataclass(frozen=True, slots=True)
class Block:
    """A block; those of one size and variant are alike."""

    id: int
    size: Size
    variant: Variant


def blocks_of(variants: Mapping[Size, Mapping[Variant, int]]) -> tuple[Block, ...]:
    """Return the 35 blocks by their numbers: halves, cubes, doubles, triples, within a size by variant.

    `variants` says how many halves and doubles there are of each variant (a board's `blocks` are this).
    """
    kinds: list[tuple[Size, Variant]] = []
    for size, count in SIZES.items():
        for variant, number in variants.get(size, {Variant.NONE: count}).items():
            kinds += [(size, variant)] * number
    return tuple(Block(number, size, variant) for number, (size, variant) in enumerate(kinds))


def _shapes(size: Size, variant: Variant) -> tuple[Shape, ...]:
    """Return the ways that a block of a class can lie (L-2.poses)."""
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
    """Return the ways a block can lie: 10 for halves and doubles, 6 for cubes, 3 for triples."""
    return SHAPES[block.size, block.variant]
