"""Who may send logs: a token where one is needed, not too often, and no page of another site in a reader's browser."""

import time
from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_address
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from flask import request
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from ingest.receive import LOCAL
from ingest.tokens import name_of, tokens_exist
from ingest.warehouse import Warehouse

__all__ = ["Door", "Refused"]

SAME_SITE: Final = {"same-origin", "none"}
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
CREATE: Final = "`himalaya token create NAME` on the server's machine makes one"
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="himalaya"'}


class Refused(Exception):
    """A request that is not served: the status, and what the answer says."""

    def __init__(
        self,
        status: HTTPStatus,
        message: str,
        limit: int | None = None,
        found: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.limit = limit
        self.found = found
        self.headers = headers or {}


class Door:
    """Lets requests in that send logs; `is_public` if the server can be reached from other machines."""

    def __init__(self, warehouse: Warehouse, *, rate: int, is_public: bool) -> None:
        self._warehouse = warehouse
        self._is_public = is_public
        self._rate = RateLimitItemPerMinute(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def admit(self) -> str:
        """Return who sends the request at hand; `Refused` with the reason."""
        secret = _secret()
        name = name_of(self._warehouse, secret) if secret else None
        self._count(f"token {name}" if name else f"address {request.remote_addr}")
        if name:
            return name
        if secret:
            raise _unknown("the token is none of this server's, or was revoked")
        if self._is_public or any(name in request.headers for name in FORWARDED):
            raise _unknown(f"expected a token, as this server can be reached from other machines; {CREATE}")
        if tokens_exist(self._warehouse):
            raise _unknown("expected a token, in a header `Authorization: Bearer …`")
        _refuse_strangers()
        return LOCAL

    def _count(self, sender: str) -> None:
        if not self._limiter.hit(self._rate, sender):
            most = self._rate.amount
            wait = max(ceil(self._limiter.get_window_stats(self._rate, sender).reset_time - time.time()), 1)
            message = f"expected at most {most} requests a minute, found more; try again in {wait} s"
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, most, most + 1, {"Retry-After": str(wait)})


def _unknown(message: str) -> Refused:
    return Refused(HTTPStatus.UNAUTHORIZED, message, headers=CHALLENGE)


def _secret() -> str | None:
    scheme, _, secret = request.headers.get("Authorization", "").strip().partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None


def _refuse_strangers() -> None:
    """Refuse what another site had a browser send, also one that made its name point to this machine."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    if site not in SAME_SITE or (origin is not None and urlsplit(origin).netloc != request.host):
        raise Refused(HTTPStatus.FORBIDDEN, f"expected no request of another site without a token; {CREATE}")
    if not _is_this_machine(urlsplit(f"//{request.host}").hostname or ""):
        message = f"expected this machine as the host, found {request.host}; with a token any is accepted: {CREATE}"
        raise Refused(HTTPStatus.FORBIDDEN, message)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
