"""Cache of frames that several figures of a page are computed from."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from threading import Lock
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import polars as pl
from cachetools import LRUCache

from dashboards.charts.theme import Palette, palette
from dashboards.queries.filters import Filter
from dashboards.queries.imports import player_names
from dashboards.queries.reader import Reader
from dashboards.queries.results import results_stamp, seat_results
from dashboards.queries.traffic import Sample, seed_sample
from dashboards.stats.ratings import ratings
from dashboards.stats.results import Lineups, lineups_of

__all__ = ["counted_ratings", "counted_results", "counted_sample", "memo", "palette_of"]


MOST: Final = 48
Value = TypeVar("Value")


class _Slot:
    """A cached value, and the lock that is held while the value is computed."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.value: Any = None
        self.is_there = False


_slots: Final[WeakKeyDictionary[Reader, LRUCache[Hashable, _Slot]]] = WeakKeyDictionary()
_lock: Final = Lock()


def memo(reader: Reader, key: Hashable, count: Callable[[], Value]) -> Value:
    """Return the result of `count`, cached by `key` until new matches are loaded."""
    whole = (results_stamp(reader), key)
    with _lock:
        slot = _slots.setdefault(reader, LRUCache(MOST)).setdefault(whole, _Slot())
    with slot.lock:  # other callers wait while the value is computed
        if not slot.is_there:
            slot.value = count()
            slot.is_there = True
    value: Value = slot.value
    return value


def counted_results(reader: Reader, where: Filter, starters: str = "") -> Lineups:
    """Return the results under a filter, in which players have their names as participants (see `seat_results`)."""

    def count() -> Lineups:
        return lineups_of(seat_results(reader, where, starters).with_columns(player="name"))

    return memo(reader, ("results", where, starters), count)


def counted_ratings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return the ratings of the results under a filter."""
    return memo(reader, ("ratings", where), lambda: ratings(counted_results(reader, where)))


def counted_sample(reader: Reader, where: Filter, board: str) -> Sample:
    """Return the sampled seeds of a filter on a board."""
    return memo(reader, ("sample", where, board), lambda: seed_sample(reader, where, board))


def palette_of(reader: Reader, scheme: str, game: str) -> Palette:
    """Return the colours of a scheme, with each player of a game assigned the same colour under any filter."""
    players = memo(reader, ("players", game), lambda: tuple(player_names(reader, game)))
    return replace(palette(scheme), players=players)
