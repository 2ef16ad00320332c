"""Family of figures about how matches end, by player, size of table or another column: parts of a whole.

A figure is an `Endings`: names of the endings, SQL that classifies matches, and the sentences about them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from dashboards.charts.bars import stacked
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Defined, Figure, Narrows, by_ending, interval
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEED_GROUP, player_of, seats_where, with_such_a_seat

__all__ = ["OF_PLAYERS", "OF_SIZES", "Endings", "Over"]


@dataclass(frozen=True, slots=True)
class Over:
    """The grouping of endings: its column with heading and SQL, and the label of a row in the chart.

    `counted` and `of` are the columns of how many ended so, and of how many. Without SQL it is the player of each seat.
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
    """A figure of the family.

    `endings` are all there are, in order, with what they are called in the drawing; of a player's, what begins with
    `won` is a win. `ending` is SQL for one of them, `share` the column of their shares, `finding` says what a frame
    shows. `table` has a row per match, called `f`; `m` is the match, `s` the seat. `key` is the column of the ending,
    with its `heading`.
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

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return what there are endings of, `{key}`, how many and of how many, `groups`, the share and its bounds.

        All endings of each have a row; of players, who wins most comes first. A trial is a seat or a match.
        """
        over, key = self.over.column, self.key
        condition, values = with_such_a_seat(where) if self.over.sql else seats_where(where)
        whose, names = (self.over.sql, {}) if self.over.sql else player_of(reader, where, "s")
        seats = "dim_matches m" if self.over.sql else "dim_seats s join dim_matches m using (match_id)"
        joined = f" join {self.table} f using (match_id)" if self.table else ""
        base = f"""select {whose} as {over}, {self.ending} as {key}, {SEED_GROUP} as unit, count(*) as x
            from {seats}{joined} where {condition} group by all"""
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
        """Draw the endings as parts of a whole bar for each row."""
        named = frame.with_columns(pl.format(self.over.called, self.over.column).alias("row"))
        index = ["row", self.over.column, self.over.of]
        wide = named.pivot(self.key, index=index, values=self.over.counted, maintain_order=True)
        return stacked(wide, self.endings, self.hues(colours), rows="row", part=self.key, whole=wide[self.over.of])

    @property
    def figure(self) -> Figure:
        """The figure, to be listed with others."""
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
