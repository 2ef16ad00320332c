"""Calibration of the model of the chances of winning on the matches at hand: chances and shares won. For any game."""

from math import isfinite
from typing import Final

import polars as pl

from dashboards.catalog.decided import NOT_VALUED
from dashboards.charts.chart import Dots
from dashboards.charts.dots import intervals, percent
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.stats.reliability import reliability
from dashboards.stats.words import FEW, confidence, plain, signed, significant, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.reviews import CHANCE, reviewing_under, sampled_chances

__all__ = ["CALIBRATION", "calibration", "calibration_finding"]

COLUMNS: Final = {
    "bin": "Bin",
    "chance": "Mean chance",
    "positions": "Positions",
    "groups": "Seeds",
    **interval("won_share", "Share won"),
    **interval("calibration_difference", "Difference"),
    "calibration_difference_p": "p",
    "calibration_difference_holm": "p (corrected)",
    **interval("calibration_error", "Error of all bins"),
    "checked_error": "Where it was checked",
}


def calibration(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return ten bins of the chances of a filter's seats, see `stats.reliability`, and the model's own error.

    At most a thousand seeds are sampled.
    """
    parts = [pl.col(name) / CHANCE for name in ("chance", "won")]
    frame = reliability(sampled_chances(reader, where).with_columns(parts))
    errors = [error for _, error in reviewing_under(reader, where).models]
    return frame.with_columns(pl.lit(max(errors, default=None), pl.Float64).alias("checked_error")).select(*COLUMNS)


def calibration_finding(frame: pl.DataFrame) -> str:
    """Say how far the chances are off in these matches, and whether that is more than chance."""
    if frame.is_empty():
        return NOT_VALUED
    row = frame.row(0, named=True)
    ends = [row[f"calibration_error_{end}"] for end in ("low", "high")]
    said = f"Chances are off by {plain(100 * row['calibration_error'])} points on average in these matches"
    known = isfinite(ends[1])
    said += f" ({confidence(plain(100 * ends[0]), plain(100 * ends[1])) if known else FEW}). In the model's own check"
    said += f" they were off by {plain(100 * row['checked_error'])}."
    apart = [each for each in frame.iter_rows(named=True) if significant(each, "calibration_difference")]
    if not apart:
        return f"{said} In none of {frame.height} bins do chances differ significantly from shares won (corrected)."
    far = max(apart, key=lambda each: abs(each["calibration_difference"]))
    return (
        f"{said} The model does not hold here: in {whole(len(apart), 'bin')} of {frame.height} chances differ"
        f" significantly from shares won (corrected), most where they are {far['chance']:.0%} on average: by"
        f" {signed(100 * far['calibration_difference'])} points."
    )


def draw_calibration(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the share won of each bin with its interval, and a tick at its mean chance."""
    named = frame.with_columns(
        pl.format("{} ({}%)", "bin", (100 * pl.col("chance")).round(0).cast(pl.Int64)).alias("row")
    )
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(
        named,
        "won_share",
        colours,
        rows="row",
        shown=percent,
        ticks=".0%",
        reference="chance",
        called="mean chance",
        marks=marks,
    )


CALIBRATION: Final = Figure(
    "calibration",
    "Calibration of the chances",
    "chances",
    calibration,
    COLUMNS,
    calibration_finding,
    BY_OUTCOME,
    draw=draw_calibration,
)
