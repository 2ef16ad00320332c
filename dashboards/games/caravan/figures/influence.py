"""How much of each influence seats had, at the end and round by round."""

from typing import Final

import polars as pl

from dashboards.games.caravan.figures.shared import BY_INFLUENCE, SEATS
from dashboards.games.figure import Defined
from dashboards.games.shared.by_round import ByRound, medians_told
from dashboards.games.shared.seat_spread import SeatSpread
from dashboards.games.shared.seat_sums import Kind
from dashboards.stats.words import NOTHING

__all__ = ["FINAL_INFLUENCE", "INFLUENCE_BY_ROUND"]

HALF: Final = 6


def _finding(frame: pl.DataFrame) -> str:
    """Say between which players' medians of yaks all others are, half-way and at the end."""
    yaks = frame.filter(pl.col("influence") == "economic")
    if yaks.is_empty():
        return NOTHING
    first, last = yaks.select(pl.col("round").min(), last=pl.col("round").max()).row(0)
    rounds = dict.fromkeys((max(first, min(HALF, last)), last))
    return f"{medians_told(yaks, 'points', 'economic influence', 'round', rounds)}."


FINAL_INFLUENCE: Final = SeatSpread(
    name="final-influence",
    title="Influence at the end",
    table=SEATS,
    kinds={
        "religious": Kind(
            "f.religious",
            "Religious",
            "On average, {} ends with the most religious influence: {}",
            "On average, {} ends with a religious influence of {}",
        ),
        "political": Kind(
            "f.political",
            "Political",
            "On average, {} ends with the most political influence: {}",
            "On average, {} ends with a political influence of {}",
        ),
        "economic": Kind(
            "f.economic",
            "Economic",
            "On average, {} ends with the most yaks: {}",
            "On average, {} ends with {} yaks",
        ),
    },
    mean=Defined(
        "points",
        "Mean",
        "How much of an influence a seat has: religious and political in points, economic in yaks; at the end, or at"
        " the end of a round, before any elimination.",
        "mean over seats",
        "points; economic: yaks",
    ),
    keys={"player": "Player", "influence": "Influence"},
    grain="player, influence (and round)",
    hues=lambda colours: colours.influences,
)
INFLUENCE_BY_ROUND: Final = ByRound(
    name="influence-by-round",
    title="Influence round by round",
    course=BY_INFLUENCE,
    table="agg_caravan_influence",
    heading="Influence",
    finding=_finding,
)
"""`points` is defined with the influence at the end."""
