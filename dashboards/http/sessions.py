"""Who is signed in on the pages: a session is a random number in a cookie, and its digest here, in memory.

A session ends with its token, after `LASTS`, when its holder signs out, and when the server stops.
"""

import secrets
import threading
from datetime import UTC, datetime, timedelta
from typing import Final

from ingest.receive.tokens import digest

__all__ = ["LASTS", "Sessions"]

LASTS: Final = timedelta(days=7)
MOST: Final = 10_000
"""Sessions at once; the oldest goes for one more."""


class Sessions:
    """The sessions of a server; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: dict[str, tuple[str, datetime]] = {}

    def begin(self, sha256: str) -> str:
        """Begin a session of the holder of a token, by the digest of its secret; return what the cookie says."""
        cookie = secrets.token_urlsafe(32)
        with self._lock:
            while len(self._tokens) >= MOST:
                del self._tokens[next(iter(self._tokens))]
            self._tokens[digest(cookie)] = sha256, datetime.now(UTC) + LASTS
        return cookie

    def token_of(self, cookie: str) -> str | None:
        """Return the digest of the token of a session, `None` if there is none or it has ended."""
        sha256, ends = self._tokens.get(digest(cookie), (None, datetime.now(UTC)))
        return sha256 if datetime.now(UTC) < ends else None

    def end(self, cookie: str) -> None:
        """End a session."""
        with self._lock:
            self._tokens.pop(digest(cookie), None)
