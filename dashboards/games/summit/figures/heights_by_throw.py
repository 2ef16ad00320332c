"""How high climbers and Sherpas stood after each throw."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.charts.lines import Course
from dashboards.games.figure import BY_ROUND, Figure, quartile_columns
from dashboards.games.shared.by_round import figures_by_round, height_finding
from dashboards.stats.metric import Metric
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["COURSE", "FIGURE", "METRICS", "heights_by_throw"]

COURSE: Final = Course(
    "figure",
    (("climber", "Climber"), ("sherpas", "Sherpas, sum of fields")),
    "height",
    "throw",
    (1, 5, 10, 15, 20),
)
"""The heights of climber and Sherpas as curves, on pages and in reports."""


def heights_by_throw(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `figure, player, round, seats, height` and its quartiles after each throw of the filter."""
    return figures_by_round(reader, "agg_summit_standings", where, "height")


METRICS: Final[tuple[Metric, ...]] = ()
FIGURE: Final = Figure(
    "heights-by-throw",
    "How high, throw by throw",
    "why",
    heights_by_throw,
    {
        "figure": "Pawns",
        "player": "Player",
        "round": "Throw",
        "seats": "Matches",
        "height": "Mean",
        **quartile_columns("height"),
    },
    partial(height_finding, figure="climber", name="height", what="field of climbers", word="throw"),
    BY_ROUND,
    is_wide=True,
    draw=COURSE.by_round,
    overlaid=COURSE.overlaid,
    metrics=METRICS,
)
