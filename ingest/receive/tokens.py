"""Tokens, with which others are let in; a warehouse keeps only the SHA-256 of a secret, which is shown once.

A secret is 256 random bits, so an unsalted digest is safe: nobody finds the secret by trying. A token has a row for
each of its secrets: one, and after a rotation the former for as long as it goes on.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from weakref import WeakKeyDictionary

import duckdb

from ingest.errors import WarehouseError
from ingest.warehouse import Report, Warehouse

__all__ = [
    "USUAL_SCOPES",
    "Scope",
    "Token",
    "all_tokens",
    "changes",
    "create_token",
    "digest",
    "list_tokens",
    "revoke_token",
    "rotate_token",
    "write_uses",
]

PREFIX: Final = "himalaya_"
"""What a secret starts with, so that one that was published by mistake can be recognised."""
SECRET_BYTES: Final = 32
NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
TAKEN: Final = {"local", "operator", "nobody"}
"""What the audit and receipts call those who have no token."""
GRACE: Final = 24 * 3600
"""Seconds for which a former secret goes on."""
COLUMNS: Final = "name, sha256, scopes, created_at, expires_at, used_at, replaced_at"

_changes: Final[WeakKeyDictionary[Warehouse, int]] = WeakKeyDictionary()


class Scope(StrEnum):
    """What somebody may do."""

    READ = "read"
    SEND = "send"
    WRITE = "write"
    RUN = "run"
    OPERATE = "operate"


USUAL_SCOPES: Final = (Scope.READ, Scope.SEND, Scope.WRITE, Scope.RUN)


@dataclass(frozen=True, slots=True)
class Token:
    """A secret of a token, by its digest; times are UTC."""

    name: str
    sha256: str
    scopes: frozenset[Scope]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    replaced_at: datetime | None

    @property
    def is_live(self) -> bool:
        """Say whether it has not expired."""
        return self.expires_at is None or _now() < self.expires_at


# --- Operations


def create_token(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Create the token `name` and return its `secret`: the operation `create_token`.

    `scopes` are those of `USUAL_SCOPES` if none are named; it ends after so many seconds, `expires`, if that is given.
    """
    name = str(arguments["name"])
    if not NAME.fullmatch(name):
        raise WarehouseError(f"name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found {name!r}")
    if name in TAKEN:
        raise WarehouseError(f"name: {name} stands for those without a token; choose another name")
    scopes = sorted(Scope(scope) for scope in arguments.get("scopes") or USUAL_SCOPES)
    with warehouse.writing_at_once() as connection:
        if connection.execute("SELECT 1 FROM tokens WHERE name = $name", {"name": name}).fetchall():
            raise WarehouseError(f"there is a token {name} already; revoke or rotate it, or choose another name")
        made = _made(connection, name, scopes, arguments.get("expires"))
    _note_change(warehouse)
    return made


def rotate_token(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Give the token `name` a new `secret` and return it: the operation `rotate_token`.

    The former goes on for `grace` seconds, a day if that is not given. The new one lasts as long as the former did, or
    for `expires` seconds.
    """
    name, now = str(arguments["name"]), _now()
    grace = arguments.get("grace")
    until = now + timedelta(seconds=GRACE if grace is None else grace)
    with warehouse.writing_at_once() as connection:
        connection.begin()
        before = next((token for token in _tokens(connection) if token.name == name and not token.replaced_at), None)
        if before is None:
            raise _none(name)
        lasts = (before.expires_at - before.created_at).total_seconds() if before.expires_at else None
        connection.execute("DELETE FROM tokens WHERE replaced_at IS NOT NULL AND expires_at <= $now", {"now": now})
        connection.execute(
            "UPDATE tokens SET replaced_at = $now, expires_at = least($until, expires_at) WHERE sha256 = $sha256",
            {"now": now, "until": until, "sha256": before.sha256},
        )
        made = _made(connection, name, sorted(before.scopes), arguments.get("expires") or lasts)
        connection.commit()
    _note_change(warehouse)
    return made


def list_tokens(warehouse: Warehouse, _: dict[str, Any], __: Report) -> dict[str, Any]:
    """Return `tokens`, each with all that is kept of it but the digest, times in UTC: the operation `list_tokens`."""
    return {"tokens": [_as_listed(token) for token in all_tokens(warehouse)]}


def revoke_token(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Remove the token `name` with all its secrets, at once: the operation `revoke_token`."""
    name = str(arguments["name"])
    with warehouse.writing_at_once() as connection:
        gone = connection.execute("DELETE FROM tokens WHERE name = $name RETURNING name", {"name": name}).fetchall()
    if not gone:
        raise _none(name)
    _note_change(warehouse)
    return {"name": name}


def _made(
    connection: duckdb.DuckDBPyConnection, name: str, scopes: Iterable[Scope], expires: float | None
) -> dict[str, Any]:
    """Insert a new secret, and return it with its `name`."""
    secret, now = PREFIX + secrets.token_urlsafe(SECRET_BYTES), _now()
    values = {
        "name": name,
        "sha256": digest(secret),
        "created_at": now,
        "scopes": [str(scope) for scope in scopes],
        "expires_at": None if expires is None else now + timedelta(seconds=expires),
    }
    names = ", ".join(values)
    connection.execute(f"INSERT INTO tokens ({names}) VALUES (${names.replace(', ', ', $')})", values)
    return {"name": name, "secret": secret}


def _none(name: str) -> WarehouseError:
    return WarehouseError(f"there is no token {name}; `himalaya token list` names them")


def _as_listed(token: Token) -> dict[str, Any]:
    state = "" if token.is_live else "expired"
    return {
        "name": token.name,
        "scopes": [scope for scope in Scope if scope in token.scopes],
        "created_at": _text(token.created_at),
        "expires_at": _text(token.expires_at),
        "used_at": _text(token.used_at),
        "state": "replaced" if token.replaced_at and token.is_live else state,
    }


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M:%S}"


# --- Who comes with one


def all_tokens(warehouse: Warehouse) -> list[Token]:
    """Return the secrets of all tokens, expired ones too, the oldest first."""
    with warehouse.reading() as connection:
        return _tokens(connection)


def _tokens(connection: duckdb.DuckDBPyConnection) -> list[Token]:
    rows = connection.execute(f"SELECT {COLUMNS} FROM tokens ORDER BY created_at, name").fetchall()
    return [Token(name, sha256, frozenset(map(Scope, scopes)), *times) for name, sha256, scopes, *times in rows]


def changes(warehouse: Warehouse) -> int:
    """Return how often tokens were changed here: whoever keeps them in memory asks for them again once it is more."""
    return _changes.get(warehouse, 0)


def _note_change(warehouse: Warehouse) -> None:
    _changes[warehouse] = changes(warehouse) + 1


def write_uses(connection: duckdb.DuckDBPyConnection, uses: Mapping[str, datetime]) -> None:
    """Write down when secrets were used last, by their digests."""
    for sha256, used_at in uses.items():
        values = {"sha256": sha256, "used_at": used_at}
        connection.execute("UPDATE tokens SET used_at = $used_at WHERE sha256 = $sha256", values)


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
