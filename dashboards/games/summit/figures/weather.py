"""How many matches end on the summit, and how many by bad weather."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, by_ending, interval
from dashboards.games.shared.endings import draw_endings, ending_shares
from dashboards.games.summit.figures.shared import COURSES
from dashboards.games.summit.terms import TERMS
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import NOTHING, part
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "weather"]


def weather(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, of_matches, groups, weather_share` and its bounds: of tables of each size."""
    return ending_shares(reader, where, COURSES, "f.ending::varchar", TERMS.endings, "weather_share")


def weather_finding(frame: pl.DataFrame) -> str:
    """Say how often matches of each size end on the summit."""
    rows = frame.filter(ending="summit")
    if rows.is_empty():
        return NOTHING
    said = [
        f"With {row['players']} players, a climber reaches the summit in"
        f" {part(row, 'weather_share', row['matches'], row['of_matches'])}."
        for row in rows.iter_rows(named=True)
    ]
    return " ".join([*said, "Bad weather ends the others."])


def draw_weather(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How matches of each size ended, as parts of a whole bar."""
    return draw_endings(frame, TERMS.endings, colours.parts)


METRICS: Final = (
    Metric(
        "weather_share",
        "What share of the matches of tables of this size ends this way: with a climber on the summit, or by bad"
        " weather.",
        "matches that end this way / of_matches",
        source_of(weather, f"interval: {KORN_GRAUBARD}"),
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
        "players": "Table size",
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
    metrics=METRICS,
)
