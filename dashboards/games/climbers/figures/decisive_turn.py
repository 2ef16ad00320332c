"""By which turn matches were decided."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bars import histogram
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.progress import decisive_rounds, decisive_rounds_finding
from dashboards.stats.metric import Metric
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "decisive_turn"]


def decisive_turn(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return by which turn matches were decided and how many by then, see `shared.progress.decided`."""
    return decisive_rounds(reader, where, COURSES)


def decisive_finding(frame: pl.DataFrame) -> str:
    """Say by which turn most matches are decided, and by when half of them are."""
    return decisive_rounds_finding(frame, "turn")


def draw_decisive_turn(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many matches were decided by each turn."""
    known = frame.filter(pl.col("round").is_not_null())
    return histogram(known["round"].to_list(), known["matches"].to_list(), colours, heading="turn")


METRICS: Final[tuple[Metric, ...]] = ()
FIGURE: Final = Figure(
    "decisive-turn",
    "When matches are decided",
    "when",
    decisive_turn,
    {
        "round": "Turn",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("decided_share", "Decided then"),
        **interval("decided_by", "Decided by then"),
    },
    decisive_finding,
    BY_ROUND,
    draw=draw_decisive_turn,
    metrics=METRICS,
)
