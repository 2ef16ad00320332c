"""Pairing of a warehouse and its app store: two files in use, one file as a backup.

The table `app_store` of the warehouse has one row: the id that is also in the store, and in a backup the `contents` of
the store. A warehouse also has contents just after a restore, or after an upgrade from a version that kept these tables
in the warehouse. Opening it for writing moves the contents to the file next to it: first written to disk, then removed
from the warehouse. If this is interrupted, the next opening repeats it.
"""

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

__all__ = ["BEFORE_RESTORE", "FORMER_TABLES", "open_store_of", "packed", "split"]

BEFORE_RESTORE: Final = ".before-restore"
"""Suffix of a warehouse that a restore has replaced."""
FROM_BACKUP: Final = ("bookmarks", "branches", "studies", "drafts", "draft_changes")
"""Tables that are restored; tokens, sessions and the audit stay as they are."""
FORMER_TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "tokens": {"scopes": "to_json(list_sort(scopes))::VARCHAR"},
    "audit": {},
    "bookmarks": {"tags": "to_json(tags)::VARCHAR"},
    "branches": {},
    "studies": {},
    "drafts": {},
    "draft_changes": {"is_over": "is_over::INTEGER"},
}
"""App store tables in the warehouse of an older version, and the columns whose format has changed."""
USUAL: Final = {"tokens": {"scopes": '["read", "run", "send", "write"]'}}
"""Values of columns that an older version did not have, by table."""
ROW: Final = "SELECT warehouse, contents FROM app_store"
TABLES: Final = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"


def open_store_of(connection: duckdb.DuckDBPyConnection, database: Path, *, read_only: bool) -> AppStore:
    """Open the store of a warehouse; a new warehouse gets one. A store that cannot be used has a `problem`."""
    rows = connection.execute(ROW).fetchall()
    if read_only and (not rows or rows[0][1] is not None):  # a lake's file has no store, and a backup contains its own
        return AppStore(read_only=True, contents=rows[0][1] if rows else None)
    try:
        warehouse, contents = rows[0] if rows else _begun(connection, store_file(database))
        return _opened(connection, database, warehouse, contents, read_only=read_only)
    except WarehouseError as error:
        return AppStore(problem=str(error))


def _begun(connection: duckdb.DuckDBPyConnection, file: Path) -> tuple[str, None]:
    """Give a new warehouse the id of an existing store (if logs are ingested again), or of a new one."""
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
    """Return the contents of a store for a backup, without sessions; `warehouse` replaces its id, if given."""
    with closing(AppStore(contents=store.contents())) as copy:
        with copy.writing() as connection:
            connection.execute("DELETE FROM sessions")
            if warehouse is not None:
                connection.execute("UPDATE pair SET warehouse = ?", (warehouse,))
        return copy.contents()


def split(connection: duckdb.DuckDBPyConnection) -> None:
    """Pack a warehouse that contains app store tables, in one transaction; leave others unchanged."""
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
    """Replace the tables in `FROM_BACKUP`; keep a copy next to the previous warehouse, unless there is one."""
    if before.exists() and not store_file(before).exists():
        store.put(store_file(before))
    with closing(AppStore(contents=contents)) as backup, backup.reading() as source, store.writing() as target:
        for table in FROM_BACKUP:
            found = source.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in found.description]
            target.execute(f"DELETE FROM {table}")
            _insert(target, table, names, found)


def _carry_over(connection: duckdb.DuckDBPyConnection, target: sqlite3.Connection, table: str) -> None:
    """Copy a table of an older warehouse; times become text, and missing columns get their default."""
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
