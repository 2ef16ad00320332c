"""Makes written files survive a loss of power."""

import os
import threading
from pathlib import Path

__all__ = ["SharedSync", "sync"]


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class SharedSync:
    """Syncs the names in a folder for several threads together: one sync serves all who called before it began."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changed = threading.Condition()
        self._begun = self._done = 0
        self._is_running = False

    def __call__(self) -> None:
        """Return once the disk holds the folder as it was at the time of this call. Raises `OSError`."""
        with self._changed:
            wanted = self._begun + 1
            while self._done < wanted:
                if self._is_running:
                    self._changed.wait()
                else:
                    self._run()

    def _run(self) -> None:
        """Sync for all waiting callers; if that fails, each of them tries again."""
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
