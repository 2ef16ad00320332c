"""Void actions: those that came to nothing, and why."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import lead, told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths, plain
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "void_finding", "voids"]

REASONS: Final = {
    "all": "f.voided",
    "no_road": "f.voided_no_road",
    "yeti": "f.voided_yeti",
    "storm_unfinished": "f.voided_storm_unfinished",
    "on_storm": "f.voided_on_storm",
    "nothing_here": "f.voided_nothing_here",
    "too_late": "f.too_late",
    "already_collected": "f.voided_already_collected",
    "goods_missing": "f.voided_goods_missing",
    "declined": "f.voided_declined",
}
"""What came too late also counts as `nothing_here`."""
CALLED: Final = {
    "too_late": "came too late",
    "nothing_else": "nothing there",
    "already_collected": "already collected",
    "goods_missing": "goods missing",
    "declined": "declined",
    "no_road": "no road",
    "yeti": "Yeti",
    "storm_unfinished": "storm: not crossed",
    "on_storm": "on a storm",
}


def voids(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, reason, played, groups, voids` and its bounds: actions that came to nothing, a match."""
    found = with_all_kinds(seat_sums(reader, SEATS, where, REASONS).rename({"kind": "reason"}), "reason", REASONS)
    return in_order(means_of_seats(found, ["player", "reason"], "voids"), "reason", REASONS)


def void_finding(frame: pl.DataFrame) -> str:
    """Say for whom actions come to nothing, for what reason among others, and who comes too late."""
    if frame.is_empty():
        return NOTHING
    failing = frame.filter(reason="all")
    said = told(
        failing,
        "voids",
        "player",
        "The most actions come to nothing for {}: {} a match",
        "For {}, {} actions a match come to nothing",
    )
    late = told(
        frame.filter(reason="too_late"),
        "voids",
        "player",
        "{} comes too late most often: {} times a match",
        "{} comes too late {} times a match",
        hundredths,
    )
    return f"{said}{_reason(frame, lead(failing, 'voids').first['player'])} {late}"


def _reason(frame: pl.DataFrame, player: str) -> str:
    """Return for which reason many of the player's actions come to nothing, as far as any do."""
    own = frame.filter((pl.col("reason") != "all") & (pl.col("player") == player))
    too_late = own.filter(pl.col("reason") == "too_late")["voids"][0]
    rest = pl.when(pl.col("reason") == "nothing_here").then(pl.col("voids") - too_late).otherwise("voids")
    own = own.with_columns(rest.alias("voids")).sort("voids", "reason", descending=[True, False])
    reason, often = own.select("reason", "voids").row(0)
    called = CALLED["nothing_else" if reason == "nothing_here" else reason]
    return f" {player}'s commonest reason: {called} ({plain(often)} a match)." if often else ""


def draw_voids(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw actions a match that came to nothing, by reason.

    What came too late is a part of `nothing_here`; the rest of that is drawn by itself, without an interval.
    """
    late = frame.filter(pl.col("reason") == "too_late").select("player", late="voids")
    rest = pl.col("voids") - pl.col("late")
    columns = [(rest if column == "voids" else pl.col(column)).alias(column) for column in frame.columns]
    nothing = frame.filter(pl.col("reason") == "nothing_here").join(late, on="player").select(columns)
    nothing = nothing.with_columns(
        pl.lit("nothing_else").alias("reason"), voids_low=pl.lit(None, pl.Float64), voids_high=pl.lit(None, pl.Float64)
    )
    return stacked_parts(pl.concat([frame, nothing]), "reason", "voids", CALLED, colours.parts, shown=number)


METRICS: Final = (
    Metric(
        "voids",
        "How many planned actions of a seat come to nothing in a match, for each reason. Too late: a trade that"
        " the seat could have made, had another not been there earlier in the round. The column counts it under"
        " nothing_here as well; the chart shows it once, by itself.",
        "number / played",
        source_of(voids, f"interval: {GROUPED}"),
        "player, reason",
        "actions per player and match",
    ),
)
FIGURE: Final = Figure(
    name="voids",
    title="Void actions",
    section="why",
    count=voids,
    columns={
        "player": "Player",
        "reason": "Reason",
        **OF_PLAYER,
        **interval("voids", "Actions per match"),
    },
    finding=void_finding,
    is_wide=True,
    draw=draw_voids,
    metrics=METRICS,
)
