"""Figures on the levels of climbers: at the end, after each turn, and how often they stood on each level."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.charts.builders import Course, Panel, histogram, interval_panels, middle_half, number
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.climbers.terms import NOBODY, SEATS
from dashboards.games.figure import Defined, Figure, interval, quartile_columns
from dashboards.games.shared.course import ByRound, height_finding
from dashboards.games.shared.place_counts import Per, PlaceCounts
from dashboards.games.shared.seat_sums import seat_spread
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.claims import lead_sentence
from dashboards.stats.words import GROUPED, NOTHING, TYPE_7, percent

__all__ = ["LEVELS", "LEVELS_BY_TURN", "LEVELS_STOOD"]

LEVEL: Final = Defined(
    "level_reached",
    "Mean",
    "How high above the table a climber is at the end, in halves of a cube; no climber ever goes down.",
    "mean over seats",
    "levels",
)


def _levels(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, seats, groups, level_reached`, its bounds and quartiles, highest level first."""
    rows = seat_spread(reader, where, SEATS, {"level": "f.level"}, LEVEL.name).drop("kind")
    return rows.sort(LEVEL.name, "player", descending=[True, False])


def _level_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the players with the highest and the lowest average level."""
    if frame.is_empty():
        return NOTHING
    plain = "On average, {} ends on level {}"
    high, low = (f"On average, {{}} ends {end}: on level {{}}" for end in ("highest", "lowest"))
    said = lead_sentence(frame, LEVEL.name, "player", high, plain)
    if frame.height == 1:
        return said
    return f"{said} {lead_sentence(frame, LEVEL.name, 'player', low, plain, least=True)}"


def _draw_levels(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw each player's mean level with its interval, and the median with the middle half."""
    mean = Panel("Mean level", frame, LEVEL.name, number)
    half = middle_half(Panel("Median and middle half", frame, LEVEL.name, number), LEVEL.name)
    return interval_panels([mean, half], colours)


def _draw_stood(frame: pl.DataFrame, colours: Palette) -> Chart:
    return histogram(frame, "level", "levels_stood", "level_share", colours, heading="level", unit="stands")


LEVELS: Final = Figure(
    "levels",
    "How high climbers got",
    "why",
    _levels,
    {
        "player": "Player",
        "seats": "Matches",
        "groups": "Seeds",
        **interval(LEVEL.name, LEVEL.heading),
        **quartile_columns(LEVEL.name),
    },
    _level_finding,
    draw=_draw_levels,
    metrics=(LEVEL.metric(seat_spread, "player", f"interval: {GROUPED}; {TYPE_7}"),),
)
LEVELS_BY_TURN: Final = ByRound(
    name="levels-by-turn",
    title="How high, turn by turn",
    course=Course(
        "figure", (("level", "Level"), ("ladders", "Ladders left")), "level_after", "turn", (1, 10, 20, 30, 40)
    ),
    table="agg_climbers_standings",
    heading="What",
    finding=partial(height_finding, figure="level", name="level_after", what="level of climbers", word="turn"),
    metric=Defined(
        "level_after",
        "Mean",
        "Level of a climber, or its ladders left, after each turn of any seat that at least a tenth of the"
        " player's seats reached.",
        "mean over seats",
        "levels; ladders",
    ),
)
LEVELS_STOOD: Final = PlaceCounts(
    name="levels-stood",
    title="Levels stood on",
    counted=Defined(
        "levels_stood",
        "Stands",
        "How often a climber was on the level after a turn of any seat.",
        "number of climbers there, turn by turn; those on the table left out",
        "stands",
    ),
    value=Defined(
        "level_share",
        "Share",
        "What share of all climbers counted, turn by turn, was on the level.",
        "positions on the level / positions on any",
    ),
    per=Per.ALL,
    keys={"level": "Level"},
    most="Climbers are most often on level {level}: {1} of {of}",
    least="",
    plain="Of {of}, {1} are on level {level}",
    none=NOBODY,
    shown=percent,
    noun=("position after a turn", "positions after turns"),
    closing=lambda frame: f" No climber was higher than level {max(frame['level'])}.",
    is_along=True,
    chart=_draw_stood,
)
