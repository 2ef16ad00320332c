"""Read access to the warehouse for all queries, and to users' bookmarks and studies."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from dashboards.queries.addresses import shown_path, without_folder_of
from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.people.bookmarks import Listed, find_bookmarks
from ingest.people.studies import KeptStudy, ListedStudy, list_studies, read_study
from ingest.warehouse import Warehouse, sentence

__all__ = ["DatabaseError", "Reader", "bookmark_tags", "frame_of", "kept_study", "listed_bookmarks", "listed_studies"]


INTERRUPTED: Final = "this was taking too long, so it was ended; choose fewer matches by the filters"


class DatabaseError(Exception):
    """Raised if the database cannot be read; the message is one line with the remedy, without the folder."""


class Reader:
    """Runs queries on one warehouse; safe to use from several threads.

    >>> from pathlib import Path
    >>> import himalaya_core as hm
    >>> from dashboards.queries.reader import Reader
    >>> from ingest.opening import open_warehouse
    >>> from ingest.pipeline import ingest
    >>> played = hm.play("summit", ["porter", "racer"], seed="tuesday", out="tuesday.jsonl")
    >>> loaded = ingest([Path("tuesday.jsonl")], Path("reader.duckdb"), processes=1)
    >>> with open_warehouse(Path("reader.duckdb")) as warehouse:
    ...     Reader(warehouse).rows("SELECT seat, player FROM dim_seats WHERE seat < $seats ORDER BY seat", {"seats": 2})
    [(0, 'porter'), (1, 'racer')]
    """

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.database = warehouse.database
        self.of_lake = warehouse.of_lake
        """True if the warehouse is a lake, which has no data on ingest or quarantine."""

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for several queries on the same state of the database; errors become a `DatabaseError`."""
        with self._sentences(), self.warehouse.reading() as cursor:
            yield cursor

    @contextmanager
    def app(self) -> Iterator[AppStore]:
        """Yield the app store, which holds users' data; errors become a `DatabaseError`."""
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
        """Return the result of a query as tuples; `$name` in the query refers to a key of `values`."""
        with self.cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def frame(self, sql: str, values: Mapping[str, Any]) -> pl.DataFrame:
        """Return the result of a query as a frame; `$name` in the query refers to a key of `values`."""
        with self.cursor() as cursor:
            return frame_of(cursor, sql, values)


def frame_of(cursor: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any]) -> pl.DataFrame:
    """Return the result of a query on a cursor as a frame."""
    frame: pl.DataFrame = cursor.sql(sql, params=values).pl()
    return frame


def listed_bookmarks(reader: Reader, *, match: str = "", find: str = "", tag: str = "", most: int = 100) -> Listed:
    """Return bookmarks, newest first, filtered by match, words and tag."""
    with reader.cursor():  # converts database errors into readable ones
        return find_bookmarks(reader.warehouse, match=match, find=find, tag=tag, most=most)


def bookmark_tags(reader: Reader) -> list[str]:
    """Return the tags of bookmarks, most used first."""
    return listed_bookmarks(reader, most=1).tags


def listed_studies(reader: Reader) -> list[ListedStudy]:
    """Return all studies, most recently changed first."""
    with reader.app() as store:
        return list_studies(store)


def kept_study(reader: Reader, number: str) -> KeptStudy:
    """Return a study. Raises `NoStudy` if there is none with that id."""
    with reader.app() as store:
        return read_study(store, number)
