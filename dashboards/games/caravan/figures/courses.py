"""What happens in a match: how often the lead changes, villages are contested and regions change hands."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import by_part, interval_panels, number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import COURSES
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.games.shared.progress import means_per_match
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.words import NOTHING, bounds, plain
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "course_finding", "courses"]

KINDS: Final = {kind: f"f.{kind}" for kind in ("lead_changes", "contested_villages", "region_flips")}

CALLED: Final = {"contested_villages": "Contests over a village", "region_flips": "Regions changing hands"}
"""What some kinds are called in drawings."""


def courses(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, per_match`, its bounds and quartiles: what happened in a match.

    Kinds: the lead changed, a village was contested (counted round by round), a region passed to another leader.
    """
    return means_per_match(reader, where, COURSES, KINDS, "per_match")


def course_finding(frame: pl.DataFrame) -> str:
    """Say what happens in a match of the size most played."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    lead, contested, flips = (
        frame.filter((pl.col("kind") == kind) & (pl.col("players") == size)).row(0, named=True) for kind in KINDS
    )
    return (
        f"In a match of {size} players the lead changes {plain(lead['per_match'])} times{bounds(lead, 'per_match')}."
        f" On average, there are {plain(contested['per_match'])} contests over a village, and a region changes hands"
        f" {plain(flips['per_match'])} times."
    )


def draw_courses(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how often things happened in a match, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"), pl.col("kind").replace(CALLED))
    return interval_panels(by_part(named, "kind", "per_match", number), colours, rows="row")


METRICS: Final = (
    Metric(
        "per_match",
        "How often it happens in a match: the lead changes (somebody else would win than at the last round's end with"
        " a winner), two or more go for what lies in one village in a round, a region passes from one leader to"
        " another.",
        "number / matches",
        source_of(courses, f"interval: {GROUPED}; {TYPE_7}"),
        "kind, players",
        "times per match",
    ),
)
FIGURE: Final = Figure(
    name="courses",
    title="What happens in a match",
    section="when",
    count=courses,
    columns={
        "kind": "What",
        "players": "Table size",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("per_match", "Times per match"),
        **quartile_columns("per_match"),
    },
    finding=course_finding,
    draw=draw_courses,
    metrics=METRICS,
)
