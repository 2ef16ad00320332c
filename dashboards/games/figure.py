"""A figure before it is drawn: its name, its query, its columns, and its finding in words."""

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
"""Figures counted by round use the whole filter."""
OF_MATCHES: Final = frozenset({"rounds"})
"""Figures of whole matches ignore the filter's rounds."""
BY_OUTCOME: Final = frozenset({"rounds", "results"})
"""Figures of endings also ignore its results: among winners, all have won."""
OF_PLAYER: Final = {"played": "Matches", "groups": "Seeds"}
"""Evidence columns of figures with a row per player, or per player and kind."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A column: its name and heading, and the texts of its metric (`Metric`)."""

    name: str
    heading: str
    definition: str
    formula: str
    unit: str = "share, 0 to 1"

    def metric(self, counted_by: Callable[..., Any], grain: str, method: str = "") -> Metric:
        """Return the metric of the column, counted by a function, for each `grain`, by a method to cite."""
        source = source_of(counted_by, method)
        return Metric(self.name, self.definition, self.formula, source, grain, self.unit)


def of_wins(_: Row) -> dict[str, str]:
    """State that a row counts wins alone."""
    return {"result": "won"}


def by_ending(row: Row) -> dict[str, str]:
    """State that a row counts matches with its ending."""
    return {"ending": row["ending"]}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `name` is used in addresses, file names and exports; `section` is its part of a page.

    Sections are strength, why, where, when and chances. `count` counts it under a filter. `columns` are its columns
    with their headings, in order; each is a key or has a metric, either in `metrics` or shared by all games. `finding`
    describes a frame in a sentence, with numbers and intervals. `ignores` names criteria of a filter (rounds, results)
    that have no meaning for it. `is_wide`: its drawing needs a whole line of a page. `narrows` are keys of an address
    with values that select only the matches of a row, in addition to its player, table and seat. To show a figure, use
    `frame`, and `catalog.figures.finding_of` for its finding. `draw` is its chart on a page. `overlaid` is a chart with
    few players over each other, for comparing them. Without `draw` it shows its intervals, or its numbers.
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
        """Return the part of a filter that the figure uses."""
        if "rounds" in self.ignores:
            where = replace(where, first=0, last=LAST_ROUND)
        return replace(where, results=()) if "results" in self.ignores else where

    def frame(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Count the figure under its part of a filter; no zero in it is negative."""
        frame = self.count(reader, self.under(where))
        numbers = [name for name, kind in frame.schema.items() if kind.is_float()]
        return frame.with_columns(pl.when(pl.col(name) == 0).then(0.0).otherwise(name).alias(name) for name in numbers)


def shown_columns(columns: Mapping[str, str], frame: pl.DataFrame) -> dict[str, str]:
    """Return the columns of a frame for readers, without pools and opponents if all of them met."""
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
    """Return the columns of a metric with its bounds."""
    return {name: heading, f"{name}_low": "95% from", f"{name}_high": "95% to"}


def quartile_columns(name: str) -> dict[str, str]:
    """Return the columns of a metric's quartiles."""
    return {f"{name}_lower": "Lower quartile", f"{name}_median": "Median", f"{name}_upper": "Upper quartile"}
