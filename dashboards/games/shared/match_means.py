"""Family of figures that count what happens in a match, by the size of the table.

A figure is a `MatchMeans`: the columns of the table of matches that count it, and the sentence about them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import by_part, interval_panels, number
from dashboards.charts.theme import Palette
from dashboards.games.figure import Defined, Figure, interval, quartile_columns
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, TYPE_7
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, bounds, plain
from dashboards.warehouse.actions import course_histogram, course_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["MatchMeans", "means_per_match"]


@dataclass(frozen=True, slots=True)
class MatchMeans:
    """A figure of the family.

    `kinds` are columns of the `table` of matches, `lead_changes` among them; `called` renames some in the chart. `also`
    is a sentence on the mean number of others, named in braces. `in_a_line` panels are drawn next to each other.
    """

    name: str
    table: str
    kinds: tuple[str, ...]
    mean: Defined
    also: str
    called: Mapping[str, str] = field(default_factory=dict)
    in_a_line: int = 6

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return `kind, players, matches, groups`, the mean, its bounds and quartiles: how often in a match."""
        return means_per_match(reader, where, self.table, {kind: f"f.{kind}" for kind in self.kinds}, self.mean.name)

    def finding(self, frame: pl.DataFrame) -> str:
        """Say what happens in a match of the size most played."""
        if frame.is_empty():
            return NOTHING
        name = self.mean.name
        size = frame.sort("matches", "players", descending=[True, False])["players"][0]
        rows = {row["kind"]: row for row in frame.filter(players=size).iter_rows(named=True)}
        often = {kind: plain(row[name]) for kind, row in rows.items()}
        lead = f"the lead changes {often['lead_changes']} times{bounds(rows['lead_changes'], name)}"
        return f"In a match of {size} players {lead}. {self.also.format(**often)}"

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw a panel for each kind, with a row for each size of table."""
        named = frame.with_columns(pl.format("{} players", "players").alias("row"), pl.col("kind").replace(self.called))
        parts = by_part(named, "kind", self.mean.name, number)
        return interval_panels(parts, colours, rows="row", in_a_line=self.in_a_line)

    @property
    def figure(self) -> Figure:
        """The figure, to be listed with others."""
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
    """Return `kind, players, matches, groups, {name}`, its bounds and quartiles: how often in a match, by table size.

    `columns` says for each kind what of the table counts it.
    """
    by = ["kind", "players"]
    found = course_sums(reader, table, where, columns)
    rows = means(found, by, name).drop(f"{name}_p").with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(course_histogram(reader, table, where, columns), by, "value", "matches", name)
    order = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(columns)}, return_dtype=pl.Int64)
    ends = [f"{name}{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.join(spread, on=by, how="left").sort(order, "players").select(*by, "matches", "groups", *ends)
