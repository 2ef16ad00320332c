"""Cache of values computed for positions: a match in progress is shown again, and its earlier positions stay."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

from cachetools import LRUCache

__all__ = ["Kept"]

MOST: Final = 2_000
"""Largest number of entries of one kind; a match keeps little apart from its positions."""
Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Cache of values by the identity of the object they were computed for, not by equality; thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._lock = Lock()
        self._values: LRUCache[Hashable, tuple[object, Value]] = LRUCache(most)

    def of(self, thing: object, about: Hashable, count: Callable[[], Value]) -> Value:
        """Return the result of `count` for a thing, or the earlier result with the same `about`."""
        key = id(thing), about
        with self._lock:
            if key in self._values:  # the entry keeps the thing alive, so that no other one has its id
                return self._values[key][1]
        value = count()
        with self._lock:
            self._values[key] = thing, value
        return value
