"""Delegations by region."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import REGION_NAME, draw_by_place, with_places
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.by_place import per_match
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "delegation_finding", "delegations"]


def delegations(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `region, delegations, matches, groups, delegations_per_match` and its bounds, most first."""
    found = per_match(reader, where, "delegations")
    rows = means(found.sums, ["region"], "delegations_per_match").drop("delegations_per_match_p")
    rows = found.with_counts(rows, "delegations", "delegations_per_match")
    return rows.sort("delegations", "region", descending=[True, False])


def delegation_finding(frame: pl.DataFrame) -> str:
    """Say which regions the most and the fewest delegations go to."""
    if not frame["delegations"].sum():
        return "No delegation was sent under these filters."
    named, sent = with_places(frame), "delegations_per_match"
    plain = "Region {region} receives {1} delegations a match"
    most, least = (f"Region {{region}} receives the {end} delegations: {{1}} a match" for end in ("most", "fewest"))
    return f"{told(named, sent, 'place', most, plain)} {told(named, sent, 'place', least, plain, least=True)}"


def draw_delegations(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw how many delegations went to each region in a match."""
    return draw_by_place(frame, REGION_NAME, "delegations_per_match", colours, number)


METRICS: Final = (
    Metric(
        "delegations",
        "How many delegations were sent to the region.",
        "number of delegations",
        source_of(delegations),
        "region",
        "delegations",
    ),
    Metric(
        "delegations_per_match",
        "How many delegations are sent to the region in a match.",
        "delegations / matches",
        source_of(delegations, f"interval: {GROUPED}; {SAMPLED}"),
        "region",
        "delegations per match",
    ),
)
FIGURE: Final = Figure(
    name="delegations",
    title="Delegations by region",
    section="where",
    count=delegations,
    columns={
        "region": "Region",
        "delegations": "Delegations",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("delegations_per_match", "Per match"),
    },
    finding=delegation_finding,
    ignores=BY_ROUND,
    draw=draw_delegations,
)
