"""Arrivals in villages, and what came of the trades there."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import percent
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import draw_by_place, with_places
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.board_context import board_context
from dashboards.games.shared.by_place import numbered, parts_of_all
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals

__all__ = ["FIGURE", "METRICS", "village_finding", "villages"]

TRADES: Final = ("collected", "delivered", "voided", "too_late")


def villages(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, arrivals, groups, arrival_share`, its bounds, `collected, delivered, voided, too_late`.

    One row per village of the board, the most visited first. A trial of the share is an arrival anywhere.
    """
    board = board_context(reader, where)
    counted = parts_of_all(reader, where, board, "arrivals", "arrival_share")
    trades = place_totals(reader, TRADES, "agg_caravan_villages", ["village"], where, board.digest)
    counted = counted.join(numbered(trades, ["village"]), on="village", how="left")
    counted = counted.with_columns(pl.col(TRADES).fill_null(0))
    return counted.sort("arrivals", "village", descending=[True, False])


def village_finding(frame: pl.DataFrame) -> str:
    """Say where caravans arrive most and least often."""
    total = int(frame["arrivals"].sum())
    if not total:
        return "No caravan arrived anywhere under these filters."
    named, arrivals = with_places(frame), whole(total, "arrival")
    plain = f"Village {{village}} has {{1}} of {arrivals}"
    most, least = (f"Village {{village}} is visited {end}: it has {{1}} of {arrivals}" for end in ("most", "least"))
    return (
        f"{told(named, 'arrival_share', 'place', most, plain, percent)}"
        f" {told(named, 'arrival_share', 'place', least, plain, percent, least=True)}"
    )


def draw_villages(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw each village's share of arrivals."""
    return draw_by_place(frame, pl.format("Village {}", "village"), "arrival_share", colours, percent, ".0%")


METRICS: Final = (
    Metric(
        "arrivals",
        "How often a caravan came to the village, setting out included.",
        "number of arrivals",
        source_of(villages),
        "village",
        "arrivals",
    ),
    Metric(
        "arrival_share",
        "What share of all arrivals were in the village.",
        "arrivals in the village / arrivals anywhere",
        source_of(villages, f"interval: {KORN_GRAUBARD}; {SAMPLED}"),
        "village",
        "share, 0 to 1",
    ),
    Metric(
        "collected",
        "How many goods were taken in trades.",
        "number of trades that took a good",
        source_of(villages),
        "village",
        "goods",
    ),
    Metric(
        "delivered",
        "How many orders were delivered.",
        "number of trades that delivered",
        source_of(villages),
        "village",
        "deliveries",
    ),
    Metric(
        "voided",
        "How many planned trades came to nothing.",
        "number of voided trades",
        source_of(villages),
        "village",
        "trades",
    ),
)
"""`too_late` stands with the contested villages."""
FIGURE: Final = Figure(
    name="villages",
    title="Arrivals in villages",
    section="where",
    count=villages,
    columns={
        "village": "Village",
        "level": "Level",
        "arrivals": "Arrivals",
        "groups": "Seeds",
        **interval("arrival_share", "Share"),
        "collected": "Goods collected",
        "delivered": "Deliveries",
        "voided": "Trades voided",
        "too_late": "Too late",
    },
    finding=village_finding,
    ignores=BY_ROUND,
    draw=draw_villages,
)
