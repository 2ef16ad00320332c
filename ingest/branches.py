"""Branches of matches that somebody keeps: what was tried instead, as a document. Nothing can derive them again.

A branch refers to its match by name and by the digest of its lines; it is deleted when the match is forgotten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import duckdb

from ingest.errors import NoBranch, NoMatch, TooMany
from ingest.one_line import one_line
from ingest.warehouse import Warehouse

__all__ = ["MOST_TITLE", "KeptBranch", "branches_of", "find_branch", "keep_branch", "remove_branch"]

MOST_TITLE: Final = 200
"""Letters."""
MOST_OF_A_MATCH: Final = 200
MOST_FOUND: Final = 1_000
COLUMNS: Final = "SELECT id, match, title, kept_by, kept_at FROM branches"


@dataclass(frozen=True, slots=True)
class KeptBranch:
    """A branch that is kept: of which match, how it is called, and by whom and when it was kept."""

    id: str
    match: str
    title: str
    by: str
    at: datetime


def branches_of(warehouse: Warehouse, match: str) -> list[KeptBranch]:
    """Return the branches of a match that are kept, the newest first; without a match, of all."""
    which = "WHERE match = $match" if match else ""
    values = {"most": MOST_FOUND} | ({"match": match} if match else {})
    with warehouse.reading() as connection:
        rows = connection.execute(f"{COLUMNS} {which} ORDER BY kept_at DESC, id LIMIT $most", values).fetchall()
    return [_kept(row) for row in rows]


def find_branch(warehouse: Warehouse, number: str) -> tuple[KeptBranch, str] | None:
    """Return a branch that is kept, and its document; `None` if none of that id is."""
    with warehouse.reading() as connection:
        sql = "SELECT id, match, title, kept_by, kept_at, document FROM branches WHERE id = $id"
        rows = connection.execute(sql, {"id": number}).fetchall()
    return (_kept(rows[0][:-1]), rows[0][-1]) if rows else None


def keep_branch(warehouse: Warehouse, number: str, match: str, document: str, *, title: Any, by: str) -> KeptBranch:
    """Keep a branch; one that is kept already gets the new title.

    Raises `NoMatch`, `Unfit` or `TooMany` with the reason, and `WarehouseError` if nothing can be written.
    """
    title, now = one_line(title, "keep", MOST_TITLE), datetime.now(UTC).replace(tzinfo=None)
    values = {"id": number, "match": match, "document": document, "title": title, "kept_by": by, "kept_at": now}
    with warehouse.writing_at_once() as connection:
        if not connection.execute("SELECT 1 FROM raw_matches WHERE match = $match", {"match": match}).fetchall():
            raise NoMatch(f"There is no match {match[:80]} in this database.")
        sql = "SELECT count(*) FROM branches WHERE match = $match AND id <> $id"
        ((there,),) = connection.execute(sql, {"match": match, "id": number}).fetchall()
        if there >= MOST_OF_A_MATCH:
            message = f"expected at most {MOST_OF_A_MATCH} branches of a match, found as many; remove one first"
            raise TooMany(message, MOST_OF_A_MATCH, there + 1)
        connection.begin()
        connection.execute("DELETE FROM branches WHERE id = $id", {"id": number})
        names = ", ".join(values)
        connection.execute(f"INSERT INTO branches ({names}) VALUES (${names.replace(', ', ', $')})", values)
        connection.commit()
        return _one(connection, number)


def remove_branch(warehouse: Warehouse, number: str) -> KeptBranch:
    """Keep a branch no longer, and return what it was; `NoBranch` if it is not kept."""
    with warehouse.writing_at_once() as connection:
        before = _one(connection, number)
        connection.execute("DELETE FROM branches WHERE id = $id", {"id": number})
        return before


def _one(connection: duckdb.DuckDBPyConnection, number: str) -> KeptBranch:
    rows = connection.execute(f"{COLUMNS} WHERE id = $id", {"id": number}).fetchall()
    if not rows:
        raise NoBranch(f"No branch {number[:40]} is kept; it may have been removed.")
    return _kept(rows[0])


def _kept(row: Sequence[Any]) -> KeptBranch:
    number, match, title, by, at = row
    return KeptBranch(number, match, title, by, at.replace(tzinfo=UTC))
