"""How high each player's climber and Sherpas stood at the end."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, middle_half, number
from dashboards.charts.theme import Palette
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.games.summit.figures.shared import SEATS
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_histogram, seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "heights"]

HEIGHTS: Final = {"climber": "f.climber", "sherpas": "f.sherpas"}
"""How high a seat got: the field of its climber, and the sum of those of its Sherpas."""


def heights(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `figure, player, seats, groups, height`, its bounds and quartiles: how high seats ended."""
    found = seat_sums(reader, SEATS, where, HEIGHTS)
    by = ["player", "kind"]
    rows = means(found, by, "height").drop("height_p").with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    spread = quartiles(seat_histogram(reader, SEATS, where, HEIGHTS), by, "value", "seats", "height")
    rows = rows.join(spread, on=by, how="left").rename({"kind": "figure"})
    ends = [f"height{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    best = pl.col("height").filter(pl.col("figure") == "climber").first().over("player")
    rows = rows.sort("figure", best, "player", descending=[False, True, False])
    return rows.select("figure", "player", "seats", "groups", *ends)


def height_finding(frame: pl.DataFrame) -> str:
    """Say how high climbers and Sherpas end."""
    if frame.is_empty():
        return NOTHING
    climber = told(
        frame.filter(figure="climber"),
        "height",
        "player",
        "On average, {}'s climber ends highest: on field {}",
        "On average, {}'s climber ends on field {}",
    )
    sherpas = told(
        frame.filter(figure="sherpas"),
        "height",
        "player",
        "On average, {}'s Sherpas end highest: on {} fields in total",
        "On average, {}'s Sherpas end on {} fields in total",
    )
    return f"{climber} {sherpas}"


def draw_heights(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Median and middle half of how high climbers and Sherpas ended."""
    headings = {"climber": "Field of the climber", "sherpas": "Fields of the Sherpas"}
    parts = [
        middle_half(Panel(heading, frame.filter(figure=figure), "height", number), "height")
        for figure, heading in headings.items()
    ]
    return interval_panels(parts, colours)


METRICS: Final = (
    Metric(
        "height",
        "How high a seat is: the field of its climber, or the sum of the fields of its four Sherpas; at the end, or"
        " before the throw that follows each one, if at least a tenth of the player's seats got that far.",
        "mean over seats",
        source_of(heights, f"interval: {GROUPED}; {TYPE_7}"),
        "figure, player (and round)",
        "fields",
    ),
)
FIGURE: Final = Figure(
    "heights",
    "How high climbers and Sherpas got",
    "why",
    heights,
    {
        "figure": "Pawns",
        "player": "Player",
        "seats": "Matches",
        "groups": "Seeds",
        **interval("height", "Mean"),
        **quartile_columns("height"),
    },
    height_finding,
    draw=draw_heights,
    metrics=METRICS,
)
