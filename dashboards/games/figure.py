"""A figure before it is drawn: what it is called, how it is counted, what its columns are, what it shows in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from dashboards.charts.chart import Drawing
from dashboards.charts.narrow import Narrows, Row, of_all_alike
from dashboards.stats.metric import Metric, source_of
from dashboards.stats.words import opponents
from dashboards.warehouse.filters import LAST_ROUND, Filter
from dashboards.warehouse.reader import Reader

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
"""Figures counted round by round use the whole filter."""
OF_MATCHES: Final = frozenset({"rounds"})
"""Those of whole matches ignore the filter's rounds."""
BY_OUTCOME: Final = frozenset({"rounds", "results"})
"""Those about how matches end also ignore its results: of those who won, everybody has won."""
OF_PLAYER: Final = {"played": "Matches", "groups": "Seeds"}
"""Columns of figures with a row per player, or per player and kind: what the row rests on."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A column: its name and heading, and what its metric says (`Metric`)."""

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
    """Say that a row counts wins alone."""
    return {"result": "won"}


def by_ending(row: Row) -> dict[str, str]:
    """Say that a row counts matches that ended in its way."""
    return {"ending": row["ending"]}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `name` stands in addresses, file names and exports, `section` says in which part of a page it stands.

    Sections are strength, why, where, when and chances. `count` counts it under a filter, `columns` are its columns
    with their headings, in order; each is a key or has a metric, one of its own `metrics` or of all games. `finding`
    says in a sentence what a frame shows, with numbers and intervals. `ignores` names what of a filter (rounds,
    results) has no meaning for it. `is_wide`: its drawing needs a whole line of a page. `narrows` are the keys of an
    address, and their values, that leave only the matches of a row, besides those that its player, table and seat
    tell. Whoever shows it asks `frame`, and `catalog.figures.said` what it shows in words. `draw` is its chart on a
    page, `overlaid` one in which few players lie over each other, for comparing them; without `draw` it shows its
    intervals, or its numbers.
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
        """Return what of a filter the figure goes by."""
        if "rounds" in self.ignores:
            where = replace(where, first=0, last=LAST_ROUND)
        return replace(where, results=()) if "results" in self.ignores else where

    def frame(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Count the figure under what of a filter it goes by; no zero in it is below zero."""
        frame = self.count(reader, self.under(where))
        numbers = [name for name, kind in frame.schema.items() if kind.is_float()]
        return frame.with_columns(pl.when(pl.col(name) == 0).then(0.0).otherwise(name).alias(name) for name in numbers)


def shown_columns(columns: Mapping[str, str], frame: pl.DataFrame) -> dict[str, str]:
    """Return the columns of a frame that a reader is shown, without pools and opponents if all of them met."""
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
