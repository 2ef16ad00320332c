"""Colours on the sides of a block. The rules use only its top; the sides follow from it by our choice.

All blocks are coloured alike: if a block has red on top and teal on the side to greater x, its side to greater y is
neutral. If a block could still be turned about, its pairs follow each other in that order.
"""

from typing import Final

from himalaya_core.climbers.blocks import PAIRS, PARTNERS, Block, Colour, Pose, Size, Variant
from himalaya_core.climbers.text import LETTERS

__all__ = ["letters_of"]

ROUND: Final = (Variant.TEAL_PURPLE, Variant.PINK_NEUTRAL, Variant.YELLOW_RED)
"""The pairs along x, y and z of the reference block; turned blocks have others too."""
FIRST: Final = (Colour.TEAL, Colour.NEUTRAL, Colour.RED)
"""The colours of that block to greater x, to greater y, and on top."""
OF_PAIR: Final = {colour: variant for variant, pair in PAIRS.items() for colour in pair}


def letters_of(block: Block, pose: Pose) -> str:
    """Return the letters of a block's faces: on top, to greater x, to smaller x, to greater y, to smaller y."""
    if block.size is Size.TRIPLE:
        return LETTERS[Colour.NEUTRAL].upper() * 5
    right, back = _sides(block, pose)
    faces = (pose.top, right, PARTNERS[right], back, PARTNERS[back])
    return "".join(LETTERS[colour] for colour in faces).upper()


def _sides(block: Block, pose: Pose) -> tuple[Colour, Colour]:
    """Return the colours to greater x and to greater y."""
    top = ROUND.index(OF_PAIR[pose.top])
    along_x, along_y = (top + 1) % 3, (top + 2) % 3
    odd = _odd_axis(pose)
    if block.variant is not Variant.NONE and odd != "z":
        own = ROUND.index(block.variant)
        other = 3 - top - own
        along_x, along_y = (own, other) if odd == "x" else (other, own)
    turned = (along_y - along_x) % 3 == 2
    flipped = (pose.top not in FIRST) != turned
    right, back = (next(colour for colour in FIRST if OF_PAIR[colour] == ROUND[pair]) for pair in (along_x, along_y))
    return right, PARTNERS[back] if flipped else back


def _odd_axis(pose: Pose) -> str:
    edges = (pose.dx, pose.dy, pose.dz)
    return next((axis for axis, edge in zip("xyz", edges, strict=True) if edges.count(edge) == 1), "z")
