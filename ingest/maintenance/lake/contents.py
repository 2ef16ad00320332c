"""The contents of a lake, read with DuckDB: the Parquet files of one state, and their rows as in a warehouse.

The manifest names the files of each game and tournament. Before any data is read, the files are compared with the
manifest and with the tables of this version. So an error about a damaged lake, or one of another version, names the
table.
"""

import glob
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import duckdb

from ingest.errors import WarehouseError, plain_reason
from ingest.maintenance.lake.parts import MANIFEST, Manifest, Segment
from ingest.maintenance.lake.tables import COHORT, COHORTS, LakeTable, tables_of_lake
from ingest.maintenance.rewrite import Change
from ingest.quoting import quoted
from ingest.tables.definitions import create_tables

__all__ = ["LakeContents", "listed", "tables_of_this_version"]

BESIDE_TABLES: Final = frozenset({"quarantine"})
"""Folders that are not about matches: a lake made from logs has the reasons for rejected lines, not the lines."""
NUMBERS: Final = """
SELECT cohort AS key, CAST(row_number() OVER (ORDER BY appeared NULLS LAST, cohort) AS INTEGER) AS cohort
FROM read_parquet({cohorts})
LEFT JOIN (SELECT cohort, min((match_id, seat)) AS appeared FROM read_parquet({seats}) GROUP BY cohort) USING (cohort)
"""
"""Cohorts are numbered in the order in which matches brought them, as in a warehouse."""
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

    `text` is the manifest, `written_at` the time of its writing, in nanoseconds.
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
        """The folder of this state, even if the next run publishes another."""
        self.manifest = Manifest.read(self.text, lake / MANIFEST)

    def files(self, table: LakeTable) -> list[Path]:
        """Return the files of a table, in the order of their matches. Raises `WarehouseError` if one is missing."""
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

        Raises `WarehouseError` if the tables or their columns are not of this version.
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
        """Return the contents for the tables of an empty warehouse: the rows of the lake, in their types.

        Views stay views, although in a lake they have their own rows. A match has one tournament here; a warehouse
        distinguishes whether its log named it or it was given with the log.
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
        """Return the number of rows in files, from their footers."""
        try:
            sql = f"SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata({listed(files)})"
            ((rows,),) = connection.execute(sql).fetchall()
        except duckdb.Error:
            self._read_through(connection, files)
            raise
        return int(rows)

    def read_through(self) -> None:
        """Read every file to its end. Raises `WarehouseError` about the first that is damaged."""
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
        """Refuse a lake with tables that this version does not know."""
        known = {table.name for table in tables_of_this_version()} | BESIDE_TABLES
        there = {path.name for path in self._place.iterdir() if path.is_dir() and path.name[0] not in "._"}
        for name in sorted(there - known):
            raise WarehouseError(f"{self._lake}: has a table {name}, which is not {OF_THIS_VERSION}")

    def _named(self, path: Path) -> Path:
        """Return the path of a file of this state as readers see it."""
        return self._lake / path.relative_to(self._place)


def tables_of_this_version() -> tuple[LakeTable, ...]:
    """Return the tables of a lake of this version."""
    return tuple(_columns_of_this_version())


@cache
def _columns_of_this_version() -> dict[LakeTable, dict[str, str]]:
    """Return the columns of each table in a lake, with their types."""
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
    """Return the query for the rows of a table, in their types in a warehouse."""
    source, columns = f"read_parquet({listed(files)}) AS lake", {name: f"lake.{name}" for name in types}
    if table.has_cohort:
        source += " LEFT JOIN lake_numbers ON lake_numbers.key = lake.cohort"
        columns[COHORT] = "lake_numbers.cohort"
    selected = ", ".join(f"CAST({columns[name]} AS {kind}) AS {name}" for name, kind in types.items())
    order = f" ORDER BY {', '.join(table.grain)}" if table.is_sums else ""
    return f"SELECT {selected} FROM {source}{order}"


def listed(files: Iterable[Path]) -> str:
    """Return files as a list in SQL, escaped so that DuckDB sees no patterns in their names."""
    return f"[{', '.join(quoted(glob.escape(str(file))) for file in files)}]"
