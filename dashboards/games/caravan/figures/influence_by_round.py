"""Influence round by round: how much of each influence a player's seats had at the end of each round."""

from typing import Final

import polars as pl

from dashboards.games.caravan.figures.shared import BY_INFLUENCE
from dashboards.games.figure import BY_ROUND, Figure, quartile_columns
from dashboards.games.shared.by_round import medians_told
from dashboards.stats.metric import Metric
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import cohorts_where, player_of

__all__ = ["FIGURE", "METRICS", "influence_by_round", "round_finding", "round_histogram"]

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
    player, names = player_of(reader, where, "c")
    return reader.frame(
        f"""select {player} as player, a.influence, a.round, a.value, sum(a.seats)::bigint as seats
            from agg_caravan_influence a join dim_cohorts c using (cohort)
            where {condition} and a.round between $first and $last group by all""",
        values | names | {"first": where.first, "last": where.last},
    )


def round_finding(frame: pl.DataFrame) -> str:
    """Say between which players' medians of yaks all others are, half-way and at the end."""
    yaks = frame.filter(pl.col("influence") == "economic")
    if yaks.is_empty():
        return NOTHING
    first, last = yaks.select(pl.col("round").min(), last=pl.col("round").max()).row(0)
    rounds = dict.fromkeys((max(first, min(HALF, last)), last))
    return f"{medians_told(yaks, 'points', 'economic influence', 'round', rounds)}."


METRICS: Final[tuple[Metric, ...]] = ()
"""`points` stands with the influence at the end."""
FIGURE: Final = Figure(
    name="influence-by-round",
    title="Influence round by round",
    section="why",
    count=influence_by_round,
    columns={
        "influence": "Influence",
        "player": "Player",
        "round": "Round",
        "seats": "Matches",
        "points": "Mean",
        **quartile_columns("points"),
    },
    finding=round_finding,
    ignores=BY_ROUND,
    is_wide=True,
    draw=BY_INFLUENCE.by_round,
    overlaid=BY_INFLUENCE.overlaid,
    metrics=METRICS,
)
