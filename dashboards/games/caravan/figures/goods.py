"""Goods collected, spent and wasted."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import by_part, interval_panels, number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from himalaya_core.caravan.pieces import RESOURCES

__all__ = ["FIGURE", "METRICS", "goods", "goods_finding"]

KINDS: Final = {
    "collected": "f.collected",
    **{str(resource): f"f.collected_{resource}" for resource in RESOURCES},
    "market": "f.market_collected",
    "spent": "f.goods_spent",
    "wasted": "f.goods_left",
    "deliveries": "f.delivered",
}
"""Goods taken: in all, of each resource, at a market. Goods given in deliveries, goods left at the end; deliveries."""


def goods(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, goods` and its bounds: how many a seat had in a match."""
    found = with_all_kinds(seat_sums(reader, SEATS, where, KINDS), "kind", KINDS)
    return in_order(means_of_seats(found, ["player", "kind"], "goods"), "kind", KINDS)


def goods_finding(frame: pl.DataFrame) -> str:
    """Say who collects, delivers and wastes how much."""
    if frame.is_empty():
        return NOTHING
    texts = {
        "collected": ("{} collects the most goods: {} a match", "{} collects {} goods a match"),
        "deliveries": ("{} makes the most deliveries: {} a match", "{} makes {} deliveries a match"),
        "wasted": ("{} wastes the most goods: {} a match", "{} wastes {} goods a match"),
    }
    return " ".join(told(frame.filter(kind=kind), "goods", "player", *text) for kind, text in texts.items())


def draw_goods(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw goods a match: a panel for each kind and for what became of them."""
    return interval_panels(by_part(frame, "kind", "goods", number), colours, most=5)


METRICS: Final = (
    Metric(
        "goods",
        "How many goods a seat takes in a match (in all, of each resource, at a market), gives in deliveries, holds at"
        " the end, when they are wasted; and how many deliveries it makes.",
        "number / played",
        source_of(goods, f"interval: {GROUPED}"),
        "player, kind",
        "per player and match",
    ),
)
FIGURE: Final = Figure(
    name="goods",
    title="Goods collected, spent and wasted",
    section="why",
    count=goods,
    columns={
        "player": "Player",
        "kind": "What",
        **OF_PLAYER,
        **interval("goods", "Per match"),
    },
    finding=goods_finding,
    is_wide=True,
    draw=draw_goods,
)
