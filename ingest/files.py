"""Writes files that only their owner can read and that survive a power loss."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["OTHERS", "SharedSync", "as_usual", "private", "sync"]


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class SharedSync:
    """Flushes a folder to disk for several threads together.

    One flush serves every thread that called before it began.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changed = threading.Condition()
        self._begun = self._done = 0
        self._is_running = False

    def __call__(self) -> None:
        """Return once the disk holds the folder's entries as of this call. Raises `OSError`."""
        with self._changed:
            wanted = self._begun + 1
            while self._done < wanted:
                if self._is_running:
                    self._changed.wait()
                else:
                    self._run()

    def _run(self) -> None:
        """Flush for all waiting callers. If that fails, each of them tries again."""
        self._is_running = True
        self._begun += 1
        number = self._begun
        self._changed.release()
        try:
            sync(self._folder)
        finally:
            self._changed.acquire()
            self._is_running = False
            self._changed.notify_all()
        self._done = number


OTHERS: Final = 0o077
"""Umask that gives other users no permissions."""
_lock: Final = threading.Lock()
_depth = 0
_usual = 0


@contextmanager
def private() -> Iterator[None]:
    """Make all files that this process creates within the block readable only by their owner."""
    global _depth, _usual  # noqa: PLW0603  the umask belongs to the whole process
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
    """Give a new file or folder its usual permissions, for other users too, and return its path."""
    with _lock:
        if _depth:
            path.chmod((0o777 if path.is_dir() else 0o666) & ~_usual)
    return path
