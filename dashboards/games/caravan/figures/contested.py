"""Contested villages: where several seats went in one round for the same goods or order."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import VILLAGE_NAME, draw_by_place, with_places
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.by_place import numbered, per_match
from dashboards.games.shared.metrics import SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import hundredths, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals

__all__ = ["FIGURE", "METRICS", "contest_finding", "contested"]


def contested(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, contests, matches, groups, contests_per_match`, its bounds, `too_late`, most first.

    A contest: a seat of the filter and another went in one round for what lay in the village.
    """
    found = per_match(reader, where, "contests")
    rows = means(found.sums, ["village"], "contests_per_match").drop("contests_per_match_p")
    rows = found.with_counts(rows, "contests", "contests_per_match")
    late = place_totals(reader, ["too_late"], "agg_caravan_villages", ["village"], where, found.context.digest)
    rows = rows.join(numbered(late, ["village"]), on="village", how="left")
    return rows.with_columns(pl.col("too_late").fill_null(0)).sort("contests", "village", descending=[True, False])


def contest_finding(frame: pl.DataFrame) -> str:
    """Say in which villages players run into rivals most and least often."""
    if not frame["contests"].sum():
        return "No village was contested under these filters."
    named, contests = with_places(frame), "contests_per_match"
    plain = "In village {village}, players run into a rival {1} times a match"
    most, least = (
        f"In village {{village}}, players run into a rival {end} often: {{1}} times a match"
        for end in ("most", "least")
    )
    return (
        f"{told(named, contests, 'place', most, plain, hundredths)}"
        f" {told(named, contests, 'place', least, plain, hundredths, least=True)}"
        f" In all, {whole(frame['too_late'].sum(), 'trade')} came too late."
    )


def draw_contested(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw how often players ran into a rival in each village in a match."""
    return draw_by_place(frame, VILLAGE_NAME, "contests_per_match", colours, number)


METRICS: Final = (
    Metric(
        "contests",
        "How often a player ran into a rival in the village: two or more went for what lay there in the same round.",
        "number of (seat, round) in which two seats or more traded there, lacked goods for its order or came too late",
        source_of(contested),
        "village",
        "seats and rounds",
    ),
    Metric(
        "contests_per_match",
        "How often players run into a rival in the village in a match.",
        "contests / matches",
        source_of(contested, f"interval: {GROUPED}; {SAMPLED}"),
        "village",
        "per match",
    ),
    Metric(
        "too_late",
        "How many trades came too late: the seat could have made them, had another not taken the last goods or the"
        " order of that village earlier in the round.",
        "number of voided trades that were possible before another seat's; who lacks the goods for an order, or has"
        " collected there already, does not count",
        source_of(contested),
        "village",
        "trades",
    ),
)
FIGURE: Final = Figure(
    name="contested",
    title="Contested villages",
    section="why",
    count=contested,
    columns={
        "village": "Village",
        "level": "Level",
        "contests": "Rivals met",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("contests_per_match", "Per match"),
        "too_late": "Too late",
    },
    finding=contest_finding,
    ignores=BY_ROUND,
    draw=draw_contested,
)
