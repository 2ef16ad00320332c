"""Media type, size and compression of a log in a request body."""

import re
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers

from dashboards.web.refusals import Refused
from ingest.receive.inbox import Encoding

__all__ = ["check_log", "encoding"]

NO_LOG: Final = re.compile(r"(image|audio|video|font|model|multipart)/|text/(html|css|xml)|application/(pdf|xml|zip)")
"""Media types that no log has; default types of clients pass, for example curl's form data."""


def check_log(headers: Headers, most: int) -> None:
    """Refuse a body whose headers name another type, or more than `most` bytes."""
    found = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if NO_LOG.match(found):
        message = f"Content-Type: {found} is not a log; send JSON Lines, plain or compressed, as the body itself"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    size = int(headers.get("Content-Length", "0"))
    if size > most:
        message = f"body: expected at most {most} bytes as sent, found {size}"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, size)


def encoding(headers: Headers) -> Encoding | None:
    """Return the compression named by Content-Encoding, `None` for none."""
    found = headers.get("Content-Encoding", "").strip().lower()
    if found in {"", "identity"}:
        return None
    if found not in set(Encoding):
        message = f"Content-Encoding: expected {' or '.join(Encoding)}, found {found}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    return Encoding(found)
