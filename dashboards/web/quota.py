"""Limit of the bytes that a sender may send per minute, over all bodies."""

import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from math import ceil
from typing import Final

from dashboards.web.refusals import Refused

__all__ = ["Quota"]

MINUTE: Final = 60.0
MANY: Final = 1_000
"""Number of senders above which idle ones are dropped."""


class Quota:
    """Counts bytes by sender; safe to use from several threads.

    After an idle minute a sender may send a minute's bytes in one go. A body is accepted while any quota is left, since
    its size may be unknown before it is read; the sender then waits for the excess.
    """

    def __init__(self, bytes_per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = bytes_per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._paid: dict[str, float] = {}
        """By sender, the time at which its bytes would be through at the allowed rate."""

    def require(self, sender: str) -> None:
        """Refuse a sender who has sent more than is allowed."""
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
