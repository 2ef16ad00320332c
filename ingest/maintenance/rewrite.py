"""Rewrites a warehouse into a new file: compact, ordered by match and seq, and compared with the data read.

Everything is read in one transaction, so the file is a consistent snapshot despite other readers and writers. It has a
temporary name until it is complete and on the disk. If anything fails before that, nothing else has changed.
"""

import fcntl
import os
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import duckdb

from ingest.errors import WarehouseError, WarehouseInUse, plain_reason
from ingest.files import sync
from ingest.tables.definitions import event_tables, sql_tables
from ingest.warehouse import IN_MEMORY, ROW_GROUP, Report, Warehouse, attach, holder_of, sentence

__all__ = ["Change", "explained", "one_at_a_time", "read_through", "remove", "unlocked", "write_again"]


SLICE_ROWS: Final = 4_000_000
"""Number of rows sorted together."""
SLICE_LOGS: Final = ROW_GROUP // 4
"""Number of logs copied together.

DuckDB writes a slice that nearly fills a row group alone, and rewrites it with the rows after it. The space of the
first write then stays unused in the file.
"""
MAIN_TABLES: Final = """
SELECT table_name, estimated_size FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary
ORDER BY table_name
"""

one_at_a_time: Final = threading.RLock()
"""Held while a whole warehouse is read or replaced. Such operations exclude each other, but not ordinary readers."""
_aliases = count(1)


@dataclass(frozen=True, slots=True)
class Change:
    """New contents of some tables: by table, a query in SQL, which may use `frames` by their names.

    `sizes` has the new numbers of rows, of tables that change substantially in size.
    """

    relations: Mapping[str, str]
    frames: Mapping[str, Any]
    sizes: Mapping[str, int] = field(default_factory=dict)


NO_CHANGE: Final = Change({}, {})
NO_ROWS: Final = (0, 0)
"""Number and digest of rows for an empty table."""


def write_again(
    warehouse: Warehouse, target: Path, report: Report = lambda _: None, change: Change = NO_CHANGE
) -> dict[str, int]:
    """Write a snapshot of the warehouse into a new file, and return the number of rows by table.

    The new file is compared with the data read; on any error, it is removed. An exception from `report` stops the work.
    """
    remove(target)
    try:
        with explained(target, warehouse.database), warehouse.reading() as connection:
            written = _write(connection, target, change, report)
            if warehouse.database != IN_MEMORY:
                shutil.copymode(warehouse.database, target)
        sync(target)
    except BaseException:
        remove(target)
        raise
    return written


def _write(connection: duckdb.DuckDBPyConnection, target: Path, change: Change, report: Report) -> dict[str, int]:
    alias = f"copy_{next(_aliases)}"
    for name, frame in change.frames.items():
        connection.register(name, frame)
    try:
        with _attached(connection, target, alias):
            expected = _copy(connection, alias, change, report)
            connection.execute(f"CHECKPOINT {alias}")
        with _attached(connection, target, alias, read_only=True):
            rows = sum(number for number, _ in expected.values())
            empty = _empty(connection, [f"{alias}.{name}" for name in expected])
            for name, digest in expected.items():
                report(_at("comparing", rows, rows))
                table = f"{alias}.{name}"
                if (NO_ROWS if table in empty else _digest(connection, table)[:2]) != digest:
                    raise WarehouseError(f"{target}: the table {name} was not written correctly; check the disk")
    finally:
        for name in change.frames:
            connection.unregister(name)
    return {name: number for name, (number, _) in expected.items()}


@contextmanager
def _attached(
    connection: duckdb.DuckDBPyConnection, file: Path, alias: str, *, read_only: bool = False
) -> Iterator[None]:
    attach(connection, file, alias, read_only=read_only)
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # the first error is the one to report
            connection.rollback()
        with suppress(duckdb.Error):
            connection.execute(f"DETACH {alias}")
        raise
    connection.execute(f"DETACH {alias}")


def _copy(
    connection: duckdb.DuckDBPyConnection, alias: str, change: Change, report: Report
) -> dict[str, tuple[int, int]]:
    """Copy tables and views in one transaction; return the number and the digest of the rows of each table."""
    connection.begin()
    tables = [(name, change.sizes.get(name, size)) for name, size in connection.execute(MAIN_TABLES).fetchall()]
    grains = _grains()
    total, done = sum(size for _, size in tables), 0
    connection.execute(f"COPY FROM DATABASE {_main(connection)} TO {alias} (SCHEMA)")
    expected: dict[str, tuple[int, int]] = {}
    empty = _empty(connection, [name for name, _ in tables if name not in change.relations])
    for name, size in tables:
        if name in empty:
            expected[name] = NO_ROWS
            done += size
            continue
        relation, grain = change.relations.get(name, f"FROM {name}"), grains.get(name, ())
        rows, digest, last = _digest(connection, f"({relation})", "max(match_id)" if "match_id" in grain else "NULL")
        for part in _slices(name, relation, grain, rows, last):
            report(_at("copying", min(done, total), total))
            ((written,),) = connection.execute(f"INSERT INTO {alias}.{name} {part}").fetchall()
            done += written
        expected[name] = (rows, digest)
        done += max(size - rows, 0)
    connection.commit()
    return expected


def _slices(table: str, relation: str, grain: Sequence[str], rows: int, last: int | None) -> Iterator[str]:
    """Yield queries that together return the rows of a relation.

    If `last` is given, the relation is about matches up to this id, and the rows are ordered.
    """
    if not rows:
        return  # most tables of a game that is not played are empty
    if last is None:
        yield relation
        return
    order = ", ".join(grain)
    most = SLICE_LOGS if table == "raw_matches" else SLICE_ROWS
    step = max(1, most * last // rows)
    for first in range(0, last + 1, step):
        where = f"match_id >= {first} AND match_id < {first + step}"
        yield f"SELECT * FROM ({relation}) WHERE {where} ORDER BY {order}"


def _grains() -> dict[str, tuple[str, ...]]:
    return {table.name: ("match_id", "seq") for table in event_tables()} | {
        table.name: table.grain for table in sql_tables()
    }


def _empty(connection: duckdb.DuckDBPyConnection, tables: Sequence[str]) -> set[str]:
    """Return the tables without rows, most of them for games that are not played; one query finds all."""
    counts = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in tables)
    return {table for table, number in connection.execute(counts).fetchall() if not number}


def _digest(connection: duckdb.DuckDBPyConnection, relation: str, last: str = "NULL") -> tuple[int, int, int | None]:
    """Return the number of rows of a relation, a digest independent of their order, and the value of the SQL `last`."""
    sql = f"SELECT count(*), coalesce(sum(hash(it)::HUGEINT), 0), {last} FROM {relation} AS it"
    ((rows, digest, found),) = connection.execute(sql).fetchall()
    return rows, digest, found


def read_through(connection: duckdb.DuckDBPyConnection, report: Report = lambda _: None) -> dict[str, int]:
    """Read every row of every table, so that DuckDB verifies the checksums of all blocks; return rows by table."""
    tables = connection.execute(MAIN_TABLES).fetchall()
    total, done = sum(size for _, size in tables), 0
    rows: dict[str, int] = {}
    for name, size in tables:
        report(_at("reading", min(done, total), total))
        rows[name] = _digest(connection, name)[0] if size else 0  # a table that never had rows has no blocks
        done += rows[name]
    return rows


def _main(connection: duckdb.DuckDBPyConnection) -> str:
    ((name,),) = connection.execute("SELECT current_database()").fetchall()
    return '"{}"'.format(str(name).replace('"', '""'))


def _at(what: str, done: int, total: int) -> dict[str, Any]:
    return {"what": what, "done": done, "total": total}


# --- Files and their errors


@contextmanager
def explained(target: Path, database: Path, *, so_far: str = "nothing was changed") -> Iterator[None]:
    """Turn errors of the disk and of DuckDB into a `WarehouseError` about the file in question."""
    try:
        yield
    except OSError as error:
        raise WarehouseError(f"{error.filename or target}: {plain_reason(error)}; {so_far}") from None
    except RuntimeError as error:
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None  # DuckDB reports Ctrl-C as this error
    except duckdb.ProgrammingError:
        raise  # an error in one of our own statements is a bug
    except duckdb.Error as error:
        text = str(error)
        if any(reason in text for reason in ("File too large", "No space left", "Disk quota")):
            raise WarehouseError(f"{target}: the disk is full; {so_far}, make room and try again") from None
        raise WarehouseError(sentence(error, database if "checksum" in text else target)) from None


def remove(file: Path) -> None:
    """Remove an unfinished database file and its write-ahead log."""
    for suffix in ("", ".wal"):
        with suppress(OSError):
            Path(f"{file}{suffix}").unlink(missing_ok=True)


@contextmanager
def unlocked(database: Path) -> Iterator[None]:
    """During the block, keep every process from opening a file, by holding DuckDB's own lock on the file.

    Raises `WarehouseInUse` if a process already has the file open.
    """
    try:
        descriptor = os.open(database, os.O_RDWR)
    except FileNotFoundError:
        yield
        return
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = holder_of(database)
            who = f"process {holder}" if holder else "another process"
            raise WarehouseInUse(f"{database}: in use by {who}; stop it and try again", holder) from None
        yield
    finally:
        os.close(descriptor)
