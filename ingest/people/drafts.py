"""Recordings of matches in progress: the set-up of each, and all later changes in order.

Changes are only appended, and they determine the match. So no entry is lost, and a client with an outdated state gets a
conflict. This module stores changes without interpreting or validating them.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ingest.app_store import AppStore, as_moment, as_text
from ingest.errors import ChangedMeanwhile, NoDraft, TooMany

__all__ = [
    "MOST_CHANGES",
    "MOST_TITLE",
    "Change",
    "KeptDraft",
    "ListedDraft",
    "add_changes",
    "add_draft",
    "changes_of",
    "find_draft",
    "list_drafts",
    "remove_draft",
]

MOST_DRAFTS: Final = 10_000
MOST_CHANGES: Final = 20_000
"""Maximum number of changes per recording."""
MOST_TITLE: Final = 200
"""Maximum length in characters."""
MOST_LISTED: Final = 1_000
COLUMNS: Final = "id, game, setup, title, made_by, made_at"
LATEST: Final = """
SELECT id, game, setup, title, made_by, made_at, coalesce(last.changed_at, made_at) AS latest,
    coalesce(last.entries, 0), coalesce(last.is_over, 0),
    (SELECT change ->> '$.handed_in' FROM draft_changes
        WHERE draft = id AND change -> '$.handed_in' IS NOT NULL ORDER BY number DESC LIMIT 1),
    (SELECT json_group_array(json(change)) FROM (
        SELECT change FROM draft_changes WHERE draft = id AND change -> '$.take' IS NOT NULL ORDER BY number
    ))
FROM drafts LEFT JOIN draft_changes AS last ON last.draft = id
    AND last.number = (SELECT max(number) FROM draft_changes WHERE draft = id)
"""
IN_ORDER: Final = f"ORDER BY latest DESC, id LIMIT {MOST_LISTED}"


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A recording: its game, set-up and title, who started it, and when."""

    id: str
    game: str
    setup: Mapping[str, Any]
    title: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """A change: the number of entries after it, whether the match is then over, who made it, and when."""

    change: Mapping[str, Any]
    entries: int
    is_over: bool
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ListedDraft:
    """A recording in a list: `taken` has the changes that claimed seats, `handed_in` is the last submission."""

    draft: KeptDraft
    changed_at: datetime
    entries: int
    is_over: bool
    handed_in: Mapping[str, Any] | None
    taken: Sequence[Mapping[str, Any]]


def list_drafts(store: AppStore) -> list[ListedDraft]:
    """Return all recordings, last changed first."""
    with store.reading() as connection:
        rows = connection.execute(f"{LATEST} {IN_ORDER}").fetchall()
    return [_listed(row) for row in rows]


def find_draft(store: AppStore, number: str) -> KeptDraft:
    """Return a recording. Raises `NoDraft` if there is none with this id."""
    with store.reading() as connection:
        return _one(connection, number)


def changes_of(store: AppStore, number: str, known: int = 0) -> list[Change]:
    """Return the changes of a recording after the first `known`. Raises `NoDraft` if there is none with this id."""
    with store.reading() as connection:
        sql = "SELECT change, entries, is_over, changed_by, changed_at FROM draft_changes"
        rows = connection.execute(f"{sql} WHERE draft = ? AND number > ? ORDER BY number", (number, known)).fetchall()
        if not rows:
            _one(connection, number)
    return [Change(json.loads(text), entries, bool(over), by, as_moment(at)) for text, entries, over, by, at in rows]


def add_draft(store: AppStore, draft: KeptDraft, changes: Sequence[Change]) -> None:
    """Add a recording with its first changes. Raises `TooMany` if the limit is reached."""
    with store.writing() as connection:
        ((there,),) = connection.execute("SELECT count(*) FROM drafts").fetchall()
        if there >= MOST_DRAFTS:
            message = f"{there} matches are being recorded already, the most that there can be; remove one first"
            raise TooMany(message, MOST_DRAFTS, there + 1)
        values = (draft.id, draft.game, json.dumps(draft.setup), draft.title, draft.made_by, as_text(draft.made_at))
        connection.execute(f"INSERT INTO drafts ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", values)
        _add(connection, draft.id, 0, changes)


def add_changes(store: AppStore, number: str, known: int, changes: Sequence[Change]) -> None:
    """Append changes to a recording that the caller knows up to change number `known`; they are then on the disk.

    Raises `ChangedMeanwhile` if the recording has a different number of changes, `NoDraft` if it does not exist, and
    `TooMany` if the limit is reached.
    """
    with store.writing() as connection:
        _one(connection, number)
        ((there,),) = connection.execute("SELECT count(*) FROM draft_changes WHERE draft = ?", (number,)).fetchall()
        if there != known:
            raise ChangedMeanwhile(f"expected {known} changes, found {there}")
        if there + len(changes) > MOST_CHANGES:
            message = f"a recording has at most {MOST_CHANGES} changes; start a new one"
            raise TooMany(message, MOST_CHANGES, there + len(changes))
        _add(connection, number, known, changes)


def remove_draft(store: AppStore, number: str) -> ListedDraft:
    """Remove a recording with all its changes, and return its list entry.

    Raises `NoDraft` if there is none with this id.
    """
    with store.writing() as connection:
        rows = connection.execute(f"{LATEST} WHERE id = ?", (number,)).fetchall()
        if not rows:
            raise _missing(number)
        connection.execute("DELETE FROM draft_changes WHERE draft = ?", (number,))
        connection.execute("DELETE FROM drafts WHERE id = ?", (number,))
    return _listed(rows[0])


def _add(connection: sqlite3.Connection, number: str, known: int, changes: Sequence[Change]) -> None:
    names = "draft, number, change, entries, is_over, changed_by, changed_at"
    rows = (
        (number, place, json.dumps(each.change), each.entries, each.is_over, each.by, as_text(each.at))
        for place, each in enumerate(changes, start=known + 1)
    )
    connection.executemany(f"INSERT INTO draft_changes ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _one(connection: sqlite3.Connection, number: str) -> KeptDraft:
    rows = connection.execute(f"SELECT {COLUMNS} FROM drafts WHERE id = ?", (number,)).fetchall()
    if not rows:
        raise _missing(number)
    return _kept(rows[0])


def _missing(number: str) -> NoDraft:
    return NoDraft(f"No match {number[:40]} is being recorded; it may have been removed.")


def _kept(row: Sequence[Any]) -> KeptDraft:
    number, game, setup, title, by, at = row
    return KeptDraft(number, game, json.loads(setup), title, by, as_moment(at))


def _listed(row: Sequence[Any]) -> ListedDraft:
    *kept, changed_at, entries, over, handed_in, taken = row
    found = None if handed_in is None else json.loads(handed_in)
    return ListedDraft(_kept(kept), as_moment(changed_at), entries, bool(over), found, json.loads(taken))
