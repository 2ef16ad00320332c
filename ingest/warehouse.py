"""The warehouse file: opening it, its schema version, and what can go wrong with it in one sentence."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ingest.tables import SCHEMA_VERSION, create_tables, upgrade_tables

__all__ = ["SCHEMA_VERSION", "WarehouseError", "open_warehouse", "sentence"]


class WarehouseError(Exception):
    """What keeps logs from being taken in, in one line that says what to do."""


@contextmanager
def open_warehouse(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a warehouse for writing, made if it is not there and upgraded if it is older.

    DuckDB's errors become a `WarehouseError`.
    """
    try:
        with duckdb.connect(str(database)) as connection:
            _check_version(connection, database)
            yield connection
    except (duckdb.OperationalError, duckdb.FatalException) as error:
        raise WarehouseError(sentence(error, database)) from None


def _check_version(connection: duckdb.DuckDBPyConnection, database: Path) -> None:
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        create_tables(connection)
        return
    if "schema_version" not in tables:
        raise WarehouseError(f"{database}: a DuckDB file, but not one of himalaya; name another file")
    ((found,),) = connection.execute("SELECT max(version) FROM schema_version").fetchall()
    if found > SCHEMA_VERSION:
        known = f"schema {found}, this one knows {SCHEMA_VERSION}"
        raise WarehouseError(f"{database}: written by a newer himalaya ({known}); upgrade himalaya")
    if found < SCHEMA_VERSION:
        upgrade_tables(connection)


def sentence(error: duckdb.Error, database: Path) -> str:
    """Say in one line what an error of DuckDB means for a warehouse, and what to do."""
    text = " ".join(str(error).split())
    if "Could not set lock" in text:
        holder = re.search(r"PID (\d+)", text)
        who = f"process {holder[1]}" if holder else "another process"
        return f"{database}: in use by {who}; stop it (a server that shows this file, say) and try again"
    if "not a valid DuckDB database" in text:
        return f"{database}: not a DuckDB file; name another file"
    if "Could not read enough bytes" in text or "checksum" in text:
        return f"{database}: damaged; restore a copy, or name another file and ingest the logs again"
    if "newer version" in text or "Serialization Error" in text:
        return f"{database}: written by a newer DuckDB than {duckdb.__version__}; upgrade duckdb"
    if "No space left" in text or "File too large" in text or "Disk quota" in text:
        return f"{database}: the disk is full; what was taken in so far is safe, make room and run the same again"
    return f"{database}: {text.removeprefix('IO Error: ')}"
