"""Void actions: those that came to nothing, and why."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.shared.seat_sums import Kind, SeatSums
from dashboards.stats.claims import lead, lead_sentence
from dashboards.stats.words import NOTHING, hundredths, plain

__all__ = ["VOIDS"]

CALLED: Final = {
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
"""Names of reasons, in the order of the chart."""


def _finding(frame: pl.DataFrame) -> str:
    """Say for whom actions come to nothing, for what reason among others, and who comes too late."""
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
    """Return for which reason many of the player's actions come to nothing, as far as any do."""
    own = frame.filter((pl.col("reason") != "all") & (pl.col("player") == player))
    too_late = own.filter(pl.col("reason") == "too_late")["voids"][0]
    rest = pl.when(pl.col("reason") == "nothing_here").then(pl.col("voids") - too_late).otherwise("voids")
    own = own.with_columns(rest.alias("voids")).sort("voids", "reason", descending=[True, False])
    reason, often = own.select("reason", "voids").row(0)
    return f" {player}'s commonest reason: {CALLED[reason]} ({plain(often)} a match)." if often else ""


def _draw(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw actions a match that came to nothing, by reason.

    What came too late also counts as `nothing_here`; the rest of that is drawn by itself, without an interval.
    """
    late = frame.filter(pl.col("reason") == "too_late").select("player", late="voids")
    is_nothing, no_bound = pl.col("reason") == "nothing_here", pl.lit(None, pl.Float64)
    drawn = frame.join(late, on="player", maintain_order="left").with_columns(
        voids=pl.when(is_nothing).then(pl.col("voids") - pl.col("late")).otherwise("voids"),
        voids_low=pl.when(is_nothing).then(no_bound).otherwise("voids_low"),
        voids_high=pl.when(is_nothing).then(no_bound).otherwise("voids_high"),
    )
    return stacked_parts(drawn, "reason", "voids", CALLED, colours.parts, shown=number)


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
    finding=_finding,
)
