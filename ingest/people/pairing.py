"""Pairs a warehouse with its app store, packs the store into backups, and checks its integrity."""

import hashlib
import re
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC
from pathlib import Path
from typing import Any, Final

import duckdb

from ingest.app_store import AppStore, as_text, store_file
from ingest.errors import WarehouseError
from ingest.people.bookmarks import MOST_LABEL, MOST_TAG, MOST_TAGS, PLY
from ingest.people.branches import MOST_TITLE
from ingest.people.drafts import MOST_TITLE as MOST_DRAFT_TITLE
from ingest.tables.marts import Finding, Promise

__all__ = ["BEFORE_RESTORE", "FORMER_TABLES", "broken_in_store", "open_store_of", "packed", "split"]


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
    """Return the failed integrity checks of an app store, including damage that SQLite reports."""
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


BEFORE_RESTORE: Final = ".before-restore"
"""Suffix of the file of a warehouse that a restore has replaced."""
FROM_BACKUP: Final = ("bookmarks", "branches", "studies", "drafts", "draft_changes")
"""Tables that a restore takes from the backup; tokens, sessions and the audit log stay as they are."""
FORMER_TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "tokens": {"scopes": "to_json(list_sort(scopes))::VARCHAR"},
    "audit": {},
    "bookmarks": {"tags": "to_json(tags)::VARCHAR"},
    "branches": {},
    "studies": {},
    "drafts": {},
    "draft_changes": {"is_over": "is_over::INTEGER"},
}
"""Tables that an older version kept in the warehouse, each with the columns that have a new format."""
USUAL: Final = {"tokens": {"scopes": '["read", "run", "send", "write"]'}}
"""Values for columns that an older version did not have, by table."""
ROW: Final = "SELECT warehouse, contents FROM app_store"
TABLES: Final = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"


def open_store_of(connection: duckdb.DuckDBPyConnection, database: Path, *, read_only: bool) -> AppStore:
    """Open the app store of a warehouse; a new warehouse gets a new store.

    If the store cannot be used, its `problem` is the reason.
    """
    rows = connection.execute(ROW).fetchall()
    # A lake has no app store, and a backup contains its own: there is no separate file to open.
    if read_only and (not rows or rows[0][1] is not None):
        return AppStore(read_only=True, contents=rows[0][1] if rows else None)
    try:
        warehouse, contents = rows[0] if rows else _begun(connection, store_file(database))
        return _opened(connection, database, warehouse, contents, read_only=read_only)
    except WarehouseError as error:
        return AppStore(problem=str(error))


def _begun(connection: duckdb.DuckDBPyConnection, file: Path) -> tuple[str, None]:
    """Give a new warehouse the id of an app store that already exists next to it, or else a new id."""
    if _has_something(file):
        with closing(AppStore(file)) as store:
            warehouse = store.warehouse
    else:
        warehouse = secrets.token_hex(16)
        AppStore(warehouse=warehouse).put(file)
    connection.execute("INSERT INTO app_store VALUES ($warehouse, NULL)", {"warehouse": warehouse})
    return warehouse, None


def _opened(
    connection: duckdb.DuckDBPyConnection, database: Path, warehouse: str, contents: bytes | None, *, read_only: bool
) -> AppStore:
    file = store_file(database)
    is_in_use = _has_something(file)
    if contents is None and not file.exists():
        raise WarehouseError(
            f"{file}: missing, with its tokens, bookmarks, studies and recordings; put it back next to "
            f"{database.name}, restore a backup, or start with an empty file of this name"
        )
    if not is_in_use:
        AppStore(warehouse=warehouse, contents=contents).put(file)
    store = AppStore(file, read_only=read_only)
    if store.warehouse != warehouse:
        store.close()
        raise WarehouseError(f"{file}: belongs to another database than {database.name}; put the right file there")
    if contents is not None:
        if is_in_use:
            _restore(store, contents, Path(f"{database.resolve()}{BEFORE_RESTORE}"))
        connection.execute("UPDATE app_store SET contents = NULL")
    return store


def _has_something(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def packed(store: AppStore, warehouse: str | None = None) -> bytes:
    """Return the contents of a store for a backup, without sessions; `warehouse` replaces its id if given."""
    with closing(AppStore(contents=store.contents())) as copy:
        with copy.writing() as connection:
            connection.execute("DELETE FROM sessions")
            if warehouse is not None:
                connection.execute("UPDATE pair SET warehouse = ?", (warehouse,))
        return copy.contents()


def split(connection: duckdb.DuckDBPyConnection) -> None:
    """If a warehouse of an older version contains app store tables, pack them into one value, in one transaction."""
    there = {name for (name,) in connection.execute(TABLES).fetchall()} & set(FORMER_TABLES)
    if not there:
        return
    with closing(AppStore(warehouse=secrets.token_hex(16))) as store:
        with store.writing() as target:
            for table in sorted(there):
                _carry_over(connection, target, table)
        connection.begin()
        values = {"warehouse": store.warehouse, "contents": store.contents()}
        connection.execute("INSERT INTO app_store VALUES ($warehouse, $contents)", values)
        for table in there:
            connection.execute(f"DROP TABLE {table}")
        connection.commit()


def _restore(store: AppStore, contents: bytes, before: Path) -> None:
    """Replace the tables in `FROM_BACKUP`.

    First, a copy of the store is kept next to the replaced warehouse, unless that already has one.
    """
    if before.exists() and not store_file(before).exists():
        store.put(store_file(before))
    with closing(AppStore(contents=contents)) as backup, backup.reading() as source, store.writing() as target:
        for table in FROM_BACKUP:
            found = source.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in found.description]
            target.execute(f"DELETE FROM {table}")
            _insert(target, table, names, found)


def _carry_over(connection: duckdb.DuckDBPyConnection, target: sqlite3.Connection, table: str) -> None:
    """Copy a table of an older warehouse. Times become text, and missing columns get the values in `USUAL`."""
    described = connection.execute(f"SELECT column_name, column_type FROM (DESCRIBE {table})").fetchall()
    kinds = dict(described)
    chosen = ", ".join(f"{FORMER_TABLES[table].get(name, name)} AS {name}" for name in kinds)
    usual = {name: value for name, value in USUAL.get(table, {}).items() if name not in kinds}
    rows = (
        [
            as_text(value.replace(tzinfo=UTC)) if value is not None and kind == "TIMESTAMP" else value
            for value, kind in zip(row, kinds.values(), strict=True)
        ]
        + [*usual.values()]
        for row in connection.execute(f"SELECT {chosen} FROM {table}").fetchall()
    )
    _insert(target, table, [*kinds, *usual], rows)


def _insert(target: sqlite3.Connection, table: str, names: list[str], rows: Iterable[Any]) -> None:
    places = ", ".join("?" for _ in names)
    target.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows)
