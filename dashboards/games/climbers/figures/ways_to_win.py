"""Wins by level, and by coming there first."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.climbers.terms import TERMS
from dashboards.games.figure import BY_OUTCOME, Figure, by_ending, interval
from dashboards.games.shared.endings import draw_endings, ending_shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import NOTHING, part, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "way_finding", "ways"]

ENDING: Final = "case when f.highest = 0 then 'table' when f.tie_break then 'earlier' else 'highest' end"
"""How a match was won, a key of the endings in `TERMS`."""


def ways(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, of_matches, groups, way_share` and its bounds: of tables of each size."""
    return ending_shares(reader, where, COURSES, ENDING, TERMS.endings, "way_share")


def way_finding(frame: pl.DataFrame) -> str:
    """Say how often a tie is broken at tables of each size."""
    rows = frame.filter(ending="earlier")
    if rows.is_empty():
        return NOTHING
    said = [
        f"With {row['players']} players, the winner of {part(row, 'way_share', row['matches'], row['of_matches'])}"
        " shares the highest level and got there first."
        for row in rows.iter_rows(named=True)
    ]
    shared = int(frame.filter(ending="table")["matches"].sum())
    last = [f"In {whole(shared, 'match', 'matches')} nobody left the table."] if shared else []
    return " ".join([*said, *last])


def draw_ways(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How matches of each size were won, as parts of a whole bar."""
    return draw_endings(frame, TERMS.endings, colours.parts)


METRICS: Final = (
    Metric(
        "way_share",
        "What share of the matches of tables of this size is won this way: as the highest alone; as the earlier of"
        " several on"
        " the highest level; shared, as nobody left the table.",
        "matches won this way / of_matches",
        source_of(ways, f"interval: {KORN_GRAUBARD}"),
        "players, ending",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "ways-to-win",
    "Wins by level, and by getting there first",
    "when",
    ways,
    {
        "players": "Table size",
        "ending": "Won as",
        "matches": "Matches",
        "of_matches": "Of",
        "groups": "Seeds",
        **interval("way_share", "Share"),
    },
    way_finding,
    BY_OUTCOME,
    narrows=by_ending,
    draw=draw_ways,
    metrics=METRICS,
)
