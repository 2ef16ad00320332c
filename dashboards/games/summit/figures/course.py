"""Figures on the course of summit matches: endings, and winners compared with losers."""

from typing import Final

import polars as pl

from dashboards.charts.builders import Panel, interval_panels, middle_half, number
from dashboards.charts.chart import Chart, Row
from dashboards.charts.theme import Palette, mixed
from dashboards.games.figure import BY_OUTCOME, Defined, Figure, by_ending, interval, quartile_columns
from dashboards.games.shared.course import comebacks, decisive_round
from dashboards.games.shared.endings import OF_SIZES, Endings, MatchMeans
from dashboards.games.shared.winners_vs_losers import winners_apart
from dashboards.games.summit.figures.turns import FRACTION, PIPS
from dashboards.games.summit.terms import COURSES, EVENTS, SEATS, TERMS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import column_sums
from dashboards.queries.where import SEED_GROUP, with_such_a_seat
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means, quartiles
from dashboards.stats.results import in_order
from dashboards.stats.words import GROUPED, NOTHING, TYPE_7, bounds, part, percent, plain

__all__ = ["COMEBACKS", "DECISIVE_THROW", "IN_A_MATCH", "OUTCOMES", "THROWS", "WEATHER", "WINNERS"]


IN_A_MATCH: Final = MatchMeans(
    name="happenings",
    table=COURSES,
    kinds=("lead_changes", "take_alongs", "slides", "chases", "rerolls", "forfeits"),
    mean=Defined(
        "times_per_match",
        "Times per match",
        "Events per match: lead changes, Sherpas taken along, slides, chases by the Yeti, throws instead of taking the"
        " last die, and dice that move nothing. Lead change: before the next throw, a different seat would win than"
        " before the last.",
        "number / matches",
        "times per match",
    ),
    also="On average, Sherpas go along {take_alongs} times, slide {slides} times and are chased by the Yeti {chases}"
    " times.",
    called=EVENTS,
    in_a_line=3,
)
DECISIVE_THROW: Final[Figure] = decisive_round("decisive-throw", COURSES, "throw")
COMEBACKS: Final[Figure] = comebacks(
    "from-behind",
    COURSES,
    "behind_share",
    "What share of the player's wins were from behind: had the match been scored before some later throw in its second"
    " half, a winner would have come last.",
    "a winner was last before some throw in the second half of the match",
    "From behind",
)


CALLED: Final = {
    "won_summit": "won: summit",
    "won_bad_weather": "won: weather",
    "lost_bad_weather": "lost: weather",
    "lost_summit": "lost: summit",
}
"""Labels of endings: a match ends on the summit or in bad weather, and a seat wins or loses.

When bad weather ends a match, the highest climber wins.
"""
TAKEN: Final = Defined(
    "throws_taken",
    "Mean",
    "How many throws of all dice a match takes that ends this way, including the last one.",
    "mean over matches",
    "throws per match",
)


def _outcome_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the players that win most often on the summit and in bad weather."""
    if frame.is_empty():
        return NOTHING
    said = []
    for outcome, how in (("won_summit", "on the summit"), ("won_bad_weather", "in bad weather")):
        rows = frame.filter(outcome=outcome)
        often = lead_sentence(
            rows,
            "outcome_share",
            "player",
            f"{{0}} wins {how} most often: in {{1}} of its {{its_matches}}",
            f"{{0}} wins {how} in {{1}} of its {{its_matches}}",
            percent,
        )
        said.append(often if rows["seats"].sum() else f"No player wins {how}.")
    return " ".join(said)


def _hues(colours: Palette) -> list[str]:
    """Return two shades of the winners' colour, and two of the losers' colour."""
    won, *_out, lost = colours.endings
    return [won, mixed(won, 0.5, colours.card), lost, mixed(lost, 0.6, colours.muted)]


def _of_outcome(row: Row) -> dict[str, str]:
    """Return the filter keys and values that select the matches of a row."""
    result, _, ending = row["outcome"].partition("_")
    return {"result": result, "ending": ending}


def _weather_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on how often matches end on the summit, by table size."""
    rows = frame.filter(ending="summit")
    if rows.is_empty():
        return NOTHING
    said = [
        f"With {row['players']} players, a climber reaches the summit in"
        f" {part(row, 'weather_share', row['matches'], row['of_matches'])}."
        for row in rows.iter_rows(named=True)
    ]
    return " ".join([*said, "Bad weather ends the others."])


OUTCOMES: Final = Endings(
    name="outcomes",
    title="How each player's matches ended",
    section="why",
    table=COURSES,
    ending="case when s.won then 'won_' else 'lost_' end || f.ending::varchar",
    endings=CALLED,
    share=Defined(
        "outcome_share",
        "Share",
        "How often a player's match ends this way: it won (alone or shared) on the summit or by bad weather, or lost to"
        " another's climber on the summit or by bad weather.",
        "seats that ended this way / played",
    ),
    finding=_outcome_finding,
    hues=_hues,
    heading="Outcome",
    key="outcome",
    narrows=_of_outcome,
)
WEATHER: Final = Endings(
    name="weather",
    title="Summit or bad weather",
    section="when",
    table=COURSES,
    ending="f.ending::varchar",
    endings=TERMS.endings,
    share=Defined(
        "weather_share",
        "Share",
        "What share of the matches of tables of this size ends this way: with a climber on the summit, or by bad"
        " weather.",
        "matches that end this way / of_matches",
    ),
    finding=_weather_finding,
    hues=lambda colours: colours.parts,
    heading="Ended by",
    over=OF_SIZES,
)


def _throws(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, groups, throws_taken`, its bounds and quartiles."""
    by = ["players", "ending"]
    found = _sums(reader, where)
    rows = means(found, by, TAKEN.name).drop("throws_taken_p")
    rows = rows.with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(_histogram(reader, where), by, "value", "matches", TAKEN.name)
    ends = [f"throws_taken{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    rows = rows.join(spread, on=by, how="left")
    return in_order(rows, "ending", TERMS.endings, "players").select(*by, "matches", "groups", *ends)


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums by `players, ending` of the throws that matches took; a trial is a match."""
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, c.ending::varchar as ending, {SEED_GROUP} as unit, count(*) as n,
            sum(c.throws) as throws
        from dim_matches m join {COURSES} c using (match_id) where {condition} group by all"""
    return column_sums(reader, base, ["players", "ending"], "kind", {"throws": "n"}, values).drop("kind")


def _histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, value, matches`: the number of matches by number of throws (`value`)."""
    condition, values = with_such_a_seat(where)
    return reader.frame(
        f"""select m.players, c.ending::varchar as ending, c.throws as value, count(*) as matches
            from dim_matches m join {COURSES} c using (match_id) where {condition} group by all""",
        values,
    )


def _throw_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the number of throws per match at the most common table size, by ending."""
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


def _draw_throws(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the median and middle half of the throws per match, by ending."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    parts = [
        middle_half(Panel(f"Ended by: {called}", named.filter(ending=ending), TAKEN.name, number), TAKEN.name)
        for ending, called in TERMS.endings.items()
    ]
    return interval_panels([part for part in parts if part.frame.height], colours, rows="row")


THROWS: Final = Figure(
    "throws",
    "Throws taken",
    "when",
    _throws,
    {
        "players": "Table size",
        "ending": "Ended by",
        "matches": "Matches",
        "groups": "Seeds",
        **interval(TAKEN.name, TAKEN.heading),
        **quartile_columns(TAKEN.name),
    },
    _throw_finding,
    BY_OUTCOME,
    narrows=by_ending,
    draw=_draw_throws,
    metrics=(TAKEN.metric(_throws, "players, ending", f"interval: {GROUPED}; {TYPE_7}"),),
)


def _times(kind: str, called: str) -> tuple[str, str]:
    return f"{FRACTION} * f.{kind}", called


WINNERS: Final = winners_apart(
    "winners",
    SEATS,
    {
        "dice_luck": (PIPS["luck"], "Luck of the throws, pips"),
        "dice_left": (PIPS["left"], "What others left, pips"),
        "dice_choice": (PIPS["choice"], "Own choice, pips"),
        "unused_pips": (PIPS["unused"], "Pips not used"),
        "climber_moves": _times("climber_moves", "Moves of the climber"),
        **{kind: _times(kind, called) for kind, called in EVENTS.items()},
        "cards_played": _times("cards_played", "Supply cards played"),
    },
    FRACTION,
)
