"""Stupas by village."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import percent
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import VILLAGE_NAME, draw_by_place, with_places
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.by_place import per_match
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "stupa_finding", "stupas"]


def stupas(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, stupas, matches, groups, stupa_share` and its bounds, the most often built on first.

    In which share of the matches a seat of the filter placed a stupa there; no village takes two.
    """
    found = per_match(reader, where, "stupas")
    rows = shares(found.sums, ["village"], "stupa_share", "of").drop("of")
    return found.with_counts(rows, "stupas", "stupa_share").sort("stupas", "village", descending=[True, False])


def stupa_finding(frame: pl.DataFrame) -> str:
    """Say which villages get a stupa most and least often."""
    if not frame["stupas"].sum():
        return "No stupa was placed under these filters."
    named, built = with_places(frame), "stupa_share"
    matches = whole(frame["matches"][0], "match", "matches")
    plain = "Village {village} (level {level}) gets a stupa in {1} of " + matches
    most, least = (
        f"Village {{village}} (level {{level}}) gets a stupa {end} often: in {{1}} of {matches}"
        for end in ("most", "least")
    )
    return (
        f"{told(named, built, 'place', most, plain, percent)}"
        f" {told(named, built, 'place', least, plain, percent, least=True)}"
    )


def draw_stupas(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw in which share of the matches a stupa came to each village."""
    return draw_by_place(frame, VILLAGE_NAME, "stupa_share", colours, percent, ".0%")


METRICS: Final = (
    Metric(
        "stupas",
        "How many stupas were placed in the village.",
        "number of stupas",
        source_of(stupas),
        "village",
        "stupas",
    ),
    Metric(
        "stupa_share",
        "In what share of matches a stupa was placed in the village; it takes only one.",
        "stupas / matches",
        source_of(stupas, f"interval: {KORN_GRAUBARD}; {SAMPLED}"),
        "village",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    name="stupas",
    title="Stupas by village",
    section="where",
    count=stupas,
    columns={
        "village": "Village",
        "level": "Level",
        "stupas": "Stupas",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("stupa_share", "Share of matches"),
    },
    finding=stupa_finding,
    ignores=BY_ROUND,
    draw=draw_stupas,
)
