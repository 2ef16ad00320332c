"""A filter in words, and a filter from what somebody typed, where a mistake is said and not passed over."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlencode

from dashboards.games.analytics import all_analytics, terms_of
from dashboards.games.terms import PLAIN
from dashboards.report.errors import ReportError
from dashboards.warehouse.filters import LAST_ROUND, NO_TOURNAMENT, Filter

__all__ = ["FILTER_KEYS", "address_of", "counted", "filter_from", "in_words", "listed"]

FILTER_KEYS: Final = (
    *("game", "tournament", "option", "players", "player", "version", "seat", "result", "from", "to", "board"),
)
"""The keys of a filter in an address."""
USUAL: Final = {("from", "0")}
MOST_NAMED: Final = 12


def filter_from(pairs: Iterable[tuple[str, str]]) -> Filter:
    """Return the filter of keys and values; `ReportError` for a key that is none, or a value that it cannot have."""
    asked: dict[str, list[str]] = {}
    for key, value in pairs:
        if key not in FILTER_KEYS:
            raise ReportError(f"expected one of {', '.join(FILTER_KEYS)}, found {key[:40]!r}")
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
                raise ReportError(f"{key} cannot be {value[:40]!r}")
    return where


def address_of(where: Filter) -> str:
    """Return a filter as `--filter` and an address have it: `tournament=cup&players=4`."""
    return urlencode(where.pairs(), safe="=:,. ")


def in_words(where: Filter, game: str = "") -> str:
    """Return what a filter leaves, in words; `game` is the one it means, if it names none."""
    parts = [
        *([f"game {where.game}"] if where.game else []),
        *_named("tournament", "tournaments", [_tournament(name) for name in where.tournaments]),
        *_named("option", "options", where.options),
        *_named("table of", "tables of", [f"{size} players" for size in where.sizes]),
        *_named("player", "players", where.players),
        *_named("version", "versions", where.versions),
        *_named("seat", "seats", [str(seat + 1) for seat in where.seats]),
        *_named("result", "results", where.results),
        *_rounds(where, terms_of(where.game or game).rounds),
        *([f"board {where.board}"] if where.board else []),
    ]
    return "; ".join(parts) or "all matches"


def listed(names: Iterable[str]) -> str:
    """Return names as a list in words: a, b and c; no more than a dozen of them."""
    every = list(names)
    if len(every) > MOST_NAMED:
        return f"{', '.join(every[:MOST_NAMED])} and {len(every) - MOST_NAMED:,} more"
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number of things."""
    return f"{number:,} {what}{'' if number == 1 else plural}"


def _rounds(where: Filter, called: str) -> list[str]:
    if where.last == LAST_ROUND:
        return [f"{called} from {where.first} on"] if where.first else []
    return [f"{called} {where.first} to {where.last}"]


def _tournament(name: str) -> str:
    return "none" if name == NO_TOURNAMENT else name


def _named(one: str, several: str, names: Iterable[str]) -> list[str]:
    every = list(names)
    return [f"{one if len(every) == 1 else several} {listed(every)}"] if every else []
