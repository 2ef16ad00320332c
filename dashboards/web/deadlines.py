"""Deadlines of requests: their queries are interrupted after a minute, and when their client disconnects.

An interrupted statement fails, and later ones of the same request are interrupted too. Writes are never interrupted.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ingest.warehouse import ASKER, Warehouse

__all__ = ["LONGEST", "Deadlines"]

LONGEST: Final = 60.0
"""Seconds; the slowest page of a hundred thousand matches takes two."""
LOOK: Final = 0.2
"""Seconds between checks of all requests."""


class Deadlines:
    """Interrupts queries of requests that take too long or whose client has left; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._held: dict[object, tuple[float, threading.Event]] = {}
        threading.Thread(target=self._look, name="deadlines", daemon=True).start()

    @contextmanager
    def held(self, gone: threading.Event, seconds: float | None = None) -> Iterator[None]:
        """Interrupt queries within the block at a deadline, and once `gone` is set."""
        asker, before = object(), ASKER.get()
        self._held[asker] = time.monotonic() + (LONGEST if seconds is None else seconds), gone
        ASKER.set(asker)
        try:
            yield
        finally:
            ASKER.set(before)
            del self._held[asker]

    def _look(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK):
            now = time.monotonic()
            for asker, (until, gone) in list(self._held.items()):
                if now > until or gone.is_set():
                    self._warehouse.interrupt(asker)
