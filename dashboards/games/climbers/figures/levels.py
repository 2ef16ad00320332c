"""How high each player's climber got."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, middle_half, number
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_histogram, seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "levels"]


def levels(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, seats, groups, level_reached`, its bounds and quartiles, the highest first."""
    columns = {"level": "f.level"}
    found = seat_sums(reader, SEATS, where, columns)
    rows = means(found, ["player"], "level_reached").drop("level_reached_p")
    rows = rows.with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    counted = seat_histogram(reader, SEATS, where, columns)
    rows = rows.join(quartiles(counted, ["player"], "value", "seats", "level_reached"), on="player", how="left")
    ends = [f"level_reached{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.select("player", "seats", "groups", *ends).sort("level_reached", "player", descending=[True, False])


def level_finding(frame: pl.DataFrame) -> str:
    """Say whose climber ends highest on average, and whose lowest."""
    if frame.is_empty():
        return NOTHING
    plain = "On average, {} ends on level {}"
    high, low = (f"On average, {{}} ends {end}: on level {{}}" for end in ("highest", "lowest"))
    said = told(frame, "level_reached", "player", high, plain)
    if frame.height == 1:
        return said
    return f"{said} {told(frame, 'level_reached', 'player', low, plain, least=True)}"


def draw_levels(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Mean level with its interval, and median with the middle half."""
    mean = Panel("Mean level", frame, "level_reached", number)
    half = middle_half(Panel("Median and middle half", frame, "level_reached", number), "level_reached")
    return interval_panels([mean, half], colours)


METRICS: Final = (
    Metric(
        "level_reached",
        "How high above the table a climber stands at the end, in halves of a cube; nobody ever goes down.",
        "mean over seats",
        source_of(levels, f"interval: {GROUPED}; {TYPE_7}"),
        "player",
        "levels",
    ),
)
FIGURE: Final = Figure(
    "levels",
    "How high climbers got",
    "why",
    levels,
    {
        "player": "Player",
        "seats": "Matches",
        "groups": "Seeds",
        **interval("level_reached", "Mean"),
        **quartile_columns("level_reached"),
    },
    level_finding,
    draw=draw_levels,
    metrics=METRICS,
)
