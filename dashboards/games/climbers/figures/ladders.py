"""Ladders left, and what those used gained."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS, draw_panels
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "ladders"]

SPENT: Final = f"""(select match_id, seat, any_value(d.ladders_left) as ladders_left,
    any_value(d.levels_by_ladder) as levels_by_ladder, count(*) filter (l.ladder = 'short') as short,
    count(*) filter (l.ladder = 'long') as long
    from {SEATS} d left join fct_climbers_ladders l using (match_id, seat) group by match_id, seat)"""
LADDERS: Final = {"left": "f.ladders_left", "short": "f.short", "long": "f.long", "levels": "f.levels_by_ladder"}
"""Ladders left of two, spent of each kind, and how many levels those brought."""
CALLED: Final = {
    "left": "Ladders left (of 2)",
    "short": "Short ladder used",
    "long": "Long ladder used",
    "levels": "Levels gained",
}


def ladders(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, ladders` and its bounds: left, spent, and the levels that those brought."""
    found = seat_sums(reader, SPENT, where, LADDERS)
    return in_order(means_of_seats(found, ["player", "kind"], "ladders"), "kind", LADDERS)


def ladder_finding(frame: pl.DataFrame) -> str:
    """Say who has how many ladders left, and gains how many levels by ladders."""
    if frame.is_empty():
        return NOTHING
    texts = {
        "left": ("{} has the most ladders left at the end: {} of 2", "{} has {} of 2 ladders left at the end"),
        "levels": ("{} gains the most by ladders: {} levels a match", "{} gains {} levels a match by ladders"),
    }
    return " ".join(
        told(frame.filter(kind=kind), "ladders", "player", *text, hundredths) for kind, text in texts.items()
    )


def draw_ladders(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw a panel for ladders left, for those spent of each length, and for the levels that they brought."""
    return draw_panels(frame, "ladders", CALLED, colours)


METRICS: Final = (
    Metric(
        "ladders",
        "How many of its two ladders a seat has left at the end, how many short and long ones it spent, and how many"
        " levels it gained by those.",
        "number / played; Σ levels / played",
        source_of(ladders, f"interval: {GROUPED}"),
        "player, kind",
        "per player and match",
    ),
)
FIGURE: Final = Figure(
    "ladders",
    "Ladders kept, used, and levels gained",
    "why",
    ladders,
    {"player": "Player", "kind": "What", **OF_PLAYER, **interval("ladders", "Per match")},
    ladder_finding,
    is_wide=True,
    draw=draw_ladders,
)
