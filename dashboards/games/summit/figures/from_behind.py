"""How often each player's wins were comebacks."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import intervals, percent
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, interval, of_wins
from dashboards.games.shared.progress import comeback_shares, comeback_shares_finding
from dashboards.games.summit.figures.shared import COURSES
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "behind_finding", "from_behind"]

MEANT: Final = "a winner was last before some throw in the second half of the match"


def from_behind(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, behind_share` and its bounds, the highest first."""
    return comeback_shares(reader, where, COURSES, "behind_share")


def behind_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are comebacks most often."""
    return comeback_shares_finding(frame, "behind_share", MEANT)


def draw_from_behind(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each player's wins were comebacks."""
    return intervals(frame, "behind_share", colours, shown=percent, axis_format=".0%")


METRICS: Final = (
    Metric(
        "behind_share",
        "What share of the player's wins were from behind: had the match been scored before some later throw in its"
        " second half, a winner would have come last.",
        "wins of matches with a comeback / wins",
        source_of(from_behind, f"interval: {KORN_GRAUBARD}"),
        "player",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "from-behind",
    "Comebacks",
    "when",
    from_behind,
    {
        "player": "Player",
        "wins": "Wins",
        "comebacks": "From behind",
        "groups": "Seeds",
        **interval("behind_share", "Share of wins"),
    },
    behind_finding,
    BY_OUTCOME,
    narrows=of_wins,
    draw=draw_from_behind,
    metrics=METRICS,
)
