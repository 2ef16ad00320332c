"""How often each player's wins were comebacks."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import intervals, percent
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.figure import BY_OUTCOME, Figure, interval, of_wins
from dashboards.games.shared.progress import comeback_shares, comeback_shares_finding
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "behind_finding", "from_last"]

MEANT: Final = "a winner was last after some turn in the second half of the match"


def from_last(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, from_last_share` and its bounds, the highest first."""
    return comeback_shares(reader, where, COURSES, "from_last_share")


def behind_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are comebacks most often."""
    return comeback_shares_finding(frame, "from_last_share", MEANT)


def draw_from_last(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each player's wins were comebacks."""
    return intervals(frame, "from_last_share", colours, shown=percent, axis_format=".0%")


METRICS: Final = (
    Metric(
        "from_last_share",
        "What share of the player's wins were comebacks: had the match ended after some turn of its second half, the"
        " last excepted, a winner would have come last.",
        "wins of matches with a comeback / wins",
        source_of(from_last, f"interval: {KORN_GRAUBARD}"),
        "player",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "from-last",
    "Comebacks",
    "when",
    from_last,
    {
        "player": "Player",
        "wins": "Wins",
        "comebacks": "Comebacks",
        "groups": "Seeds",
        **interval("from_last_share", "Share of wins"),
    },
    behind_finding,
    BY_OUTCOME,
    narrows=of_wins,
    draw=draw_from_last,
    metrics=METRICS,
)
