"""Facts about each request after its answer, passed to the metrics and the server log.

Each request has an id, which the answer names in `X-Request-Id`; a trusted proxy may set it. The facts include no
query, header or body, and so no secret sent in one of them.
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

__all__ = ["EXCHANGE", "NO_ROUTE", "Exchange", "RequestLog", "request_id"]

EXCHANGE: Final = "himalaya.exchange"
"""Key of the ASGI scope: the exchange being served."""
ID_HEADER: Final = "X-Request-Id"
ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
NO_ROUTE: Final = "none"
"""Route of an address that matches none."""
CAPABILITIES: Final = ("report",)
"""Parts of paths that only the requester may know, by their names in routes."""
TOKEN: Final = re.compile(r"himalaya_[\w-]+")
HIDDEN: Final = "…"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Exchange:
    """A request and its answer; `seconds` until the last byte was sent, `sender` if the caller has a name."""

    id: str
    method: str
    path: str
    client: str
    route: str = NO_ROUTE
    sender: str | None = None
    status: int = 500
    size: int = 0
    seconds: float = 0.0

    def set_route(self, route: str, parts: Mapping[str, Any]) -> None:
        """Note the route; parts of the path that give access to something are hidden."""
        self.route = route or NO_ROUTE
        for name in CAPABILITIES:
            if part := parts.get(name):
                self.path = self.path.replace(f"/{part}", f"/{HIDDEN}")


_exchange: ContextVar[Exchange] = ContextVar("current exchange")


def request_id() -> str | None:
    """Return the id of the current request, if there is one."""
    exchange = _exchange.get(None)
    return None if exchange is None else exchange.id


class RequestLog:
    """ASGI middleware: pass each exchange to the listeners after its answer, and answer 500 if the app fails."""

    def __init__(self, app: ASGIApp, listeners: Sequence[Callable[[Exchange], None]]) -> None:
        self._app = app
        self._listeners = listeners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, and record its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address = scope["client"][0] if scope["client"] else ""
        exchange = Exchange(_id_of(scope), scope["method"], TOKEN.sub(HIDDEN, scope["path"]), address)
        scope[EXCHANGE] = exchange
        began, before, is_begun = time.monotonic(), _exchange.set(exchange), False

        async def sending(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                MutableHeaders(scope=message)[ID_HEADER] = exchange.id
            else:
                exchange.size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception:
            log.exception("a request failed")
            if is_begun:
                raise
            content = {"message": "the server failed; its log says why"}
            await JSONResponse(content, HTTPStatus.INTERNAL_SERVER_ERROR)(scope, receive, sending)
        finally:
            _exchange.reset(before)
            exchange.seconds = time.monotonic() - began
            for listener in self._listeners:
                listener(exchange)


def _id_of(scope: Scope) -> str:
    given = Headers(scope=scope).get(ID_HEADER, "") if scope.get(FROM_PROXY) else ""
    return given if ID.fullmatch(given) else secrets.token_hex(8)
