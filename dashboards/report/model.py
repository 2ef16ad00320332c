"""What a report is before it is written: figures, words, pictures, and what all of it rests on. Values, no clock."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from dashboards.catalog.metrics import Metric
from dashboards.catalog.numbers import rounded
from dashboards.charts.theme import Scheme
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.provenance import Scope

__all__ = ["FORMAT", "SYMMETRIC", "Figure", "Report", "Telling", "digest_of", "rows_of"]

FORMAT: Final = 1
"""Of the data that a report says of itself; `--check` reads only this one."""
SYMMETRIC: Final = frozenset({"head-to-head", "paired"})
"""Figures of pairs in which one way round says all that the other does."""
Draw = Callable[[Scheme], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the catalog under the filter: its data, its columns with their headings, its finding in words.

    `draw` draws it in a scheme; none for what is only a table.
    """

    name: str
    title: str
    section: str
    frame: pl.DataFrame
    columns: Mapping[str, str]
    finding: str
    draw: Draw | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """A match that shows something: why, who played, at which moment it is drawn, what happens there, the drawing."""

    match: str
    why: str
    line_up: str
    moment: str
    draw: Draw


@dataclass(frozen=True, slots=True)
class Report:
    """All of a report. `logs` is `match, sha256` by name, `versions` is `player, version, played`.

    `players` is `match, seat, verdict` of the players asked again, by match and seat. `coloured` are its
    players in the order in which the database gives out colours, "" for those that are not in the report.
    """

    where: Filter
    scope: Scope
    figures: tuple[Figure, ...]
    telling: tuple[Telling, ...]
    definitions: tuple[Metric, ...]
    versions: pl.DataFrame
    logs: pl.DataFrame
    players: pl.DataFrame
    coloured: tuple[str, ...]
    software: str

    @property
    def digest(self) -> str:
        """Return one digest for all logs: see `digest_of`."""
        return digest_of(self.logs)

    @property
    def title(self) -> str:
        """Return what the report is about."""
        names = self.scope.tournaments
        return names[0] if len(names) == 1 else f"{len(names)} tournaments" if names else "Matches"

    @property
    def game(self) -> str:
        """Return the game; a filter leaves matches of one."""
        return next(iter(self.scope.games), "")

    def figure(self, name: str) -> Figure | None:
        """Return a figure by name, if the report has it."""
        return next((figure for figure in self.figures if figure.name == name), None)


def digest_of(logs: pl.DataFrame) -> str:
    """Return the SHA-256 of the lines `sha256, two spaces, match` in the order of the names, as `sha256sum` writes."""
    lines = logs.select(pl.concat_str("sha256", pl.lit("  "), "match", pl.lit("\n")).str.join("")).item() or ""
    return hashlib.sha256(lines.encode()).hexdigest()


def rows_of(figure: Figure) -> list[list[Any]]:
    """Return the rows of a figure as data: all of its columns that are shown, floats to ten digits."""
    return [[rounded(value) for value in row] for row in figure.frame.select(*figure.columns).iter_rows()]
