"""The family of figures of what seats did in a match, by kind: the mean of each player, of any game.

A figure of it is a `SeatSums`: the kinds with their SQL, their headings and the sentences about them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from dashboards.charts.bars import stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, number
from dashboards.charts.theme import Palette
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.intervals import COUNT
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, plain
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["Kind", "SeatSums", "draw_panels"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of deed: `sql` counts it in a row of the table, called `f`; `called` is its heading, none leaves it out.

    `most` and `plain` are sentences about the player who does it most, with places for the player and the number, as
    `told` takes them; without them nothing is said about it.
    """

    sql: str
    called: str = ""
    most: str = ""
    plain: str = ""


@dataclass(frozen=True, slots=True)
class SeatSums:
    """A figure of the family.

    `table` is SQL for a row per seat, `value` the column of means, `definition` the sentence of its metric, `unit` what
    it counts. `key` is the column of the kind, `headings` are those of the kind and of the mean. `shown` writes a
    number in a sentence. Means lie `within` bounds. Kinds are drawn in panels, `in_a_line` beside each other, or
    stacked in one bar.
    """

    name: str
    title: str
    table: str
    value: str
    kinds: Mapping[str, Kind]
    definition: str
    unit: str = "per player and match"
    formula: str = "number / played"
    key: str = "kind"
    headings: tuple[str, str] = ("What", "Per match")
    shown: Callable[[float], str] = field(default=plain)
    within: tuple[float, float] = COUNT
    in_a_line: int = 5
    is_stacked: bool = False

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return `player, {key}, played, groups, {value}` and its bounds: a row per player and kind, in their order."""
        sums = seat_sums(reader, self.table, where, {name: kind.sql for name, kind in self.kinds.items()})
        found = with_all_kinds(sums.rename({"kind": self.key}), self.key, self.kinds)
        return in_order(means_of_seats(found, ["player", self.key], self.value, self.within), self.key, self.kinds)

    def finding(self, frame: pl.DataFrame) -> str:
        """Say who does most of each kind that there are sentences about."""
        if frame.is_empty():
            return NOTHING
        return " ".join(
            told(frame.filter(pl.col(self.key) == name), self.value, "player", kind.most, kind.plain, self.shown)
            for name, kind in self.kinds.items()
            if kind.most
        )

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw a panel for each kind, with intervals, or all as parts of a bar for each player."""
        called = {name: kind.called for name, kind in self.kinds.items() if kind.called}
        if self.is_stacked:
            return stacked_parts(frame, self.key, self.value, called, colours.parts, shown=number)
        return draw_panels(frame, self.key, self.value, called, colours, in_a_line=self.in_a_line)

    @property
    def metric(self) -> Metric:
        """The mean, defined."""
        source = source_of(SeatSums.count, f"interval: {GROUPED}")
        return Metric(self.value, self.definition, self.formula, source, f"player, {self.key}", self.unit)

    @property
    def figure(self) -> Figure:
        """The figure, to be listed with others."""
        kind, mean = self.headings
        return Figure(
            name=self.name,
            title=self.title,
            section="why",
            count=self.count,
            columns={"player": "Player", self.key: kind, **OF_PLAYER, **interval(self.value, mean)},
            finding=self.finding,
            metrics=(self.metric,),
            is_wide=not self.is_stacked,
            draw=self.draw,
        )


def draw_panels(
    frame: pl.DataFrame,
    key: str,
    value: str,
    called: Mapping[str, str],
    colours: Palette,
    *,
    in_a_line: int,
) -> Chart:
    """Draw a panel for each kind (`key`) that the frame has, with intervals of its means, headed as `called` says."""
    parts = [
        Panel(heading, frame.filter(pl.col(key) == name), value, number)
        for name, heading in called.items()
        if name in frame[key]
    ]
    return interval_panels(parts, colours, in_a_line=in_a_line)
