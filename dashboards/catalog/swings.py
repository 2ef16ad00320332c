"""Key moments of matches: the largest swings of the chances of winning, and their causes. For any game."""

from typing import Final

import polars as pl

from dashboards.catalog.decided import NOT_VALUED
from dashboards.charts.chart import Chart
from dashboards.charts.dots import in_points, intervals
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.stats import words
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import shares
from dashboards.stats.words import percent, points, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.reviews import largest_moments, moment_sums

__all__ = ["LARGEST_SWINGS", "MOMENT_CAUSES", "causes_finding", "largest_swings", "moment_causes", "swings_finding"]

MOST: Final = 12
NO_MOMENT: Final = f"{NOT_VALUED[:-1]}, or none has a key moment."


def largest_swings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, ply, round, player, cause, swing, text` of the largest key moments, the largest first."""
    return largest_moments(reader, where, MOST)


def swings_finding(frame: pl.DataFrame) -> str:
    """Name the largest swing."""
    if frame.is_empty():
        return NO_MOMENT
    first = frame.row(0, named=True)
    said = f"{points(first['swing'])} for {first['player']}, in {first['match']}"
    return f"The largest swing found is {said}: {first['text']}."


def draw_swings(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the effect of each of the largest swings on the chances of the player that it changed most for."""
    named = frame.with_columns(pl.format("{} · ply {}", "match", "ply").alias("row"))
    told_ = in_points(named.with_columns(pl.col("swing").alias(f"swing{end}") for end in ("_low", "_high")), "swing")
    marks = [(colours.accent, "circle")] * frame.height
    shown = words.signed
    return intervals(told_, "swing", colours, rows="row", shown=shown, ticks="+d", marks=marks)


def moment_causes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `cause, moments, groups, moment_share` and its bounds, over all key moments, most frequent cause first.

    A cause is described for the player with the largest change of chances.
    """
    found = moment_sums(reader, where)
    rows = shares(found, ["cause"], "moment_share", "of").drop("of")
    rows = rows.with_columns(found["total"].cast(pl.Int64).alias("moments"))
    ends = [f"moment_share{end}" for end in ("", "_low", "_high")]
    return rows.select("cause", "moments", "groups", *ends).sort("moments", "cause", descending=[True, False])


def causes_finding(frame: pl.DataFrame) -> str:
    """Name the cause of most key moments."""
    if frame.is_empty():
        return NO_MOMENT
    total = whole(int(frame["moments"].sum()), "key moment")
    return lead_sentence(
        frame,
        "moment_share",
        "cause",
        f"The most frequent cause is {{}}: {{}} of {total}",
        f"The cause is {{0}} in {{1}} of {total}",
        percent,
    )


def draw_causes(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the share of key moments from each cause."""
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(frame, "moment_share", colours, rows="cause", shown=percent, ticks=".0%", marks=marks)


LARGEST_SWINGS: Final = Figure(
    "largest-swings",
    "Largest swings",
    "chances",
    largest_swings,
    {
        "match": "Match",
        "ply": "Ply",
        "round": "Round",
        "player": "Player",
        "cause": "Cause",
        "swing": "Change",
        "text": "What happened",
    },
    swings_finding,
    BY_ROUND,
    draw=draw_swings,
)
MOMENT_CAUSES: Final = Figure(
    "moment-causes",
    "What key moments come from",
    "chances",
    moment_causes,
    {
        "cause": "Cause",
        "moments": "Key moments",
        "groups": "Seeds",
        **interval("moment_share", "Share"),
    },
    causes_finding,
    BY_ROUND,
    draw=draw_causes,
)
