"""How many matches end on the summit, and how many by bad weather."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bars import stacked
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, by_ending, interval
from dashboards.games.summit.figures.shared import COURSES
from dashboards.games.summit.terms import TERMS
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.intervals import shares
from dashboards.stats.metric import WILSON, Metric, source_of
from dashboards.stats.words import NOTHING, share, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEED_GROUP, with_such_a_seat

__all__ = ["FIGURE", "METRICS", "weather"]


def weather(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, of_matches, groups, weather_share` and its bounds: of tables of each size."""
    found = with_all_kinds(_sums(reader, where), "ending", TERMS.endings, "players")
    rows = shares(found, ["players", "ending"], "weather_share", "of_matches").with_columns(
        pl.col("of_matches").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches")
    )
    ends = [f"weather_share{end}" for end in ("", "_low", "_high")]
    return in_order(rows, "ending", TERMS.endings, "players").select(
        "players", "ending", "matches", "of_matches", "groups", *ends
    )


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending` with how many matches of tables of a size ended so; a trial is a match."""
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, c.ending::varchar as ending, {SEED_GROUP} as unit, count(*) as x
        from dim_matches m join {COURSES} c using (match_id) where {condition} group by all"""
    trials = "select players, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["players", "ending"], ["players"], values, base)


def weather_finding(frame: pl.DataFrame) -> str:
    """Say how often matches of each size end on the summit."""
    rows = frame.filter(ending="summit")
    if rows.is_empty():
        return NOTHING
    said = [
        f"{share(row, 'weather_share')} of {whole(row['of_matches'], 'match', 'matches')} of {row['players']} players"
        for row in rows.iter_rows(named=True)
    ]
    return f"A climber reaches the summit in {'; '.join(said)}. Bad weather ends the others."


def draw_weather(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How matches of each size ended, as parts of a whole bar."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    wide = named.pivot("ending", index=["row", "players", "of_matches"], values="matches", maintain_order=True)
    hues = (colours.endings[0], colours.endings[3])
    return stacked(wide, TERMS.endings, hues, colours, rows="row", part="ending", whole=wide["of_matches"])


METRICS: Final = (
    Metric(
        "weather_share",
        "Which part of the matches of tables of the size ends so: with a climber on the summit, or by bad weather.",
        "matches that end so / of_matches",
        source_of(weather, f"interval: {WILSON}"),
        "players, ending",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "weather",
    "Summit or bad weather",
    "when",
    weather,
    {
        "players": "At a table of",
        "ending": "Ended by",
        "matches": "Matches",
        "of_matches": "Of",
        "groups": "Seeds",
        **interval("weather_share", "Share"),
    },
    weather_finding,
    BY_OUTCOME,
    narrows=by_ending,
    draw=draw_weather,
)
