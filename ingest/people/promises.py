"""Integrity checks of an app store, for `himalaya check` and `doctor`."""

import hashlib
import re
import sqlite3
from typing import Final

from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.people.bookmarks import MOST_LABEL, MOST_TAG, MOST_TAGS, PLY
from ingest.people.branches import MOST_TITLE
from ingest.people.drafts import MOST_TITLE as MOST_DRAFT_TITLE
from ingest.tables.promises import Finding, Promise

__all__ = ["broken_in_store"]

PROMISES: Final = (
    Promise(
        "studies",
        "title, chapters and times that agree with the document",
        """
        SELECT 'id ' || id AS example FROM studies
        WHERE title IS NOT document ->> '$.title' OR changed_at < created_at
            OR chapters IS NOT json_array_length(document, '$.chapters')
        """,
    ),
    Promise(
        "drafts",
        "a title",
        f"SELECT 'id ' || id AS example FROM drafts WHERE length(title) NOT BETWEEN 1 AND {MOST_DRAFT_TITLE}",
    ),
    Promise(
        "draft_changes",
        "changes without a gap, of an existing recording, with the right number of entries",
        """
        SELECT format('draft %s: change %d', draft, number) AS example
        FROM (
            SELECT *, row_number() OVER of_it AS place, lag(entries, 1, 0) OVER of_it AS before
            FROM draft_changes WINDOW of_it AS (PARTITION BY draft ORDER BY number)
        )
        WHERE number <> place OR draft NOT IN (SELECT id FROM drafts) OR entries <> CASE
            WHEN change -> '$.add' IS NOT NULL THEN before + 1
            WHEN change -> '$.undo' IS NOT NULL THEN CAST(change ->> '$.undo' AS INTEGER)
            ELSE before
        END
        """,
    ),
    Promise(
        "bookmarks",
        "valid labels, tags, times and positions",
        f"""
        SELECT 'id ' || id AS example FROM bookmarks
        WHERE length(label) NOT BETWEEN 1 AND {MOST_LABEL} OR json_array_length(tags) > {MOST_TAGS}
            OR changed_at < created_at OR NOT coalesce(ply, '0') REGEXP '{PLY}'
            OR EXISTS (SELECT 1 FROM json_each(tags) WHERE length(value) NOT BETWEEN 1 AND {MOST_TAG})
        """,
    ),
    Promise(
        "branches",
        "a title, and the id and the match of the document",
        f"""
        SELECT 'id ' || id AS example FROM branches
        WHERE length(title) NOT BETWEEN 1 AND {MOST_TITLE} OR id <> substr(sha256(document), 1, 32)
            OR match IS NOT document ->> '$.match'
        """,
    ),
)


def broken_in_store(store: AppStore) -> list[Finding]:
    """Return the failed checks, including damage reported by SQLite."""
    if store.problem:
        return [Finding("app_store", "a file next to the database", 1, store.problem)]
    try:
        damage = store.damage()
    except WarehouseError as error:
        damage = [str(error)]
    if damage:
        return [Finding("app_store", "an undamaged file", len(damage), damage[0])]
    with store.reading() as connection:
        connection.create_function("sha256", 1, _sha256, deterministic=True)
        connection.create_function("regexp", 2, _fits, deterministic=True)
        found = ((promise, *_broken(connection, promise)) for promise in PROMISES)
        return [Finding(promise.table, promise.expected, rows, example) for promise, rows, example in found if rows]


def _broken(connection: sqlite3.Connection, promise: Promise) -> tuple[int, str]:
    ((rows, example),) = connection.execute(f"SELECT count(*), min(example) FROM ({promise.broken})").fetchall()
    return rows, example


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text) is not None
