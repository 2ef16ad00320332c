"""The log of requests on standard error, and the facts about each request that counters use."""

import json
import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final, TextIO

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboards.web.policy import FROM_PROXY

__all__ = ["EXCHANGE", "NO_ROUTE", "Exchange", "LogKind", "RequestLog", "log_to", "request_id", "write_down"]


EXCHANGE: Final = "himalaya.exchange"
"""Key in the ASGI scope for the exchange (request and answer) being served."""
ID_HEADER: Final = "X-Request-Id"
ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
NO_ROUTE: Final = "none"
"""Name of the route in the log if an address matches no route."""
CAPABILITIES: Final = ("report",)
"""Path parameters that grant access to anyone who knows their values, so that the log hides them."""
TOKEN: Final = re.compile(r"himalaya_[\w-]+")
HIDDEN: Final = "…"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Exchange:
    """A request and its answer; `seconds` until the last byte was sent, `sender` is `None` for unnamed callers."""

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
        """Record the route, and hide parts of the path that grant access."""
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
        """Pass the request to the app, and record its answer."""
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


ACCESS: Final = "himalaya.access"
LOGGED: Final = "exchange"
"""Attribute of a log record that holds its exchange."""

access = logging.getLogger(ACCESS)


class LogKind(StrEnum):
    """Format of the server log; `none` logs no requests and leaves warnings to Python."""

    JSON = "json"
    TEXT = "text"
    NONE = "none"


def log_to(kind: LogKind, stream: TextIO = sys.stderr) -> logging.Handler | None:
    """Send the log of this process to a stream; return the handler, `None` for `LogKind.NONE`."""
    if kind is LogKind.NONE:
        return None
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Json() if kind is LogKind.JSON else _Text())
    logging.getLogger().addHandler(handler)
    logging.captureWarnings(capture=True)
    access.setLevel(logging.INFO)
    return handler


def write_down(exchange: Exchange) -> None:
    """Log a request."""
    if access.isEnabledFor(logging.INFO):
        access.info("%s %s %d", exchange.method, exchange.path, exchange.status, extra={LOGGED: exchange})


class _Json(logging.Formatter):
    """A record as one JSON object: `time`, `level`, and the facts of a request or a message."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {"time": _time(record), "level": record.levelname.lower()}
        exchange = getattr(record, LOGGED, None)
        if isinstance(exchange, Exchange):
            fields |= {
                "request_id": exchange.id,
                "client": exchange.client,
                "sender": exchange.sender,
                "method": exchange.method,
                "route": exchange.route,
                "path": exchange.path,
                "status": exchange.status,
                "bytes": exchange.size,
                "milliseconds": round(exchange.seconds * 1_000, 1),
            }
        else:
            fields |= {"logger": record.name, "message": record.getMessage(), "request_id": request_id()}
            if record.exc_info:
                fields["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps({name: value for name, value in fields.items() if value is not None})


class _Text(logging.Formatter):
    """A record as one line for people; control characters in a path are escaped, so it stays one line."""

    def format(self, record: logging.LogRecord) -> str:
        exchange = getattr(record, LOGGED, None)
        if isinstance(exchange, Exchange):
            path = exchange.path.encode("unicode_escape").decode()
            what = f"{exchange.method} {path} {exchange.status} {exchange.size} bytes {exchange.seconds * 1_000:.1f} ms"
            return f"{_time(record)} {exchange.client} {exchange.sender or '-'} {what} {exchange.id}"
        text = f"{_time(record)} {record.levelname.lower()} {record.getMessage()}"
        if record.exc_info:
            text = f"{text}\n{''.join(traceback.format_exception(*record.exc_info)).rstrip()}"
        return text


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
