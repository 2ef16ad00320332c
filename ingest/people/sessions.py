"""Sessions of signed-in users: a random number in a cookie, and its digest in the store.

A session ends with its token, after `LASTS`, or when its user signs out.
"""

import secrets
from datetime import timedelta
from typing import Final

from ingest.app_store import AppStore, as_text, now
from ingest.people.tokens import digest

__all__ = ["LASTS", "begin_session", "end_session", "token_of_session"]

LASTS: Final = timedelta(days=7)
MOST: Final = 10_000
"""Maximum number of sessions; the oldest one is removed for a new one."""


def begin_session(store: AppStore, sha256: str) -> str:
    """Start a session for a token, given the digest of its secret; return the cookie's value."""
    cookie = secrets.token_urlsafe(32)
    with store.writing(durable=False) as connection:
        connection.execute("DELETE FROM sessions WHERE ends_at <= ?", (as_text(now()),))
        oldest = "SELECT sha256 FROM sessions ORDER BY ends_at DESC LIMIT -1 OFFSET ?"
        connection.execute(f"DELETE FROM sessions WHERE sha256 IN ({oldest})", (MOST - 1,))
        values = (digest(cookie), sha256, as_text(now() + LASTS))
        connection.execute("INSERT INTO sessions (sha256, token, ends_at) VALUES (?, ?, ?)", values)
    return cookie


def token_of_session(store: AppStore, cookie: str) -> str | None:
    """Return the digest of a session's token; `None` if there is no such session or it has ended."""
    sql = "SELECT token FROM sessions WHERE sha256 = ? AND ends_at > ?"
    with store.reading() as connection:
        found = connection.execute(sql, (digest(cookie), as_text(now()))).fetchall()
    return str(found[0][0]) if found else None


def end_session(store: AppStore, cookie: str) -> None:
    """End a session."""
    with store.writing(durable=False) as connection:
        connection.execute("DELETE FROM sessions WHERE sha256 = ?", (digest(cookie),))
