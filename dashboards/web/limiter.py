"""Request limits: requests per minute, bytes per minute, and deadlines."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from math import ceil
from typing import Final

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from dashboards.web.refusals import Refused
from ingest.warehouse import ASKER, Warehouse

__all__ = ["LONGEST", "Deadlines", "Quota", "Rate"]


class Rate:
    """Limits the number of requests per minute for each sender."""

    def __init__(self, most: int) -> None:
        self._rate = RateLimitItemPerMinute(most)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def count(self, sender: str) -> None:
        """Count a request; raises `Refused`, with `Retry-After` in seconds, if it exceeds the limit."""
        if not self._limiter.hit(self._rate, sender):
            most = self._rate.amount
            wait = max(ceil(self._limiter.get_window_stats(self._rate, sender).reset_time - time.time()), 1)
            message = f"too many requests: at most {most} a minute are allowed; try again in {wait} s"
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, most, most + 1, {"Retry-After": str(wait)})


MINUTE: Final = 60.0
MANY: Final = 1_000
"""Number of remembered senders above which idle senders are forgotten."""


class Quota:
    """Limits the bytes per minute of each sender; safe to use from several threads.

    After an idle minute a sender may send a full minute's bytes in one burst. A body is accepted while any quota is
    left, since its size may be unknown before it is read. If it exceeds the quota, the sender waits longer afterwards.
    """

    def __init__(self, bytes_per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = bytes_per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._paid: dict[str, float] = {}
        """By sender: the time at which all its bytes so far would have arrived at the allowed rate."""

    def require(self, sender: str) -> None:
        """Raise `Refused` if a sender has used up the quota."""
        with self._lock:
            wait = self._paid.get(sender, 0.0) - self._clock() - MINUTE
        if wait >= 0:
            seconds = max(ceil(wait), 1)
            message = f"too many bytes: at most {self._most} a minute are allowed to one sender"
            headers = {"Retry-After": str(seconds)}
            raise Refused(
                HTTPStatus.TOO_MANY_REQUESTS, f"{message}; try again in {seconds} s", self._most, None, headers
            )

    def count(self, sender: str, size: int) -> None:
        """Count bytes that came from a sender."""
        with self._lock:
            now = self._clock()
            if len(self._paid) >= MANY:
                self._paid = {name: paid for name, paid in self._paid.items() if paid > now}
            self._paid[sender] = max(self._paid.get(sender, now), now) + MINUTE * size / self._most


LONGEST: Final = 60.0
"""Maximum duration of a request in seconds. The slowest page takes two seconds with 100,000 matches."""
LOOK: Final = 0.2
"""Seconds between two checks of the running requests."""


class Deadlines:
    """Interrupts queries of a request that takes too long or after its client disconnects; thread-safe."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._held: dict[object, tuple[float, threading.Event]] = {}
        threading.Thread(target=self._look, name="deadlines", daemon=True).start()

    @contextmanager
    def held(self, gone: threading.Event, seconds: float | None = None) -> Iterator[None]:
        """Interrupt queries within the block after `seconds` (default `LONGEST`), and once `gone` is set."""
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
