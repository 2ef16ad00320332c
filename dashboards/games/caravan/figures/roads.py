"""Journeys on roads."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import percent
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import draw_by_place, with_places
from dashboards.games.figure import BY_ROUND, Figure, Row, interval
from dashboards.games.shared.board_context import board_context
from dashboards.games.shared.by_place import parts_of_all
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "road_finding", "roads"]


def roads(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village_a, village_b, road, journeys, groups, journey_share` and its bounds, the most travelled first."""
    counted = parts_of_all(reader, where, board_context(reader, where), "journeys", "journey_share")
    return counted.sort("journeys", "village_a", "village_b", descending=[True, False, False])


def road_finding(frame: pl.DataFrame) -> str:
    """Say which roads are travelled most and least."""
    total = int(frame["journeys"].sum())
    if not total:
        return "No road was travelled under these filters."
    named, part = with_places(frame), "journey_share"
    road, journeys = "The {road} road {village_a}\N{EN DASH}{village_b}", whole(total, "journey")
    plain = f"{road} carries {{1}} of {journeys}"
    busiest, quietest = (f"{road} is the {end}: it carries {{1}} of {journeys}" for end in ("busiest", "quietest"))
    return (
        f"{told(named, part, 'place', busiest, plain, percent)}"
        f" {told(named, part, 'place', quietest, plain, percent, least=True)}"
    )


def _called(row: Row) -> str:
    return f"the {row['road']} road {row['village_a']}\N{EN DASH}{row['village_b']}"


def draw_roads(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw each road's share of journeys."""
    name = pl.format("{}\N{EN DASH}{}, {}", "village_a", "village_b", "road")
    return draw_by_place(frame, name, "journey_share", colours, percent, ".0%")


METRICS: Final = (
    Metric(
        "journeys",
        "How often the road was travelled, either way.",
        "number of journeys",
        source_of(roads),
        "village_a, village_b",
        "journeys",
    ),
    Metric(
        "journey_share",
        "What share of all journeys went along the road.",
        "journeys along the road / journeys along any",
        source_of(roads, f"interval: {KORN_GRAUBARD}; {SAMPLED}"),
        "village_a, village_b",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    name="roads",
    title="Journeys on roads",
    section="where",
    count=roads,
    columns={
        "village_a": "From",
        "village_b": "To",
        "road": "Road",
        "journeys": "Journeys",
        "groups": "Seeds",
        **interval("journey_share", "Share"),
    },
    finding=road_finding,
    ignores=BY_ROUND,
    draw=draw_roads,
)
