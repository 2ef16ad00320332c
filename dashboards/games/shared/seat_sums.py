"""Figures on seats, shared by several games: sums by kind, and distributions of final values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dashboards.charts.builders import Panel, interval_panels, middle_half, number, percent_label, stacked_parts
from dashboards.charts.chart import Chart, Drawing
from dashboards.charts.theme import Palette
from dashboards.games.figure import OF_PLAYER, Defined, Figure, interval, quartile_columns
from dashboards.queries.actions import seat_histogram, seat_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import ANY, COUNT, clipped, means, quartiles, shares
from dashboards.stats.results import in_order, means_of_seats, with_all_kinds
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, NOTHING, TYPE_7, plain

__all__ = ["Kind", "SeatSpread", "SeatSums", "seat_spread"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event or amount. `sql` counts it in a row of the table (alias `f`); `called` is its panel heading.

    A kind without `called` is not drawn. `most` and `plain` are sentence templates about the leading player, with
    placeholders for player and number (see `lead_sentence`). Without them there is no sentence. `within` is the range
    of its possible means, if that is narrower than the figure's; intervals end there.
    """

    sql: str
    called: str = ""
    most: str = ""
    plain: str = ""
    within: tuple[float, float] = ANY


@dataclass(frozen=True, slots=True)
class SeatSums:
    """A figure with means per seat, by kind.

    - `table`: SQL for one row per seat (alias `f`).
    - `value`, `definition`, `unit`: the column of means, its metric's sentence, and its unit.
    - `key`: the column of the kind; `headings` are those of the kind and of the mean.
    - `shown`: formats a number in a sentence.
    - `fraction`: the SQL counts in units of 1/`fraction`; `within` is the range of possible means.
    - `of`: column and SQL of a total. If given, the value is each kind's share of this total.
    - `in_a_line`, `is_stacked`, `chart`: panels side by side, one stacked bar, or a special drawing.
    - `finding`: replaces the sentences of the kinds; `nothing` is the sentence for an empty frame.
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
    shown: Callable[[float], str] = plain
    fraction: int = 1
    within: tuple[float, float] = COUNT
    of: tuple[Defined, str] | None = None
    in_a_line: int = 5
    is_stacked: bool = False
    is_wide: bool = True
    chart: Drawing | None = None
    finding: Callable[[pl.DataFrame], str] | None = None
    nothing: str = NOTHING

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return `player, {key}, played, groups, {value}` and its bounds, one row per player and kind, in their order.

        For shares, `played` is replaced by the column of the total (`of`).
        """
        columns = {name: kind.sql for name, kind in self.kinds.items()}
        sums = seat_sums(reader, self.table, where, columns, self.of[1] if self.of else "1").rename({"kind": self.key})
        found = with_all_kinds(sums, self.key, self.kinds)
        found = found.with_columns(pl.col("total") / self.fraction, pl.col("residual") / self.fraction**2)
        by = ["player", self.key]
        if self.of:
            rows = shares(found, by, self.value, self.of[0].name).with_columns(pl.col(self.of[0].name).cast(pl.Int64))
        else:
            rows = means_of_seats(found, by, self.value, self.within)
        parts = ((rows.filter(pl.col(self.key) == name), kind.within) for name, kind in self.kinds.items())
        rows = pl.concat(clipped(part, self.value, within) for part, within in parts)
        return in_order(rows, self.key, self.kinds)

    def sentences(self, frame: pl.DataFrame) -> str:
        """Return a sentence on the leading player for each kind that has sentence templates."""
        if frame.is_empty():
            return self.nothing
        said = []
        for name, kind in self.kinds.items():
            if kind.most:
                rows = frame.filter(pl.col(self.key) == name)
                said.append(lead_sentence(rows, self.value, "player", kind.most, kind.plain, self.shown))
        return " ".join(said)

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw one panel per kind with intervals, or one bar per player with all kinds as parts."""
        called = {name: kind.called for name, kind in self.kinds.items() if kind.called}
        if self.is_stacked:
            is_share, shown = self.of is not None, percent_label if self.of else number
            return stacked_parts(frame, self.key, self.value, called, colours.parts, shown=shown, is_share=is_share)
        parts = [
            Panel(heading, frame.filter(pl.col(self.key) == name), self.value, number)
            for name, heading in called.items()
            if name in frame[self.key]
        ]
        return interval_panels(parts, colours, in_a_line=self.in_a_line)

    @property
    def figure(self) -> Figure:
        """Return the definition as a `Figure`."""
        kind, mean = self.headings
        method = f"interval: {KORN_GRAUBARD if self.of else GROUPED}"
        value = Defined(self.value, mean, self.definition, self.formula, "share, 0 to 1" if self.of else self.unit)
        metrics = [value.metric(SeatSums.count, f"player, {self.key}", method)]
        of_player: Mapping[str, str] = OF_PLAYER
        if self.of:
            of_player = {self.of[0].name: self.of[0].heading, "groups": "Seeds"}
            metrics.insert(0, self.of[0].metric(SeatSums.count, "player"))
        return Figure(
            name=self.name,
            title=self.title,
            section="why",
            count=self.count,
            columns={"player": "Player", self.key: kind, **of_player, **interval(self.value, mean)},
            finding=self.finding or self.sentences,
            metrics=tuple(metrics),
            is_wide=self.is_wide,
            draw=self.chart or self.draw,
        )


@dataclass(frozen=True, slots=True)
class SeatSpread:
    """A figure with the distribution of values per seat, by kind.

    `table` has one row per seat (alias `f`). `keys` are the two columns that identify a row, `player` and the kind, in
    sort order, with headings. If the kind comes first, players are sorted by their means of the first kind. `hues`
    gives each kind its own colour.
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
        """Return the column of the kind."""
        return next(key for key in self.keys if key != "player")

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return the keys, `seats, groups`, and the mean with its bounds and quartiles."""
        key, name = self.key, self.mean.name
        sql = {kind: each.sql for kind, each in self.kinds.items()}
        rows = seat_spread(reader, where, self.table, sql, name).rename({"kind": key})
        if next(iter(self.keys)) == "player":
            return rows.select(*self.keys, pl.exclude(*self.keys))
        best = pl.col(name).filter(pl.col(key) == next(iter(self.kinds))).first().over("player")
        rows = rows.sort(key, best, "player", descending=[False, True, False])
        return rows.select(*self.keys, pl.exclude(*self.keys))

    def finding(self, frame: pl.DataFrame) -> str:
        """Return sentences on who ends with most of each kind."""
        if frame.is_empty():
            return NOTHING
        return " ".join(
            lead_sentence(frame.filter(pl.col(self.key) == name), self.mean.name, "player", kind.most, kind.plain)
            for name, kind in self.kinds.items()
        )

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw the median and the middle half, one panel per kind."""
        hues = self.hues(colours) if self.hues else [""] * len(self.kinds)
        parts = [
            Panel(kind.called, frame.filter(pl.col(self.key) == name), self.mean.name, "{:g}".format, colour=hue)
            for (name, kind), hue in zip(self.kinds.items(), hues, strict=True)
        ]
        return interval_panels([middle_half(part, self.mean.name) for part in parts], colours)

    @property
    def figure(self) -> Figure:
        """Return the definition as a `Figure`."""
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

    `kinds` maps each kind to the SQL that counts it in a row of the table.
    """
    by = ["player", "kind"]
    found = seat_sums(reader, table, where, kinds)
    rows = means(found, by, name).with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    spread = quartiles(seat_histogram(reader, table, where, kinds), by, "value", "seats", name)
    ends = [f"{name}{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.join(spread, on=by, how="left", maintain_order="left").select(*by, "seats", "groups", *ends)
