"""What was counted a moment ago, for the other figures of the same page.

The figures of strength all start from who came where, which takes as long to read as any of them to count, and a page
asks for them one by one. So the last few readings are kept, each under the filter and the state of the warehouse that
it belongs to: when anything comes in, they are read anew.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.kinds import Kinds, kinds_of
from dashboards.stats.results import by_version

__all__ = ["counted_results"]

KEPT: Final = 4

_counted: Final[WeakKeyDictionary[Queries, OrderedDict[tuple[str, Filter], Kinds]]] = WeakKeyDictionary()
_lock: Final = Lock()


def counted_results(queries: Queries, where: Filter) -> Kinds:
    """Return the results under a filter; if it names versions, each version of a player is one of its own."""
    key = (queries.results_stamp(), where)
    with _lock:
        kept = _counted.setdefault(queries, OrderedDict())
        if key in kept:
            kept.move_to_end(key)
            return kept[key]
    results = queries.results(where)
    kinds = kinds_of(by_version(results) if where.versions else results)
    with _lock:
        kept[key] = kinds
        while len(kept) > KEPT:
            kept.popitem(last=False)
    return kinds
