"""Figures that count events in each place of a board, shared by several games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import polars as pl

from dashboards.charts.builders import intervals, number, percent_label
from dashboards.charts.chart import Chart, Drawing
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_ROUND, Defined, Figure, interval
from dashboards.games.shared.metrics import SAMPLED
from dashboards.games.shared.places import BoardContext, board_context
from dashboards.games.shared.recent import counted_sample
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import place_amounts, place_totals
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means, sampled_sums, shares, trials_of
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, Metric, whole

__all__ = ["Also", "Per", "PerMatch", "PlaceCounts", "numbered", "parts_of_all", "per_match"]


@dataclass(frozen=True)
class PerMatch:
    """Result of a count: sums over matches (`intervals.sums`), and the properties of the places; one row per place."""

    sums: pl.DataFrame
    places: pl.DataFrame
    context: BoardContext
    matches: int

    def with_counts(self, rows: pl.DataFrame, count: str, name: str) -> pl.DataFrame:
        """Return rows extended by their places, totals and matches, with columns in the usual order."""
        totals = self.sums["total"].cast(pl.Int64).alias(count)
        rows = rows.with_columns(totals, pl.lit(self.matches, pl.Int64).alias("matches"))
        keys = [key for key in self.places.columns if key in rows.columns]
        ends = [f"{name}{end}" for end in ("", "_low", "_high")]
        found = self.places.join(rows, on=keys, how="left", maintain_order="left")
        return found.select(*self.places.columns, count, "matches", "groups", *ends)


def per_match(reader: Reader, where: Filter, what: str) -> PerMatch:
    """Return counts of an event by place; a trial is a match with a seat under the filter."""
    context = board_context(reader, where)
    places = context.of(what)
    by = list(context.place(what).by)
    sample = counted_sample(reader, where, context.digest)
    amounts = numbered(place_amounts(reader, context.place(what), where, context.digest, sample), by)
    trials = sample.trials("matches", sample.bound)
    totals = _totals(reader, where, context, what)
    sums = sampled_sums(totals, by, sample.matches, sample.seeds.height, amounts, trials)
    return PerMatch(sums, places, context, sample.matches)


def parts_of_all(reader: Reader, where: Filter, context: BoardContext, what: str, name: str) -> pl.DataFrame:
    """Return places with the number of events (column `what`), their share of all (`name`), and its bounds."""
    by = list(context.place(what).by)
    sample = counted_sample(reader, where, context.digest)
    amounts = numbered(place_amounts(reader, context.place(what), where, context.digest, sample), by)
    totals = _totals(reader, where, context, what)
    sums = sampled_sums(totals, by, float(totals["total"].sum()), sample.seeds.height, amounts, trials_of(amounts))
    rows = shares(sums, by, name, "of").with_columns(totals["total"].alias(what))
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    places = context.of(what)
    return places.join(rows, on=by, maintain_order="left").select(*places.columns, what, "groups", *ends)


def numbered(frame: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return a frame with the numbers of places converted to integers."""
    return frame.with_columns(pl.col(by).cast(pl.Int64))


def _totals(reader: Reader, where: Filter, context: BoardContext, what: str) -> pl.DataFrame:
    place = context.place(what)
    by = list(place.by)
    counted = numbered(place_totals(reader, [place.column], place.table, by, where, context.digest), by)
    found = context.of(what).select(by).join(counted, on=by, how="left", maintain_order="left")
    totals = found.select(*by, pl.col(place.column).fill_null(0).alias("total"))
    return totals.filter(pl.col("total") > 0) if place.is_sparse else totals


class Per(Enum):
    """Denominator of a count, with the meaning of the resulting number."""

    ALL = "its share of all"
    MATCHES = "the share of matches in which it happens, which is once at most"
    MATCH = "how often it happens in a match"


@dataclass(frozen=True, slots=True)
class Also:
    """Further counts by place, read from a table. A column without a definition has its metric in another figure."""

    table: str
    columns: tuple[Defined, ...]


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """A figure that counts events by place.

    - `counted`: the event, a key of the game's `places`; `value` is its count relative to `per`.
    - `keys`: columns that identify a place, with headings; `about` are further columns on the place.
    - `called`: the template of a place's label in the chart.
    - `most`, `least`, `plain`, `none`: templates of sentences. Without `least`, only the place with the highest value
      is named. `none` is used if nothing was counted. `closing` is appended.
    - Templates name columns of a row in braces. `{1}` is the value formatted by `shown`, `{of}` the total with its
      `noun`.
    - `is_along`: if true, rows are sorted by place, else by count.
    - `only_counted`: true to leave out places without events.
    - `chart`: replaces the default drawing by rows.
    """

    name: str
    title: str
    counted: Defined
    value: Defined
    per: Per
    keys: Mapping[str, str]
    most: str
    least: str
    plain: str
    none: str
    shown: Callable[[float], str]
    called: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    is_along: bool = False
    only_counted: bool = False
    chart: Drawing | None = None
    section: str = "where"
    noun: tuple[str, ...] = ("match", "matches")
    also: Also | None = None
    closing: Callable[[pl.DataFrame], str] = lambda _: ""

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return the places with the count, the value and its bounds, and any further counts, sorted.

        The columns `matches` (absent for shares of all) and `groups` show the amount of data.
        """
        counted, value, per = self.counted.name, self.value.name, self.per
        if per is Per.ALL:
            context = board_context(reader, where)
            rows = parts_of_all(reader, where, context, counted, value)
        else:
            found = per_match(reader, where, counted)
            context = found.context
            by = list(context.place(counted).by)
            rows = means(found.sums, by, value) if per is Per.MATCH else shares(found.sums, by, value, "of")
            rows = found.with_counts(rows.select(*by, "groups", *_ends(value)), counted, value)
        by = list(context.place(counted).by)
        if self.also is not None:
            names = [column.name for column in self.also.columns]
            more = numbered(place_totals(reader, names, self.also.table, by, where, context.digest), by)
            rows = rows.join(more, on=by, how="left").with_columns(pl.col(names).fill_null(0))
        if self.only_counted:
            rows = rows.filter(pl.col(counted) > 0)
        return rows.sort(by) if self.is_along else rows.sort(counted, *by, descending=[True, *[False] * len(by)])

    def finding(self, frame: pl.DataFrame) -> str:
        """Return sentences on where events are most and least frequent."""
        counted, value = self.counted.name, self.value.name
        if not frame[counted].sum():
            return self.none
        most, least, plain = self.most, self.least, self.plain
        if self.per is not Per.MATCH:
            of = whole(int(frame[counted].sum()) if self.per is Per.ALL else frame["matches"][0], *self.noun)
            most, least, plain = (text.replace("{of}", of) for text in (most, least, plain))
        key = next(iter(self.keys))
        said = lead_sentence(frame, value, key, most, plain, self.shown)
        if least:
            said += f" {lead_sentence(frame, value, key, least, plain, self.shown, least=True)}"
        return f"{said}{self.closing(frame)}"

    def draw(self, frame: pl.DataFrame, colours: Palette) -> Chart:
        """Draw the value of each place with its interval."""
        rows = pl.Series("row", [self.called.format(**row) for row in frame.iter_rows(named=True)], pl.String)
        named, marks = frame.with_columns(rows), [(colours.accent, "circle")] * frame.height
        shown, axis = (number, "") if self.per is Per.MATCH else (percent_label, ".0%")
        return intervals(named, self.value.name, colours, rows="row", shown=shown, ticks=axis, marks=marks)

    @property
    def figure(self) -> Figure:
        """Return the definition as a `Figure`."""
        also = self.also.columns if self.also else ()
        of_matches = {} if self.per is Per.ALL else {"matches": "Matches"}
        return Figure(
            name=self.name,
            title=self.title,
            section=self.section,
            count=self.count,
            columns={
                **self.keys,
                **self.about,
                self.counted.name: self.counted.heading,
                **of_matches,
                "groups": "Seeds",
                **interval(self.value.name, self.value.heading),
                **{column.name: column.heading for column in also},
            },
            finding=self.finding,
            ignores=BY_ROUND,
            draw=self.chart or self.draw,
            metrics=tuple(self._metrics()),
        )

    def _metrics(self) -> list[Metric]:
        keys, method = ", ".join(self.keys), GROUPED if self.per is Per.MATCH else KORN_GRAUBARD
        also = self.also.columns if self.also else ()
        return [
            self.counted.metric(PlaceCounts.count, keys),
            self.value.metric(PlaceCounts.count, keys, f"interval: {method}; {SAMPLED}"),
            *(column.metric(PlaceCounts.count, keys) for column in also if column.definition),
        ]


def _ends(value: str) -> list[str]:
    return [f"{value}{end}" for end in ("", "_low", "_high")]
