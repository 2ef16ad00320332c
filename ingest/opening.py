"""Opening a warehouse: made if it is not there, upgraded if an older himalaya wrote it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from ingest.app_store import AppStore, store_file
from ingest.errors import WarehouseError
from ingest.load.judging import judge_waiting
from ingest.people.pairing import open_store_of, split
from ingest.private import private
from ingest.tables.definitions import SCHEMA_VERSION, add_tables, create_tables, derive_again, missing_tables
from ingest.upgrade import upgrade
from ingest.warehouse import IN_MEMORY, Warehouse, sentences

__all__ = ["open_as_allowed", "open_for_reading", "open_packed", "open_store", "open_warehouse", "pair"]

OLDER: Final = "written by an older himalaya; its {:,} matches are "
WITH_VERDICTS: Final = 9
"""The first version whose matches were judged when they were loaded."""
PROCESSES: Final = 2
UNWRITABLE: Final = ("Permission denied", "Read-only file system")


def open_warehouse(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse for writing, with its app store; it is made if it is not there, and upgraded if it is older.

    `say` is told how an upgrade goes. Raises `WarehouseInUse` if another process has the file open, `WarehouseError`
    for anything else; if only the app store cannot be opened, that has a `problem`.
    """
    warehouse = open_packed(database, say)
    with _closed_on_error(warehouse):
        pair(warehouse)
    return warehouse


def open_store(database: Path, say: Callable[[str], None] = lambda _: None) -> AppStore:
    """Open the app store of a warehouse, which another process may have open; `WarehouseError` if that cannot be.

    Where there is none yet the warehouse is opened first, which makes one.
    """
    file = store_file(database)
    if not file.exists() or not file.stat().st_size:
        with open_warehouse(database, say) as warehouse:
            if warehouse.app.problem:
                raise WarehouseError(warehouse.app.problem)
    return AppStore(file)


def pair(warehouse: Warehouse) -> None:
    """Open the app store of a warehouse, which it then has and closes."""
    if warehouse.database == IN_MEMORY:
        warehouse.pair_with(AppStore())
    elif warehouse.read_only:
        with warehouse.reading() as connection:
            warehouse.pair_with(open_store_of(connection, warehouse.database, read_only=True))
    else:
        with warehouse.writing() as connection:
            warehouse.pair_with(open_store_of(connection, warehouse.database, read_only=False))


def open_packed(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse as `open_warehouse` does, and leave contents of an app store where they are: in the file."""
    warehouse, before = Warehouse(database), SCHEMA_VERSION
    with _closed_on_error(warehouse), warehouse.writing() as connection:
        found = _version(connection, database)
        if found is None:
            create_tables(connection)
        elif found < SCHEMA_VERSION and derive_again(
            connection, found, _tenths(database, say, OLDER + "checked again")
        ):
            before, found = found, SCHEMA_VERSION
        elif found == SCHEMA_VERSION and (missing := missing_tables(connection)):
            add_tables(connection, missing)
        if found == SCHEMA_VERSION:
            split(connection)
    if before < SCHEMA_VERSION:
        with _closed_on_error(warehouse):
            _judge(warehouse, before, say)
        say(f"{database}: up to date; older versions of himalaya can no longer open it")
    if found is not None and found < SCHEMA_VERSION:
        warehouse.close()
        _upgrade(database, say)
        return open_packed(database, say)
    return warehouse


def _judge(warehouse: Warehouse, version: int, say: Callable[[str], None]) -> None:
    """Judge the matches of a version that did not; if this is stopped, those that are left wait."""
    if version >= WITH_VERDICTS:
        return
    show = _tenths(warehouse.database, say, "judging its {:,} matches by the rules")
    departed = judge_waiting(warehouse, {"jobs": PROCESSES}, lambda at: show(at["done"], at["total"]))["departed"]
    if departed:
        are = "match departs from the rules and is" if departed == 1 else "matches depart from the rules and are"
        say(f"{warehouse.database}: {departed:,} {are} in quarantine now; `himalaya quarantine list` shows why")


def _upgrade(database: Path, say: Callable[[str], None]) -> None:
    with private():
        kept = upgrade(database, _tenths(database, say, OLDER + "loaded again"))
    say(f"{database}: up to date; the old file stays as {kept} until you remove it")


def _tenths(database: Path, say: Callable[[str], None], begins: str) -> Callable[[int, int], None]:
    """Return a report of progress that speaks as it `begins`, of how many matches, and after each tenth of them."""
    tenths = 0

    def told(done: int, total: int) -> None:
        nonlocal tenths
        if done == 0:
            say(f"{database}: {begins.format(total)}")
        elif done * 10 // total > tenths:
            tenths = done * 10 // total
            say(f"{database}: {done:,} of {total:,}")

    return told


def open_as_allowed(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse as `open_warehouse` does, or for reading only if it may not be written to."""
    try:
        return open_warehouse(database, say)
    except WarehouseError as error:
        if not database.is_file() or not any(reason in str(error) for reason in UNWRITABLE):
            raise
        return open_for_reading(database)


def open_for_reading(database: Path) -> Warehouse:
    """Open a warehouse that may not be written to, as it is; `WarehouseError` if it is of another version."""
    warehouse = Warehouse(database, read_only=True)
    with _closed_on_error(warehouse), sentences(database), warehouse.reading() as connection:
        found = _version(connection, database)
        if found != SCHEMA_VERSION:
            older = f"schema {found or 0}, this one reads {SCHEMA_VERSION}"
            raise WarehouseError(
                f"{database}: written by an older himalaya ({older}), and cannot be brought up to date"
            )
        if missing := missing_tables(connection):
            raise WarehouseError(
                f"{database}: made before a game was installed here: it lacks {min(missing)}, and cannot be written to"
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
    """Return the schema version of a file, `None` for an empty one; `WarehouseError` if it is not ours to read."""
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        return None
    if "schema_version" not in tables:
        raise WarehouseError(f"{database}: a DuckDB file, but not one of himalaya; name another file")
    ((found,),) = connection.execute("SELECT max(version) FROM schema_version").fetchall()
    if found > SCHEMA_VERSION:
        known = f"schema {found}, this one knows {SCHEMA_VERSION}"
        raise WarehouseError(f"{database}: written by a newer himalaya ({known}); upgrade himalaya")
    return int(found)
