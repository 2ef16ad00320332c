"""Caravan figures by seat and kind: actions, rewards, yaks by source, void actions."""

from typing import Final

import polars as pl

from dashboards.charts.builders import number, stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.caravan.terms import SEATS
from dashboards.games.figure import OF_PLAYER, Defined, Figure, interval
from dashboards.games.shared.seat_sums import Kind, SeatSums
from dashboards.queries.actions import seat_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.claims import lead, lead_sentence
from dashboards.stats.intervals import means
from dashboards.stats.results import means_of_seats, with_all_kinds
from dashboards.stats.words import GROUPED, NOTHING, Metric, hundredths, percent, plain, source_of
from himalaya_core.caravan.pieces import RESOURCES

__all__ = ["GOODS", "INCOME", "REWARDS", "VOIDS"]


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


SOURCES: Final = {"barter": "f.barter_yaks", "inventory": "f.inventory_yaks"}
CALLED: Final = {"barter": "barter", "inventory": "inventory"}


def income(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, source, played, groups, yaks`, its bounds, `yaks_share` and its bounds, most yaks first."""
    by = ["player", "source"]
    part = means(_sums(reader, where, " + ".join(SOURCES.values())), by, "yaks_share").drop("groups", "yaks_share_p")
    part = part.with_columns(pl.col("yaks_share", "yaks_share_low", "yaks_share_high").clip(0, 1))
    rows = means_of_seats(_sums(reader, where, "1"), by, "yaks").join(part, on=by, how="left", maintain_order="left")
    return rows.sort(pl.col("yaks").sum().over("player"), "player", "source", descending=[True, False, False])


def _sums(reader: Reader, where: Filter, trials: str) -> pl.DataFrame:
    """Return sums by `player, source` of the yaks earned; `trials` is SQL for the number of trials per seat."""
    found = seat_sums(reader, SEATS, where, SOURCES, trials)
    return with_all_kinds(found.rename({"kind": "source"}), "source", SOURCES)


def income_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the player that earns most from each source."""
    if frame.is_empty():
        return NOTHING
    return " ".join(
        lead_sentence(
            frame.filter(source=source),
            "yaks",
            "player",
            f"{{}} earns the most by {source}: {{}} yaks a match",
            f"{{}} earns {{}} yaks a match by {source}",
        )
        for source in SOURCES
    )


def draw_income(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw yaks per match, split by source."""
    return stacked_parts(frame, "source", "yaks", CALLED, colours.parts, shown=number)


INCOME: Final = Figure(
    name="income",
    title="Yaks by source",
    section="why",
    count=income,
    columns={
        "player": "Player",
        "source": "Source",
        **OF_PLAYER,
        **interval("yaks", "Yaks per match"),
        **interval("yaks_share", "Share of its yaks"),
    },
    finding=income_finding,
    draw=draw_income,
    metrics=(
        Metric(
            "yaks",
            "How many yaks a seat earns in a match by the source: discs kept (barter), markers won (inventory).",
            "yaks by the source / played",
            source_of(income, f"interval: {GROUPED}"),
            "player, source",
            "yaks per player and match",
        ),
        Metric(
            "yaks_share",
            "What share of the player's yaks comes from the source.",
            "yaks by the source / all yaks of the player",
            source_of(income, f"interval: {GROUPED}"),
            "player, source",
            "share, 0 to 1",
        ),
    ),
)


VOID_NAMES: Final = {
    "too_late": "came too late",
    "nothing_here": "nothing there",
    "already_collected": "already collected",
    "goods_missing": "goods missing",
    "declined": "declined",
    "no_road": "no road",
    "yeti": "Yeti",
    "storm_unfinished": "storm: not crossed",
    "on_storm": "on a storm",
}
"""Reasons for void actions, with labels, in chart order."""


def _void_finding(frame: pl.DataFrame) -> str:
    """Name the player with the most void actions, the main reason, and the player that is most often too late."""
    if frame.is_empty():
        return NOTHING
    failing = frame.filter(reason="all")
    said = lead_sentence(
        failing,
        "voids",
        "player",
        "The most actions come to nothing for {}: {} a match",
        "For {}, {} actions a match come to nothing",
    )
    late = lead_sentence(
        frame.filter(reason="too_late"),
        "voids",
        "player",
        "{} comes too late most often: {} times a match",
        "{} comes too late {} times a match",
        hundredths,
    )
    return f"{said}{_reason(frame, lead(failing, 'voids').first['player'])} {late}"


def _reason(frame: pl.DataFrame, player: str) -> str:
    """Return a sentence on the player's most common reason for void actions; empty if there are none."""
    own = frame.filter((pl.col("reason") != "all") & (pl.col("player") == player))
    too_late = own.filter(pl.col("reason") == "too_late")["voids"][0]
    rest = pl.when(pl.col("reason") == "nothing_here").then(pl.col("voids") - too_late).otherwise("voids")
    own = own.with_columns(rest.alias("voids")).sort("voids", "reason", descending=[True, False])
    reason, often = own.select("reason", "voids").row(0)
    return f" {player}'s commonest reason: {VOID_NAMES[reason]} ({plain(often)} a match)." if often else ""


def _draw(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw void actions per match, by reason.

    Actions that came too late are also counted as `nothing_here`. So that reason is drawn without them, and without an
    interval.
    """
    late = frame.filter(pl.col("reason") == "too_late").select("player", late="voids")
    is_nothing, no_bound = pl.col("reason") == "nothing_here", pl.lit(None, pl.Float64)
    drawn = frame.join(late, on="player", maintain_order="left").with_columns(
        voids=pl.when(is_nothing).then(pl.col("voids") - pl.col("late")).otherwise("voids"),
        voids_low=pl.when(is_nothing).then(no_bound).otherwise("voids_low"),
        voids_high=pl.when(is_nothing).then(no_bound).otherwise("voids_high"),
    )
    return stacked_parts(drawn, "reason", "voids", VOID_NAMES, colours.parts, shown=number)


VOIDS: Final = SeatSums(
    name="voids",
    title="Void actions",
    table=SEATS,
    value="voids",
    definition="How many planned actions of a seat come to nothing in a match, for each reason. Too late: a trade that"
    " the seat could have made, had another not been there earlier in the round. The column counts it under"
    " nothing_here as well; the chart shows it once, by itself.",
    unit="actions per player and match",
    key="reason",
    headings=("Reason", "Actions per match"),
    kinds={
        "all": Kind("f.voided"),
        "no_road": Kind("f.voided_no_road"),
        "yeti": Kind("f.voided_yeti"),
        "storm_unfinished": Kind("f.voided_storm_unfinished"),
        "on_storm": Kind("f.voided_on_storm"),
        "nothing_here": Kind("f.voided_nothing_here"),
        "too_late": Kind("f.too_late"),
        "already_collected": Kind("f.voided_already_collected"),
        "goods_missing": Kind("f.voided_goods_missing"),
        "declined": Kind("f.voided_declined"),
    },
    chart=_draw,
    finding=_void_finding,
)
