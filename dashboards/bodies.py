"""Logs as the body of a request: whether what comes may be one, and why it is not accepted."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from flask import request

from dashboards.senders import Refused
from ingest.inbox import Encoding, NotAccepted, Reason

__all__ = ["accepting", "check_log", "encoding"]

STATUS: Final[Mapping[Reason, HTTPStatus]] = {
    Reason.EMPTY: HTTPStatus.BAD_REQUEST,
    Reason.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Reason.BROKEN: HTTPStatus.UNPROCESSABLE_ENTITY,
    Reason.NO_SPACE: HTTPStatus.INSUFFICIENT_STORAGE,
    Reason.NOT_WRITABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}
NO_LOG: Final = re.compile(r"(image|audio|video|font|model|multipart)/|text/(html|css|xml)|application/(pdf|xml|zip)")
"""Types that no log has; what a client says without thinking, curl's form data for one, is let through."""


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
        raise Refused(STATUS[error.reason], str(error), error.limit, error.found) from None
