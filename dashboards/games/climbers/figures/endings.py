"""How matches ended: won by which level, and after how many turns."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, middle_half, number
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.climbers.terms import TERMS
from dashboards.games.figure import BY_OUTCOME, Defined, Figure, interval, quartile_columns
from dashboards.games.shared.endings import OF_SIZES, Endings
from dashboards.games.shared.match_means import means_per_match
from dashboards.stats.metric import GROUPED, TYPE_7
from dashboards.stats.words import NOTHING, Row, bounds, part, plain, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["TURNS_TAKEN", "WAYS_TO_WIN"]

TURNS: Final = Defined(
    "turns_taken",
    "Mean",
    "How many turns a match takes, all players' together.",
    "mean over matches",
    "turns per match",
)


def _way_finding(frame: pl.DataFrame) -> str:
    """Say how often a tie is broken at tables of each size."""
    rows = frame.filter(ending="earlier")
    if rows.is_empty():
        return NOTHING
    said = [
        f"With {row['players']} players, the winner of {part(row, 'way_share', row['matches'], row['of_matches'])}"
        " shares the highest level and got there first."
        for row in rows.iter_rows(named=True)
    ]
    shared = int(frame.filter(ending="table")["matches"].sum())
    last = [f"In {whole(shared, 'match', 'matches')} no climber left the table."] if shared else []
    return " ".join([*said, *last])


WAYS_TO_WIN: Final = Endings(
    name="ways-to-win",
    title="Wins by level, and by getting there first",
    section="when",
    table=COURSES,
    ending="case when f.highest = 0 then 'table' when f.tie_break then 'earlier' else 'highest' end",
    endings=TERMS.endings,
    share=Defined(
        "way_share",
        "Share",
        "What share of the matches of tables of this size is won this way: as the highest alone; as the earlier of"
        " several on the highest level; shared, as no climber left the table.",
        "matches won this way / of_matches",
    ),
    finding=_way_finding,
    hues=lambda colours: colours.parts,
    heading="Won as",
    over=OF_SIZES,
)


def _turns_taken(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, matches, groups, turns_taken`, its bounds and quartiles: how many turns matches take."""
    return means_per_match(reader, where, COURSES, {"turns": "f.turns"}, TURNS.name).drop("kind")


def _turns_finding(frame: pl.DataFrame) -> str:
    """Say how many turns matches of each size take."""
    if frame.is_empty():
        return NOTHING
    first, *others = (
        f"A match of {row['players']} players takes {plain(row['turns_taken'])} turns{_how_sure(row)}"
        for row in frame.iter_rows(named=True)
    )
    return " ".join([f"{first}, counting those of all players.", *(f"{each}." for each in others)])


def _how_sure(row: Row) -> str:
    """Return the interval of a mean, or the number of matches if the interval includes zero."""
    says_nothing = row["turns_taken_low"] is not None and row["turns_taken_low"] <= 0
    return f" in {whole(row['matches'], 'match', 'matches')}" if says_nothing else bounds(row, TURNS.name)


def _draw_turns_taken(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Mean turns with their interval, and median with the middle half, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    mean = Panel("Mean turns", named, TURNS.name, number)
    half = middle_half(Panel("Median and middle half", named, TURNS.name, number), TURNS.name)
    return interval_panels([mean, half], colours, rows="row")


TURNS_TAKEN: Final = Figure(
    "turns-taken",
    "Turns taken",
    "when",
    _turns_taken,
    {
        "players": "Table size",
        "matches": "Matches",
        "groups": "Seeds",
        **interval(TURNS.name, TURNS.heading),
        **quartile_columns(TURNS.name),
    },
    _turns_finding,
    BY_OUTCOME,
    draw=_draw_turns_taken,
    metrics=(TURNS.metric(means_per_match, "players", f"interval: {GROUPED}; {TYPE_7}"),),
)
