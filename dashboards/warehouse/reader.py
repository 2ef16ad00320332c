"""How the warehouse is read: every question of the pages, figures and reports goes through a `Reader`.

What all games are asked stands in the files beside this one, what one figure asks stands with that figure. Names of
tables and columns come from these files, values go in as parameters. Statistics count finished matches only.
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
    """A database that cannot be read; the message is one line and says what to do, and not in which folder it lies."""


class Reader:
    """Asks one warehouse; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.database = warehouse.database
        self.of_lake = warehouse.of_lake
        """Whether nothing is known of what came in, and of what is in quarantine."""

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for several questions of one moment; errors become a `DatabaseError`."""
        with self._sentences(), self.warehouse.reading() as cursor:
            yield cursor

    @contextmanager
    def app(self) -> Iterator[AppStore]:
        """Yield the app store, with what people wrote; errors become a `DatabaseError`."""
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
        except WarehouseError as error:  # another process has the file for a moment
            raise DatabaseError(without_folder_of(self.database, str(error))) from error

    def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the answer to a question as tuples; `$name` in it stands for one of the values."""
        with self.cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def frame(self, sql: str, values: Mapping[str, Any]) -> pl.DataFrame:
        """Return the answer to a question as a frame; `$name` in it stands for one of the values."""
        with self.cursor() as cursor:
            return frame_of(cursor, sql, values)


def frame_of(cursor: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any]) -> pl.DataFrame:
    """Return the answer to a question asked with a cursor as a frame."""
    frame: pl.DataFrame = cursor.sql(sql, params=values).pl()
    return frame
