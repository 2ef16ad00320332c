"""Rate limits per sender, with the time to wait in the refusal."""

import time
from http import HTTPStatus
from math import ceil

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from dashboards.web.refusals import Refused

__all__ = ["Rate"]


class Rate:
    """A limit of requests per minute for each sender."""

    def __init__(self, most: int) -> None:
        self._rate = RateLimitItemPerMinute(most)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def count(self, sender: str) -> None:
        """Count a request; `Refused`, with `Retry-After` in seconds, if it exceeds the limit."""
        if not self._limiter.hit(self._rate, sender):
            most = self._rate.amount
            wait = max(ceil(self._limiter.get_window_stats(self._rate, sender).reset_time - time.time()), 1)
            message = f"too many requests: at most {most} a minute are allowed; try again in {wait} s"
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, most, most + 1, {"Retry-After": str(wait)})
