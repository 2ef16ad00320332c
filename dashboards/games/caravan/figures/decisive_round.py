"""When matches are decided: from the end of which round on the later winner would always have won."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bars import histogram
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import COURSES
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.progress import decisive_rounds, decisive_rounds_finding
from dashboards.stats.metric import Metric
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "decisive_finding", "decisive_round", "draw_decisive_round"]


def decisive_round(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return in which round matches were decided, see `progress.decided`."""
    return decisive_rounds(reader, where, COURSES)


def decisive_finding(frame: pl.DataFrame) -> str:
    """Say in which round most matches are decided, and when half of them are."""
    return decisive_rounds_finding(frame, "round")


def draw_decisive_round(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw how many matches were decided in each round; those never decided have no place on the axis."""
    known = frame.filter(pl.col("round").is_not_null())
    return histogram(known["round"].to_list(), known["matches"].to_list(), colours, heading="round")


METRICS: Final[tuple[Metric, ...]] = ()
"""Those of `progress.decided`."""
FIGURE: Final = Figure(
    name="decisive-round",
    title="When matches are decided",
    section="when",
    count=decisive_round,
    columns={
        "round": "Round",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("decided_share", "Decided then"),
        **interval("decided_by", "Decided by then"),
    },
    finding=decisive_finding,
    ignores=BY_ROUND,
    draw=draw_decisive_round,
    metrics=METRICS,
)
