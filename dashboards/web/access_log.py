"""The server log on standard error, as JSON or text: one line per request, and warnings and errors."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TextIO

from dashboards.web.request_log import Exchange, request_id

__all__ = ["LogKind", "log_to", "write_down"]

ACCESS: Final = "himalaya.access"
EXCHANGE: Final = "exchange"
"""Attribute of a log record: the exchange it is about."""

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
        access.info("%s %s %d", exchange.method, exchange.path, exchange.status, extra={EXCHANGE: exchange})


class _Json(logging.Formatter):
    """A record as one JSON object: `time`, `level`, and the facts of a request or a message."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {"time": _time(record), "level": record.levelname.lower()}
        exchange = getattr(record, EXCHANGE, None)
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
        exchange = getattr(record, EXCHANGE, None)
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
