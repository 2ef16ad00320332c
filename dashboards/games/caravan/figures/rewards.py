"""Rewards taken for deliveries."""

from typing import Final

from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.figure import Defined
from dashboards.games.shared.seat_sums import Kind, SeatSums
from dashboards.stats.words import percent

__all__ = ["REWARDS"]


def _pair(sql: str, called: str) -> Kind:
    most = f"{{0}} takes {called} most often: for {{1}} of its {{deliveries:,}} deliveries"
    return Kind(sql, called, most, f"{{0}} takes {called} for {{1}} of its {{deliveries:,}} deliveries")


REWARDS: Final = SeatSums(
    name="rewards",
    title="Rewards taken for deliveries",
    table=SEATS,
    value="pair_share",
    definition="For what share of its deliveries the player takes these two rewards; fewer than two are taken only if"
    " no more are possible, or the match is played with fewer rewards.",
    formula="deliveries with these rewards / deliveries",
    key="pair",
    headings=("Rewards", "Share"),
    of=(
        Defined(
            "deliveries", "Deliveries", "How many orders the player delivered.", "number of deliveries", "deliveries"
        ),
        "f.delivered",
    ),
    kinds={
        "barter_offering": _pair("f.pair_barter_offering", "barter and offering"),
        "barter_delegation": _pair("f.pair_barter_delegation", "barter and delegation"),
        "offering_delegation": _pair("f.pair_offering_delegation", "offering and delegation"),
        "fewer": Kind("f.single_rewards", "fewer than two"),
    },
    shown=percent,
    is_stacked=True,
    is_wide=False,
    nothing="Nothing was delivered under these filters.",
)
