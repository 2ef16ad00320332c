"""Private files: files made while a warehouse is open are readable by its user only, as the warehouse itself is.

DuckDB creates its files, and repeatedly its write-ahead log, with the process's mode for new files. So that mode is a
private one for as long as a warehouse is open. Files that a user requested get the usual mode.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["OTHERS", "as_usual", "private"]

OTHERS: Final = 0o077
"""The umask: no permissions for other users."""
_lock: Final = threading.Lock()
_depth = 0
_usual = 0


@contextmanager
def private() -> Iterator[None]:
    """Make all files that the process creates in the block readable by its user only."""
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
    """Give a new file or folder that is meant for other users too its usual mode, and return it."""
    with _lock:
        if _depth:
            path.chmod((0o777 if path.is_dir() else 0o666) & ~_usual)
    return path
