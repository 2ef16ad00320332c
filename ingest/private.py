"""Files that only their user may read: what is made while a warehouse is open, as the warehouse itself is.

DuckDB makes its files, and makes the write-ahead log anew again and again, with the mode that the process has for all
new files. So that is a private one for as long as a warehouse is open; what somebody asked for gets the usual one.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["OTHERS", "as_usual", "private"]

OTHERS: Final = 0o077
"""What a new file forbids: all that is not for its user."""
_lock: Final = threading.Lock()
_depth = 0
_usual = 0


@contextmanager
def private() -> Iterator[None]:
    """Have all files that the process makes meanwhile be for its user alone."""
    global _depth, _usual  # noqa: PLW0603  the mode of new files is the process's own
    with _lock:
        if _depth == 0:
            _usual = os.umask(OTHERS)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                os.umask(_usual)


def as_usual(path: Path) -> Path:
    """Give a new file or folder, which is meant for others too, the mode that it would have had, and return it."""
    with _lock:
        if _depth:
            path.chmod((0o777 if path.is_dir() else 0o666) & ~_usual)
    return path
