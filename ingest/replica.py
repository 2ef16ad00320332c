"""A read-only warehouse on a backup: when a newer backup replaces the file, new readers get the newer one.

Readers of the former file finish on it, and it is closed after its last reader. DuckDB would confuse the new file with
the open file of the same name. So each file is opened under a different spelling of its path.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import duckdb

from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.opening import open_for_reading
from ingest.warehouse import IN_MEMORY, Warehouse

__all__ = ["Replica"]

Stamp = tuple[int, int, int]
"""Identity of a file, the time of its last write (in nanoseconds), and its size."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Opened:
    """An open backup, the spelling of its path, and the number of threads reading it."""

    warehouse: Warehouse
    stamp: Stamp
    spelling: int
    readers: int = 0


class Replica(Warehouse):
    """A warehouse that reads a backup; safe to use from several threads."""

    def __init__(self, database: Path, *, of_lake: bool = False) -> None:
        """Open a backup, or a file made from a lake.

        Raises `WarehouseError` if the file does not exist or is of another version.
        """
        self.of_lake = of_lake
        if database.is_dir():
            raise WarehouseError(f"{database}: a folder, but not a lake; name a backup or a lake")
        self._changing = threading.Lock()
        self._counting = threading.Lock()
        self._own = ContextVar[_Opened | None](f"what is read of {database}", default=None)
        self._refused: Stamp | None = None
        stamp = _stamp(database)
        if stamp is None:
            raise WarehouseError(f"{database}: no such backup or lake; `himalaya backup` writes one")
        self._latest = _Opened(open_for_reading(_spelled(database, 0)), stamp, 0)
        self._former: list[_Opened] = []
        super().__init__(IN_MEMORY)  # an empty database, to which the files are attached
        self.database, self.read_only = database, True

    @property
    def app(self) -> AppStore:
        """Return the app store as of the time of the backup."""
        return (self._own.get() or self._latest).warehouse.app

    @property
    def written_at(self) -> datetime:
        """Return when the current backup or lake was written (UTC)."""
        return datetime.fromtimestamp(self._latest.stamp[1] / 1e9, UTC)

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor on the current backup; a nested block uses the backup of the outer block."""
        with self._reader() as opened, opened.warehouse.reading() as cursor:
            yield cursor

    @contextmanager
    def of_one_file(self) -> Iterator[None]:
        """During the block, keep reading the same backup even if a newer one replaces it."""
        with self._reader():
            yield

    def close(self) -> None:
        """Close all files; readers have a few seconds to finish."""
        for opened in (*self._former, self._latest):
            opened.warehouse.close()
        super().close()

    @contextmanager
    def _reader(self) -> Iterator[_Opened]:
        before = self._own.get()
        if before is None:
            self._look()
        with self._counting:
            opened = before or self._latest
            opened.readers += 1
        self._own.set(opened)
        try:
            yield opened
        finally:
            self._own.set(before)
            self._leave(opened)

    def interrupt(self, asker: object) -> None:
        """Interrupt the current queries of an asker (see `ASKER`), on any backup."""
        for opened in (*self._former, self._latest):
            opened.warehouse.interrupt(asker)

    def _look(self) -> None:
        """Open the current file if it is new. Only one thread does so, while the others keep reading."""
        stamp = _stamp(self.database)
        if stamp is None or stamp in {self._latest.stamp, self._refused}:
            return
        if not self._changing.acquire(blocking=False):
            return
        try:
            if stamp != self._latest.stamp:  # another thread may already have done it
                self._change(stamp)
        finally:
            self._changing.release()

    def _change(self, stamp: Stamp) -> None:
        used = {opened.spelling for opened in (*self._former, self._latest)}
        spelling = next(number for number in count() if number not in used)
        try:
            opened = _Opened(open_for_reading(_spelled(self.database, spelling)), stamp, spelling)
        except WarehouseError as error:
            self._refused = stamp
            log.warning("the newer backup cannot be read, the former one is still served: %s", error)
            return
        with self._counting:
            former, self._latest = self._latest, opened
            self._former.append(former)
            is_left = former.readers == 0
        log.info("now serving the backup of %s", self.written_at)
        if is_left:
            self._drop(former)

    def _leave(self, opened: _Opened) -> None:
        with self._counting:
            opened.readers -= 1
            is_left = opened.readers == 0 and opened is not self._latest
        if is_left:
            self._drop(opened)

    def _drop(self, opened: _Opened) -> None:
        opened.warehouse.close()
        with self._counting:
            self._former = [each for each in self._former if each is not opened]


def _stamp(database: Path) -> Stamp | None:
    try:
        found = database.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _spelled(database: Path, number: int) -> Path:
    """Return the path of a file in spelling number `number`; all spellings are different."""
    folder = database.parent.resolve()
    for _ in range(number):
        folder = folder / ".." / folder.name
    return folder / database.name
