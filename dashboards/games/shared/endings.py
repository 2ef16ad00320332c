"""Figures on endings and on means by table size, shared by several games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from dashboards.charts.builders import by_part, interval_panels, number, stacked
from dashboards.charts.chart import Chart, Narrows
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Defined, Figure, by_ending, interval, quartile_columns
from dashboards.queries.actions import course_histogram, course_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import unit_sums
from dashboards.queries.where import SEED_GROUP, player_of, seats_where, with_such_a_seat
from dashboards.stats.intervals import means, quartiles, shares
from dashboards.stats.results import in_order, with_all_kinds
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, NOTHING, TYPE_7, bounds, plain

__all__ = ["OF_PLAYERS", "OF_SIZES", "Endings", "MatchMeans", "Over", "means_per_match"]


@dataclass(frozen=True, slots=True)
class Over:
    """Grouping of endings by an SQL expression, or by player if there is none, with the group's column and heading.

    `called` is the template of a row's label in the chart. `counted` is the column with the number of endings, `of` the
    column with the total.
    """

    column: str
    heading: str
    sql: str = ""
    called: str = "{}"
    counted: str = "matches"
    of: str = "of_matches"


OF_PLAYERS: Final = Over("player", "Player", counted="seats", of="played")
OF_SIZES: Final = Over("players", "Table size", "m.players", "{} players")


@dataclass(frozen=True, slots=True)
class Endings:
    """A figure on how matches end.

    - `endings`: all endings in order, with their labels; in groups by player, an ending that begins with `won` counts
      as a win.
    - `ending`: SQL for the ending of a match (alias `m`), a seat (`s`) or a row of `table` (`f`, one row per match).
    - `key`, `heading`: the column of the ending.
    - `share`: the column of shares.
    - `finding`: describes a frame in words.
    - `among`: SQL condition on the matches that count.
    """

    name: str
    title: str
    section: str
    table: str
    ending: str
    endings: Mapping[str, str]
    share: Defined
    finding: Callable[[pl.DataFrame], str]
    hues: Callable[[Palette], Sequence[str]]
    heading: str
    key: str = "ending"
    over: Over = OF_PLAYERS
    narrows: Narrows = by_ending
    among: str = "true"

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return the group, `{key}`, the number of endings, the total, `groups`, and the share with its bounds.

        Every group has a row for every ending. Players with the most wins come first. A trial is a seat or a match.
        """
        over, key = self.over.column, self.key
        condition, values = with_such_a_seat(where) if self.over.sql else seats_where(where)
        whose, names = (self.over.sql, {}) if self.over.sql else player_of(reader, where, "s")
        seats = "dim_matches m" if self.over.sql else "dim_seats s join dim_matches m using (match_id)"
        joined = f" join {self.table} f using (match_id)" if self.table else ""
        base = f"""select {whose} as {over}, {self.ending} as {key}, {SEED_GROUP} as unit, count(*) as x
            from {seats}{joined} where {condition} and {self.among} group by all"""
        trials = f"select {over}, unit, sum(x) as n from base group by all"
        sums = unit_sums(reader, "from base", trials, [over, key], [over], values | names, base)
        found = with_all_kinds(sums, key, self.endings, over)
        rows = shares(found, [over, key], self.share.name, self.over.of).with_columns(
            pl.col(self.over.of).cast(pl.Int64), found["total"].cast(pl.Int64).alias(self.over.counted)
        )
        wins = pl.col(self.share.name).filter(pl.col(key).str.starts_with("won")).sum().over(over)
        rows = in_order(rows, key, self.endings, over).sort(wins, over, descending=[True, False], maintain_order=True)
        return rows.select(over, key, self.over.counted, self.over.of, "groups", *interval(self.share.name, ""))

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw one bar of full length per row, split by ending."""
        named = frame.with_columns(pl.format(self.over.called, self.over.column).alias("row"))
        index = ["row", self.over.column, self.over.of]
        wide = named.pivot(self.key, index=index, values=self.over.counted, maintain_order=True)
        return stacked(wide, self.endings, self.hues(colours), rows="row", part=self.key, whole=wide[self.over.of])

    @property
    def figure(self) -> Figure:
        """Return the definition as a `Figure`."""
        over = self.over.column
        return Figure(
            name=self.name,
            title=self.title,
            section=self.section,
            count=self.count,
            columns={
                over: self.over.heading,
                self.key: self.heading,
                self.over.counted: "Matches",
                self.over.of: "Of",
                "groups": "Seeds",
                **interval(self.share.name, self.share.heading),
            },
            finding=self.finding,
            ignores=BY_OUTCOME,
            narrows=self.narrows,
            draw=self.draw,
            metrics=(self.share.metric(Endings.count, f"{over}, {self.key}", f"interval: {KORN_GRAUBARD}"),),
        )


@dataclass(frozen=True, slots=True)
class MatchMeans:
    """A figure with means per match, by table size.

    `kinds` are columns of the `table` of matches, among them `lead_changes`; `called` gives labels for the chart.
    `also` is a sentence template on the other means, with kinds in braces. `in_a_line` is the number of panels side by
    side.
    """

    name: str
    table: str
    kinds: tuple[str, ...]
    mean: Defined
    also: str
    called: Mapping[str, str] = field(default_factory=dict)
    in_a_line: int = 6

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return `kind, players, matches, groups`, and the mean per match with its bounds and quartiles."""
        return means_per_match(reader, where, self.table, {kind: f"f.{kind}" for kind in self.kinds}, self.mean.name)

    def finding(self, frame: pl.DataFrame) -> str:
        """Return a sentence on a match at the most common table size."""
        if frame.is_empty():
            return NOTHING
        name = self.mean.name
        size = frame.sort("matches", "players", descending=[True, False])["players"][0]
        rows = {row["kind"]: row for row in frame.filter(players=size).iter_rows(named=True)}
        often = {kind: plain(row[name]) for kind, row in rows.items()}
        lead = f"the lead changes {often['lead_changes']} times{bounds(rows['lead_changes'], name)}"
        return f"In a match of {size} players {lead}. {self.also.format(**often)}"

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw one panel per kind, with a row per table size."""
        named = frame.with_columns(pl.format("{} players", "players").alias("row"), pl.col("kind").replace(self.called))
        parts = by_part(named, "kind", self.mean.name, number)
        return interval_panels(parts, colours, rows="row", in_a_line=self.in_a_line)

    @property
    def figure(self) -> Figure:
        """Return the definition as a `Figure`."""
        return Figure(
            name=self.name,
            title="What happens in a match",
            section="when",
            count=self.count,
            columns={
                "kind": "What",
                "players": "Table size",
                "matches": "Matches",
                "groups": "Seeds",
                **interval(self.mean.name, self.mean.heading),
                **quartile_columns(self.mean.name),
            },
            finding=self.finding,
            draw=self.draw,
            metrics=(self.mean.metric(means_per_match, "kind, players", f"interval: {GROUPED}; {TYPE_7}"),),
        )


def means_per_match(reader: Reader, where: Filter, table: str, columns: Mapping[str, str], name: str) -> pl.DataFrame:
    """Return `kind, players, matches, groups, {name}`, its bounds and quartiles: the mean per match, by table size.

    `columns` maps each kind to the SQL that counts it in a row of the table.
    """
    by = ["kind", "players"]
    found = course_sums(reader, table, where, columns)
    rows = means(found, by, name).drop(f"{name}_p").with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(course_histogram(reader, table, where, columns), by, "value", "matches", name)
    order = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(columns)}, return_dtype=pl.Int64)
    ends = [f"{name}{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.join(spread, on=by, how="left").sort(order, "players").select(*by, "matches", "groups", *ends)
