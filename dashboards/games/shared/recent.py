"""What several figures of a page start from, counted once for all of them."""

import polars as pl

from dashboards.games.shared.memo import kept
from dashboards.stats.lineups import Kinds, kinds_of
from dashboards.stats.ratings import ratings
from dashboards.stats.results import by_version
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.queries import Queries
from dashboards.warehouse.traffic import Sample

__all__ = ["counted_ratings", "counted_results", "counted_sample"]


def counted_results(queries: Queries, where: Filter) -> Kinds:
    """Return the results under a filter; if it names versions, each version of a player is one of its own."""

    def count() -> Kinds:
        results = queries.results(where)
        return kinds_of(by_version(results) if where.versions else results)

    return kept(queries, ("results", where), count)


def counted_ratings(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return the ratings of the results under a filter."""
    return kept(queries, ("ratings", where), lambda: ratings(counted_results(queries, where)))


def counted_sample(queries: Queries, where: Filter, board: str) -> Sample:
    """Return which lucks of a filter are sampled on a board."""
    return kept(queries, ("sample", where, board), lambda: queries.luck_sample(where, board))
