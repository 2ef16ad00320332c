"""Reads a lake with DuckDB, and serves its contents as a read-only warehouse."""

import fcntl
import glob
import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

import duckdb

from ingest.errors import WarehouseError, WarehouseStopped, plain_reason
from ingest.files import sync
from ingest.maintenance.lake.tables import (
    COHORT,
    COHORTS,
    MANIFEST,
    LakeTable,
    Manifest,
    Segment,
    shape_of,
    tables_of_lake,
)
from ingest.maintenance.rewrite import Change, explained, one_at_a_time, write_again
from ingest.tables.definitions import create_tables
from ingest.values import quoted
from ingest.warehouse import IN_MEMORY, Report, Warehouse, attach

__all__ = ["LakeContents", "kept_up_to_date", "listed", "served_file", "tables_of_this_version"]


BESIDE_TABLES: Final = frozenset({"quarantine"})
"""Folders without data about matches. The quarantine of a lake made from logs has reasons, but not the rejected lines.
"""
NUMBERS: Final = """
SELECT cohort AS key, CAST(row_number() OVER (ORDER BY appeared NULLS LAST, cohort) AS INTEGER) AS cohort
FROM read_parquet({cohorts})
LEFT JOIN (SELECT cohort, min((match_id, seat)) AS appeared FROM read_parquet({seats}) GROUP BY cohort) USING (cohort)
"""
"""Query that numbers cohorts by the first match in which they appear, as in a warehouse."""
COLUMNS: Final = """
SELECT table_name, column_name, data_type FROM duckdb_columns()
WHERE database_name = current_database() ORDER BY table_name, column_index
"""
MADE: Final = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
SEATS: Final = "dim_seats"
WRITE_AGAIN: Final = "remove the lake and write it again"
OF_THIS_VERSION: Final = "in a lake of this version of himalaya; write it again with the version that reads it"


class LakeContents:
    """The files of a lake in a folder, in its present state. Raises `WarehouseError` if they cannot be read.

    `text` is the manifest; `written_at` is the time when it was written, in nanoseconds.
    """

    def __init__(self, lake: Path) -> None:
        try:
            manifest = (lake / MANIFEST).resolve(strict=True)
            self.text = manifest.read_text(encoding="utf-8")
            self.written_at = manifest.stat().st_mtime_ns
        except (OSError, UnicodeError) as error:
            reason = plain_reason(error) if isinstance(error, OSError) else WRITE_AGAIN
            raise WarehouseError(f"{lake / MANIFEST}: {reason}") from None
        self._lake = lake
        self._place = manifest.parent
        """Folder with the files of this state, even after a later run publishes another state."""
        self.manifest = Manifest.read(self.text, lake / MANIFEST)

    def files(self, table: LakeTable) -> list[Path]:
        """Return the files of a table, ordered by match. Raises `WarehouseError` if a file is missing."""
        paths = []
        for key, parts in sorted(self.manifest.parts.items(), key=lambda item: item[1][0].first):
            if table.game in {None, key.game}:
                names = [self.manifest.sums(key)] if table.is_sums else [part.file for part in parts]
                paths += [self._place / table.name / name for name in names]
        for path in paths:
            if not path.is_file():
                raise WarehouseError(f"{self._named(path)}: missing; {WRITE_AGAIN}")
        return paths

    def checked(self, connection: duckdb.DuckDBPyConnection) -> dict[str, list[Path]]:
        """Return the files of each table.

        Raises `WarehouseError` if the tables or their columns differ from those of this version.
        """
        self._check_names()
        files = {}
        for table in tables_of_this_version():
            found = files[table.name] = [] if table.same_as else self.files(table)
            if found and self._columns(connection, found) != _columns_of_this_version()[table]:
                raise WarehouseError(f"{self._lake}: its table {table.name} has other columns than {OF_THIS_VERSION}")
        return files

    def _columns(self, connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> dict[str, str]:
        try:
            return _described(connection, f"FROM read_parquet({listed(files)})")
        except duckdb.Error:
            self._read_through(connection, files)
            raise

    def as_rows(self, connection: duckdb.DuckDBPyConnection) -> Change:
        """Return a `Change` that fills an empty warehouse with the rows of the lake, converted to its column types.

        Views of the warehouse are not filled, although the lake stores their rows. In a lake, a match has a single
        tournament. A warehouse also distinguishes whether the log named the tournament or it was given with the log.
        """
        types: dict[str, dict[str, str]] = {}
        for name, column, kind in connection.execute(COLUMNS).fetchall():
            types.setdefault(name, {})[column] = kind
        made = {name for (name,) in connection.execute(MADE).fetchall()}
        files = {name: found for name, found in self.checked(connection).items() if found}
        if not files:
            return Change({}, {})
        tables = [table for table in tables_of_this_version() if table.name in files.keys() & made]
        relations = {table.name: _relation(table, files[table.name], types[table.name]) for table in tables}
        rows = {table.name: self._rows(connection, files[table.name]) for table in tables}
        sql = NUMBERS.format(cohorts=listed(files[COHORTS]), seats=listed(files[SEATS]))
        return Change(relations, {"lake_numbers": connection.sql(sql).pl()}, rows)

    def _rows(self, connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> int:
        """Return the number of rows in some files, read from their footers."""
        try:
            sql = f"SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata({listed(files)})"
            ((rows,),) = connection.execute(sql).fetchall()
        except duckdb.Error:
            self._read_through(connection, files)
            raise
        return int(rows)

    def read_through(self) -> None:
        """Read every file to its end. Raises `WarehouseError` for the first damaged one."""
        with duckdb.connect() as connection:
            for table in tables_of_this_version():
                self._read_through(connection, [] if table.same_as else self.files(table))

    def _read_through(self, connection: duckdb.DuckDBPyConnection, files: Iterable[Path]) -> None:
        for file in files:
            try:
                connection.execute(f"SELECT bit_xor(hash(it)) FROM read_parquet({listed([file])}) AS it")
            except duckdb.Error:
                raise WarehouseError(f"{self._named(file)}: damaged; {WRITE_AGAIN}") from None

    def _check_names(self) -> None:
        """Raise `WarehouseError` if the lake has tables that this version does not know."""
        known = {table.name for table in tables_of_this_version()} | BESIDE_TABLES
        there = {path.name for path in self._place.iterdir() if path.is_dir() and path.name[0] not in "._"}
        for name in sorted(there - known):
            raise WarehouseError(f"{self._lake}: has a table {name}, which is not {OF_THIS_VERSION}")

    def _named(self, path: Path) -> Path:
        """Return the path under which readers see a file of this state."""
        return self._lake / path.relative_to(self._place)


def tables_of_this_version() -> tuple[LakeTable, ...]:
    """Return the tables of a lake of this version."""
    return tuple(_columns_of_this_version())


@cache
def _columns_of_this_version() -> dict[LakeTable, dict[str, str]]:
    """Return the columns of each table in a lake of this version, with their types."""
    about = "''::VARCHAR AS game, ''::VARCHAR AS tournament"
    with duckdb.connect() as connection:
        create_tables(connection)
        tables = list(tables_of_lake(connection))
        connection.execute("CREATE TEMP TABLE lake_cohorts AS SELECT 0 AS cohort, ''::VARCHAR AS key")
        columns = {}
        for key, is_sums in (("match_id", False), (COHORT, True)):
            connection.execute(f"CREATE OR REPLACE TEMP TABLE lake_part AS SELECT 0 AS {key}, {about}")
            for table in (table for table in tables if table.is_sums == is_sums):
                query = table.summed() if is_sums else table.of(Segment("", 0, 0, 0))
                columns[table] = _described(connection, query)
        return {table: columns[table] for table in tables}


def _described(connection: duckdb.DuckDBPyConnection, query: str) -> dict[str, str]:
    return {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {query}").fetchall()}


def _relation(table: LakeTable, files: Sequence[Path], types: Mapping[str, str]) -> str:
    """Return the query for the rows of a table, converted to the column types of a warehouse."""
    source, columns = f"read_parquet({listed(files)}) AS lake", {name: f"lake.{name}" for name in types}
    if table.has_cohort:
        source += " LEFT JOIN lake_numbers ON lake_numbers.key = lake.cohort"
        columns[COHORT] = "lake_numbers.cohort"
    selected = ", ".join(f"CAST({columns[name]} AS {kind}) AS {name}" for name, kind in types.items())
    order = f" ORDER BY {', '.join(table.grain)}" if table.is_sums else ""
    return f"SELECT {selected} FROM {source}{order}"


def listed(files: Iterable[Path]) -> str:
    """Return files as a list in SQL, escaped so that DuckDB does not treat their names as patterns."""
    return f"[{', '.join(quoted(glob.escape(str(file))) for file in files)}]"


MARK: Final = "made from a lake: "
"""Prefix of a table comment in the DuckDB file. The comment identifies the state of the lake that the file was made
from.
"""
MARKED: Final = """
SELECT comment FROM duckdb_tables() WHERE database_name = current_database() AND table_name = 'raw_matches'
"""
ATTEMPTS: Final = 5
"""Maximum attempts to make the file; an attempt fails if `himalaya lake` publishes a new state during it."""
LOOK: Final = 30.0
"""Seconds between two checks whether the lake has changed."""
LEAVE: Final = 2.0
"""Seconds that a stopping server waits for an unfinished file before it abandons the file."""

log = logging.getLogger(__name__)


def served_file(lake: Path, report: Report = lambda _: None) -> Path:
    """Return the DuckDB file with the contents of a lake, `LAKE.duckdb` next to it; it is made if missing or outdated.

    The file gets its name once it is complete and on the disk. Raises `WarehouseError` if the lake is damaged or of
    another version, or if the file cannot be written.
    """
    file = _file_of(lake)
    with explained(file, file), _alone(file.parent):
        contents, mark = LakeContents(lake), _mark_of(file)
        if mark != _mark(contents):
            if mark is None and file.exists():
                raise WarehouseError(f"{file}: not made from this lake, which needs its name; rename the lake")
            _make(lake, file, report)
    return file


@contextmanager
def kept_up_to_date(lake: Path, warehouse: Warehouse, seconds: float = LOOK) -> Iterator[None]:
    """During the block, remake the DuckDB file of a lake whenever the lake changes; `warehouse` has the file open."""
    with warehouse.reading() as connection:
        mark = _mark_in(connection)
    is_over = threading.Event()
    thread = threading.Thread(target=_keep_up, args=(lake, mark, is_over, seconds), name="lake", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(LEAVE)


def _keep_up(lake: Path, seen: str | None, is_over: threading.Event, seconds: float) -> None:
    """Check regularly whether a lake has changed since the state `seen`.

    A read error is reported once, and the file then stays as it is.
    """

    def stop(_: object) -> None:
        if is_over.is_set():
            raise WarehouseStopped(f"{lake}: closed")

    file, told_of = _file_of(lake), ""
    while not is_over.wait(seconds):
        try:
            mark = _mark(LakeContents(lake))
            if mark != seen:
                seen = mark
                with explained(file, file), _alone(file.parent):
                    _make(lake, file, stop)
        except WarehouseError as error:
            if not is_over.is_set() and told_of != (told_of := str(error)):
                log.warning("the new state of the lake cannot be read, the former one is still served: %s", error)


def _file_of(lake: Path) -> Path:
    lake = lake.resolve()
    return lake.with_name(f"{lake.name}.duckdb")


def _mark(contents: LakeContents) -> str:
    """Return the table comment that marks a file as made from these contents by this version."""
    return MARK + hashlib.sha256(f"{shape_of(tables_of_this_version())}\n{contents.text}".encode()).hexdigest()


def _mark_of(file: Path) -> str | None:
    """Return the table comment that identifies the lake's state in a file not open in this process.

    `None` if there is no such file, or it was not made from a lake.
    """
    if not file.is_file():
        return None
    with duckdb.connect() as connection, suppress(duckdb.Error):
        attach(connection, file, "made", read_only=True)
        connection.execute("USE made")
        return _mark_in(connection)
    return None


def _mark_in(connection: duckdb.DuckDBPyConnection) -> str | None:
    found = connection.execute(MARKED).fetchall()
    return next((mark for (mark,) in found if mark and mark.startswith(MARK)), None)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let only one process at a time make files in a folder. The other processes wait, and then find the file made."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with one_at_a_time:
            yield
    finally:
        os.close(descriptor)


def _make(lake: Path, file: Path, report: Report) -> None:
    """Make the DuckDB file of a lake from a single state.

    This is repeated if a run removes files of that state during reading.
    """
    if not os.access(file.parent, os.W_OK):
        raise WarehouseError(
            f"{file.parent}: cannot be written to, and the database made of a lake goes there; copy the lake"
        )
    for attempt in range(ATTEMPTS):
        contents = LakeContents(lake)
        try:
            with explained(file, file):
                _write(contents, file, report)
                return
        except WarehouseStopped:
            raise
        except (WarehouseError, duckdb.Error):
            if attempt == ATTEMPTS - 1 or LakeContents(lake).text == contents.text:
                contents.read_through()
                raise


def _write(contents: LakeContents, file: Path, report: Report) -> None:
    """Write these contents as a DuckDB file, like a backup of a warehouse with these rows."""
    partial = file.with_name(f".{file.name}.partial")
    spilled = Path(f"{partial}.tmp")
    with Warehouse(IN_MEMORY) as empty:
        with empty.writing() as connection:
            connection.execute(f"SET temp_directory = {quoted(spilled)}")
            create_tables(connection)
            connection.execute(f"COMMENT ON TABLE raw_matches IS '{_mark(contents)}'")
            change = contents.as_rows(connection)
        try:
            write_again(empty, partial, report, change)
        finally:
            shutil.rmtree(spilled, ignore_errors=True)
    # Pages show this time: when the lake was written, not this file.
    os.utime(partial, ns=(contents.written_at, contents.written_at))
    partial.replace(file)
    sync(file.parent)
