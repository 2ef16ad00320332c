"""Matches that are being recorded while they are played: how each was set up, and every change since, in order.

Changes are only ever added, and a match is what follows from them: so nothing that was entered is lost, and who goes on
from what is no longer so is told. What a change says, and whether it may be, is not known here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import duckdb

from ingest.errors import ChangedMeanwhile, NoDraft, TooMany
from ingest.warehouse import Warehouse

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
"""Of one draft."""
MOST_TITLE: Final = 200
"""Letters."""
MOST_LISTED: Final = 1_000
COLUMNS: Final = "id, game, setup, title, made_by, made_at"
LATEST: Final = f"""
SELECT {", ".join(f"drafts.{name}" for name in COLUMNS.split(", "))},
    coalesce(max(changed_at), made_at) AS latest, coalesce(arg_max(entries, number), 0),
    coalesce(arg_max(is_over, number), false), arg_max(change, number) FILTER ((change->'handed_in') IS NOT NULL),
    list(change ORDER BY number) FILTER ((change->'take') IS NOT NULL)
FROM drafts LEFT JOIN draft_changes ON draft = id {{}}
GROUP BY {COLUMNS} ORDER BY latest DESC, id LIMIT {MOST_LISTED}
"""


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A match that is being recorded: which game, how it was set up, what it is called, by whom and when."""

    id: str
    game: str
    setup: Mapping[str, Any]
    title: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """A change: what it was, how many entries there are after it, whether the match is over then, by whom and when."""

    change: Mapping[str, Any]
    entries: int
    is_over: bool
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ListedDraft:
    """What a list says of one: `taken` are the changes by which seats were taken, `handed_in` the last hand-in."""

    draft: KeptDraft
    changed_at: datetime
    entries: int
    is_over: bool
    handed_in: Mapping[str, Any] | None
    taken: Sequence[Mapping[str, Any]]


def list_drafts(warehouse: Warehouse) -> list[ListedDraft]:
    """Return the drafts, the one that was changed last first."""
    with warehouse.reading() as connection:
        rows = connection.execute(LATEST.format("")).fetchall()
    return [_listed(row) for row in rows]


def find_draft(warehouse: Warehouse, number: str) -> KeptDraft:
    """Return a draft; `NoDraft` if there is none with that id."""
    with warehouse.reading() as connection:
        return _one(connection, number)


def changes_of(warehouse: Warehouse, number: str, known: int = 0) -> list[Change]:
    """Return the changes of a draft after the first `known`, in order; `NoDraft` if there is none with that id."""
    with warehouse.reading() as connection:
        sql = "SELECT change, entries, is_over, changed_by, changed_at FROM draft_changes"
        where = "WHERE draft = $draft AND number > $known ORDER BY number"
        rows = connection.execute(f"{sql} {where}", {"draft": number, "known": known}).fetchall()
        if not rows:
            _one(connection, number)
    return [Change(json.loads(text), entries, over, by, at.replace(tzinfo=UTC)) for text, entries, over, by, at in rows]


def add_draft(warehouse: Warehouse, draft: KeptDraft, changes: Sequence[Change]) -> None:
    """Keep a new draft with its first changes; `TooMany` if there are as many as may be."""
    with warehouse.writing_at_once() as connection:
        ((there,),) = connection.execute("SELECT count(*) FROM drafts").fetchall()
        if there >= MOST_DRAFTS:
            message = f"expected at most {MOST_DRAFTS} matches being recorded, found as many; remove one first"
            raise TooMany(message, MOST_DRAFTS, there + 1)
        values = (draft.id, draft.game, json.dumps(draft.setup), draft.title, draft.made_by, _utc(draft.made_at))
        connection.begin()
        connection.execute("INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?)", values)
        _add(connection, draft.id, 0, changes)
        connection.commit()


def add_changes(warehouse: Warehouse, number: str, known: int, changes: Sequence[Change]) -> None:
    """Add changes to a draft that had `known` so far; they are on the disk when this returns.

    `ChangedMeanwhile` if it has others, `NoDraft` if it is not there, `TooMany` if it has as many as may be.
    """
    with warehouse.writing_at_once() as connection:
        _one(connection, number)
        sql = "SELECT count(*) FROM draft_changes WHERE draft = $draft"
        ((there,),) = connection.execute(sql, {"draft": number}).fetchall()
        if there != known:
            raise ChangedMeanwhile(f"expected {known} changes, found {there}")
        if there + len(changes) > MOST_CHANGES:
            message = f"expected at most {MOST_CHANGES} changes of a match, found more; record it anew"
            raise TooMany(message, MOST_CHANGES, there + len(changes))
        connection.begin()
        _add(connection, number, known, changes)
        connection.commit()


def remove_draft(warehouse: Warehouse, number: str) -> ListedDraft:
    """Remove a draft with all its changes, and return what a list said of it; `NoDraft` if there is none."""
    with warehouse.writing_at_once() as connection:
        rows = connection.execute(LATEST.format("WHERE id = $id"), {"id": number}).fetchall()
        if not rows:
            raise _missing(number)
        connection.begin()
        connection.execute("DELETE FROM draft_changes WHERE draft = $id", {"id": number})
        connection.execute("DELETE FROM drafts WHERE id = $id", {"id": number})
        connection.commit()
    return _listed(rows[0])


def _add(connection: duckdb.DuckDBPyConnection, number: str, known: int, changes: Sequence[Change]) -> None:
    for place, each in enumerate(changes, start=known + 1):
        values = (number, place, json.dumps(each.change), each.entries, each.is_over, each.by, _utc(each.at))
        connection.execute("INSERT INTO draft_changes VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def _one(connection: duckdb.DuckDBPyConnection, number: str) -> KeptDraft:
    rows = connection.execute(f"SELECT {COLUMNS} FROM drafts WHERE id = $id", {"id": number}).fetchall()
    if not rows:
        raise _missing(number)
    return _kept(rows[0])


def _missing(number: str) -> NoDraft:
    return NoDraft(f"No match {number[:40]} is being recorded; it may have been removed.")


def _kept(row: Sequence[Any]) -> KeptDraft:
    number, game, setup, title, by, at = row
    return KeptDraft(number, game, json.loads(setup), title, by, at.replace(tzinfo=UTC))


def _listed(row: Sequence[Any]) -> ListedDraft:
    *kept, changed_at, entries, over, handed_in, taken = row
    found = None if handed_in is None else json.loads(handed_in)["handed_in"]
    return ListedDraft(
        _kept(kept), changed_at.replace(tzinfo=UTC), entries, over, found, [json.loads(each) for each in taken or ()]
    )


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
