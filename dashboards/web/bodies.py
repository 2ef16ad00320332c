"""What comes as a log in the body of a request: whether it may be one, and how it is compressed."""

import re
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers

from dashboards.web.refusals import Refused
from ingest.receive.inbox import Encoding

__all__ = ["check_log", "encoding"]

NO_LOG: Final = re.compile(r"(image|audio|video|font|model|multipart)/|text/(html|css|xml)|application/(pdf|xml|zip)")
"""Types that no log has; what a client says without thinking, curl's form data for one, is let through."""


def check_log(headers: Headers, most: int) -> None:
    """Refuse a body that is said to be something else, or larger than `most` bytes."""
    found = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if NO_LOG.match(found):
        message = f"Content-Type: expected JSON Lines, plain or compressed, as the body itself, found {found}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    size = int(headers.get("Content-Length", "0"))
    if size > most:
        message = f"body: expected at most {most} bytes as sent, found {size}"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, size)


def encoding(headers: Headers) -> Encoding | None:
    """Return how the body is said to be compressed."""
    found = headers.get("Content-Encoding", "").strip().lower()
    if found in {"", "identity"}:
        return None
    if found not in set(Encoding):
        message = f"Content-Encoding: expected {' or '.join(Encoding)}, found {found}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    return Encoding(found)
