"""Cost of plans: change in the chances of winning by own plans, rivals' plans, trades and dice, by player."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import by_part, in_points, interval_panels
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, OF_PLAYER, Figure, interval
from dashboards.stats import words
from dashboards.stats.by_kind import in_order, means_of_seats
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import DIFFERENCE
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.reviews import AMOUNT, cause_sums
from himalaya_core.review.swings import Cause

__all__ = ["PLAN_COSTS"]

CAUSES: Final = {
    Cause.OWN_PLAN.value: "Own plans",
    Cause.RIVAL_PLAN.value: "Rivals' plans",
    Cause.TRADE.value: "Trades",
    Cause.DICE.value: "Dice",
    Cause.DRIFT.value: "Drift",
    Cause.OWN_MOVE.value: "Own moves",
    Cause.RIVAL_MOVE.value: "Rivals' moves",
}
NOTHING: Final = "No finished match that fits these filters has its chances of winning split by cause."
SUM: Final = "What all causes change for a player sums to its share of wins less its chances at first."


def plan_costs(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, cause, played, groups, cause_change` and its bounds: what a cause changes in a match."""
    found = cause_sums(reader, where)
    found = found.with_columns(pl.col("total") / AMOUNT, pl.col("residual") / AMOUNT**2)
    return in_order(means_of_seats(found, ["player", "cause"], "cause_change", DIFFERENCE), "cause", CAUSES)


def plan_finding(frame: pl.DataFrame) -> str:
    """Say whom its own plans bring most, and whom least."""
    own = frame.filter(cause=Cause.OWN_PLAN.value)
    if own.is_empty():
        return NOTHING
    plain = "Own plans bring {} {} points a match"
    said = [
        lead_sentence(own, "cause_change", "player", "Own plans bring {} most: {} points a match", plain, in_hundredths)
    ]
    if own.height > 1:
        worst = "Own plans bring {} least: {} points a match"
        said.append(lead_sentence(own, "cause_change", "player", worst, plain, in_hundredths, least=True))
    return f"{' '.join(said)} {SUM}"


def in_hundredths(value: float) -> str:
    """Write a change of chances in points, without the word."""
    return words.signed(100 * value)


def draw_plan_costs(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw what each cause changes for each player, in points, a panel for each cause."""
    named = in_points(frame, "cause_change").with_columns(pl.col("cause").replace_strict(CAUSES))
    return interval_panels(by_part(named, "cause", "cause_change", words.signed, "+d"), colours, in_a_line=3)


PLAN_COSTS: Final = Figure(
    "plan-costs",
    "What plans cost",
    "chances",
    plan_costs,
    {"player": "Player", "cause": "Cause", **OF_PLAYER, **interval("cause_change", "Change per match")},
    plan_finding,
    BY_OUTCOME,
    is_wide=True,
    draw=draw_plan_costs,
    metrics=(
        Metric(
            "cause_change",
            "Change in a player's chances of winning a match by cause, summed over its rounds. Drift is the change if"
            " every seat plans like the reference player (the program planner); no seat causes it. A player's causes"
            " sum to its share of wins less its starting chances.",
            "Σ amounts of the cause / played",
            source_of(plan_costs, f"interval: {GROUPED}"),
            "player, cause",
            "difference of shares, −1 to 1",
        ),
    ),
)
