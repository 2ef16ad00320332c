"""The log of a server, on standard error: one line a request, and with it whatever is wrong, as JSON or as text."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TextIO

from dashboards.web.request_log import Seen, request_id

__all__ = ["LogKind", "log_to", "write_down"]

ACCESS: Final = "himalaya.access"
SEEN: Final = "seen"
"""Attribute of a record: the request it is about."""

access = logging.getLogger(ACCESS)


class LogKind(StrEnum):
    """How a server logs; `none` leaves requests out, and has warnings as Python prints them."""

    JSON = "json"
    TEXT = "text"
    NONE = "none"


def log_to(kind: LogKind, stream: TextIO = sys.stderr) -> logging.Handler | None:
    """Have all that is logged in this process go to a stream; return what writes it."""
    if kind is LogKind.NONE:
        return None
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Json() if kind is LogKind.JSON else _Text())
    logging.getLogger().addHandler(handler)
    logging.captureWarnings(capture=True)
    access.setLevel(logging.INFO)
    return handler


def write_down(seen: Seen) -> None:
    """Log a request."""
    if access.isEnabledFor(logging.INFO):
        access.info("%s %s %d", seen.method, seen.path, seen.status, extra={SEEN: seen})


class _Json(logging.Formatter):
    """A record as one JSON object: `time`, `level`, and either what was seen of a request or the message."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {"time": _time(record), "level": record.levelname.lower()}
        seen = getattr(record, SEEN, None)
        if isinstance(seen, Seen):
            said |= {
                "request_id": seen.id,
                "client": seen.client,
                "sender": seen.sender,
                "method": seen.method,
                "route": seen.route,
                "path": seen.path,
                "status": seen.status,
                "bytes": seen.size,
                "milliseconds": round(seen.seconds * 1_000, 1),
            }
        else:
            said |= {"logger": record.name, "message": record.getMessage(), "request_id": request_id()}
            if record.exc_info:
                said["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps({name: value for name, value in said.items() if value is not None})


class _Text(logging.Formatter):
    """A record as a line for people; a name or address with control characters cannot make a second one of it."""

    def format(self, record: logging.LogRecord) -> str:
        seen = getattr(record, SEEN, None)
        if isinstance(seen, Seen):
            path = seen.path.encode("unicode_escape").decode()
            what = f"{seen.method} {path} {seen.status} {seen.size} bytes {seen.seconds * 1_000:.1f} ms"
            return f"{_time(record)} {seen.client} {seen.sender or '-'} {what} {seen.id}"
        text = f"{_time(record)} {record.levelname.lower()} {record.getMessage()}"
        if record.exc_info:
            text = f"{text}\n{''.join(traceback.format_exception(*record.exc_info)).rstrip()}"
        return text


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
