"""On which levels climbers stood."""

from typing import Final

import polars as pl

from dashboards.charts.bars import histogram
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import NOBODY
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.board_context import board_context
from dashboards.games.shared.by_place import parts_of_all
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import percent, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "levels_stood"]


def levels_stood(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `level, levels_stood, groups, level_share` and its bounds, from the lowest on which a climber stood."""
    return parts_of_all(reader, where, board_context(reader, where), "levels_stood", "level_share").sort("level")


def level_stood_finding(frame: pl.DataFrame) -> str:
    """Say on which level climbers stand how often, and which is the highest that any stood on."""
    if frame.is_empty():
        return NOBODY
    stands = f"{whole(frame['levels_stood'].sum(), 'stand')} after turns"
    said = told(
        frame.with_columns(pl.format("level {}", "level").alias("place")),
        "level_share",
        "place",
        f"Climbers stand most often on {{}}: {{}} of {stands}",
        f"Of {stands}, {{1}} are on {{0}}",
        percent,
    )
    return f"{said} No climber stood higher than level {max(frame['level'])}."


def draw_levels_stood(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How many stands were on each level."""
    return histogram(frame, "level", "levels_stood", "level_share", colours, heading="level", unit="stands")


METRICS: Final = (
    Metric(
        "levels_stood",
        "How often a climber stood on the level after a turn of anybody.",
        "number of climbers there, turn by turn; those on the table left out",
        source_of(levels_stood),
        "level",
        "stands",
    ),
    Metric(
        "level_share",
        "What share of all climbers counted, turn by turn, stood on the level.",
        "stands on the level / stands on any",
        source_of(levels_stood, f"interval: {KORN_GRAUBARD}; {SAMPLED}"),
        "level",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "levels-stood",
    "Levels stood on",
    "where",
    levels_stood,
    {"level": "Level", "levels_stood": "Stands", "groups": "Seeds", **interval("level_share", "Share")},
    level_stood_finding,
    BY_ROUND,
    draw=draw_levels_stood,
    metrics=METRICS,
)
