"""Rewards taken for deliveries."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.dots import percent
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.figure import Figure, interval
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "reward_finding", "rewards"]

PAIRS: Final = {
    "barter_offering": "f.pair_barter_offering",
    "barter_delegation": "f.pair_barter_delegation",
    "offering_delegation": "f.pair_offering_delegation",
    "fewer": "f.single_rewards",
}
CALLED: Final = {
    "barter_offering": "barter and offering",
    "barter_delegation": "barter and delegation",
    "offering_delegation": "offering and delegation",
    "fewer": "fewer than two",
}


def rewards(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, pair, deliveries, groups, pair_share` and its bounds: what was taken for a delivery."""
    found = seat_sums(reader, SEATS, where, PAIRS, trials="f.delivered").rename({"kind": "pair"})
    found = with_all_kinds(found, "pair", PAIRS)
    rows = shares(found, ["player", "pair"], "pair_share", "deliveries")
    return in_order(rows.with_columns(pl.col("deliveries").cast(pl.Int64)), "pair", PAIRS)


def reward_finding(frame: pl.DataFrame) -> str:
    """Say who takes each pair how often."""
    if frame.is_empty():
        return "Nothing was delivered under these filters."
    return " ".join(
        told(
            frame.filter(pair=pair),
            "pair_share",
            "player",
            f"{{0}} takes {CALLED[pair]} most often: for {{1}} of its {{deliveries:,}} deliveries",
            f"{{0}} takes {CALLED[pair]} for {{1}} of its {{deliveries:,}} deliveries",
            percent,
        )
        for pair in list(PAIRS)[:3]
    )


def draw_rewards(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw which two rewards were taken for deliveries, as shares of them."""
    return stacked_parts(frame, "pair", "pair_share", CALLED, colours.parts, shown=percent, is_share=True)


METRICS: Final = (
    Metric(
        "deliveries",
        "How many orders the player delivered.",
        "number of deliveries",
        source_of(rewards),
        "player",
        "deliveries",
    ),
    Metric(
        "pair_share",
        "For what share of its deliveries the player takes these two rewards; fewer than two are taken only if no more"
        " are possible, or the match is played with fewer rewards.",
        "deliveries with these rewards / deliveries",
        source_of(rewards, f"interval: {KORN_GRAUBARD}"),
        "player, pair",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    name="rewards",
    title="Rewards taken for deliveries",
    section="why",
    count=rewards,
    columns={
        "player": "Player",
        "pair": "Rewards",
        "deliveries": "Deliveries",
        "groups": "Seeds",
        **interval("pair_share", "Share"),
    },
    finding=reward_finding,
    draw=draw_rewards,
    metrics=METRICS,
)
