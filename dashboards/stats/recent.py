"""Who came where under a filter, counted once for all the figures of a page that start from it."""

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.kept import kept
from dashboards.stats.kinds import Kinds, kinds_of
from dashboards.stats.results import by_version

__all__ = ["counted_results"]


def counted_results(queries: Queries, where: Filter) -> Kinds:
    """Return the results under a filter; if it names versions, each version of a player is one of its own."""

    def count() -> Kinds:
        results = queries.results(where)
        return kinds_of(by_version(results) if where.versions else results)

    return kept(queries, ("results", where), count)
