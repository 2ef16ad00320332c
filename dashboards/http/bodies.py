"""What comes as the body of a request, a log or a JSON object: whether it is one, and why it is not accepted."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

from flask import request

from dashboards.http.access import Refused
from ingest.errors import NotAccepted, Reason
from ingest.receive.inbox import Encoding

__all__ = ["JSON", "accepting", "check_log", "encoding", "json_object", "json_text"]

STATUS: Final[Mapping[Reason, HTTPStatus]] = {
    Reason.EMPTY: HTTPStatus.BAD_REQUEST,
    Reason.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Reason.BROKEN: HTTPStatus.UNPROCESSABLE_ENTITY,
    Reason.NO_SPACE: HTTPStatus.INSUFFICIENT_STORAGE,
    Reason.NOT_WRITABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    Reason.READ_ONLY: HTTPStatus.FORBIDDEN,
    Reason.BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
}
NO_LOG: Final = re.compile(r"(image|audio|video|font|model|multipart)/|text/(html|css|xml)|application/(pdf|xml|zip)")
"""Types that no log has; what a client says without thinking, curl's form data for one, is let through."""
JSON: Final = "application/json"
MOST_BYTES: Final = 16 << 10
"""Of a JSON object."""


def check_log(most: int) -> None:
    """Refuse a body that is said to be something else, or larger than `most` bytes, before any of it is read."""
    found = request.mimetype
    if NO_LOG.match(found):
        message = f"Content-Type: expected JSON Lines, plain or compressed, as the body itself, found {found}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    size = request.content_length
    if size is not None and size > most:
        message = f"body: expected at most {most} bytes as sent, found {size}"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, size)


def encoding() -> Encoding | None:
    """Return how the body is said to be compressed."""
    found = request.headers.get("Content-Encoding", "").strip().lower()
    if found in {"", "identity"}:
        return None
    if found not in set(Encoding):
        message = f"Content-Encoding: expected {' or '.join(Encoding)}, found {found}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    return Encoding(found)


@contextmanager
def accepting() -> Iterator[None]:
    """Refuse the request with the reason for which a body is not accepted within the block."""
    try:
        yield
    except NotAccepted as error:
        headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
        raise Refused(STATUS[error.reason], str(error), error.limit, error.found, headers) from None


def json_text(most: int) -> bytes:
    """Return the body, which is said to be JSON; a form of another site cannot send its type.

    A script of another site is asked first by its browser.
    """
    if request.mimetype != JSON:
        message = f"Content-Type: expected {JSON}, found {request.mimetype or 'none'}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    size = request.content_length or 0
    body = request.stream.read(most + 1) if size <= most else b""
    if max(size, len(body)) > most:
        message = f"body: expected at most {most} bytes, found more"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, max(size, len(body)))
    return body


def json_object(known: set[str], most: int = MOST_BYTES) -> dict[str, Any]:
    """Return what the body says under keys that are `known`."""
    try:
        said = json.loads(json_text(most), parse_constant=_no_number)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise Refused(HTTPStatus.BAD_REQUEST, "body: expected a JSON object, found something else")
    if strange := sorted(set(said) - known):
        message = f"body: expected only {', '.join(sorted(known))}, found {strange[0][:40]!r}"
        raise Refused(HTTPStatus.BAD_REQUEST, message)
    return said


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
