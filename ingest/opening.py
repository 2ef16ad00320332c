"""Opens a warehouse: creates it if it is missing, and upgrades a file of an older version of himalaya."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import Final

import duckdb

from ingest.app_store import AppStore, store_file
from ingest.errors import WarehouseError
from ingest.files import private, sync
from ingest.load.load import Loader
from ingest.load.reproducibility import stored_chunks
from ingest.load.summary import FileRecord
from ingest.people.pairing import FORMER_TABLES, open_store_of, split
from ingest.tables.definitions import (
    SCHEMA_VERSION,
    add_tables,
    batches,
    create_tables,
    make_tables,
    missing_tables,
    refill_tables,
    sql_tables,
)
from ingest.validate.pool import ValidationPool
from ingest.warehouse import IN_MEMORY, MEMORY, Warehouse, attach, remove_stub, sentences

__all__ = ["open_as_allowed", "open_for_reading", "open_packed", "open_store", "open_warehouse", "pair", "upgrade"]


UNDER_WAY: Final = ".upgrading"
NOT_CARRIED: Final = {"schema_version", "raw_matches"}
LEFT_OUT: Final = """
FROM earlier_himalaya.raw_matches AS before
ANTI JOIN raw_matches AS now ON now.match = before.match AND now.bytes_sha256 = before.bytes_sha256
ANTI JOIN quarantine ON quarantine.sha256 = before.bytes_sha256
"""
SAME: Final = "now.match = before.match AND now.bytes_sha256 = before.bytes_sha256"
AS_BEFORE_MATCHES: Final = f"""
UPDATE raw_matches AS now SET {{columns}} FROM earlier_himalaya.raw_matches AS before WHERE {SAME}
"""
NOT_IN_LOGS: Final = ("tournament", "ingested_in", "player_verdicts", "player_sources", "looks", "model")
"""Columns of `raw_matches` with values that are not in the log: given when it was loaded, or computed later."""
PLAYED_OUT: Final = ("fct_playouts", "fct_confirmations")
"""Tables with results of playing out matches, copied on an upgrade because they took a user's time to compute."""
AS_PLAYED_OUT: Final = f"""
INSERT INTO {{table}} BY NAME SELECT now.match_id, {{columns}} FROM earlier_himalaya.{{table}} AS result
JOIN earlier_himalaya.raw_matches AS before USING (match_id) JOIN raw_matches AS now ON {SAME}
"""
AS_BEFORE_QUARANTINE: Final = """
UPDATE quarantine SET resolved_in = before.resolved_in FROM earlier_himalaya.quarantine AS before
WHERE quarantine.quarantine_id = before.quarantine_id
"""


def upgrade(
    database: Path, progress: Callable[[int, int], None] = lambda _done, _all: None, processes: int = 2
) -> Path:
    """Upgrade a warehouse, and return the path at which the old file is kept.

    The caller has checked that the file is of an earlier version and not open in this process. `progress` is called
    with the number of finished matches and the total; an exception from it stops the upgrade. If the upgrade is stopped
    or killed, the next call continues it. Raises `WarehouseInUse` if another process has the file open or is upgrading
    it. Raises `WarehouseError` for any other failure; the old file is then unchanged.
    """
    database = database.resolve()
    new = database.with_name(database.name + UNDER_WAY)
    with sentences(database):
        _write_out(database)
        remove_stub(new)
        with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
            attach(connection, database, "earlier_himalaya", read_only=True)
            attach(connection, new, "upgraded")
            connection.execute("USE upgraded")
            ((version,),) = connection.execute("SELECT max(version) FROM earlier_himalaya.schema_version").fetchall()
            _begin(connection)
            _take_in(connection, progress, processes)
            _finish(connection, database)
            connection.execute("CHECKPOINT upgraded")
            kept = _kept(database, version)
            _keep(database, kept)
    _take_the_name(new, database)
    return kept


def _write_out(database: Path) -> None:
    """Checkpoint the write-ahead log left by a killed process, so that the file holds every committed change."""
    if Path(f"{database}.wal").exists():
        with duckdb.connect(database) as connection:
            connection.execute("CHECKPOINT")


# --- Copying the raw layer


def _begin(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables and copy the raw layer, unless an earlier try did so and the old file is unchanged since."""
    source = _fingerprint(connection)
    mark = "SELECT comment FROM duckdb_tables() WHERE database_name = current_database() AND table_name = 'raw_matches'"
    if connection.execute(mark).fetchall() == [(source,)]:
        return
    made = _tables(connection, "current_database()")
    connection.begin()
    for name in made:
        connection.execute(f"DROP TABLE {name} CASCADE")
    for view in [table.name for table in sql_tables() if table.is_view] + ["events"]:
        connection.execute(f"DROP VIEW IF EXISTS {view}")
    make_tables(connection)
    connection.execute(f"COMMENT ON TABLE raw_matches IS '{source}'")
    for table in sql_tables():
        if table.is_raw and table.name not in NOT_CARRIED and table.name in _tables(connection, "'earlier_himalaya'"):
            _carry_over(connection, table.name)
    for name in sorted({*FORMER_TABLES} & {*_tables(connection, "'earlier_himalaya'")}):
        connection.execute(f"CREATE TABLE {name} AS FROM earlier_himalaya.{name}")
    connection.commit()


def _fingerprint(connection: duckdb.DuckDBPyConnection) -> str:
    """Return a fingerprint of the old file's raw layer, which changes when its rows change."""
    raw = {table.name for table in sql_tables() if table.is_raw}
    names = sorted((raw | {*FORMER_TABLES}) & {*_tables(connection, "'earlier_himalaya'")})
    keys = {"raw_matches": "match_id, bytes_sha256", "quarantine": "quarantine_id, sha256"}  # not the long texts
    rows = {name: f"hash(ROW({keys.get(name, 'it')}))" for name in names}
    parts = " UNION ALL ".join(
        f"SELECT '{name} ' || count(*) || ' ' || coalesce(bit_xor({row}), 0) AS span FROM earlier_himalaya.{name} AS it"
        for name, row in rows.items()
    )
    ((text,),) = connection.execute(f"SELECT string_agg(span, ', ' ORDER BY span) FROM ({parts})").fetchall()
    return f"made from {text}"


def _tables(connection: duckdb.DuckDBPyConnection, database: str) -> list[str]:
    sql = f"SELECT table_name FROM duckdb_tables() WHERE database_name = {database}"
    return [name for (name,) in connection.execute(sql).fetchall()]


def _columns(connection: duckdb.DuckDBPyConnection, database: str, table: str) -> list[str]:
    sql = f"SELECT column_name FROM duckdb_columns() WHERE database_name = {database} AND table_name = $table"
    return [name for (name,) in connection.execute(sql, {"table": table}).fetchall()]


def _carry_over(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Copy a table of the raw layer. Columns that the old table lacks stay NULL."""
    columns = ", ".join(_columns(connection, "'earlier_himalaya'", table))
    connection.execute(f"INSERT INTO {table} BY NAME SELECT {columns} FROM earlier_himalaya.{table}")


# --- Loading the logs


def _take_in(connection: duckdb.DuckDBPyConnection, progress: Callable[[int, int], None], processes: int) -> None:
    """Validate and load the logs of all matches that the new file lacks, ordered by id."""
    ids = [number for (number,) in connection.execute(f"SELECT before.match_id {LEFT_OUT} ORDER BY 1").fetchall()]
    ((total,),) = connection.execute("SELECT count(*) FROM earlier_himalaya.raw_matches").fetchall()
    done = total - len(ids)
    progress(done, total)
    loader = Loader(connection, "upgrade")
    with connection.cursor() as reader, ValidationPool(processes) as pool:
        for chunk, checked in pool.check(stored_chunks(reader, ids, "earlier_himalaya.")):
            loader.add([FileRecord(span.path, 0, "") for span in chunk.spans], checked)
            done += len(chunk.spans)
            progress(done, total)
    loader.load()


# --- Completing the new file


def _finish(connection: duckdb.DuckDBPyConnection, database: Path) -> None:
    """Restore the columns that loading overwrote, and check that no match is missing."""
    connection.begin()
    there = set(_columns(connection, "'earlier_himalaya'", "raw_matches"))
    columns = [name for name in NOT_IN_LOGS if name in there]
    connection.execute(AS_BEFORE_MATCHES.format(columns=", ".join(f"{name} = before.{name}" for name in columns)))
    given = " OR ".join(f"{name} IS NOT NULL" for name in columns if name != "ingested_in")
    for _ in batches(connection, f"SELECT match_id FROM raw_matches WHERE {given} ORDER BY match_id"):
        refill_tables(connection)
    for table in PLAYED_OUT:
        if results := _columns(connection, "'earlier_himalaya'", table):
            some = ", ".join(f"result.{name}" for name in results if name != "match_id")
            connection.execute(AS_PLAYED_OUT.format(table=table, columns=some))
    connection.execute(AS_BEFORE_QUARANTINE)
    left_out = connection.execute(f"SELECT before.match {LEFT_OUT} ORDER BY before.match_id LIMIT 1").fetchall()
    if left_out:
        raise WarehouseError(
            f"{database}: cannot be upgraded: the log of match {left_out[0][0]} has changed since it was loaded; "
            "restore a backup, or ingest the logs into another file"
        )
    connection.commit()


def _kept(database: Path, version: int) -> Path:
    """Return an unused name under which the old file is kept."""
    names = chain([f"{database.name}.schema-{version}"], (f"{database.name}.schema-{version}.{n}" for n in count(2)))
    kept = map(database.with_name, names)
    return next(name for name in kept if not name.exists() or name.samefile(database))


def _keep(database: Path, kept: Path) -> None:
    """Give the old file a second name, or copy it if the file system has no hard links."""
    if kept.exists():
        return
    with suppress(OSError):
        os.link(database, kept)
        return
    copy = kept.with_name(kept.name + ".copying")
    shutil.copyfile(database, copy)
    sync(copy)
    copy.replace(kept)


def _take_the_name(new: Path, database: Path) -> None:
    shutil.copymode(database, new)
    sync(new)
    new.replace(database)
    sync(database.parent)


OLDEST: Final = 8
"""Schema version of himalaya 0.3, the oldest one that can be upgraded."""
UNWRITABLE: Final = ("no permission", "the disk is read-only")


def open_warehouse(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse and its app store for writing; a missing warehouse is created, an older one upgraded.

    `say` is called with the progress of an upgrade. Raises `WarehouseInUse` if another process has the file open, and
    `WarehouseError` for any other failure. If only the app store cannot be opened, its `problem` is the reason.
    """
    warehouse = open_packed(database, say)
    with _closed_on_error(warehouse):
        pair(warehouse)
    return warehouse


def open_store(database: Path, say: Callable[[str], None] = lambda _: None) -> AppStore:
    """Open the app store of a warehouse, even if another process has the warehouse open. Raises `WarehouseError`.

    If there is no app store yet, the warehouse is opened first, which creates one.
    """
    file = store_file(database)
    if not file.exists() or not file.stat().st_size:
        with open_warehouse(database, say) as warehouse:
            if warehouse.app.problem:
                raise WarehouseError(warehouse.app.problem)
    return AppStore(file)


def pair(warehouse: Warehouse) -> None:
    """Open the app store of a warehouse and attach it; closing the warehouse then closes the app store too."""
    if warehouse.database == IN_MEMORY:
        warehouse.pair_with(AppStore())
    elif warehouse.read_only:
        with warehouse.reading() as connection:
            warehouse.pair_with(open_store_of(connection, warehouse.database, read_only=True))
    else:
        with warehouse.writing() as connection:
            warehouse.pair_with(open_store_of(connection, warehouse.database, read_only=False))


def open_packed(database: Path, say: Callable[[str], None] = lambda _: None) -> Warehouse:
    """Open a warehouse like `open_warehouse`, but do not unpack app store contents that its file may contain."""
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
    """Return a callback that reports the progress of an upgrade after each tenth of the matches."""
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
    """Open a warehouse like `open_warehouse`, or read-only if the file is not writable."""
    try:
        return open_warehouse(database, say)
    except WarehouseError as error:
        if not database.is_file() or not any(reason in str(error) for reason in UNWRITABLE):
            raise
        return open_for_reading(database)


def open_for_reading(database: Path) -> Warehouse:
    """Open a warehouse read-only, without changing it. Raises `WarehouseError` if it is of another version."""
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
    """Return the schema version of a file; `None` for an empty file.

    Raises `WarehouseError` if the file is not a warehouse.
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
