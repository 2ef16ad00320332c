"""Influence round by round: how much of each influence a player's seats had at the end of each round."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.charts.frames import by_round
from dashboards.charts.plotly.bands import draw_by_round, draw_rounds_overlaid
from dashboards.games.caravan.figures.shared import BY_INFLUENCE
from dashboards.games.figure import BY_ROUND, Figure, quartile_columns
from dashboards.stats.metric import Metric
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import cohorts_where, player_of

__all__ = ["FIGURE", "IN_PRINT", "METRICS", "influence_by_round", "round_finding", "round_histogram"]

HALF: Final = 6


def influence_by_round(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, round, seats, points` and its quartiles at the end of each round of the filter."""
    by = ["influence", "player", "round"]
    counted = round_histogram(reader, where)
    total = pl.col("seats").sum()
    average = counted.group_by(by).agg(
        total.alias("seats"), ((pl.col("value") * pl.col("seats")).sum() / total).alias("points")
    )
    return average.join(quartiles(counted, by, "value", "seats", "points"), on=by).sort(by)


def round_histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence, round, value, seats`: how many seats had that many points at the end of a round."""
    condition, values = cohorts_where(where)
    return reader.frame(
        f"""select {player_of(where, "c")} as player, a.influence, a.round, a.value, sum(a.seats)::bigint as seats
            from agg_caravan_influence a join dim_cohorts c using (cohort)
            where {condition} and a.round between $first and $last group by all""",
        values | {"first": where.first, "last": where.last},
    )


def round_finding(frame: pl.DataFrame) -> str:
    """Say who has most yaks half-way and at the end, with the middle half of its seats."""
    yaks = frame.filter(pl.col("influence") == "economic")
    if yaks.is_empty():
        return NOTHING
    first, last = yaks.select(pl.col("round").min(), last=pl.col("round").max()).row(0)
    middle = max(first, min(HALF, last))
    halves, ends = (
        yaks.filter(pl.col("round") == number).sort("points_median", "points", "player", descending=[True, True, False])
        for number in (middle, last)
    )
    half, end = halves.row(0, named=True), ends.row(0, named=True)
    said = (
        f"{half['player']} has the highest median economic influence after round {half['round']}: {_median(half)}"
        f"{_next(halves)}"
    )
    if half["player"] == end["player"]:
        return f"{said}, and still after round {last}: {_median(end)}{_next(ends)}."
    return f"{said}; {end['player']} has after round {last}: {_median(end)}{_next(ends)}."


def _next(rows: pl.DataFrame) -> str:
    """Return who comes after the first row; medians are of these matches, and claim nothing of others."""
    if rows.height < 2:
        return ""
    first, after = (rows.row(place, named=True) for place in (0, 1))
    word = "level with" if after["points_median"] == first["points_median"] else "ahead of"
    return f", {word} {after['player']} at {_median(after)}"


def _median(row: dict[str, float]) -> str:
    return f"{row['points_median']:g} (middle half {row['points_lower']:g} to {row['points_upper']:g})"


METRICS: Final[tuple[Metric, ...]] = ()
"""`points` stands with the influence at the end."""
IN_PRINT: Final = by_round(
    BY_INFLUENCE.key, dict(BY_INFLUENCE.kinds), BY_INFLUENCE.value, BY_INFLUENCE.hues, BY_INFLUENCE.word
)
FIGURE: Final = Figure(
    name="influence-by-round",
    title="Influence round by round",
    section="why",
    count=influence_by_round,
    columns={
        "influence": "Influence",
        "player": "Player",
        "round": "Round",
        "seats": "Seats",
        "points": "Mean",
        **quartile_columns("points"),
    },
    finding=round_finding,
    ignores=BY_ROUND,
    is_wide=True,
    draw=partial(draw_by_round, BY_INFLUENCE),
    overlaid=partial(draw_rounds_overlaid, BY_INFLUENCE),
)
