"""How many turns matches take."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, middle_half, number
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.figure import BY_OUTCOME, Figure, interval, quartile_columns
from dashboards.games.shared.progress import means_per_match
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.words import NOTHING, Row, bounds, plain, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "turns_taken"]


def turns_taken(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, matches, groups, turns_taken`, its bounds and quartiles: how many turns matches take."""
    return means_per_match(reader, where, COURSES, {"turns": "f.turns"}, "turns_taken").drop("kind")


def turns_finding(frame: pl.DataFrame) -> str:
    """Say how many turns matches of each size take."""
    if frame.is_empty():
        return NOTHING
    first, *others = (
        f"A match of {row['players']} players takes {plain(row['turns_taken'])} turns{_how_sure(row)}"
        for row in frame.iter_rows(named=True)
    )
    return " ".join([f"{first}, counting those of all players.", *(f"{each}." for each in others)])


def _how_sure(row: Row) -> str:
    """Return the interval of a mean; where it reaches down to zero it says nothing, and the number of matches does."""
    says_nothing = row["turns_taken_low"] is not None and row["turns_taken_low"] <= 0
    return f" in {whole(row['matches'], 'match', 'matches')}" if says_nothing else bounds(row, "turns_taken")


def draw_turns_taken(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Mean turns with their interval, and median with the middle half, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    mean = Panel("Mean turns", named, "turns_taken", number)
    half = middle_half(Panel("Median and middle half", named, "turns_taken", number), "turns_taken")
    return interval_panels([mean, half], colours, rows="row")


METRICS: Final = (
    Metric(
        "turns_taken",
        "How many turns a match takes, all players' together.",
        "mean over matches",
        source_of(turns_taken, f"interval: {GROUPED}; {TYPE_7}"),
        "players",
        "turns per match",
    ),
)
FIGURE: Final = Figure(
    "turns-taken",
    "Turns taken",
    "when",
    turns_taken,
    {
        "players": "Table size",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("turns_taken", "Mean"),
        **quartile_columns("turns_taken"),
    },
    turns_finding,
    BY_OUTCOME,
    draw=draw_turns_taken,
    metrics=METRICS,
)
