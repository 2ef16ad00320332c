"""Opens a warehouse: creates it if it is missing, and upgrades it if an older himalaya wrote it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from ingest.app_store import AppStore, store_file
from ingest.errors import WarehouseError
from ingest.people.pairing import open_store_of, split
from ingest.private import private
from ingest.tables.definitions import SCHEMA_VERSION, add_tables, create_tables, missing_tables
from ingest.upgrade import upgrade
from ingest.warehouse import IN_MEMORY, Warehouse, sentences

__all__ = ["open_as_allowed", "open_for_reading", "open_packed", "open_store", "open_warehouse", "pair"]

OLDEST: Final = 8
"""The schema of himalaya 0.3, the oldest that can be upgraded."""
UNWRITABLE: Final = ("no permission", "the disk is read-only")


def open_warehouse(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse and its app store for writing; create it if it is missing, and upgrade an older one.

    `say` is called with the progress of an upgrade. Raises `WarehouseInUse` if another process has the file open, and
    `WarehouseError` for any other failure. If only the app store cannot be opened, it has a `problem`.
    """
    warehouse = open_packed(database, say)
    with _closed_on_error(warehouse):
        pair(warehouse)
    return warehouse


def open_store(database: Path, say: Callable[[str], None] = lambda _: None) -> AppStore:
    """Open the app store of a warehouse, which another process may have open. Raises `WarehouseError` on failure.

    If there is no store yet, the warehouse is opened first, which creates one.
    """
    file = store_file(database)
    if not file.exists() or not file.stat().st_size:
        with open_warehouse(database, say) as warehouse:
            if warehouse.app.problem:
                raise WarehouseError(warehouse.app.problem)
    return AppStore(file)


def pair(warehouse: Warehouse) -> None:
    """Open the app store of a warehouse, which from then on holds and closes it."""
    if warehouse.database == IN_MEMORY:
        warehouse.pair_with(AppStore())
    elif warehouse.read_only:
        with warehouse.reading() as connection:
            warehouse.pair_with(open_store_of(connection, warehouse.database, read_only=True))
    else:
        with warehouse.writing() as connection:
            warehouse.pair_with(open_store_of(connection, warehouse.database, read_only=False))


def open_packed(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse as `open_warehouse` does, but leave any app store contents packed in the file."""
    warehouse = Warehouse(database)
    with _closed_on_error(warehouse), warehouse.writing() as connection:
        found = _version(connection, database)
        if found is None:
            create_tables(connection)
        elif found == SCHEMA_VERSION:
            if missing := missing_tables(connection):
                add_tables(connection, missing)
            split(connection)
    if found is None or found == SCHEMA_VERSION:
        return warehouse
    warehouse.close()
    if found < OLDEST:
        raise WarehouseError(
            f"{database}: written by a himalaya before 0.3; open it once with 0.3, or ingest its logs into a new file"
        )
    with private():
        kept = upgrade(database, _tenths(database, say))
    say(f"{database}: upgraded; the old file is kept as {kept} until you remove it")
    return open_packed(database, say)


def _tenths(database: Path, say: Callable[[str], None]) -> Callable[[int, int], None]:
    """Return a callback that reports the progress of an upgrade by tenths of the matches."""
    tenths = 0

    def report(done: int, total: int) -> None:
        nonlocal tenths
        if done == 0:
            say(f"{database}: written by an older himalaya; loading its {total:,} matches again")
        elif done * 10 // total > tenths:
            tenths = done * 10 // total
            say(f"{database}: {done:,} of {total:,} matches loaded")

    return report


def open_as_allowed(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse as `open_warehouse` does, or read-only if it may not be written to."""
    try:
        return open_warehouse(database, say)
    except WarehouseError as error:
        if not database.is_file() or not any(reason in str(error) for reason in UNWRITABLE):
            raise
        return open_for_reading(database)


def open_for_reading(database: Path) -> Warehouse:
    """Open a warehouse that may not be written to, without changes. Raises `WarehouseError` for another version."""
    warehouse = Warehouse(database, read_only=True)
    with _closed_on_error(warehouse), sentences(database), warehouse.reading() as connection:
        found = _version(connection, database)
        if found != SCHEMA_VERSION:
            older = f"schema {found or 0}, this one reads {SCHEMA_VERSION}"
            raise WarehouseError(
                f"{database}: written by an older himalaya ({older}), and not writable, so it cannot be upgraded"
            )
        if missing := missing_tables(connection):
            raise WarehouseError(
                f"{database}: made before a game was installed here, and not writable: it has no table {min(missing)}"
            )
    with _closed_on_error(warehouse):
        pair(warehouse)
    return warehouse


@contextmanager
def _closed_on_error(warehouse: Warehouse) -> Iterator[None]:
    try:
        yield
    except BaseException:
        warehouse.close()
        raise


def _version(connection: duckdb.DuckDBPyConnection, database: Path) -> int | None:
    """Return the schema version of a file, `None` for an empty one.

    Raises `WarehouseError` if it is not a warehouse.
    """
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        return None
    if "schema_version" not in tables:
        raise WarehouseError(f"{database}: a DuckDB file, but not a database of himalaya; name another file")
    ((found,),) = connection.execute("SELECT max(version) FROM schema_version").fetchall()
    if found > SCHEMA_VERSION:
        known = f"schema {found}, this one knows {SCHEMA_VERSION}"
        raise WarehouseError(f"{database}: written by a newer himalaya ({known}); upgrade himalaya")
    return int(found)
