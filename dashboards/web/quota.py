"""How many bytes a sender may send in a minute, however many bodies they are."""

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
"""Senders from which on those are forgotten who have sent nothing for long."""


class Quota:
    """Counts bytes by sender; safe to use from several threads.

    Who has sent nothing for a minute may send a minute's bytes at once. A body is let in as long as anything is left,
    for its size may not be known before it is read; what it is larger than that is waited for afterwards.
    """

    def __init__(self, bytes_per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = bytes_per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._paid: dict[str, float] = {}
        """By sender, when all that was sent would have been sent at the pace that is allowed."""

    def require(self, sender: str) -> None:
        """Refuse a sender who has sent more than is allowed."""
        with self._lock:
            wait = self._paid.get(sender, 0.0) - self._clock() - MINUTE
        if wait >= 0:
            seconds = max(ceil(wait), 1)
            message = f"expected at most {self._most} bytes a minute from one sender, found more"
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
