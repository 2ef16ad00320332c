"""Keeps a warehouse compact into which logs come a few at a time, once nothing comes any more.

Each small transaction leaves groups of rows that are not full, and room in the file that is free until the next one:
120 matches that came one by one took twice the room of the same in one ingest. Written again, the file is as small. In
a large file the same is a small part; so only small ones are written again, which takes seconds.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

import duckdb

from ingest.care.backup import vacuum
from ingest.errors import WarehouseError
from ingest.warehouse import ROW_GROUP, Warehouse

__all__ = ["Upkeep"]

SELDOM: Final = 1800.0
"""Seconds from one rewriting of the file to the next."""
SMALL: Final = 256 << 20
"""Bytes of a file that is written again."""
LOOSE: Final = 4
"""It is written again if one in so many of its blocks is free, or only there for a group of rows that is not full."""
BLOCKS: Final = """
SELECT block_size, total_blocks, free_blocks FROM pragma_database_size() WHERE database_name = current_database()
"""
TABLES: Final = """
SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary AND estimated_size > 0
"""
GROUPS: Final = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('{table}')"
FULL: Final = f"SELECT ceil(count(*) / {ROW_GROUP}) FROM {{table}}"

log = logging.getLogger(__name__)


class Upkeep:
    """What a warehouse needs once nothing comes any more."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._rewritten = float("-inf")

    def when_quiet(self, go_on: Callable[[], None]) -> None:
        """Write what is in the log of the file into it, and the file again if much of it is loose.

        An exception from `go_on` stops that, and leaves the file as it is.
        """
        with self._warehouse.writing() as connection:
            try:
                connection.execute("CHECKPOINT")
            except duckdb.TransactionException:
                return  # somebody writes a bookmark; there is a next time
            is_loose = _is_loose(connection)
        due = time.monotonic() - self._rewritten >= SELDOM
        if is_loose and due and not self._warehouse.backpressure.has_readers:
            try:
                vacuum(self._warehouse, {}, lambda _: go_on())
            except WarehouseError as error:
                log.warning("the database could not be written again, which would make it smaller: %s", error)
            self._rewritten = time.monotonic()


def _is_loose(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a file is small and much of it is room for nothing."""
    ((size, total, free),) = connection.execute(BLOCKS).fetchall()
    if size * total > SMALL:
        return False
    tables = [name for (name,) in connection.execute(TABLES).fetchall()]
    spare = sum(max(_one(connection, GROUPS, table) - _one(connection, FULL, table), 0) for table in tables)
    return bool(LOOSE * (free + spare) > total)


def _one(connection: duckdb.DuckDBPyConnection, sql: str, table: str) -> Any:
    ((value,),) = connection.execute(sql.format(table=table)).fetchall()
    return value
