"""Input of several figures of a page, counted once for all of them."""

from dataclasses import replace

import polars as pl

from dashboards.charts.theme import Palette, palette
from dashboards.games.shared.memo import memo
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.ratings import ratings
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.intake import player_names
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.results import seat_results
from dashboards.warehouse.traffic import Sample, seed_sample

__all__ = ["counted_ratings", "counted_results", "counted_sample", "palette_of"]


def counted_results(reader: Reader, where: Filter) -> Lineups:
    """Return the results under a filter, in which players are called by their names as participants."""
    return memo(reader, ("results", where), lambda: lineups_of(seat_results(reader, where).with_columns(player="name")))


def counted_ratings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return the ratings of the results under a filter."""
    return memo(reader, ("ratings", where), lambda: ratings(counted_results(reader, where)))


def counted_sample(reader: Reader, where: Filter, board: str) -> Sample:
    """Return which seeds of a filter are sampled on a board."""
    return memo(reader, ("sample", where, board), lambda: seed_sample(reader, where, board))


def palette_of(reader: Reader, scheme: str, game: str) -> Palette:
    """Return the colours of a scheme, given out to the players of a game whatever the filter."""
    players = memo(reader, ("players", game), lambda: tuple(player_names(reader, game)))
    return replace(palette(scheme), players=players)
