"""Keeping what was counted a moment ago, so that the parts of a page that show it count it once."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from cachetools import LRUCache

from dashboards.warehouse.reader import Reader
from dashboards.warehouse.results import results_stamp

__all__ = ["memo"]

MOST: Final = 48
Value = TypeVar("Value")


class _Slot:
    """A value that is being counted, or was."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.value: Any = None
        self.is_there = False


_slots: Final[WeakKeyDictionary[Reader, LRUCache[Hashable, _Slot]]] = WeakKeyDictionary()
_lock: Final = Lock()


def memo(reader: Reader, key: Hashable, count: Callable[[], Value]) -> Value:
    """Return the result of `count`, cached by key until the next matches are loaded."""
    whole = (results_stamp(reader), key)
    with _lock:
        slot = _slots.setdefault(reader, LRUCache(MOST)).setdefault(whole, _Slot())
    with slot.lock:  # a second caller waits while it is being counted
        if not slot.is_there:
            slot.value = count()
            slot.is_there = True
    value: Value = slot.value
    return value
