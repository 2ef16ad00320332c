"""Figures on the course of climbers matches: endings, and winners compared with losers."""

from typing import Final

import polars as pl

from dashboards.charts.builders import Panel, interval_panels, middle_half, number
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.climbers.terms import COURSES, SEATS, TERMS
from dashboards.games.figure import BY_OUTCOME, Defined, Figure, interval, quartile_columns
from dashboards.games.shared.course import comebacks, decisive_round
from dashboards.games.shared.endings import OF_SIZES, Endings, MatchMeans, means_per_match
from dashboards.games.shared.winners_vs_losers import winners_apart
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.words import GROUPED, NOTHING, TYPE_7, Row, bounds, part, plain, whole

__all__ = ["COMEBACKS", "DECISIVE_TURN", "IN_A_MATCH", "MORE_OF", "TURNS_TAKEN", "WAYS_TO_WIN"]


IN_A_MATCH: Final = MatchMeans(
    name="in-a-match",
    table=COURSES,
    kinds=("lead_changes", "steps", "rises", "ladders", "blocks_moved", "discs", "hindrances"),
    mean=Defined(
        "happens",
        "Times per match",
        "Events per match: lead changes, steps, rises, ladders spent, blocks moved, discs laid, and steps taken away"
        " from a seat. Lead change: the likely winner differs from that a turn before.",
        "number / matches",
        "times per match",
    ),
    also="On average, climbers rise {rises} times, {ladders} ladders are spent, {blocks_moved} blocks are moved, and a"
    " step is taken away {hindrances} times.",
    in_a_line=4,
)
DECISIVE_TURN: Final[Figure] = decisive_round("decisive-turn", COURSES, "turn")
COMEBACKS: Final[Figure] = comebacks(
    "from-last",
    COURSES,
    "from_last_share",
    "What share of the player's wins were comebacks: had the match ended after some turn of its second half, the last"
    " excepted, a winner would have come last.",
    "a winner was last after some turn in the second half of the match",
)


TURNS: Final = Defined(
    "turns_taken",
    "Mean",
    "How many turns a match takes, all players' together.",
    "mean over matches",
    "turns per match",
)


def _way_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on how often ties are broken, by table size."""
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
    """Return `players, matches, groups, turns_taken`, its bounds and quartiles: the number of turns per match."""
    return means_per_match(reader, where, COURSES, {"turns": "f.turns"}, TURNS.name).drop("kind")


def _turns_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the number of turns per match, by table size."""
    if frame.is_empty():
        return NOTHING
    first, *others = (
        f"A match of {row['players']} players takes {plain(row['turns_taken'])} turns{_how_sure(row)}"
        for row in frame.iter_rows(named=True)
    )
    return " ".join([f"{first}, counting those of all players.", *(f"{each}." for each in others)])


def _how_sure(row: Row) -> str:
    """Format the interval of a mean, or only the number of matches if the interval reaches zero."""
    says_nothing = row["turns_taken_low"] is not None and row["turns_taken_low"] <= 0
    return f" in {whole(row['matches'], 'match', 'matches')}" if says_nothing else bounds(row, TURNS.name)


def _draw_turns_taken(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw mean turns with their interval, and the median with the middle half, by table size."""
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


MORE_OF: Final = winners_apart(
    "more-of",
    SEATS,
    {
        "steps_own": ("f.steps_own", "Steps in own turns"),
        "steps_others": ("f.steps_others", "Steps after others' turns"),
        "levels_others": ("f.levels_others", "Levels after others' turns"),
        "levels_by_ladder": ("f.levels_by_ladder", "Levels by ladders"),
        "ladders_left": ("f.ladders_left", "Ladders left"),
        "blocks_moved": ("f.blocks_moved", "Blocks moved"),
        "blocks_turned": ("f.blocks_turned", "Blocks turned in place"),
        "hindered": ("f.hindered", "Steps blocked"),
        "hindering": ("f.hindering", "Blocking others"),
        "discs_laid": ("f.disc_used::int", "Discs laid"),
    },
)
