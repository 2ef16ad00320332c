"""Tokens for sending logs; a warehouse keeps only their SHA-256, so a secret is shown once.

A secret is 256 random bits, so an unsalted digest is safe: nobody finds the secret by trying.
"""

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime
from typing import Any, Final

from ingest.errors import WarehouseError
from ingest.warehouse import Report, Warehouse

__all__ = ["create_token", "digest", "digests", "list_tokens", "name_of", "revoke_token"]

PREFIX: Final = "himalaya_"
"""What a secret starts with, so that one that was published by mistake can be recognised."""
SECRET_BYTES: Final = 32
NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def create_token(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Create the token `name` and return its `secret`: the operation `create_token`."""
    name = str(arguments["name"])
    if not NAME.fullmatch(name):
        raise WarehouseError(f"name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found {name!r}")
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    values = {"name": name, "sha256": digest(secret), "created_at": datetime.now(UTC).replace(tzinfo=None)}
    with warehouse.writing_at_once() as connection:
        if connection.execute("SELECT 1 FROM tokens WHERE name = $name", {"name": name}).fetchall():
            raise WarehouseError(f"there is a token {name} already; revoke it first, or choose another name")
        connection.execute("INSERT INTO tokens VALUES ($name, $sha256, $created_at)", values)
    return {"name": name, "secret": secret}


def list_tokens(warehouse: Warehouse, _: dict[str, Any], __: Report) -> dict[str, Any]:
    """Return `tokens`, each with `name` and `created_at` (UTC): the operation `list_tokens`."""
    with warehouse.reading() as connection:
        rows = connection.execute("SELECT name, created_at FROM tokens ORDER BY created_at, name").fetchall()
    return {"tokens": [{"name": name, "created_at": f"{created:%Y-%m-%d %H:%M:%S}"} for name, created in rows]}


def revoke_token(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Remove the token `name`, at once: the operation `revoke_token`."""
    name = str(arguments["name"])
    with warehouse.writing_at_once() as connection:
        gone = connection.execute("DELETE FROM tokens WHERE name = $name RETURNING name", {"name": name}).fetchall()
    if not gone:
        raise WarehouseError(f"there is no token {name}; `himalaya token list` names them")
    return {"name": name}


def digests(warehouse: Warehouse) -> frozenset[str]:
    """Return the digests of all tokens; if there are any, logs are accepted with one only."""
    with warehouse.reading() as connection:
        return frozenset(sha256 for (sha256,) in connection.execute("SELECT sha256 FROM tokens").fetchall())


def name_of(warehouse: Warehouse, secret: str) -> str | None:
    """Return the name of the token with a secret; it takes as long whichever it is."""
    wanted = digest(secret)
    with warehouse.reading() as connection:
        rows = connection.execute("SELECT name, sha256 FROM tokens").fetchall()
    found = [name for name, sha256 in rows if hmac.compare_digest(sha256, wanted)]
    return found[0] if found else None


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
