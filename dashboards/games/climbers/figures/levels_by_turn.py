"""How high climbers stood after each turn, and how many ladders they had left."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.charts.lines import Course
from dashboards.games.figure import BY_ROUND, Figure, quartile_columns
from dashboards.games.shared.by_round import figures_by_round, height_finding
from dashboards.stats.metric import TYPE_7, Metric, source_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["COURSE", "FIGURE", "METRICS", "levels_by_turn"]

COURSE: Final = Course(
    "figure",
    (("level", "Level"), ("ladders", "Ladders left")),
    "level_after",
    "turn",
    (1, 10, 20, 30, 40),
)
"""Level and ladders left as curves, on pages and in reports."""


def levels_by_turn(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `figure, player, round, seats, level_after` and its quartiles after each turn of the filter."""
    return figures_by_round(reader, "agg_climbers_standings", where, "level_after")


METRICS: Final = (
    Metric(
        "level_after",
        "How high a climber stands, or how many ladders it has left, after each turn, anybody's, that at least a"
        " tenth of the player's seats reached.",
        "mean over seats",
        source_of(levels_by_turn, TYPE_7),
        "figure, player, round",
        "levels; ladders",
    ),
)
FIGURE: Final = Figure(
    "levels-by-turn",
    "How high, turn by turn",
    "why",
    levels_by_turn,
    {
        "figure": "What",
        "player": "Player",
        "round": "Turn",
        "seats": "Matches",
        "level_after": "Mean",
        **quartile_columns("level_after"),
    },
    partial(height_finding, figure="level", name="level_after", what="level of climbers", word="turn"),
    BY_ROUND,
    is_wide=True,
    draw=COURSE.by_round,
    overlaid=COURSE.overlaid,
    metrics=METRICS,
)
