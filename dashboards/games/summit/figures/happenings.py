"""What happens in a match, and how often."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import by_part, interval_panels, number
from dashboards.charts.theme import Palette
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.games.shared.progress import means_per_match
from dashboards.games.summit.figures.shared import COURSES, EVENTS
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.words import NOTHING, bounds, plain
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "happenings"]

HAPPENINGS: Final = {
    kind: f"f.{kind}" for kind in ("lead_changes", "take_alongs", "slides", "chases", "rerolls", "forfeits")
}


def happenings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, times_per_match`, its bounds and quartiles: what happened in a match."""
    return means_per_match(reader, where, COURSES, HAPPENINGS, "times_per_match")


def happening_finding(frame: pl.DataFrame) -> str:
    """Say what happens in a match of the size most played."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    lead, *others = (frame.filter(kind=kind, players=size).row(0, named=True) for kind in list(HAPPENINGS)[:4])
    along, slide, chase = (plain(row["times_per_match"]) for row in others)
    return (
        f"In a match of {size} players the lead changes {plain(lead['times_per_match'])}"
        f" times{bounds(lead, 'times_per_match')}. On average, Sherpas go along {along} times, slide {slide} times and"
        f" are chased by the Yeti {chase} times."
    )


def draw_happenings(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How often things happened in a match, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"), pl.col("kind").replace(EVENTS))
    return interval_panels(by_part(named, "kind", "times_per_match", number), colours, rows="row", in_a_line=3)


METRICS: Final = (
    Metric(
        "times_per_match",
        "How often it happens in a match: the lead changes (before the next throw somebody else would win than before"
        " the last),"
        " Sherpas go along, slide, are chased by the Yeti, dice are thrown instead of the last one being taken, a die"
        " moves nothing.",
        "number / matches",
        source_of(happenings, f"interval: {GROUPED}; {TYPE_7}"),
        "kind, players",
        "times per match",
    ),
)
FIGURE: Final = Figure(
    "happenings",
    "What happens in a match",
    "when",
    happenings,
    {
        "kind": "What",
        "players": "Table size",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("times_per_match", "Times per match"),
        **quartile_columns("times_per_match"),
    },
    happening_finding,
    draw=draw_happenings,
    metrics=METRICS,
)
