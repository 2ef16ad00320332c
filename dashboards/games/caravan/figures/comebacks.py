"""Comebacks: wins of matches in which a winner would have been eliminated, had they been scored late on."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import intervals, percent
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import COURSES
from dashboards.games.figure import BY_OUTCOME, Figure, interval, of_wins
from dashboards.games.shared.progress import comeback_shares, comeback_shares_finding
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "comeback_finding", "comebacks"]

MEANT: Final = "a winner would have been eliminated, had the match been scored after some round from 6 on"


def comebacks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, comeback_share` and its bounds, the highest first.

    Of the seats that won, those in matches a winner of which would have been eliminated, had it been scored so late.
    """
    return comeback_shares(reader, where, COURSES, "comeback_share")


def comeback_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are comebacks most often."""
    return comeback_shares_finding(frame, "comeback_share", MEANT)


def draw_comebacks(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw how often each player's wins were comebacks."""
    return intervals(frame, "comeback_share", colours, shown=percent, axis_format=".0%")


METRICS: Final = (
    Metric(
        "comeback_share",
        "What share of the player's wins were comebacks: had the match been scored at the end of some round from 6"
        " on, a winner would have been eliminated.",
        "wins of matches with a comeback / wins",
        source_of(comebacks, f"interval: {KORN_GRAUBARD}"),
        "player",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    name="comebacks",
    title="Comebacks",
    section="when",
    count=comebacks,
    columns={
        "player": "Player",
        "wins": "Wins",
        "comebacks": "Comebacks",
        "groups": "Seeds",
        **interval("comeback_share", "Share of wins"),
    },
    finding=comeback_finding,
    ignores=BY_OUTCOME,
    narrows=of_wins,
    draw=draw_comebacks,
    metrics=METRICS,
)
