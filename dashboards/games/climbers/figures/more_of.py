"""What winners have more of than losers."""

from functools import partial
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import intervals
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.games.shared.winners_vs_losers import winner_differences, winner_finding
from dashboards.stats.metric import Metric
from dashboards.stats.words import signed
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "more_of"]

AMOUNTS: Final = {
    kind: f"f.{kind}"
    for kind in (
        *("steps_own", "steps_others", "levels_others", "levels_by_ladder", "ladders_left", "blocks_moved"),
        *("blocks_turned", "hindered", "hindering"),
    )
} | {"discs_laid": "f.disc_used::int"}
"""What winners may have more of than losers."""
CALLED: Final = {
    "steps_own": "Steps in own turns",
    "steps_others": "Steps after others' turns",
    "levels_others": "Levels after others' turns",
    "levels_by_ladder": "Levels by ladders",
    "ladders_left": "Ladders left",
    "blocks_moved": "Blocks moved",
    "blocks_turned": "Blocks turned in place",
    "hindered": "Hindered",
    "hindering": "Hindering others",
    "discs_laid": "Discs laid",
}
LEVEL: Final = 0.05
"""Below it a difference is significant."""


def more_of(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, won_mean, lost_mean, groups, winner_difference`, its bounds, `_p`, `_holm`."""
    return winner_differences(reader, SEATS, where, AMOUNTS)


def draw_more_of(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """By how much winners have more than losers; filled where that is significant after Holm's correction."""
    stands = [holm is not None and holm <= LEVEL for holm in frame["winner_difference_holm"]]
    return intervals(
        frame.with_columns(pl.col("kind").replace(CALLED).alias("row")),
        "winner_difference",
        colours,
        rows="row",
        shown=partial(signed, digits=2),
        zero=True,
        marks=[(colours.accent, "circle" if one else "circle-open") for one in stands],
        narrow=[narrowing(result="won")] * frame.height,
    )


METRICS: Final[tuple[Metric, ...]] = ()
FIGURE: Final = Figure(
    "more-of",
    "What winners have more of than losers",
    "why",
    more_of,
    {
        "kind": "What",
        "won_mean": "Winners",
        "lost_mean": "Losers",
        "groups": "Seeds",
        **interval("winner_difference", "Difference"),
        "winner_difference_p": "p",
        "winner_difference_holm": "p (Holm)",
    },
    winner_finding,
    BY_OUTCOME,
    draw=draw_more_of,
)
