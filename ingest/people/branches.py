"""Saved branches of matches (what-ifs), stored as documents, which cannot be derived again from the logs.

A branch refers to its match by name and by the digest of its lines. It is deleted when the match is forgotten.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ingest.app_store import AppStore, as_moment, as_text, now, one_line
from ingest.errors import NoBranch, NoMatch, TooMany
from ingest.people.bookmarks import last_ply
from ingest.warehouse import Warehouse

__all__ = ["MOST_TITLE", "KeptBranch", "branches_of", "find_branch", "keep_branch", "remove_branch"]

MOST_TITLE: Final = 200
"""Maximum length in characters."""
MOST_OF_A_MATCH: Final = 200
MOST_FOUND: Final = 1_000
COLUMNS: Final = "SELECT id, match, title, kept_by, kept_at FROM branches"


@dataclass(frozen=True, slots=True)
class KeptBranch:
    """A saved branch: its match, its title, who saved it, and when."""

    id: str
    match: str
    title: str
    by: str
    at: datetime


def branches_of(store: AppStore, match: str) -> list[KeptBranch]:
    """Return the saved branches of a match, newest first; of all matches if `match` is empty."""
    which = "WHERE match = :match" if match else ""
    values = {"most": MOST_FOUND, "match": match}
    with store.reading() as connection:
        rows = connection.execute(f"{COLUMNS} {which} ORDER BY kept_at DESC, id LIMIT :most", values).fetchall()
    return [_kept(row) for row in rows]


def find_branch(store: AppStore, number: str) -> tuple[KeptBranch, str] | None:
    """Return a saved branch and its document; `None` if there is no branch with this id."""
    with store.reading() as connection:
        sql = "SELECT id, match, title, kept_by, kept_at, document FROM branches WHERE id = ?"
        rows = connection.execute(sql, (number,)).fetchall()
    return (_kept(rows[0][:-1]), rows[0][-1]) if rows else None


def keep_branch(warehouse: Warehouse, number: str, match: str, document: str, *, title: Any, by: str) -> KeptBranch:
    """Save a branch. If it is already saved, it gets the new title.

    Raises `NoMatch`, `Unfit` or `TooMany` with the reason, or `WarehouseError` if the store cannot be written.
    """
    title = one_line(title, "keep", MOST_TITLE)
    if last_ply(warehouse, match) is None:
        raise NoMatch(f"There is no match {match[:80]} in this database.")
    with warehouse.app.writing() as connection:
        sql = "SELECT count(*) FROM branches WHERE match = ? AND id <> ?"
        ((there,),) = connection.execute(sql, (match, number)).fetchall()
        if there >= MOST_OF_A_MATCH:
            message = f"this match has {there} branches already, the most that a match can have; remove one first"
            raise TooMany(message, MOST_OF_A_MATCH, there + 1)
        values = (number, match, document, title, by, as_text(now()))
        names = "id, match, document, title, kept_by, kept_at"
        connection.execute(f"INSERT OR REPLACE INTO branches ({names}) VALUES (?, ?, ?, ?, ?, ?)", values)
        return _one(connection, number)


def remove_branch(store: AppStore, number: str) -> KeptBranch:
    """Delete a saved branch and return it. Raises `NoBranch` if there is no branch with this id."""
    with store.writing() as connection:
        before = _one(connection, number)
        connection.execute("DELETE FROM branches WHERE id = ?", (number,))
        return before


def _one(connection: sqlite3.Connection, number: str) -> KeptBranch:
    rows = connection.execute(f"{COLUMNS} WHERE id = ?", (number,)).fetchall()
    if not rows:
        raise NoBranch(f"No branch {number[:40]} is kept; it may have been removed.")
    return _kept(rows[0])


def _kept(row: Sequence[Any]) -> KeptBranch:
    number, match, title, by, at = row
    return KeptBranch(number, match, title, by, as_moment(at))
