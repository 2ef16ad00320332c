"""Regions that change hands."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import REGION_NAME, draw_by_place, with_places
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.by_place import numbered, per_match
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals

__all__ = ["FIGURE", "METRICS", "region_finding", "regions"]


def regions(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `region, flips, matches, groups, flips_per_match`, its bounds, `leads`: how often regions change hands.

    A flip: a seat of the filter leads the region where another had led last. `leads` counts seats of the filter that
    led it at the end of a round.
    """
    found = per_match(reader, where, "flips")
    rows = means(found.sums, ["region"], "flips_per_match").drop("flips_per_match_p")
    rows = found.with_counts(rows, "flips", "flips_per_match")
    leads = place_totals(reader, ["leads"], "agg_caravan_regions", ["region"], where, found.context.digest)
    rows = rows.join(numbered(leads, ["region"]), on="region", how="left").with_columns(pl.col("leads").fill_null(0))
    return rows.sort("flips", "region", descending=[True, False])


def region_finding(frame: pl.DataFrame) -> str:
    """Say which regions change hands most and least often."""
    if frame.is_empty():
        return NOTHING
    if not frame["flips"].sum():
        return "No region passed from one leader to another under these filters."
    named, flips = with_places(frame), "flips_per_match"
    plain = "Region {region} changes hands {1} times a match"
    most, least = (f"Region {{region}} changes hands {end} often: {{1}} times a match" for end in ("most", "least"))
    return (
        f"{told(named, flips, 'place', most, plain, hundredths)}"
        f" {told(named, flips, 'place', least, plain, hundredths, least=True)}"
    )


def draw_regions(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw how often each region changed hands in a match."""
    return draw_by_place(frame, REGION_NAME, "flips_per_match", colours, number)


METRICS: Final = (
    Metric(
        "flips",
        "How often the region passed to a seat from another, with or without a tie in between.",
        "number of rounds at whose end a seat led the region and another had led it last",
        source_of(regions),
        "region",
        "flips",
    ),
    Metric(
        "flips_per_match",
        "How often the region passes to a seat from another in a match.",
        "flips / matches",
        source_of(regions, f"interval: {GROUPED}; {SAMPLED}"),
        "region",
        "flips per match",
    ),
    Metric(
        "leads",
        "At the end of how many rounds a seat led the region, with more delegations than anybody else.",
        "number of (match, round)",
        source_of(regions),
        "region",
        "rounds",
    ),
)
FIGURE: Final = Figure(
    name="regions",
    title="Regions that change hands",
    section="why",
    count=regions,
    columns={
        "region": "Region",
        "flips": "Flips",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("flips_per_match", "Per match"),
        "leads": "Rounds led",
    },
    finding=region_finding,
    ignores=BY_ROUND,
    draw=draw_regions,
)
