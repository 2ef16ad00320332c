"""Family of figures of what seats have at the end: means, medians and middle halves.

A figure is a `SeatSpread`: the kinds with their SQL, their headings and the sentences about them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dashboards.charts.chart import Chart
from dashboards.charts.dots import Panel, interval_panels, middle_half
from dashboards.charts.theme import Palette
from dashboards.games.figure import Defined, Figure, interval, quartile_columns
from dashboards.games.shared.seat_sums import Kind
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, TYPE_7
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_histogram, seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["SeatSpread", "seat_spread"]


@dataclass(frozen=True, slots=True)
class SeatSpread:
    """A figure of the family.

    `table` has a row per seat, called `f`; `keys` are the two columns that name a row, `player` and the kind, in the
    order of rows, with their headings. Where kinds come first, players are in the order of the first kind's means.
    `hues` gives a colour for each kind if kinds have their own.
    """

    name: str
    title: str
    table: str
    kinds: Mapping[str, Kind]
    mean: Defined
    keys: Mapping[str, str]
    grain: str
    hues: Callable[[Palette], Sequence[str]] | None = None

    @property
    def key(self) -> str:
        """The column of the kind."""
        return next(key for key in self.keys if key != "player")

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return the keys, `seats, groups`, the mean, its bounds and quartiles."""
        key, name = self.key, self.mean.name
        sql = {kind: each.sql for kind, each in self.kinds.items()}
        rows = seat_spread(reader, where, self.table, sql, name).rename({"kind": key})
        if next(iter(self.keys)) == "player":
            return rows.select(*self.keys, pl.exclude(*self.keys))
        best = pl.col(name).filter(pl.col(key) == next(iter(self.kinds))).first().over("player")
        rows = rows.sort(key, best, "player", descending=[False, True, False])
        return rows.select(*self.keys, pl.exclude(*self.keys))

    def finding(self, frame: pl.DataFrame) -> str:
        """Say who ends with most of each kind."""
        if frame.is_empty():
            return NOTHING
        return " ".join(
            lead_sentence(frame.filter(pl.col(self.key) == name), self.mean.name, "player", kind.most, kind.plain)
            for name, kind in self.kinds.items()
        )

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw the median and the middle half of each kind, a panel for each."""
        hues = self.hues(colours) if self.hues else [""] * len(self.kinds)
        parts = [
            Panel(kind.called, frame.filter(pl.col(self.key) == name), self.mean.name, "{:g}".format, colour=hue)
            for (name, kind), hue in zip(self.kinds.items(), hues, strict=True)
        ]
        return interval_panels([middle_half(part, self.mean.name) for part in parts], colours)

    @property
    def figure(self) -> Figure:
        """The figure, to be listed with others."""
        return Figure(
            name=self.name,
            title=self.title,
            section="why",
            count=self.count,
            columns={
                **self.keys,
                "seats": "Matches",
                "groups": "Seeds",
                **interval(self.mean.name, self.mean.heading),
                **quartile_columns(self.mean.name),
            },
            finding=self.finding,
            draw=self.draw,
            metrics=(self.mean.metric(seat_spread, self.grain, f"interval: {GROUPED}; {TYPE_7}"),),
        )


def seat_spread(reader: Reader, where: Filter, table: str, kinds: Mapping[str, str], name: str) -> pl.DataFrame:
    """Return `player, kind, seats, groups, {name}`, its bounds and quartiles; a trial is a seat.

    `kinds` says for each kind what of the table counts it.
    """
    by = ["player", "kind"]
    found = seat_sums(reader, table, where, kinds)
    rows = means(found, by, name).with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    spread = quartiles(seat_histogram(reader, table, where, kinds), by, "value", "seats", name)
    ends = [f"{name}{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.join(spread, on=by, how="left", maintain_order="left").select(*by, "seats", "groups", *ends)
