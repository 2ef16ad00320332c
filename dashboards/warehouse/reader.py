"""Read access to the warehouse: all queries of pages, figures and reports go through a `Reader`.

Queries for all games are in the files next to this one; the query of one figure is in that figure. Names of tables and
columns come from these files; values are passed as parameters. Statistics count finished matches only.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from dashboards.warehouse.paths import shown_path, without_folder_of
from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.warehouse import Warehouse, sentence

__all__ = ["DatabaseError", "Reader", "frame_of"]

INTERRUPTED: Final = "this was taking too long, so it was ended; choose fewer matches by the filters"


class DatabaseError(Exception):
    """Error for an unreadable database; the message is one line with the remedy and without its folder."""


class Reader:
    """Queries one warehouse; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.database = warehouse.database
        self.of_lake = warehouse.of_lake
        """True if no ingest or quarantine data are known."""

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for several queries at one moment; errors become a `DatabaseError`."""
        with self._sentences(), self.warehouse.reading() as cursor:
            yield cursor

    @contextmanager
    def app(self) -> Iterator[AppStore]:
        """Yield the app store, with users' data; errors become a `DatabaseError`."""
        with self._sentences():
            yield self.warehouse.app

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except duckdb.InterruptException as error:
            raise DatabaseError(INTERRUPTED) from error
        except duckdb.Error as error:
            raise DatabaseError(sentence(error, Path(shown_path(self.database)))) from error
        except WarehouseError as error:  # another process has the file open briefly
            raise DatabaseError(without_folder_of(self.database, str(error))) from error

    def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the result of a query as tuples; `$name` in it is one of the values."""
        with self.cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def frame(self, sql: str, values: Mapping[str, Any]) -> pl.DataFrame:
        """Return the result of a query as a frame; `$name` in it is one of the values."""
        with self.cursor() as cursor:
            return frame_of(cursor, sql, values)


def frame_of(cursor: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any]) -> pl.DataFrame:
    """Return the result of a query on a cursor as a frame."""
    frame: pl.DataFrame = cursor.sql(sql, params=values).pl()
    return frame
