"""Caravan's figure of order discs: how often each is offered and delivered, and how long it waits."""

from typing import Final

import polars as pl

from dashboards.charts.builders import Panel, interval_panels, number, percent_label
from dashboards.charts.chart import Chart, of_all_alike
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import unit_sums
from dashboards.queries.where import SEED_GROUP, with_such_a_seat
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means, shares
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, NOTHING, Metric, percent, plain, source_of
from himalaya_core.caravan.pieces import RESOURCES

__all__ = ["ORDERS"]

DEMAND: Final = ", ".join(
    f"case order_demand_{name} when 0 then null when 1 then '{name}' else order_demand_{name} || ' {name}' end"
    for name in map(str, RESOURCES)
)
"""SQL with the goods of an order; one of a kind has no number, so that labels stay short."""
OFFERS: Final = f"""(select offer.match_id, offer.round as offered, delivery.round as delivered,
        lpad(offer.order_id[2:], 2, '0') || ': ' || concat_ws(', ', {DEMAND}) || '; ' || order_yaks || ' yaks' as disc
    from (from stg_caravan_refill_rolled where order_id is not null) offer
    asof left join fct_caravan_deliveries delivery
        on offer.match_id = delivery.match_id and offer.order_id = delivery.order_id and offer.seq < delivery.seq)"""
"""SQL with one row for each time a disc came onto the board; after its delivery it can come again (C-III.deliver)."""


def orders(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `disc, offered, delivered, groups, undelivered_share, waiting`, the last two with bounds.

    Discs that most often stay on the board come first. `waiting` is null for a disc that was never delivered. The
    refill after the last round does not count, because no action follows it.
    """
    condition, values = with_such_a_seat(where)
    base = f"""select f.disc, {SEED_GROUP} as unit, count(*) as offered, count(f.delivered) as delivered,
            coalesce(sum(f.delivered - f.offered), 0) as waited
        from dim_matches m join {OFFERS} f using (match_id) where {condition} and f.offered < m.rounds group by all"""

    def sums(amount: str, trials: str) -> pl.DataFrame:
        amounts, counts = (f"select disc, unit, {x} from base" for x in (f"{amount} as x", f"{trials} as n"))
        return unit_sums(reader, amounts, counts, ["disc"], ["disc"], values, base)

    left = shares(sums("offered - delivered", "offered"), ["disc"], "undelivered_share", "offered")
    waits = sums("waited", "delivered")
    waiting = means(waits, ["disc"], "waiting").with_columns(waits["trials"].alias("delivered"))
    found = left.join(waiting.drop("waiting_p", "groups"), on="disc", how="left", maintain_order="left")
    counts = [pl.col(name).fill_null(0).cast(pl.Int64) for name in ("offered", "delivered")]
    order = ["undelivered_share", "offered", "disc"]
    rows = found.with_columns(counts).sort(order, descending=[True, True, False])
    return rows.select(
        "disc", "offered", "delivered", "groups", *interval("undelivered_share", ""), *interval("waiting", "")
    )


def orders_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the disc that most often stays on the board, and on the one that waits longest."""
    if frame.is_empty():
        return NOTHING
    stays = lead_sentence(
        frame,
        "undelivered_share",
        "disc",
        "Disc {} stays on the board most often: {} of the {offered:,} times it comes",
        "Disc {} is never delivered in {} of the {offered:,} times it comes onto the board",
        percent,
    )
    delivered = frame.drop_nulls("waiting").with_columns(groups=pl.min_horizontal("groups", "delivered"))
    if delivered.is_empty():
        return f"{stays} No disc was delivered."
    waits = lead_sentence(
        delivered,
        "waiting",
        "disc",
        "Among delivered discs, {} waits longest: {} rounds",
        "Among delivered discs, {} waits {} rounds",
        plain,
    )
    return f"{stays} {waits}"


def draw_orders(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how often each disc stays on the board, and how many rounds it waits if it is delivered."""
    stays = Panel("Never delivered", frame, "undelivered_share", percent_label, ".0%")
    waits = Panel("Rounds to delivery", frame.drop_nulls("waiting"), "waiting", number)
    return interval_panels([stays, waits], colours, rows="disc")


ORDERS: Final = Figure(
    name="orders",
    title="Order discs: never delivered, and rounds to delivery",
    section="why",
    count=orders,
    columns={
        "disc": "Order disc",
        "offered": "Offered",
        "delivered": "Delivered",
        "groups": "Seeds",
        **interval("undelivered_share", "Never delivered"),
        **interval("waiting", "Rounds to delivery"),
    },
    finding=orders_finding,
    ignores=BY_OUTCOME,
    is_wide=True,
    narrows=of_all_alike,
    draw=draw_orders,
    metrics=(
        Metric(
            "offered",
            "How often the disc came onto the board while it could still be delivered: in the set-up or in a refill"
            " before the last round. After its delivery it can come again in the same match.",
            "number of times",
            source_of(orders),
            "disc",
            "times",
        ),
        Metric(
            "undelivered_share",
            "How often the disc, once offered, is not delivered before the match ends.",
            "(offered − delivered) / offered",
            source_of(orders, f"interval: {KORN_GRAUBARD}"),
            "disc",
            "share, 0 to 1",
        ),
        Metric(
            "waiting",
            "How many rounds a delivered disc was on the board; one of the set-up came in round 0. Discs that are never"
            " delivered are not counted.",
            "mean of (round of the delivery − round in which the disc came)",
            source_of(orders, f"interval: {GROUPED}"),
            "disc",
            "rounds",
        ),
    ),
)
