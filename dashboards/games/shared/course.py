"""Figures on the course of matches, shared by several games: values by round, decisive rounds, comebacks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

import polars as pl

from dashboards.charts import builders
from dashboards.charts.builders import Course, histogram
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, BY_ROUND, Defined, Figure, interval, of_wins, quartile_columns
from dashboards.queries.actions import comeback_sums, decided_sums, decisive_sums, standing_histogram
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import quartiles, shares
from dashboards.stats.words import KORN_GRAUBARD, NOTHING, TYPE_7, Metric, bounds, percent, source_of, whole

__all__ = [
    "ByRound",
    "comeback_shares",
    "comebacks",
    "decisive_round",
    "decisive_rounds",
    "height_finding",
    "medians_told",
]


HALF: Final = 0.5
LEAST: Final = 0.1
"""Minimum share of a player's seats that reached a round; the few longest matches are not representative."""


@dataclass(frozen=True, slots=True)
class ByRound:
    """A figure with a line chart by round.

    `table` has one row per cohort, round, kind and value; the kind is in the column `course.key`, shown under
    `heading`. `metric` defines the mean, unless another figure already does.
    """

    name: str
    title: str
    course: Course
    table: str
    heading: str
    finding: Callable[[pl.DataFrame], str]
    metric: Defined | None = None

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return `{key}, player, round, seats`, the mean and its quartiles after each round of the filter.

        Rounds reached by fewer than a tenth of the player's seats are left out.
        """
        key, name = self.course.key, self.course.value
        by = [key, "player", "round"]
        counted = standing_histogram(reader, self.table, where, key)
        total = pl.col("seats").sum()
        average = counted.group_by(by).agg(
            total.alias("seats"), ((pl.col("value") * pl.col("seats")).sum() / total).alias(name)
        )
        found = average.join(quartiles(counted, by, "value", "seats", name), on=by).sort(by)
        return found.filter(pl.col("seats") >= LEAST * pl.col("seats").max().over(key, "player"))

    @property
    def figure(self) -> Figure:
        """Return the definition as a `Figure`."""
        key, grain = self.course.key, f"{self.course.key}, player, round"
        return Figure(
            name=self.name,
            title=self.title,
            section="why",
            count=self.count,
            columns={
                key: self.heading,
                "player": "Player",
                "round": self.course.word.capitalize(),
                "seats": "Matches",
                self.course.value: "Mean",
                **quartile_columns(self.course.value),
            },
            finding=self.finding,
            ignores=BY_ROUND,
            is_wide=True,
            draw=self.course.by_round,
            overlaid=self.course.overlaid,
            metrics=(self.metric.metric(ByRound.count, grain, TYPE_7),) if self.metric else (),
        )


def height_finding(frame: pl.DataFrame, *, figure: str, name: str, what: str, word: str) -> str:
    """Return a sentence on the range of the players' median heights, half-way and after the last round that counts.

    `figure` is the kind of climber in the frame, `name` the column of means, `what` describes the height, and `word` is
    the game's word for a round. A round counts if at least half of each player's matches reached it. Only matches that
    have reached that round are compared.
    """
    frame = frame.filter(figure=figure)
    if frame.is_empty():
        return NOTHING
    at_first = frame.group_by("player").agg(pl.col("seats").max().alias("at_first"))
    left = frame.join(at_first, on="player").filter(pl.col("seats") >= HALF * pl.col("at_first"))
    players = left.group_by("round").agg(pl.len().alias("players"))
    counts = players.filter(pl.col("players") == pl.col("players").max())["round"]
    reached = frame.filter(pl.col("round").is_in(counts.implode()))
    rounds = reached["round"].unique().sort().to_list()
    middle, last = rounds[(len(rounds) - 1) // 2], rounds[-1]
    counted = whole(reached.filter(round=last)["seats"].sum(), "climber")
    return (
        f"{medians_told(reached, name, what, word, dict.fromkeys((middle, last)))}. Counts only matches not over by"
        f" then: {counted} at {word} {last}."
    )


def medians_told(frame: pl.DataFrame, name: str, what: str, word: str, rounds: Iterable[int]) -> str:
    """Return the range of the players' medians after each of the given rounds.

    Example: `After round 6 the median … ranges from 3 (b) to 5 (a), after round 12 from …`. Medians have no interval,
    so no player is called the highest.
    """
    said: list[str] = []
    verb = ""
    for number in rounds:
        rows = frame.filter(round=number).sort(f"{name}_median", "player")
        least, most = (rows.row(place, named=True) for place in (0, -1))
        low, high = (f"{row[f'{name}_median']:g} ({row['player']})" for row in (least, most))
        if rows.height == 1:
            now, text = "is ", low
        elif least[f"{name}_median"] == most[f"{name}_median"]:
            now, text = "is ", f"{least[f'{name}_median']:g} for every player"
        else:
            now, text = "ranges ", f"from {low} to {high}"
        subject = f"the median {what} " if not said else ""
        said.append(f"after {word} {number} {subject}{now if now != verb else ''}{text}")
        verb = now
    text = ", ".join(said)
    return f"{text[:1].upper()}{text[1:]}"


def decisive_round(name: str, table: str, word: str) -> Figure:
    """Return the figure on when matches are decided, from a table of matches; `word` is the game's word for a round."""
    return Figure(
        name=name,
        title="When matches are decided",
        section="when",
        count=lambda reader, where: decisive_rounds(reader, where, table),
        columns={
            "round": word.capitalize(),
            "matches": "Matches",
            "groups": "Seeds",
            **interval("decided_share", "Decided then"),
            **interval("decided_by", "Decided by then"),
        },
        finding=partial(_decisive_finding, word=word),
        ignores=BY_ROUND,
        draw=partial(_draw_decisive_rounds, word=word),
    )


def decisive_rounds(reader: Reader, where: Filter, table: str) -> pl.DataFrame:
    """Return `round, matches, groups, decided_share`, `decided_by`, with bounds: when winners take the lead for good.

    There is one row per round in the filter's range; matches never decided have a row with a null round if that range
    includes 0. `decided_by` is cumulative up to the round. Both shares are of all matches.
    """
    found = decisive_sums(reader, table, where)
    rows = shares(found, ["round"], "decided_share", "of").drop("of")
    rows = rows.with_columns(pl.col("round").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches"))
    never = pl.col("round") == 0
    by_then = shares(decided_sums(reader, table, where), ["round"], "decided_by", "of").drop("of", "groups")
    rows = rows.join(by_then.with_columns(pl.col("round").cast(pl.Int64)), on="round", how="left").sort(never, "round")
    inside = (pl.col("round") >= where.first) & (pl.col("round") <= where.last)
    rows = rows.filter(inside).with_columns(pl.when(~never).then("round").alias("round"))
    ends = [f"{name}{end}" for name in ("decided_share", "decided_by") for end in ("", "_low", "_high")]
    return rows.select("round", "matches", "groups", *ends)


def _decisive_finding(frame: pl.DataFrame, word: str) -> str:
    """Return sentences on when half of the matches are decided, and in which round most are.

    The first sentence is left out if the filter's range of rounds does not include that round. `word` is the game's
    word for a round.
    """
    known = frame.filter(pl.col("round").is_not_null())
    if known.is_empty():
        return NOTHING
    most = known.sort("matches", descending=True).row(0, named=True)
    total = whole(round(most["matches"] / most["decided_share"]), "match", "matches")
    said = lead_sentence(
        known.with_columns(pl.format(f"{word} {{}}", "round").alias("called")),
        "decided_share",
        "called",
        f"More matches are decided in {{}} than in any other: {{}} of {total}",
        f"{{1}} of {total} are decided in {{0}}",
        percent,
    )
    meaning = f"Decided: from the end of that {word} on, scoring after any {word} gives the same winner."
    return f"{_half(known, word)}{said} {meaning}"


def _half(known: pl.DataFrame, word: str) -> str:
    """Return a sentence on when half of the matches are decided; empty if that is outside the rounds shown.

    The interval starts at the first round with an upper bound of at least one half. It ends at the first round with
    such a lower bound.
    """
    before = known["decided_by"][0] - known["decided_share"][0]
    half = known.filter(pl.col("decided_by") >= 0.5)
    if half.is_empty() or before >= 0.5:
        return ""
    may, surely = (known.filter(pl.col(f"decided_by_{end}") >= 0.5)["round"] for end in ("high", "low"))
    ends = f"{word} {may[0]} to {f'{word} {surely[0]}' if len(surely) else 'the end'}"
    return f"Half of the matches are decided by the end of {word} {half['round'][0]} (95% CI {ends}). "


def _draw_decisive_rounds(frame: pl.DataFrame, colours: Palette, word: str) -> Chart:
    """Draw the number of matches decided in each round; matches never decided are not on the axis."""
    known = frame.filter(pl.col("round").is_not_null())
    return histogram(known, "round", "matches", "decided_share", colours, heading=word)


# --- Comebacks


def comebacks(
    name: str,
    table: str,
    value: str,
    definition: str,
    meant: str,
    heading: str = "Comebacks",
    among: str = "true",
    nothing: str = NOTHING,
) -> Figure:
    """Return the figure of comebacks, from a table of matches.

    `value` is the column of shares, `definition` the sentence of its metric. `meant` is a clause that defines a
    comeback. `among` is an SQL condition on the matches that count, `nothing` the sentence if there are none.
    """
    source = source_of(comeback_shares, f"interval: {KORN_GRAUBARD}")
    formula = "wins of matches with a comeback / wins"
    return Figure(
        name=name,
        title="Comebacks",
        section="when",
        count=lambda reader, where: comeback_shares(reader, where, table, value, among),
        columns={
            "player": "Player",
            "wins": "Wins",
            "comebacks": heading,
            "groups": "Seeds",
            **interval(value, "Share of wins"),
        },
        finding=partial(_comeback_finding, name=value, meant=meant, nothing=nothing),
        ignores=BY_OUTCOME,
        narrows=of_wins,
        draw=lambda frame, colours: builders.intervals(
            frame, value, colours, shown=builders.percent_label, ticks=".0%"
        ),
        metrics=(Metric(value, definition, formula, source, "player", "share, 0 to 1"),),
    )


def comeback_shares(reader: Reader, where: Filter, table: str, name: str, among: str) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, {name}` and its bounds, highest share first.

    Only winning seats count; the table marks matches that were comebacks. `among` is as in `comebacks`.
    """
    found = comeback_sums(reader, table, where, among)
    rows = shares(found, ["player"], name, "wins").with_columns(
        pl.col("wins").cast(pl.Int64), found["total"].cast(pl.Int64).alias("comebacks")
    )
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "wins", "comebacks", "groups", *ends).sort(name, "player", descending=[True, False])


def _comeback_finding(frame: pl.DataFrame, name: str, meant: str, nothing: str) -> str:
    """Return a sentence on the share of each player's wins that were comebacks, defined by the clause `meant`."""
    if frame.is_empty():
        return nothing
    meaning = f"A comeback: {meant}."
    if not frame["comebacks"].sum():
        first = frame.sort("wins", "player", descending=[True, False]).row(0, named=True)
        return (
            f"Of {whole(frame['wins'].sum(), 'win')}, none was a comeback: for {first['player']},"
            f" {percent(first[name])} of {whole(first['wins'], 'win')}{bounds(first, name, percent)}. {meaning}"
        )
    frame = frame.with_columns(pl.Series("won", [whole(wins, "win") for wins in frame["wins"]]))
    plain = "Of {0}'s {won}, {1} were comebacks"
    most, least = (f"{{0}} comes back {end} often: in {{1}} of its {{won}}" for end in ("most", "least"))
    said = lead_sentence(frame, name, "player", most, plain, percent)
    if frame.height > 1:
        said += f" {lead_sentence(frame, name, 'player', least, plain, percent, least=True)}"
    return f"{said} {meaning}"
