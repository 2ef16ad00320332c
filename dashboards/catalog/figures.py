"""The one list of figures, for pages, `/csv`, exports and reports.

Some are for any game, the others for one. A filter means one game; use `figures_under` to get its figures. Their
columns are defined in `metrics.py` and with the figures of each game.
"""

from collections.abc import Mapping
from dataclasses import replace
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
from dashboards.games.shared.memo import memo
from dashboards.games.shared.recent import counted_results
from dashboards.stats.lineups import Lineups
from dashboards.stats.pools import pools
from dashboards.stats.strength_words import apart, weakness
from dashboards.stats.words import some
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.filters import LAST_ROUND, Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import of_any_seat, tables_under
from himalaya_core.games import GAMES

__all__ = ["all_figures", "figures_of", "figures_under", "finding_of", "left_out", "pools_under"]

MOST_POOLS: Final = 3
"""Largest number of pools of players described in a sentence."""
CHANCES: Final = (DECIDED_BY_CHANCES, LARGEST_SWINGS, MOMENT_CAUSES, CALIBRATION)
"""Games with a built-in model of the chances of winning."""


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the figures of a game, in the order of pages and reports; those for any game if it has no others."""
    own = analytics_of(game).figures
    chances = CHANCES if has_model(game) else ()
    return {figure.name: figure for figure in (*STRENGTH_FIGURES, TOURNAMENTS, *own, TELLING, LENGTH, *chances)}


def figures_under(reader: Reader, where: Filter) -> Mapping[str, Figure]:
    """Return the figures of the game that a filter means."""
    return figures_of(game_under(reader, where))


@cache
def all_figures() -> Mapping[str, Figure]:
    """Return the figures of every game; each has a unique name."""
    games = [game for game in GAMES if game in ANALYTICS] or [""]
    return {name: figure for game in games for name, figure in figures_of(game).items()}


def finding_of(
    reader: Reader, figure: Figure, frame: pl.DataFrame, where: Filter, results: Lineups | None = None
) -> str:
    """Return the finding of a figure in words, pool by pool (`stats/pools.py`).

    If only some players are shown, the finding begins with that. `results` are given if players are sides of a
    comparison.
    """
    if "player" not in frame.columns or frame.is_empty():
        return figure.finding(frame)
    found = pools(results.seats) if results else pools_under(reader, where)
    parts = [(pool, frame.filter(pl.col("player").is_in(pool))) for pool in found]
    parts = [(pool, part) for pool, part in parts if part.height]
    said = [apart([pool for pool, _ in parts])] if figure.section == "strength" and not results else []
    for pool, part in parts[:MOST_POOLS]:
        is_partial = bool(where.players or where.versions) and part["player"].n_unique() > 1
        among = f"Among {'the chosen players' if len(parts) == 1 else some(pool)}: "
        is_named = is_partial if len(parts) == 1 else len(pool) > 1 and not results
        said.append(f"{among if is_named else ''}{figure.finding(part)}")
    if figure.name == "ratings":
        said += weakness(results or counted_results(reader, figure.under(where)))
    return " ".join(filter(None, said))


def pools_under(reader: Reader, where: Filter) -> list[list[str]]:
    """Return the pools of the players in the matches of a filter."""
    where = replace(of_any_seat(where), versions=where.versions, first=0, last=LAST_ROUND)
    return memo(reader, ("pools", where), lambda: pools(tables_under(reader, where)))


def left_out(figure: Figure, where: Filter) -> str:
    """Return a sentence on what a figure counts although the filter leaves it out; empty if there is nothing."""
    under = figure.under(where)
    every = f"all {terms_of(where.game).rounds}"
    rounds = [every] if (under.first, under.last) != (where.first, where.last) else []
    left = " and ".join([*rounds, *(["all results"] if under.results != where.results else [])])
    return f"Counts {left}, whatever the filter says." if left else ""
