"""The Climbers: how its figures are drawn in print: levels turn by turn, and what they were gained by."""

from collections.abc import Mapping
from functools import partial

import polars as pl

from dashboards.charts.canvas import DrawFrame
from dashboards.charts.frames import by_round, parts_of
from dashboards.games.climbers.figures.levels_by_turn import COURSE
from dashboards.stats.words import plain
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["climbers_drawings"]


def climbers_drawings(_reader: Reader, _where: Filter, frames: Mapping[str, pl.DataFrame]) -> dict[str, DrawFrame]:
    """Return how some figures are drawn, by name."""
    drawings: dict[str, DrawFrame] = {
        "levels-by-turn": by_round(COURSE),
        "levels-gained": parts_of("kind", "levels_gained", partial(plain, digits=2)),
    }
    return {name: draw for name, draw in drawings.items() if name in frames and not frames[name].is_empty()}
