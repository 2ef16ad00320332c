"""Read a filter from typed keys and values; mistakes are reported, not ignored."""

from collections.abc import Iterable
from typing import Final

from dashboards.games.analytics import all_analytics, terms_of
from dashboards.games.terms import PLAIN
from dashboards.warehouse.filters import FILTER_KEYS, Filter
from himalaya_core.names import did_you_mean

__all__ = ["FilterError", "asked_filter"]

USUAL: Final = {("from", "0")}


class FilterError(ValueError):
    """An unknown key of a filter, or an impossible value; the message is a sentence without its end."""


def asked_filter(pairs: Iterable[tuple[str, str]]) -> Filter:
    """Return the filter of keys and values; `FilterError` for an unknown key or an impossible value."""
    asked: dict[str, list[str]] = {}
    for key, value in pairs:
        if key not in FILTER_KEYS:
            raise FilterError(
                f"expected one of {', '.join(FILTER_KEYS)}, found {key[:40]!r}{did_you_mean(key, FILTER_KEYS)}"
            )
        asked.setdefault(key, []).append(value)
    where = Filter.read(asked)
    turned = {("from", str(where.last)), ("to", str(where.first))}
    understood = {*where.pairs(), *USUAL, *turned}
    most = (
        terms_of(where.game).last
        if where.game
        else max((analytics.terms.last for analytics in all_analytics()), default=PLAIN.last)
    )
    understood -= {(key, value) for key, value in understood if key in {"from", "to"} and int(value) > most}
    for key, values in asked.items():
        for value in values:
            if (key, value) not in understood:
                raise FilterError(f"{key} cannot be {value[:40]!r}")
    return where
