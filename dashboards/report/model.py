"""A report before it is written: figures, words, pictures, and their basis. Values, no clock."""

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
"""Version of the data in a report; `--check` reads only this one."""
SYMMETRIC: Final = frozenset({"head-to-head", "paired"})
"""Figures of pairs that say the same in both directions."""
Draw = Callable[[Scheme], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the catalog under the filter: its data, its columns with their headings, its finding in words.

    `draw` draws it in a scheme; none for a figure with only a table.
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
    """A notable match: the reason, its players, the moment drawn, the event at that moment, the drawing."""

    match: str
    why: str
    line_up: str
    moment: str
    draw: Draw


@dataclass(frozen=True, slots=True)
class Report:
    """All of a report. `logs` is `match, sha256` by name, `versions` is `player, version, played`.

    `players` is `match, seat, verdict` of the reproducibility checks of players, by match and seat. `coloured` are its
    players in the order in which the database gives out colours, "" for players that are not in the report.
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
        """Return the subject of the report."""
        names = self.scope.tournaments
        return names[0] if len(names) == 1 else f"{len(names)} tournaments" if names else "Matches"

    @property
    def game(self) -> str:
        """Return the game; a filter leaves matches of one game."""
        return next(iter(self.scope.games), "")

    def figure(self, name: str) -> Figure | None:
        """Return a figure by name, if the report has it."""
        return next((figure for figure in self.figures if figure.name == name), None)


def digest_of(logs: pl.DataFrame) -> str:
    """Return the SHA-256 of the lines `sha256, two spaces, match` in the order of the names, as `sha256sum` writes."""
    lines = logs.select(pl.concat_str("sha256", pl.lit("  "), "match", pl.lit("\n")).str.join("")).item() or ""
    return hashlib.sha256(lines.encode()).hexdigest()


def rows_of(figure: Figure) -> list[list[Any]]:
    """Return the rows of a figure as data: all of its columns shown, floats to ten digits."""
    return [[rounded(value) for value in row] for row in figure.frame.select(*figure.columns).iter_rows()]
