"""What winners have more of than losers."""

from functools import partial
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import intervals
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.games.shared.winners_vs_losers import winner_differences, winner_finding
from dashboards.games.summit.figures.dice import FRACTION, PIPS
from dashboards.games.summit.figures.shared import EVENTS, SEATS
from dashboards.stats.metric import Metric
from dashboards.stats.words import signed
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "winners"]

AMOUNTS: Final = {
    "dice_luck": PIPS["luck"],
    "dice_left": PIPS["left"],
    "dice_choice": PIPS["choice"],
    "unused_pips": PIPS["unused"],
    **{kind: f"{FRACTION} * f.{kind}" for kind in ("climber_moves", "take_alongs", "slides", "chases", "cards_played")},
}
"""What winners may have more of than losers, in parts of a pip (`FRACTION`) or as often as that."""
CALLED: Final = EVENTS | {
    "dice_luck": "Luck of the throws, pips",
    "dice_left": "What others left, pips",
    "dice_choice": "Own choice, pips",
    "unused_pips": "Pips not used",
    "climber_moves": "Moves of the climber",
    "cards_played": "Supply cards played",
}
LEVEL: Final = 0.05
"""Below it a difference is significant."""


def winners(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, won_mean, lost_mean, groups, winner_difference`, its bounds, `_p`, `_holm`."""
    return winner_differences(reader, SEATS, where, AMOUNTS, FRACTION)


def draw_winners(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """By how much winners have more than losers; filled where that is significant after Holm's correction."""
    named = frame.with_columns(pl.col("kind").replace(CALLED).alias("row"))
    stands = [holm is not None and holm <= LEVEL for holm in frame["winner_difference_holm"]]
    marks = [(colours.accent, "circle" if one else "circle-open") for one in stands]
    return intervals(
        named,
        "winner_difference",
        colours,
        rows="row",
        shown=partial(signed, digits=2),
        zero=True,
        marks=marks,
        narrow=[narrowing(result="won")] * frame.height,
    )


METRICS: Final[tuple[Metric, ...]] = ()
FIGURE: Final = Figure(
    "winners",
    "What winners have more of than losers",
    "why",
    winners,
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
    draw=draw_winners,
)
