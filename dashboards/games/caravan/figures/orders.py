"""Order discs that come onto the board and are never delivered."""

from typing import Final

import polars as pl

from dashboards.games.figure import Defined, of_all_alike
from dashboards.games.shared.endings import Endings, Over
from dashboards.stats.claims import lead_sentence
from dashboards.stats.words import NOTHING, percent
from himalaya_core.caravan.pieces import RESOURCES

__all__ = ["ORDER_DISCS"]

DEMAND: Final = ", ".join(f"nullif(order_demand_{name} || ' {name}', '0 {name}')" for name in map(str, RESOURCES))
DISCS: Final = f"""(select r.match_id, bool_or(d.match_id is not null) as delivered,
        lpad(order_id[2:], 2, '0') || ': ' || concat_ws(', ', {DEMAND}) || '; ' || order_yaks || ' yaks' as disc
    from stg_caravan_refill_rolled r left join fct_caravan_deliveries d using (match_id, order_id)
    where order_id is not null group by r.match_id, disc)"""
"""A row per match and disc that came onto the board in it."""


def _finding(frame: pl.DataFrame) -> str:
    """Say which disc is never delivered in most matches."""
    never = frame.filter(ending="never")
    if never.is_empty():
        return NOTHING
    plain = "Disc {} is never delivered in {} of the {of_matches:,} matches in which it comes onto the board"
    most = "Disc {} stays most often: never delivered in {} of the {of_matches:,} matches in which it comes"
    return lead_sentence(never, "order_share", "disc", most, plain, percent)


ORDER_DISCS: Final = Endings(
    name="order-discs",
    title="Order discs never delivered",
    section="why",
    table=DISCS,
    ending="case when f.delivered then 'delivered' else 'never' end",
    endings={"never": "never delivered", "delivered": "delivered"},
    share=Defined(
        "order_share",
        "Share",
        "How often a disc that comes onto the board is delivered, or never delivered, in the match.",
        "matches that end this way for the disc / of_matches",
    ),
    finding=_finding,
    hues=lambda colours: colours.parts,
    heading="Ended",
    over=Over("disc", "Order disc", "f.disc"),
    narrows=of_all_alike,
)
