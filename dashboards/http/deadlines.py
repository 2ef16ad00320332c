"""Deadlines of requests: what a request asks the warehouse ends after a minute, and as soon as its client has left.

A statement that is interrupted fails, so the next one of the same request is interrupted too. What a request writes is
never interrupted.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ingest.warehouse import Warehouse

__all__ = ["LONGEST", "Deadlines"]

LONGEST: Final = 60.0
"""Seconds; the slowest page of a hundred thousand matches takes two."""
LOOK: Final = 0.2
"""Seconds from one look at all requests to the next."""


class Deadlines:
    """Ends the questions of requests that take too long, or that nobody waits for; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._held: dict[int, tuple[float, threading.Event | None]] = {}
        threading.Thread(target=self._look, name="deadlines", daemon=True).start()

    @contextmanager
    def held(self, gone: threading.Event | None, seconds: float | None = None) -> Iterator[None]:
        """Hold this thread to a deadline within the block; `gone` is set once its client has left."""
        thread = threading.get_ident()
        self._held[thread] = time.monotonic() + (LONGEST if seconds is None else seconds), gone
        try:
            yield
        finally:
            del self._held[thread]

    def _look(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK):
            now = time.monotonic()
            for thread, (until, gone) in list(self._held.items()):
                if now > until or (gone is not None and gone.is_set()):
                    self._warehouse.interrupt(thread)
