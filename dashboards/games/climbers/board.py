"""The Climbers: the places on a board: the unit squares of the table, counted from the middle of the opening."""

from collections.abc import Mapping
from itertools import product
from typing import Final

import polars as pl

from himalaya_core.climbers.board import Board

__all__ = ["OPENING", "climbers_places"]

SQUARES: Final = {"square_x": pl.Int64, "square_y": pl.Int64}
MOST: Final = 96
"""No level is higher: all blocks on end (L-2)."""
OPENING: Final = (8, 6)
"""How many squares along x and y the cuboid has from which a generated opening is made (L-5.generator)."""


def climbers_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return `square_x, square_y`, the squares on which a climber can come to stand, and `level`, the levels there.

    Square 0, 0 is the one beyond the middle of the two triples on either axis.
    An opening that a board gives need not be in the middle of the table, so there is a whole table on every side.
    """
    reach = range(-board.side, board.side) if board else ()
    levels = range(1, MOST + 1) if board else ()
    return {
        "square_x": pl.DataFrame(list(product(reach, repeat=2)), schema=SQUARES, orient="row"),
        "level": pl.DataFrame({"level": list(levels)}, schema={"level": pl.Int64}),
    }
