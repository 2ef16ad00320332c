"""What a seat's dice were worth: by the luck of the throws, by what others left, by its own choice."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.games.shared.seat_sums import draw_panels
from dashboards.games.summit.figures.shared import SEATS
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.intervals import ANY
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, signed
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "FRACTION", "METRICS", "PIPS", "dice"]

FRACTION: Final = 840
"""All means of up to eight dice are whole numbers of these parts, so that sums of them are exact."""
PIPS: Final = {
    "luck": f"round({FRACTION} * f.dice_luck)::bigint",
    "left": f"round({FRACTION} * f.dice_left)::bigint",
    "choice": f"round({FRACTION} * f.dice_choice)::bigint",
    "unused": f"{FRACTION} * f.unused_pips",
}
"""What a seat's dice were worth, in pips: by the luck of the throws, by what others left of them, by its own choice;
and how many pips of dice and cards moved nothing."""
CALLED: Final = {
    "luck": "Luck of the throws",
    "left": "What others left",
    "choice": "Own choice",
    "unused": "Not used",
}


def dice(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, part, played, groups, dice_pips` and its bounds: what dice and choices gave a seat in a match."""
    found = with_all_kinds(seat_sums(reader, SEATS, where, PIPS).rename({"kind": "part"}), "part", PIPS)
    found = found.with_columns(pl.col("total") / FRACTION, pl.col("residual") / FRACTION**2)
    return in_order(means_of_seats(found, ["player", "part"], "dice_pips", ANY), "part", PIPS)


def dice_finding(frame: pl.DataFrame) -> str:
    """Say who gains how much by its choice of dice, and by the luck of the throws."""
    if frame.is_empty():
        return NOTHING
    parts = {"choice": "by its own choice of dice", "luck": "by the luck of the throws"}
    choice, luck = (
        told(
            frame.filter(part=part),
            "dice_pips",
            "player",
            f"{{}} gains the most {text}: {{}} pips a match",
            f"{{}} gains {{}} pips a match {text}",
            signed,
        )
        for part, text in parts.items()
    )
    is_clear = (frame.filter(part="luck")["dice_pips_low"] > 0).any()
    return f"{choice} {luck if is_clear else f'Nobody is clearly lucky: {luck}'}"


def draw_dice(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw what dice and choices gave: a panel for each part."""
    return draw_panels(frame, "part", "dice_pips", CALLED, colours, in_a_line=2)


METRICS: Final = (
    Metric(
        "dice_pips",
        "What a seat's dice gave it in a match: 3.5 pips a die, plus luck, left and choice. Luck: how far the throws"
        " it took from averaged above 3.5. Left: how far the dice others had left averaged above their throw. Choice:"
        " how far the die it took was above those. Unused: what numbers on its dice and cards moved nothing.",
        "Σ over its dice (mean of the throw − 3.5; mean of what is left − mean of the throw; face − mean of what is"
        " left); unused: half of a number moved back by, what is beyond the summit, forfeited dice",
        source_of(dice, f"interval: {GROUPED}"),
        "player, part",
        "pips per player and match",
    ),
)
FIGURE: Final = Figure(
    "dice",
    "Luck of the dice against choice",
    "why",
    dice,
    {"player": "Player", "part": "Part", **OF_PLAYER, **interval("dice_pips", "Pips per match")},
    dice_finding,
    draw=draw_dice,
    metrics=METRICS,
)
