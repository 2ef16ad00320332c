"""How waitress reads requests before the app sees them, and answers those that it does not hand to the app.

It puts bodies on the disk, so it reads no further than the head of a request with a larger body than its path has, or
with a large one of somebody who may not send it: the first is answered here, as the app would, in JSON, the second by
the app, which says why.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask
from waitress.utilities import Error, RequestEntityTooLarge

from dashboards.http.access import Header

__all__ = ["LEAST_BODY", "Channel", "Most"]

LEAST_BODY: Final = 1 << 20
"""Bytes of a body that are read of anybody; the pages' own requests are at most so large."""
Most = Callable[[str, Header], int | None]
"""Says by path and headers how many bytes of a larger body are read, `None` for not any; it must not wait."""

SECURE: Final = [("X-Content-Type-Options", "nosniff"), ("Content-Type", "application/json")]


class _NoRoom(Error):  # type: ignore[misc]  # waitress has no types
    code = 507
    reason = "Insufficient Storage"


class _Refusal(ErrorTask):  # type: ignore[misc]  # waitress has no types
    response_headers: Any

    def execute(self) -> None:
        """Write the answer, and end the connection."""
        request: Any = self.request
        error = request.error
        if isinstance(error, RequestEntityTooLarge):
            most = request.adj.max_request_body_size - 1
            found = max(request.content_length, request.body_bytes_received)
            refusal = {"message": f"body: expected at most {most} bytes, found more", "limit": most, "found": found}
        elif isinstance(error, _NoRoom):
            refusal = {"message": error.body}
        else:
            refusal = {"message": f"{error.reason}: {error.body}"}
        body = json.dumps(refusal).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers = list(SECURE)
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Request(HTTPRequestParser):  # type: ignore[misc]
    """A request, of whose body no more is read than it may have."""

    path: str
    content_length: int
    headers: Any
    body_rcv: Any

    def __init__(self, adj: Any, most: Most) -> None:
        super().__init__(adj)
        self.adj: Any = adj
        self._most = most
        self._is_unread = False

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head, and decide by it how much of the body is read."""
        super().parse_header(header_plus)
        if self.body_rcv is None or (0 < self.content_length <= LEAST_BODY):
            return
        most = self._most(self.path, lambda name: self.headers.get(name.upper().replace("-", "_")))
        if most is None:
            self.body_rcv, self.content_length, self._is_unread = None, 0, True
            self.headers["CONNECTION"] = "close"
        else:
            self.adj = copy(self.adj)
            self.adj.max_request_body_size = most + 1  # waitress refuses what is as large as this

    def received(self, data: bytes) -> int:
        """Take what came, and say how much of it belongs to this request."""
        try:
            taken = super().received(data)
        except OSError as error:
            self._give_up(error)
            return len(data)
        if self.completed:
            self.expect_continue = False  # else waitress would ask for the body, and read it
        return len(data) if self._is_unread else int(taken)

    def _give_up(self, error: OSError) -> None:
        """Have the client told that there is no room for the body, of which the rest stays unread."""
        self.error = _NoRoom(f"the server cannot keep the body on its disk: {error.strerror or error}")
        self.completed = True
        with suppress(OSError):  # what is not written yet is tried once more
            self.close()
        self.body_rcv = None


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection whose errors are JSON; `most` says how much is read of large bodies."""

    error_task_class = _Refusal

    def __init__(self, *arguments: Any, most: Most, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.parser_class: Any = partial(_Request, most=most)
