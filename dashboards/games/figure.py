"""The definition of a figure: its name, its query, its columns, and its finding in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from dashboards.charts.chart import Drawing, Narrows, Row, of_all_alike
from dashboards.queries.filters import LAST_ROUND, Filter
from dashboards.queries.reader import Reader
from dashboards.stats.words import Metric, opponents, source_of

__all__ = [
    "BY_OUTCOME",
    "BY_ROUND",
    "OF_MATCHES",
    "OF_PLAYER",
    "Defined",
    "Figure",
    "Narrows",
    "Row",
    "by_ending",
    "interval",
    "of_all_alike",
    "of_wins",
    "quartile_columns",
    "shown_columns",
]

BY_ROUND: Final[frozenset[str]] = frozenset()
"""Filter criteria that figures by round ignore: none."""
OF_MATCHES: Final = frozenset({"rounds"})
"""Filter criteria that figures about whole matches ignore: the range of rounds."""
BY_OUTCOME: Final = frozenset({"rounds", "results"})
"""Filter criteria that figures about endings ignore: rounds, and results (all winners would have the same result)."""
OF_PLAYER: Final = {"played": "Matches", "groups": "Seeds"}
"""Columns with the amount of data, for figures with one row per player, or per player and kind."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A column's name and heading, and the texts of its metric (see `Metric`)."""

    name: str
    heading: str
    definition: str
    formula: str
    unit: str = "share, 0 to 1"

    def metric(self, counted_by: Callable[..., Any], grain: str, method: str = "") -> Metric:
        """Return the column's metric: `counted_by` is the function, `grain` the key of a row, `method` a citation."""
        source = source_of(counted_by, method)
        return Metric(self.name, self.definition, self.formula, source, grain, self.unit)


def of_wins(_: Row) -> dict[str, str]:
    """Return the filter key for rows that count only wins."""
    return {"result": "won"}


def by_ending(row: Row) -> dict[str, str]:
    """Return the filter key for rows that count matches with the row's ending."""
    return {"ending": row["ending"]}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. To show it, call `frame`, then `catalog.figures.finding_of` for the finding.

    - `name`: used in addresses, file names and exports.
    - `section`: the part of a page: strength, why, where, when or chances.
    - `count`: the function that queries the data under a filter.
    - `columns`: the columns with their headings, in order. Each is a key or has a metric, in `metrics` or shared by all
      games.
    - `finding`: describes a frame in a sentence, with numbers and intervals.
    - `ignores`: filter criteria (rounds, results) that are meaningless for this figure.
    - `is_wide`: true if the drawing needs the full width of a page.
    - `narrows`: filter keys and values that select the matches of a row, in addition to player, table and seat.
    - `draw`: the chart on a page; by default a chart of its intervals or its numbers.
    - `overlaid`: a chart in which a few players overlap, for comparison.
    """

    name: str
    title: str
    section: str
    count: Callable[[Reader, Filter], pl.DataFrame]
    columns: Mapping[str, str]
    finding: Callable[[pl.DataFrame], str]
    ignores: frozenset[str] = OF_MATCHES
    is_wide: bool = False
    narrows: Narrows = of_all_alike
    draw: Drawing | None = None
    overlaid: Drawing | None = None
    metrics: tuple[Metric, ...] = ()

    def under(self, where: Filter) -> Filter:
        """Return the filter without the criteria that the figure ignores."""
        if "rounds" in self.ignores:
            where = replace(where, first=0, last=LAST_ROUND)
        return replace(where, results=()) if "results" in self.ignores else where

    def frame(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Compute the figure's frame under a filter; negative zeros become zeros."""
        frame = self.count(reader, self.under(where))
        numbers = [name for name, kind in frame.schema.items() if kind.is_float()]
        return frame.with_columns(pl.when(pl.col(name) == 0).then(0.0).otherwise(name).alias(name) for name in numbers)


def shown_columns(columns: Mapping[str, str], frame: pl.DataFrame) -> dict[str, str]:
    """Return the columns that are shown; pools and opponents are left out if all players met."""
    hidden: set[str] = set()
    if "pool" in frame.columns and frame["pool"].n_unique() < 2:
        hidden.add("pool")
        players = set(frame["player"])
        if "against" in frame.columns and all(
            against == opponents(players - {player}) for player, against in frame.select("player", "against").rows()
        ):
            hidden.add("against")
    return {name: heading for name, heading in columns.items() if name in frame.columns and name not in hidden}


def interval(name: str, heading: str) -> dict[str, str]:
    """Return the columns of a metric and its bounds, with headings."""
    return {name: heading, f"{name}_low": "95% from", f"{name}_high": "95% to"}


def quartile_columns(name: str) -> dict[str, str]:
    """Return the columns of a metric's quartiles, with headings."""
    return {f"{name}_lower": "Lower quartile", f"{name}_median": "Median", f"{name}_upper": "Upper quartile"}
