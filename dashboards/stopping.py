"""Stop a server: in order at the first signal; immediately at the second, or if the first takes too long."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

__all__ = ["GRACE", "Stop"]

GRACE: Final = 10.0
"""Time limit in seconds for an orderly end. Data on disk are sound at any moment, as after a kill."""
MOMENT: Final = 1.0
"""Seconds for idle threads to end."""


class Stop:
    """Waits for SIGTERM and Ctrl-C; for servers that run in the main thread."""

    def __init__(self) -> None:
        self.last: Callable[[], None] = lambda: None
        """Called before the process is left immediately."""
        self._watch: threading.Timer | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Handle signals within the block; after it the process ends, even if a thread still works."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._hear) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
            if self._watch is not None and self._is_work_left():
                self._leave()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _hear(self, _number: int, _frame: FrameType | None) -> NoReturn:
        if self._watch is not None:
            self._leave()
        self._watch = threading.Timer(GRACE, self._leave)
        self._watch.daemon = True
        self._watch.start()
        raise KeyboardInterrupt

    def _is_work_left(self) -> bool:
        """Return whether a thread still works after a moment."""
        until = time.monotonic() + MOMENT
        others = [each for each in threading.enumerate() if each not in {threading.current_thread(), self._watch}]
        for thread in others:
            thread.join(max(until - time.monotonic(), 0))
        return any(thread.is_alive() for thread in others)

    def _leave(self) -> NoReturn:
        """Leave without waiting for any thread: a thread within DuckDB would end the process with an error."""
        try:
            self.last()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(0)
