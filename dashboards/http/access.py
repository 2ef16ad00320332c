"""Who may send logs and who may read: a token where one is needed, not too often, and no page of another site."""

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

from dashboards.http.gate import Header
from ingest.receive.receive import LOCAL
from ingest.receive.tokens import digest, digests, name_of
from ingest.warehouse import Warehouse

__all__ = ["Door", "Refused"]

SAME_SITE: Final = {"same-origin", "none"}
SITE: Final = "Sec-Fetch-Site"
"""What a browser says of the page that asks, over https or to this machine; no page can say it for itself."""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
CREATE: Final = "`himalaya token create NAME` on the server's machine makes one"
PROXY: Final = "a proxy must send `Host: localhost`, or the client a token"
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
    """Lets requests in; `is_public` if the server can be reached from other machines, `host` where it listens."""

    def __init__(self, warehouse: Warehouse, *, rate: int, is_public: bool, host: str = "localhost") -> None:
        self._warehouse = warehouse
        self._is_public = is_public
        self._host = host
        self._rate = RateLimitItemPerMinute(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self.look_again()

    def look_again(self) -> None:
        """Take note which tokens there are now."""
        self._digests = digests(self._warehouse)

    def may_bring(self, header: Header) -> bool:
        """Say whether somebody may send a large log, by what is in memory: the database may keep one waiting."""
        secret = _secret(header)
        if secret:
            return digest(secret) in self._digests
        return not (self._digests or self._is_public or _is_forwarded(header))

    def admit(self, *, counts: bool = True) -> str:
        """Return who sends the request at hand; `Refused` with the reason. It `counts` where requests are limited."""
        secret = _secret(request.headers.get)
        name = name_of(self._warehouse, secret) if secret else None
        if counts:
            self._count(f"token {name}" if name else f"address {request.remote_addr}")
        if name:
            return name
        if secret:
            raise _unknown("the token is unknown to this server, or was revoked")
        if self._is_public or _is_forwarded(request.headers.get):
            raise _unknown(f"expected a token, as this server can be reached from other machines; {CREATE}")
        if digests(self._warehouse):
            raise _unknown("expected a token, in a header `Authorization: Bearer …`")
        _refuse_strangers()
        if not self._is_for_here():
            message = f"expected this machine as the host, found {request.host}; with a token any is accepted: {CREATE}"
            raise Refused(HTTPStatus.FORBIDDEN, message)
        return LOCAL

    def admit_look(self) -> None:
        """Let in who sends something only to have it looked at: no page of another site, and not too often."""
        self.check_host()
        site, origin = request.headers.get(SITE), request.headers.get("Origin")
        is_strange = (
            origin is not None and urlsplit(origin).netloc != request.host if site is None else site not in SAME_SITE
        )
        if is_strange:
            raise Refused(HTTPStatus.FORBIDDEN, "expected no request from another site")
        self._count(f"look {request.remote_addr}")

    def check_host(self) -> None:
        """Refuse who asks for another machine, as a page does that made the name of its site point to this one.

        A proxy that hands on the name it was asked for is let through for a browser that came over https; a page can
        make up all other signs of a proxy.
        """
        if self._is_public or self._is_for_here() or (_is_forwarded(request.headers.get) and SITE in request.headers):
            return
        secret = _secret(request.headers.get)
        if not (secret and name_of(self._warehouse, secret)):
            message = f"expected this machine as the host, found {request.host}; {PROXY}"
            raise Refused(HTTPStatus.FORBIDDEN, message)

    def _is_for_here(self) -> bool:
        try:
            host = urlsplit(f"//{request.host}").hostname or ""
        except ValueError:  # no address, though in brackets
            return False
        return host == self._host.lower() or _is_this_machine(host)

    def _count(self, sender: str) -> None:
        if not self._limiter.hit(self._rate, sender):
            most = self._rate.amount
            wait = max(ceil(self._limiter.get_window_stats(self._rate, sender).reset_time - time.time()), 1)
            message = f"expected at most {most} requests a minute, found more; try again in {wait} s"
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, most, most + 1, {"Retry-After": str(wait)})


def _unknown(message: str) -> Refused:
    return Refused(HTTPStatus.UNAUTHORIZED, message, headers=CHALLENGE)


def _secret(header: Header) -> str | None:
    scheme, _, secret = (header("Authorization") or "").strip().partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None


def _refuse_strangers() -> None:
    """Refuse what another site had a browser send."""
    origin, site = request.headers.get("Origin"), request.headers.get(SITE, "none")
    if site not in SAME_SITE or (origin is not None and urlsplit(origin).netloc != request.host):
        raise Refused(HTTPStatus.FORBIDDEN, f"expected no request from another site without a token; {CREATE}")


def _is_forwarded(header: Header) -> bool:
    return any(header(name) is not None for name in FORWARDED)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
