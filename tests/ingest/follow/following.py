"""A folder whose logs are followed into a warehouse; and its tables in a form independent of the source files."""

import os
import time
from pathlib import Path
from typing import Any, Final

from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.read import tail
from tests.ingest.helping import looked_into, rows

LONG_AGO: Final = time.time() - 300
LEDGERS: Final = ("app_store", "quarantine_numbers", "ingested_files", "ingest_runs", "watched_files", "schema_version")
PLACES: Final = {"file", "first_line", "line", "quarantine_id", "ingested_in", "resolved_in", "lines", "match_id"}


class Folder:
    """A folder with logs, and the warehouse into which they are followed."""

    def __init__(self, path: Path) -> None:
        self.path = path / "logs"
        self.path.mkdir()
        self.database = path / "followed.duckdb"
        self.started = "2026-11-21T00:00:00"

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def write(self, name: str, *parts: tuple[bytes, ...] | bytes, old: bool = False) -> Path:
        """Append to a file in the folder."""
        with (self / name).open("ab") as file:
            for part in parts:
                file.write(part if isinstance(part, bytes) else b"".join(part))
        if old:
            os.utime(self / name, (LONG_AGO, LONG_AGO))
        return self / name

    def follow(self, **arguments: Any) -> dict[str, Any]:
        files = sorted(str(path) for path in self.path.rglob("*") if tail.is_followed(path.name))
        request = {"files": files, "folders": [str(self.path)], "started": self.started, "jobs": 0}
        return run_operation(self.database, "follow", request | arguments)

    def rows(self, sql: str) -> list[Any]:
        return rows(self.database, sql)

    def at_once(self, *logs: tuple[bytes, ...]) -> dict[str, list[Any]]:
        return at_once(self.path.parent, *logs)

    def matches(self) -> list[Any]:
        return self.rows("SELECT match, status, events FROM dim_matches ORDER BY 1")


def at_once(folder: Path, *logs: tuple[bytes, ...]) -> dict[str, list[Any]]:
    """Ingest the logs together and return the tables."""
    other = folder / "at-once"
    other.mkdir()
    for number, lines in enumerate(logs):
        (other / f"{number}.jsonl").write_bytes(b"".join(lines))
    ingest([other], other / "w.duckdb", processes=0)
    return tables(other / "w.duckdb")


def tables(database: Path) -> dict[str, list[Any]]:
    """Return all rows of all tables with match names, without columns about when and where they were loaded."""
    columns = """SELECT table_name, list(column_name ORDER BY column_index), any_value(estimated_size)
        FROM duckdb_columns() JOIN duckdb_tables() USING (database_name, table_name)
        WHERE database_name = current_database() AND NOT list_contains($ledgers, table_name) GROUP BY 1"""
    found: dict[str, list[Any]] = {}
    with looked_into(database) as connection:
        for name, all_columns, size in connection.execute(columns, {"ledgers": LEDGERS}).fetchall():
            if not size:  # an upper bound of the number of rows
                found[name] = []
                continue
            said = [column for column in all_columns if column not in PLACES and column != "cohort"]
            selected = ", ".join(f't."{column}"' for column in said)
            joined = f"{name} t"
            if "cohort" in all_columns and name != "dim_cohorts":  # it depends on the loading order
                selected += ", c.* EXCLUDE (cohort)"
                joined += " LEFT JOIN dim_cohorts c ON c.cohort = t.cohort"
            if "match_id" in all_columns:
                selected = f"r.match, {selected}"
                joined += " JOIN raw_matches r ON r.match_id = t.match_id"
            sql = f"SELECT {selected} FROM {joined}"
            if name == "quarantine":
                sql += " WHERE resolved_in IS NULL"
            found[name] = sorted(connection.execute(sql).fetchall(), key=repr)
    return found
