"""What was counted of a position a moment ago: a match that goes on is shown again, and its positions are the same."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

from cachetools import LRUCache

__all__ = ["Kept"]

MOST: Final = 2_000
"""Of one kind; what stays of a match beside its positions is small."""
Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Keeps values by the object that they were counted of, not by what equals it; safe to use from several threads."""

    def __init__(self, most: int = MOST) -> None:
        self._lock = Lock()
        self._kept: LRUCache[Hashable, tuple[object, Value]] = LRUCache(most)

    def of(self, thing: object, about: Hashable, count: Callable[[], Value]) -> Value:
        """Return what `count` returns of a thing, or returned before with the same `about`."""
        key = id(thing), about
        with self._lock:
            if key in self._kept:  # which keeps the thing too, so that no other one has its id
                return self._kept[key][1]
        value = count()
        with self._lock:
            self._kept[key] = thing, value
        return value
