"""Actions and results of seats of caravan in a match, by kind."""

from typing import Final

from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.shared.seat_sums import Kind, SeatSums
from himalaya_core.caravan.pieces import RESOURCES

__all__ = ["GOODS"]

GOODS: Final = SeatSums(
    name="goods",
    title="Goods collected, spent and wasted",
    table=SEATS,
    value="goods",
    definition="How many goods a seat takes in a match (in all, of each resource, at a market), gives in deliveries,"
    " holds at the end, when they are wasted; and how many deliveries it makes.",
    kinds={
        "collected": Kind(
            "f.collected",
            "Collected",
            "{} collects the most goods: {} a match",
            "{} collects {} goods a match",
        ),
        **{str(resource): Kind(f"f.collected_{resource}", str(resource).capitalize()) for resource in RESOURCES},
        "market": Kind("f.market_collected", "Market"),
        "spent": Kind("f.goods_spent", "Spent"),
        "wasted": Kind("f.goods_left", "Wasted", "{} wastes the most goods: {} a match", "{} wastes {} goods a match"),
        "deliveries": Kind(
            "f.delivered",
            "Deliveries",
            "{} makes the most deliveries: {} a match",
            "{} makes {} deliveries a match",
        ),
    },
)
