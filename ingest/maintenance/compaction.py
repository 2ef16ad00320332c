"""Compacts a warehouse that receives a few logs at a time, when no more arrive.

Each small transaction leaves row groups that are not full and free blocks: 120 matches loaded one by one took twice the
space of one ingest. Rewriting the file removes the difference. In a large file it matters little, so only small files
are rewritten, which takes seconds.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

import duckdb

from ingest.errors import WarehouseError
from ingest.maintenance.backup import vacuum
from ingest.warehouse import ROW_GROUP, Warehouse

__all__ = ["Compaction"]

INTERVAL: Final = 1800.0
"""Minimum seconds between two rewrites of the file."""
SMALL: Final = 256 << 20
"""Maximum size of a file that is rewritten, in bytes."""
LOOSE: Final = 4
"""A file is rewritten if one block in this many is free or holds a row group that is not full."""
BLOCKS: Final = """
SELECT block_size, total_blocks, free_blocks FROM pragma_database_size() WHERE database_name = current_database()
"""
TABLES: Final = """
SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary AND estimated_size > 0
"""
GROUPS: Final = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('{table}')"
FULL: Final = f"SELECT ceil(count(*) / {ROW_GROUP}) FROM {{table}}"

log = logging.getLogger(__name__)


class Compaction:
    """Compacts one warehouse, at most once in `INTERVAL`."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._rewritten = float("-inf")

    def when_quiet(self, go_on: Callable[[], None]) -> None:
        """Checkpoint the write-ahead log, and rewrite the file if much of it is unused.

        An exception from `go_on` stops the rewrite and leaves the file unchanged.
        """
        with self._warehouse.writing() as connection:
            try:
                connection.execute("CHECKPOINT")
            except duckdb.TransactionException:
                return  # another transaction is open; try next time
            is_loose = _is_loose(connection)
        due = time.monotonic() - self._rewritten >= INTERVAL
        if is_loose and due and not self._warehouse.backpressure.has_readers:
            try:
                vacuum(self._warehouse, {}, lambda _: go_on())
            except WarehouseError as error:
                log.warning("the database could not be compacted: %s", error)
            self._rewritten = time.monotonic()


def _is_loose(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the file is small and much of it unused."""
    ((size, total, free),) = connection.execute(BLOCKS).fetchall()
    if size * total > SMALL:
        return False
    tables = [name for (name,) in connection.execute(TABLES).fetchall()]
    spare = sum(max(_one(connection, GROUPS, table) - _one(connection, FULL, table), 0) for table in tables)
    return bool(LOOSE * (free + spare) > total)


def _one(connection: duckdb.DuckDBPyConnection, sql: str, table: str) -> Any:
    ((value,),) = connection.execute(sql.format(table=table)).fetchall()
    return value
