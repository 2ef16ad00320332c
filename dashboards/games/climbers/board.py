"""The Climbers: the places that are counted: levels.

Squares are not counted, as each match builds a different tower.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

from himalaya_core.climbers.board import Board

__all__ = ["climbers_places"]

MOST: Final = 96
"""No level is higher: all blocks on end (L-2)."""


def climbers_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return `level`, the levels on which a climber can come to stand."""
    levels = range(1, MOST + 1) if board else ()
    return {"level": pl.DataFrame({"level": list(levels)}, schema={"level": pl.Int64})}
