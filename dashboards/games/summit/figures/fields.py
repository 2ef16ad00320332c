"""Which fields of the route pawns come to."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.board_context import board_context
from dashboards.games.shared.by_place import numbered, parts_of_all
from dashboards.games.shared.metrics import SAMPLED
from dashboards.games.summit.figures.along_the_route import draw_along_the_route
from dashboards.games.summit.figures.shared import FIELDS, with_fields
from dashboards.stats.claims import told
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import percent, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals

__all__ = ["FIGURE", "METRICS", "fields"]

PAWNS: Final = ("climbers", "sherpas", "alongs")


def fields(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `field, terrain, visits, groups, visit_share`, its bounds, `climbers, sherpas, alongs`, along the route.

    A trial of the share is an arrival anywhere.
    """
    context = board_context(reader, where)
    counted = parts_of_all(reader, where, context, "visits", "visit_share")
    pawns = numbered(place_totals(reader, PAWNS, FIELDS, ["field"], where, context.digest), ["field"])
    return counted.join(pawns, on="field", how="left").with_columns(pl.col(PAWNS).fill_null(0)).sort("field")


def field_finding(frame: pl.DataFrame) -> str:
    """Say which fields are visited most and least."""
    total = int(frame["visits"].sum())
    if not total:
        return "No pawn came to any field under these filters."
    named, arrivals = with_fields(frame), whole(total, "arrival")
    plain = f"Field {{field}} ({{terrain}}) has {{1}} of {arrivals}"
    most, least = (
        f"Field {{field}} ({{terrain}}) is visited {end}: it has {{1}} of {arrivals}" for end in ("most", "least")
    )
    said = told(named, "visit_share", "place", most, plain, percent)
    never = frame.filter(visits=0).height
    if never:
        return f"{said} No pawn came to {whole(never, 'field')}."
    return f"{said} {told(named, 'visit_share', 'place', least, plain, percent, least=True)}"


def draw_fields(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Each field's share of arrivals, along the route."""
    texts = [
        f"{share:.1%} of arrivals (95% interval {low:.1%} to {high:.1%}): climbers {climbers:,}, Sherpas {others:,}"
        for share, low, high, climbers, others in frame.select(
            "visit_share", "visit_share_low", "visit_share_high", "climbers", pl.col("sherpas") + pl.col("alongs")
        ).iter_rows()
    ]
    return draw_along_the_route(frame, "visit_share", {"visit_share": "arrivals"}, texts, (colours.accent,), ".0%")


METRICS: Final = (
    Metric(
        "visits",
        "How often a pawn came to the field by a die or card, or went along to it.",
        "number of arrivals, those by slides and chases left out",
        source_of(fields),
        "field",
        "arrivals",
    ),
    Metric(
        "visit_share",
        "What share of all arrivals were on the field.",
        "arrivals on the field / arrivals anywhere",
        source_of(fields, f"interval: {KORN_GRAUBARD}; {SAMPLED}"),
        "field",
        "share, 0 to 1",
    ),
    Metric(
        "climbers",
        "How often a climber came to the field.",
        "number of arrivals of climbers",
        source_of(fields),
        "field",
        "arrivals",
    ),
    Metric(
        "sherpas",
        "How often a Sherpa came to the field by a die or card.",
        "number of arrivals of Sherpas by a die or card",
        source_of(fields),
        "field",
        "arrivals",
    ),
    Metric(
        "alongs",
        "How often a Sherpa went on to the field by the number of those it met, or was taken along.",
        "number of arrivals of Sherpas in these ways",
        source_of(fields),
        "field",
        "arrivals",
    ),
)
FIGURE: Final = Figure(
    "fields",
    "Fields visited",
    "where",
    fields,
    {
        "field": "Field",
        "terrain": "Terrain",
        "visits": "Arrivals",
        "groups": "Seeds",
        **interval("visit_share", "Share"),
        "climbers": "Climbers",
        "sherpas": "Sherpas",
        "alongs": "Along",
    },
    field_finding,
    BY_ROUND,
    draw=draw_fields,
    metrics=METRICS,
)
