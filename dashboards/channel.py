"""How waitress answers what it does not even hand to the app: as the app would, in JSON.

It reads no further than the head of a request that announces too large a body, so nothing is written for it.
"""

import json
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask
from waitress.utilities import RequestEntityTooLarge

__all__ = ["Channel"]

SECURE: Final = [("X-Content-Type-Options", "nosniff"), ("Content-Type", "application/json")]


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
        else:
            refusal = {"message": f"{error.reason}: {error.body}"}
        body = json.dumps(refusal).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers = list(SECURE)
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection whose errors are JSON."""

    error_task_class = _Refusal
