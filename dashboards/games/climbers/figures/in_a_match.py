"""What happens in a match, and how often."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import by_part, interval_panels, number
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.games.shared.progress import means_per_match
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.words import NOTHING, bounds, plain
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "happenings"]

HAPPENINGS: Final = {
    kind: f"f.{kind}" for kind in ("lead_changes", "steps", "rises", "ladders", "blocks_moved", "discs", "hindrances")
}


def happenings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, happens`, its bounds and quartiles: what happened in a match."""
    return means_per_match(reader, where, COURSES, HAPPENINGS, "happens")


def happening_finding(frame: pl.DataFrame) -> str:
    """Say what happens in a match of the size most played."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    of_size = {row["kind"]: row for row in frame.filter(players=size).iter_rows(named=True)}
    lead = of_size["lead_changes"]
    rises, ladders, blocks, hindrances = (
        plain(of_size[kind]["happens"]) for kind in ("rises", "ladders", "blocks_moved", "hindrances")
    )
    return (
        f"In a match of {size} players the lead changes {plain(lead['happens'])} times"
        f"{bounds(lead, 'happens')}. On average, climbers rise {rises} times, {ladders} ladders"
        f" are spent, {blocks} blocks are moved, and a step is taken away {hindrances} times."
    )


def draw_in_a_match(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How often things happened in a match, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    return interval_panels(by_part(named, "kind", "happens", number), colours, rows="row", in_a_line=4)


METRICS: Final = (
    Metric(
        "happens",
        "How often it happens in a match: the lead changes (somebody else would win than a turn before),"
        " a climber steps, or rises, a ladder is spent, a block is moved, a disc laid, a step taken away from a seat.",
        "number / matches",
        source_of(happenings, f"interval: {GROUPED}; {TYPE_7}"),
        "kind, players",
        "times per match",
    ),
)
FIGURE: Final = Figure(
    "in-a-match",
    "What happens in a match",
    "when",
    happenings,
    {
        "kind": "What",
        "players": "Table size",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("happens", "Times per match"),
        **quartile_columns("happens"),
    },
    happening_finding,
    draw=draw_in_a_match,
    metrics=METRICS,
)
