"""A filter in words, and a filter from typed keys and values; mistakes are reported, not ignored."""

from collections.abc import Iterable
from urllib.parse import urlencode

from dashboards.catalog.asked import FilterError, asked_filter
from dashboards.games.analytics import terms_of
from dashboards.report.errors import ReportError
from dashboards.warehouse import filters
from dashboards.warehouse.filters import FILTER_KEYS, LAST_ROUND, Filter, listed

__all__ = ["FILTER_KEYS", "address_of", "counted", "counted_all_the_same", "filter_from", "in_words", "listed"]


def filter_from(pairs: Iterable[tuple[str, str]]) -> Filter:
    """Return the filter of keys and values; `ReportError` for an unknown key or an impossible value."""
    try:
        return asked_filter(pairs)
    except FilterError as error:
        raise ReportError(str(error)) from None


def address_of(where: Filter) -> str:
    """Return a filter in the form of `--filter` and addresses: `tournament=cup&players=4`."""
    return urlencode(where.pairs(), safe="=:,. ")


def in_words(where: Filter, game: str = "") -> str:
    """Return the selection of a filter in words; `game` is the game it means, if it names none."""
    return filters.in_words(where, terms_of(where.game or game).rounds)


def counted_all_the_same(where: Filter, game: str = "") -> str:
    """Return what figures of whole matches count although a filter leaves it out, to follow the filter; or nothing."""
    rounds = [f"all {terms_of(where.game or game).rounds}"] if (where.first, where.last) != (0, LAST_ROUND) else []
    left = " and ".join([*rounds, *(["all results"] if where.results else [])])
    return f"; statements on how matches end count {left}" if left else ""


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number of things."""
    return f"{number:,} {what}{'' if number == 1 else plural}"
