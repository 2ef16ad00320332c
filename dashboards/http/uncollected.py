"""Work during which no garbage is looked for.

A scene is a hundred thousand objects without a cycle, and to look for one takes up to four times as long as to make it.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]

_lock = threading.Lock()
_inside = 0


@contextmanager
def uncollected() -> Iterator[None]:
    """Have no garbage collected within the block, in no thread; what has no cycle goes as always."""
    global _inside  # noqa: PLW0603  the collector is one for all
    with _lock:
        _inside += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.enable()
