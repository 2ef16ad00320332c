"""What is known of each request once its answer is through: told to those who count and write it down.

A request has an id, which the answer names in `X-Request-Id`; a trusted proxy may have given it. What is known has no
query, no header and no body, so no secret that was sent in one of them.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboards.web.policy import FROM_PROXY

__all__ = ["NO_ROUTE", "SEEN", "RequestLog", "Seen", "request_id"]

SEEN: Final = "himalaya.seen"
"""Key of the scope: what is known of the request at hand."""
ID_HEADER: Final = "X-Request-Id"
ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
NO_ROUTE: Final = "none"
"""Stands for the route of an address that leads nowhere."""
CAPABILITIES: Final = ("report",)
"""Parts of addresses that only who asked knows, by their names in routes."""
TOKEN: Final = re.compile(r"himalaya_[\w-]+")
HIDDEN: Final = "…"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Seen:
    """A request and its answer; `seconds` until the last byte was handed over, `sender` if they have a name."""

    id: str
    method: str
    path: str
    client: str
    route: str = NO_ROUTE
    sender: str | None = None
    status: int = 500
    size: int = 0
    seconds: float = 0.0

    def found(self, route: str, parts: Mapping[str, Any]) -> None:
        """Note the route; parts of the path that let whoever knows them have something are hidden."""
        self.route = route or NO_ROUTE
        for name in CAPABILITIES:
            if part := parts.get(name):
                self.path = self.path.replace(f"/{part}", f"/{HIDDEN}")


_seen: ContextVar[Seen] = ContextVar("request at hand")


def request_id() -> str | None:
    """Return the id of the request at hand, if there is one."""
    seen = _seen.get(None)
    return None if seen is None else seen.id


class RequestLog:
    """ASGI middleware: report each request to `told` after its answer, and answer 500 if the app fails."""

    def __init__(self, app: ASGIApp, told: Sequence[Callable[[Seen], None]]) -> None:
        self._app = app
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, and look at its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address = scope["client"][0] if scope["client"] else ""
        seen = Seen(_id_of(scope), scope["method"], TOKEN.sub(HIDDEN, scope["path"]), address)
        scope[SEEN] = seen
        began, before, is_begun = time.monotonic(), _seen.set(seen), False

        async def sending(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            if message["type"] == "http.response.start":
                seen.status = message["status"]
                MutableHeaders(scope=message)[ID_HEADER] = seen.id
            else:
                seen.size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception:
            log.exception("a request failed")
            if is_begun:
                raise
            said = {"message": "the server could not do it; its log says why"}
            await JSONResponse(said, HTTPStatus.INTERNAL_SERVER_ERROR)(scope, receive, sending)
        finally:
            _seen.reset(before)
            seen.seconds = time.monotonic() - began
            for told in self._told:
                told(seen)


def _id_of(scope: Scope) -> str:
    given = Headers(scope=scope).get(ID_HEADER, "") if scope.get(FROM_PROXY) else ""
    return given if ID.fullmatch(given) else secrets.token_hex(8)
