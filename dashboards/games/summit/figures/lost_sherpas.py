"""From which fields Sherpas are sent back."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.by_place import numbered, per_match
from dashboards.games.shared.metrics import SAMPLED
from dashboards.games.summit.figures.along_the_route import draw_along_the_route
from dashboards.games.summit.figures.shared import FIELDS, with_fields
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import hundredths, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals

__all__ = ["FIGURE", "METRICS", "lost_fields"]

WAYS: Final = ("slid", "chased")


def lost_fields(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `field, terrain, lost, matches, groups, lost_per_match`, its bounds, `slid, chased`, most first.

    Fields from which no Sherpa was sent back have no row.
    """
    found = per_match(reader, where, "lost")
    rows = found.with_counts(means(found.sums, ["field"], "lost_per_match"), "lost", "lost_per_match")
    ways = numbered(place_totals(reader, WAYS, FIELDS, ["field"], where, found.context.digest), ["field"])
    rows = rows.filter(pl.col("lost") > 0).join(ways, on="field", how="left").with_columns(pl.col(WAYS).fill_null(0))
    return rows.sort("lost", "field", descending=[True, False])


def lost_finding(frame: pl.DataFrame) -> str:
    """Say from where Sherpas are sent back how often, and how many by slides and by the Yeti."""
    if frame.is_empty():
        return "No Sherpa was sent back under these filters."
    said = told(
        with_fields(frame),
        "lost_per_match",
        "place",
        "The most Sherpas are sent back from {} ({terrain}): {} a match",
        "From {} ({terrain}), {} Sherpas are sent back a match",
        hundredths,
    )
    slid, chased = (int(frame[way].sum()) for way in WAYS)
    return f"{said} In all, {whole(slid, 'Sherpa')} slid and the Yeti chased {whole(chased, 'Sherpa')}."


def draw_lost(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How many Sherpas slid, or were chased, from each field in a match."""
    rows = frame.with_columns((pl.col(way) / pl.col("matches")).alias(f"{way}_per_match") for way in ("slid", "chased"))
    texts = [
        f"{mean:.2f} Sherpas a match: {slid:,} slid, {chased:,} chased"
        for mean, slid, chased in frame.select("lost_per_match", "slid", "chased").iter_rows()
    ]
    parts = {"slid_per_match": "slid", "chased_per_match": "chased by the Yeti"}
    hues = colours.parts[:2]
    return draw_along_the_route(rows, "lost_per_match", parts, texts, hues, "")


METRICS: Final = (
    Metric(
        "lost",
        "How many Sherpas were sent back from the field.",
        "slid + chased",
        source_of(lost_fields),
        "field",
        "Sherpas",
    ),
    Metric(
        "lost_per_match",
        "How many Sherpas are sent back from the field in a match.",
        "lost / matches",
        source_of(lost_fields, f"interval: {GROUPED}; {SAMPLED}"),
        "field",
        "Sherpas per match",
    ),
    Metric(
        "slid",
        "How many Sherpas slid down from the field.",
        "number of slides",
        source_of(lost_fields),
        "field",
        "Sherpas",
    ),
    Metric(
        "chased",
        "How many Sherpas the Yeti chased from the field.",
        "number of chases",
        source_of(lost_fields),
        "field",
        "Sherpas",
    ),
)
FIGURE: Final = Figure(
    "lost-sherpas",
    "Where Sherpas are sent back",
    "where",
    lost_fields,
    {
        "field": "Field",
        "terrain": "Terrain",
        "lost": "Sherpas",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("lost_per_match", "Per match"),
        "slid": "Slid",
        "chased": "Chased",
    },
    lost_finding,
    BY_ROUND,
    draw=draw_lost,
    metrics=METRICS,
)
