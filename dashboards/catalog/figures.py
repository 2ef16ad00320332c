"""The one list of figures: what pages show, `/csv` and exports hand out, and reports are made of.

Some are of any game, the others of one; a filter means one game, and whoever has a filter asks `figures_under`. What
their columns mean stands in `metrics.py` and with the figures of each game.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import polars as pl

from dashboards.catalog.calibration import CALIBRATION
from dashboards.catalog.decided import DECIDED_BY_CHANCES
from dashboards.catalog.highlights import TELLING
from dashboards.catalog.length import LENGTH
from dashboards.catalog.strength import STRENGTH_FIGURES
from dashboards.catalog.swings import LARGEST_SWINGS, MOMENT_CAUSES
from dashboards.catalog.tournaments import TOURNAMENTS
from dashboards.catalog.valued import has_model
from dashboards.games.analytics import ANALYTICS, analytics_of, terms_of
from dashboards.games.figure import Figure
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from himalaya_core.games import GAMES

__all__ = ["all_figures", "figures_of", "figures_under", "finding_of", "left_out"]

QUALIFIED: Final = re.compile(r", the ((?:highest|lowest) found) \(")
CHANCES: Final = (DECIDED_BY_CHANCES, LARGEST_SWINGS, MOMENT_CAUSES, CALIBRATION)
"""Of games that a model of the chances of winning ships with."""


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the figures of a game, in the order of pages and reports: those of any game if it has none of its own."""
    own = analytics_of(game).figures
    chances = CHANCES if has_model(game) else ()
    return {figure.name: figure for figure in (*STRENGTH_FIGURES, TOURNAMENTS, *own, TELLING, LENGTH, *chances)}


def figures_under(reader: Reader, where: Filter) -> Mapping[str, Figure]:
    """Return the figures of the game that a filter means."""
    return figures_of(game_under(reader, where))


@cache
def all_figures() -> Mapping[str, Figure]:
    """Return the figures of every game: no two have the same name."""
    games = [game for game in GAMES if game in ANALYTICS] or [""]
    return {name: figure for game in games for name, figure in figures_of(game).items()}


def finding_of(figure: Figure, frame: pl.DataFrame, where: Filter) -> str:
    """Return the finding of a figure in words; where only some players are shown, it is said to be about these."""
    finding = _shorter_when_repeated(figure.finding(frame))
    is_partial = (where.players or where.versions) and "player" in frame.columns and frame["player"].n_unique() > 1
    return f"Among the chosen players: {finding}" if is_partial else finding


def _shorter_when_repeated(finding: str) -> str:
    """Return a finding with what qualifies its sentences in full once, and after that beside the interval."""
    first = QUALIFIED.search(finding)
    if not first:
        return finding
    return finding[: first.end()] + QUALIFIED.sub(r" (\1; ", finding[first.end() :])


def left_out(figure: Figure, where: Filter) -> str:
    """Return in a sentence what a figure counts although the filter leaves it out; empty if there is nothing."""
    under = figure.under(where)
    every = f"all {terms_of(where.game).rounds}"
    rounds = [every] if (under.first, under.last) != (where.first, where.last) else []
    left = " and ".join([*rounds, *(["all results"] if under.results != where.results else [])])
    return f"Counts {left}, whatever the filter says." if left else ""
