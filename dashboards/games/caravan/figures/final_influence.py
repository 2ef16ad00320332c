"""Influence at the end: how much of each influence a player's seats ended with."""

from typing import Final

import polars as pl

from dashboards.games.caravan.figures.shared import BY_INFLUENCE, INFLUENCES, SEATS
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import column_sums
from dashboards.warehouse.where import SEED_GROUP, player_of, seats_where

__all__ = ["FIGURE", "METRICS", "final_finding", "final_influence"]

ENDED: Final = f"{SEATS} f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"


def final_influence(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence, seats, groups, points`, its bounds and quartiles: what seats ended with."""
    by = ["player", "influence"]
    found = _sums(reader, where)
    counted = means(found, by, "points").drop("points_p").with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    spread = quartiles(_histogram(reader, where), by, "value", "seats", "points")
    ends = [f"points{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return counted.join(spread, on=by, how="left", maintain_order="left").select(*by, "seats", "groups", *ends)


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence` with the points at the end; a trial is a seat."""
    condition, values = seats_where(where)
    summed = ", ".join(f"sum(f.{influence}) as {influence}" for influence in INFLUENCES)
    player, names = player_of(reader, where, "s")
    base = f"""select {player} as player, {SEED_GROUP} as unit, count(*) as n, {summed}
        from {ENDED} where {condition} group by all"""
    return column_sums(reader, base, ["player"], "influence", dict.fromkeys(INFLUENCES, "n"), values | names)


def _histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence, value, seats`: how many seats ended with so many points."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    return reader.frame(
        f"""with counted as (
                select {player} as player, f.religious, f.political, f.economic, count(*) as seats
                from {ENDED} where {condition} group by all)
            select player, influence, value, sum(seats)::bigint as seats
            from (unpivot counted on {", ".join(INFLUENCES)} into name influence value value) group by all""",
        values | names,
    )


def final_finding(frame: pl.DataFrame) -> str:
    """Say who ends with how much of each influence."""
    if frame.is_empty():
        return NOTHING
    texts = {
        "religious": ("ends with the most religious influence: {}", "ends with a religious influence of {}"),
        "political": ("ends with the most political influence: {}", "ends with a political influence of {}"),
        "economic": ("ends with the most yaks: {}", "ends with {} yaks"),
    }
    return " ".join(
        told(
            frame.filter(influence=influence),
            "points",
            "player",
            f"On average, {{}} {most}",
            f"On average, {{}} {plain}",
        )
        for influence, (most, plain) in texts.items()
    )


METRICS: Final = (
    Metric(
        "points",
        "How much of an influence a seat has: religious and political in points, economic in yaks; at the end, or at"
        " the end of a round, before any elimination.",
        "mean over seats",
        source_of(final_influence, f"interval: {GROUPED}; {TYPE_7}"),
        "player, influence (and round)",
        "points; economic: yaks",
    ),
)
FIGURE: Final = Figure(
    name="final-influence",
    title="Influence at the end",
    section="why",
    count=final_influence,
    columns={
        "player": "Player",
        "influence": "Influence",
        "seats": "Matches",
        "groups": "Seeds",
        **interval("points", "Mean"),
        **quartile_columns("points"),
    },
    finding=final_finding,
    draw=BY_INFLUENCE.at_the_end,
    metrics=METRICS,
)
