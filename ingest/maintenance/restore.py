"""Restores a backup: a copy of it replaces a warehouse, which may be damaged or missing.

Tokens revoked and matches forgotten since the backup stay revoked and forgotten. Tokens and the audit log are taken
from the app store in use. Matches that are forgotten now are also removed from the copy, before it takes the
warehouse's name. The backup contains the data that people wrote. Opening the restored warehouse moves this data into
the app store (`ingest.people.pairing`).
"""

import glob
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from ingest.app_store import AppStore, store_file
from ingest.errors import WarehouseError, WarehouseInUse
from ingest.files import private, sync
from ingest.maintenance.backup import beside, swap, take_place
from ingest.maintenance.forget import forget_again
from ingest.maintenance.rewrite import explained, one_at_a_time, read_through, remove, unlocked
from ingest.opening import open_packed, open_warehouse, pair
from ingest.owner import Owner
from ingest.people.pairing import BEFORE_RESTORE, packed
from ingest.tables.definitions import SCHEMA_VERSION
from ingest.warehouse import Report, Warehouse

__all__ = ["restore", "restore_database"]

BLOCK: Final = 8 << 20
Marks = Mapping[str, pl.DataFrame]
"""Rows of the tables in `KEPT`, by table."""
KEPT: Final = {
    "forgotten_matches": "INSERT INTO forgotten_matches BY NAME FROM marks ANTI JOIN forgotten_matches "
    "USING (bytes_sha256)",
    "quarantine_numbers": "DELETE FROM quarantine_numbers WHERE highest < (SELECT max(highest) FROM marks); "
    "INSERT INTO quarantine_numbers FROM marks WHERE NOT EXISTS (FROM quarantine_numbers)",
}
"""By table, the statements that add the present tombstones and quarantine numbers to the copy."""


def restore(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Replace the warehouse by a backup: the operation `restore`. The argument `file` names the backup.

    The replaced warehouse stays as `FILE.before-restore`. Returns its path as `kept`, the number of `rows` by table,
    and `schema` (the version). Also returns `forgotten`, the number of matches in the backup that were forgotten since.
    `carried` is false if the replaced database was unreadable, so that forgotten matches are unknown.
    """
    file, database = Path(arguments["file"]), warehouse.database
    with one_at_a_time, _checked_copy(file, database, report) as (new, rows), warehouse.sole_writer():
        with explained(database, database), warehouse.reading() as connection:
            marks = _marks(connection)
        left = _carried(new, database, marks, rows, report)
        warehouse.app.close()
        take_place(warehouse, new, keep=True)
        pair(warehouse)
    return _restored(database, rows, left, carried=True)


def restore_database(
    database: Path, file: Path, report: Report, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Replace a database, which may be damaged or missing, by a backup.

    `say` is called if the server that has the database open does the work. Raises `WarehouseInUse` if another process
    has it open.
    """
    try:
        with explained(database, database), unlocked(database):
            pass
    except WarehouseInUse as error:
        owner = Owner.of(database, error.process)
        if owner is None:
            raise
        say(f"the server at {owner.address} has {database} open and does the work")
        return owner.ask("restore", {"file": str(file.absolute())}, report)
    with _checked_copy(file, database, report) as (new, rows), explained(database, database):
        marks = _marks_of(database)
        left = _carried(new, database, marks or {}, rows, report)
        swap(database.resolve(), new, keep=True)
    open_warehouse(database).close()
    return _restored(database, rows, left, carried=marks is not None)


def _restored(database: Path, rows: dict[str, int], left: dict[str, int], *, carried: bool) -> dict[str, Any]:
    kept = Path(f"{database.resolve()}{BEFORE_RESTORE}")
    return {
        "kept": str(kept) if kept.exists() else None,
        "rows": left,
        "schema": SCHEMA_VERSION,
        "forgotten": rows["raw_matches"] - left["raw_matches"],
        "carried": carried,
    }


# --- Keeping forgotten data out of the copy


def _marks_of(database: Path) -> Marks | None:
    """Return the rows of the tables in `KEPT` from a database that is not open.

    The result is empty if the database is missing, and `None` if it cannot be read.
    """
    if not database.exists():
        return {}
    try:
        with Warehouse(database, read_only=True) as before, before.reading() as connection:
            return _marks(connection)
    except (WarehouseError, duckdb.Error):
        return None


def _marks(connection: duckdb.DuckDBPyConnection) -> Marks:
    """Return the rows of the tables in `KEPT`; a database of an earlier version may lack these tables."""
    names = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    return {table: connection.sql(f"FROM {table}").pl() for table in KEPT if table in names}


def _carried(new: Path, database: Path, marks: Marks, rows: dict[str, int], report: Report) -> dict[str, int]:
    """Add the rows of `KEPT` to a copy, and forget the matches that they name; return the remaining rows by table.

    The app store packed in the copy then has the id of the app store in use.
    """
    with open_packed(new) as copy:
        with copy.writing() as connection:
            connection.begin()
            for table, frame in marks.items():
                connection.register("marks", frame)
                connection.execute(KEPT[table])
                connection.unregister("marks")
            ((own, contents),) = connection.execute("SELECT warehouse, contents FROM app_store").fetchall()
            # Clear the contents before the rewrite. Otherwise, forgotten data could stay in free blocks of the file.
            connection.execute("UPDATE app_store SET contents = NULL")
            connection.commit()
        copy.pair_with(AppStore(contents=contents))
        left = forget_again(copy, report) or rows
        values = {"warehouse": _store_in_use(store_file(database)) or own}
        values["contents"] = packed(copy.app, values["warehouse"])
        with copy.writing() as connection:
            connection.execute("UPDATE app_store SET warehouse = $warehouse, contents = $contents", values)
    _written_out(new)
    sync(new)
    return left


def _store_in_use(file: Path) -> str | None:
    """Return the id of the app store in use; `None` if there is none. A damaged file is moved aside."""
    if not file.exists():
        return None
    try:
        with closing(AppStore(file)) as store:
            return store.warehouse
    except WarehouseError:
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                Path(f"{file}{suffix}").replace(f"{file}.damaged{suffix}")
        return None


# --- Checking the copy


@contextmanager
def _checked_copy(file: Path, database: Path, report: Report) -> Iterator[tuple[Path, dict[str, int]]]:
    """Yield a copy of a backup next to the database, upgraded and read to its end, and the number of rows by table."""
    new = beside(database, "restore")
    if not file.is_file():
        raise WarehouseError(f"{file}: no such file" if not file.exists() else f"{file}: not a file; name a backup")
    if database.exists() and file.samefile(database):
        raise WarehouseError(f"{file}: the database itself; name a backup of it")
    try:
        with explained(new, file), private():
            _copy_file(file, new, report)
            shutil.copymode(database if database.exists() else file, new)
            try:
                rows = _checked(new, report)
                _pack(new, file)
            except WarehouseError as error:
                raise WarehouseError(str(error).replace(str(new), str(file))) from None
            _remove_versions(new)
            sync(new)
        yield new, rows
    finally:
        remove(new)
        remove(beside(new))
        _remove_versions(new)


def _copy_file(file: Path, new: Path, report: Report) -> None:
    """Copy a database file, with its write-ahead log if it was not closed properly."""
    remove(new)
    total, done = file.stat().st_size, 0  # bytes
    with file.open("rb") as source, new.open("wb") as copy:
        while block := source.read(BLOCK):
            copy.write(block)
            done += len(block)
            report({"what": "copying", "done": done, "total": max(total, done)})
    with suppress(FileNotFoundError):
        shutil.copyfile(f"{file}.wal", f"{new}.wal")


def _pack(new: Path, file: Path) -> None:
    """Pack the app store next to the source file into the copy, unless the source file already contains one."""
    beside_file = store_file(file)
    with open_packed(new) as copy, copy.writing() as connection:
        if connection.execute("SELECT 1 FROM app_store WHERE contents IS NOT NULL").fetchall():
            return
        is_there = beside_file.exists()
        store = AppStore(beside_file, read_only=True) if is_there else AppStore(warehouse=secrets.token_hex(16))
        with closing(store):
            values = {"warehouse": store.warehouse, "contents": store.contents()}
        connection.execute("DELETE FROM app_store")
        connection.execute("INSERT INTO app_store VALUES ($warehouse, $contents)", values)


def _checked(new: Path, report: Report) -> dict[str, int]:
    with Warehouse(new) as copy, explained(new, new), copy.reading() as connection:
        if not connection.execute("FROM duckdb_tables() WHERE table_name = 'schema_version'").fetchall():
            raise WarehouseError(f"{new}: not a backup of himalaya; name another file")
    with open_packed(new) as copy, explained(new, new), copy.reading() as connection:
        rows = read_through(connection, report)
        ((kept, seen, missing),) = connection.execute(WHOLE).fetchall()
        if kept != seen or missing:
            raise WarehouseError(f"{new}: incomplete, has {seen:,} of {kept:,} events; use another backup")
    _written_out(new)
    return rows


def _written_out(new: Path) -> None:
    if Path(f"{new}.wal").exists():
        raise WarehouseError(f"{new}: could not be written completely; make room and try again")


WHOLE: Final = """
SELECT
    (SELECT coalesce(sum(events), 0) FROM raw_matches),
    (SELECT count(*) FROM events),
    (SELECT count(*) FROM raw_matches ANTI JOIN dim_matches USING (match_id))
"""


def _remove_versions(new: Path) -> None:
    """Remove the old file that the upgrade of the copy left; the backup itself has the same data."""
    for version in new.parent.glob(f"{glob.escape(new.name)}.*"):
        with suppress(OSError):
            version.unlink()
