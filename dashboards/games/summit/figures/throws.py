"""How many throws matches take, by how they end."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, middle_half, number
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, by_ending, interval, quartile_columns
from dashboards.games.summit.figures.shared import COURSES
from dashboards.games.summit.terms import TERMS
from dashboards.stats.by_kind import in_order
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, TYPE_7, Metric, source_of
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, bounds, plain
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import column_sums
from dashboards.warehouse.where import SEED_GROUP, with_such_a_seat

__all__ = ["FIGURE", "METRICS", "throws"]


def throws(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, groups, throws_taken`, its bounds and quartiles."""
    by = ["players", "ending"]
    found = _sums(reader, where)
    rows = means(found, by, "throws_taken").drop("throws_taken_p")
    rows = rows.with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(_histogram(reader, where), by, "value", "matches", "throws_taken")
    ends = [f"throws_taken{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    rows = rows.join(spread, on=by, how="left")
    return in_order(rows, "ending", TERMS.endings, "players").select(*by, "matches", "groups", *ends)


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending` with the throws that matches took; a trial is a match."""
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, c.ending::varchar as ending, {SEED_GROUP} as unit, count(*) as n,
            sum(c.throws) as throws
        from dim_matches m join {COURSES} c using (match_id) where {condition} group by all"""
    return column_sums(reader, base, ["players", "ending"], "kind", {"throws": "n"}, values).drop("kind")


def _histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, value, matches`: how many matches took so many throws."""
    condition, values = with_such_a_seat(where)
    return reader.frame(
        f"""select m.players, c.ending::varchar as ending, c.throws as value, count(*) as matches
            from dim_matches m join {COURSES} c using (match_id) where {condition} group by all""",
        values,
    )


def throw_finding(frame: pl.DataFrame) -> str:
    """Say how many throws a match of the size most played takes, by how it ends."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.group_by("players").agg(pl.col("matches").sum()).sort("matches", "players", descending=[True, False])
    size = sizes["players"][0]
    words = {"summit": "ends with a climber on the summit", "bad_weather": "ends by bad weather"}
    return " ".join(
        f"A match of {size} players that {words[row['ending']]} takes {plain(row['throws_taken'])}"
        f" throws{bounds(row, 'throws_taken')}."
        for row in frame.filter(players=size).iter_rows(named=True)
    )


def draw_throws(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Median and middle half of the throws that matches took, by how they ended."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    parts = [
        middle_half(Panel(f"Ended by: {called}", named.filter(ending=ending), "throws_taken", number), "throws_taken")
        for ending, called in TERMS.endings.items()
    ]
    return interval_panels([part for part in parts if part.frame.height], colours, rows="row")


METRICS: Final = (
    Metric(
        "throws_taken",
        "How many throws of all dice a match takes that ends this way, including the last one.",
        "mean over matches",
        source_of(throws, f"interval: {GROUPED}; {TYPE_7}"),
        "players, ending",
        "throws per match",
    ),
)
FIGURE: Final = Figure(
    "throws",
    "Throws taken",
    "when",
    throws,
    {
        "players": "Table size",
        "ending": "Ended by",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("throws_taken", "Mean"),
        **quartile_columns("throws_taken"),
    },
    throw_finding,
    BY_OUTCOME,
    narrows=by_ending,
    draw=draw_throws,
    metrics=METRICS,
)
