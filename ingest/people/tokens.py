"""Access tokens and the sessions of signed-in people. Of a token's secret, only the SHA-256 is stored."""

import hashlib
import json
import re
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from ingest.app_store import AppStore, as_moment, as_text, now
from ingest.errors import WarehouseError

__all__ = [
    "GRACE",
    "LASTS",
    "ROLES",
    "USUAL_ROLES",
    "USUAL_SCOPES",
    "Role",
    "Scope",
    "Token",
    "all_tokens",
    "begin_session",
    "create_token",
    "digest",
    "end_session",
    "names_of",
    "note_use",
    "revoke_token",
    "role_for",
    "rotate_token",
    "scopes_of",
    "token_of_session",
]


PREFIX: Final = "himalaya_"
"""Prefix of all secrets, so that a leaked secret can be recognised."""
SECRET_BYTES: Final = 32
NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
TAKEN: Final = {"local", "operator", "nobody"}
"""Reserved names: the audit log and receipts use them for clients without a token."""
GRACE: Final = 24 * 3600
"""Seconds for which the former secret stays valid after a rotation."""
AN_HOUR: Final = timedelta(hours=1)
COLUMNS: Final = "name, sha256, scopes, created_at, expires_at, used_at, replaced_at"


class Scope(StrEnum):
    """A single permission."""

    READ = "read"
    SEND = "send"
    WRITE = "write"
    RUN = "run"
    OPERATE = "operate"


class Role(StrEnum):
    """A role: a named set of permissions."""

    VIEWER = "viewer"
    EDITOR = "editor"
    OPERATOR = "operator"
    SENDER = "sender"


ROLES: Final[Mapping[Role, frozenset[Scope]]] = {
    Role.OPERATOR: frozenset({Scope.READ, Scope.WRITE, Scope.RUN, Scope.OPERATE}),
    Role.EDITOR: frozenset({Scope.READ, Scope.WRITE, Scope.RUN}),
    Role.VIEWER: frozenset({Scope.READ}),
    Role.SENDER: frozenset({Scope.SEND}),
}
"""The scopes of each role, most powerful role first."""
USUAL_ROLES: Final = (Role.EDITOR, Role.SENDER)


def scopes_of(roles: Iterable[Role]) -> frozenset[Scope]:
    """Return all scopes of the given roles."""
    return frozenset[Scope]().union(*(ROLES[role] for role in roles))


USUAL_SCOPES: Final = scopes_of(USUAL_ROLES)


def names_of(scopes: frozenset[Scope]) -> list[str]:
    """Return the smallest set of roles with exactly these scopes, or the names of the scopes if no roles fit."""
    roles: list[Role] = []
    for role, granted in ROLES.items():
        if granted <= scopes and not granted <= scopes_of(roles):
            roles.append(role)
    fits = scopes_of(roles) == scopes
    return [str(role) for role in roles] if fits else [str(scope) for scope in Scope if scope in scopes]


def role_for(scopes: Iterable[Scope]) -> Role:
    """Return the least powerful role that has one of these scopes."""
    return next(
        role for role in (Role.SENDER, Role.VIEWER, Role.EDITOR, Role.OPERATOR) if ROLES[role] & frozenset(scopes)
    )


@dataclass(frozen=True, slots=True)
class Token:
    """One secret of a token, stored as its digest; times are UTC."""

    name: str
    sha256: str
    scopes: frozenset[Scope]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    replaced_at: datetime | None

    @property
    def is_live(self) -> bool:
        """Return whether the secret has not expired."""
        return self.expires_at is None or now() < self.expires_at


def create_token(
    store: AppStore, name: str, scopes: Iterable[Scope] = USUAL_SCOPES, expires: float | None = None
) -> str:
    """Create a token and return its secret, which expires after `expires` seconds if given.

    Raises `WarehouseError` if the name is invalid or already used.
    """
    if not NAME.fullmatch(name):
        raise WarehouseError(f"{name!r} cannot name a token; use 1 to 64 of A-Z a-z 0-9 . _ -")
    if name in TAKEN:
        raise WarehouseError(f"the name {name} is reserved; choose another one")
    with store.writing() as connection:
        if connection.execute("SELECT 1 FROM tokens WHERE name = ?", (name,)).fetchall():
            raise WarehouseError(f"there is a token {name} already; revoke or rotate it, or choose another name")
        return _added(connection, name, scopes, expires)


def rotate_token(store: AppStore, name: str, grace: float = GRACE, expires: float | None = None) -> str:
    """Give a token a new secret and return it; the former secret stays valid for `grace` seconds.

    The new secret has the lifetime of the former one, or `expires` seconds if given. Raises `WarehouseError` if there
    is no such token.
    """
    at = now()
    with store.writing() as connection:
        before = next((token for token in _tokens(connection) if token.name == name and not token.replaced_at), None)
        if before is None:
            raise _unknown(name)
        lasts = (before.expires_at - before.created_at).total_seconds() if before.expires_at else None
        until = at + timedelta(seconds=grace)
        ends = until if before.expires_at is None else min(until, before.expires_at)
        connection.execute("DELETE FROM tokens WHERE replaced_at IS NOT NULL AND expires_at <= ?", (as_text(at),))
        connection.execute(
            "UPDATE tokens SET replaced_at = ?, expires_at = ? WHERE sha256 = ?",
            (as_text(at), as_text(ends), before.sha256),
        )
        return _added(connection, name, before.scopes, expires or lasts)


def revoke_token(store: AppStore, name: str) -> None:
    """Remove a token with all its secrets and sessions. Raises `WarehouseError` if there is no such token."""
    with store.writing() as connection:
        connection.execute("DELETE FROM sessions WHERE token IN (SELECT sha256 FROM tokens WHERE name = ?)", (name,))
        if not connection.execute("DELETE FROM tokens WHERE name = ?", (name,)).rowcount:
            raise _unknown(name)


def all_tokens(store: AppStore) -> list[Token]:
    """Return all secrets of all tokens, including expired ones, oldest first."""
    with store.reading() as connection:
        return _tokens(connection)


def note_use(store: AppStore, token: Token) -> None:
    """Record when a token was used, at most once an hour."""
    if store.read_only or (token.used_at and now() - token.used_at < AN_HOUR):
        return
    with store.writing(durable=False) as connection:
        connection.execute("UPDATE tokens SET used_at = ? WHERE sha256 = ?", (as_text(now()), token.sha256))


def digest(secret: str) -> str:
    """Return the digest that is stored for a secret."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _added(connection: sqlite3.Connection, name: str, scopes: Iterable[Scope], expires: float | None) -> str:
    """Insert a new secret for a token and return it."""
    secret, at = PREFIX + secrets.token_urlsafe(SECRET_BYTES), now()
    ends = None if expires is None else at + timedelta(seconds=expires)
    values = (name, digest(secret), json.dumps(sorted(scopes)), as_text(at), as_text(ends))
    names = "name, sha256, scopes, created_at, expires_at"
    connection.execute(f"INSERT INTO tokens ({names}) VALUES (?, ?, ?, ?, ?)", values)
    return secret


def _tokens(connection: sqlite3.Connection) -> list[Token]:
    rows = connection.execute(f"SELECT {COLUMNS} FROM tokens ORDER BY created_at, name").fetchall()
    return [_token(*row) for row in rows]


def _token(name: str, sha256: str, scopes: str, created_at: str, *times: Any) -> Token:
    expires_at, used_at, replaced_at = (None if each is None else as_moment(each) for each in times)
    may = frozenset(map(Scope, json.loads(scopes)))
    return Token(name, sha256, may, as_moment(created_at), expires_at, used_at, replaced_at)


def _unknown(name: str) -> WarehouseError:
    return WarehouseError(f"there is no token {name}; `himalaya token list` shows all")


LASTS: Final = timedelta(days=7)
MOST: Final = 10_000
"""Maximum number of sessions; beyond it, a new session replaces the oldest one."""


def begin_session(store: AppStore, sha256: str) -> str:
    """Start a session for the token secret with this digest; return the cookie's value."""
    cookie = secrets.token_urlsafe(32)
    with store.writing(durable=False) as connection:
        connection.execute("DELETE FROM sessions WHERE ends_at <= ?", (as_text(now()),))
        oldest = "SELECT sha256 FROM sessions ORDER BY ends_at DESC LIMIT -1 OFFSET ?"
        connection.execute(f"DELETE FROM sessions WHERE sha256 IN ({oldest})", (MOST - 1,))
        values = (digest(cookie), sha256, as_text(now() + LASTS))
        connection.execute("INSERT INTO sessions (sha256, token, ends_at) VALUES (?, ?, ?)", values)
    return cookie


def token_of_session(store: AppStore, cookie: str) -> str | None:
    """Return the digest of the secret that a session belongs to; `None` if there is no session or it has ended."""
    sql = "SELECT token FROM sessions WHERE sha256 = ? AND ends_at > ?"
    with store.reading() as connection:
        found = connection.execute(sql, (digest(cookie), as_text(now()))).fetchall()
    return str(found[0][0]) if found else None


def end_session(store: AppStore, cookie: str) -> None:
    """End a session."""
    with store.writing(durable=False) as connection:
        connection.execute("DELETE FROM sessions WHERE sha256 = ?", (digest(cookie),))
