"""The app store: a SQLite file next to a warehouse, `NAME.app.sqlite`, for data that people write."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from himalaya_core.names import CONTROLS, normalize_name
from ingest.errors import Unfit, WarehouseError, WarehouseStopped, plain_reason
from ingest.files import sync

__all__ = ["SCHEMA", "AppStore", "as_moment", "as_text", "no_store", "now", "one_line", "shown", "store_file"]


MOST_SHOWN: Final = 40
"""Maximum characters of a value quoted in an error message."""


def one_line(value: Any, name: str, most: int) -> str:
    """Return a one-line text, normalized for storage.

    Raises `Unfit` if it has control characters, is empty, or has more than `most` characters.
    """
    if not isinstance(value, str):
        raise Unfit(f"{name}: expected a text, found {shown(value)}")
    if found := CONTROLS.search(value):
        raise Unfit(f"{name}: expected no control characters, found U+{ord(found[0]):04X}")
    text = normalize_name(value)
    if not 1 <= len(text) <= most:
        raise Unfit(f"{name}: expected 1 to {most} letters, found {len(text)}", most, len(text))
    return text


def shown(value: Any) -> str:
    """Return a value as quoted in an error message, shortened if it is long."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


SCHEMA: Final = files("ingest").joinpath("app_store.sql").read_text("utf-8")
ENDING: Final = ".app.sqlite"
VERSION: Final = 1
"""Schema version, stored in `PRAGMA user_version`."""
PATIENCE: Final = 5.0
"""Seconds a writer waits for another writer to finish."""
MODE: Final = 0o600
ABOUT_FILE: Final = {
    "SQLITE_BUSY": "another process is writing to it; try again",
    "SQLITE_LOCKED": "another process is writing to it; try again",
    "SQLITE_FULL": "the disk is full; make room and try again",
    "SQLITE_CORRUPT": "damaged; restore a backup",
    "SQLITE_NOTADB": "damaged, or not a file of himalaya; restore a backup",
    "SQLITE_READONLY": "no permission to write to it",
    "SQLITE_PERM": "no permission to open it",
    "SQLITE_CANTOPEN": "cannot be opened; check that it is there, and that its folder and disk can be written to",
    "SQLITE_IOERR": "cannot be read or written; check the disk",
}
"""Message for each SQLite error code that concerns the file. Any other SQLite error is a bug in this program."""


def store_file(database: Path) -> Path:
    """Return the app store file of a warehouse: `a.app.sqlite` for `a.duckdb`."""
    file = database.resolve()
    return file.with_name(file.name.removesuffix(".duckdb") + ENDING)


class AppStore:
    """The tables of data that people write; safe to use from several threads and processes.

    Without a `file`, the store is in memory; `contents` are the bytes of another store to copy. With a `problem` (a
    sentence for users), the store is empty and read-only.
    """

    def __init__(
        self,
        file: Path | None = None,
        *,
        read_only: bool = False,
        contents: bytes | None = None,
        warehouse: str = "",
        problem: str | None = None,
    ) -> None:
        """Open a file, or create a store in memory for the warehouse with the id `warehouse`.

        Raises `WarehouseError`, with the reason in one sentence, if the file cannot be read.
        """
        self.file, self.problem = file, problem
        self.read_only = read_only or problem is not None
        self._lock = threading.RLock()
        self._is_closed = False
        with _sentences(file):
            self._kept = _in_memory(contents, warehouse) if file is None else self._opened(file)

    def close(self) -> None:
        """Close the file. SQLite merges its write-ahead log into the file when the last connection closes."""
        with self._lock:
            self._is_closed = True
            self._kept.close()

    @property
    def warehouse(self) -> str:
        """Return the id of the warehouse that this store belongs to."""
        with self.reading() as connection:
            ((found,),) = connection.execute("SELECT warehouse FROM pair").fetchall()
        return str(found)

    @property
    def changes(self) -> int:
        """Return a number that changes whenever the store's data changes."""
        with self._lock, _sentences(self.file):
            if self._is_closed:
                raise self._stopped()
            if self.file is None:
                return self._kept.total_changes
            ((version,),) = self._kept.execute("PRAGMA data_version").fetchall()
            return int(version)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection with a consistent snapshot. Raises `WarehouseError` if the file cannot be read."""
        with self._connection() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction, committed to disk when the block ends; an error rolls it back.

        If not `durable`, the commit does not wait for the disk. It survives a killed process, but perhaps not a power
        loss. Raises `WarehouseError` if the store cannot be written to.
        """
        if self.read_only:
            raise WarehouseError(
                self.problem or f"{self.file or 'the app store'}: cannot be written to, as it is open for reading only"
            )
        with self._connection() as connection:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            finally:
                connection.rollback()

    def compact(self) -> None:
        """Erase every trace of removed data from the file and its write-ahead log."""
        with self._connection() as connection:
            connection.execute("VACUUM")
            ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if is_busy:
            raise WarehouseError(f"{self.file}: another process is reading it; run the same command again")

    def contents(self) -> bytes:
        """Return the whole store as the bytes of a SQLite file."""
        with self._connection() as connection, closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            connection.backup(copy)
            # Without this, the copy would need a write-ahead log, which a database in memory cannot have.
            copy.execute("VACUUM")
            return copy.serialize()

    def put(self, file: Path) -> None:
        """Write a copy of the store to a file, which gets its final name once it is complete and on the disk."""
        partial = file.with_name(f".{file.name}.partial")
        with _sentences(file), self._connection() as connection:
            partial.unlink(missing_ok=True)
            connection.execute("VACUUM INTO ?", (str(partial),))
            partial.chmod(MODE)
            with closing(sqlite3.connect(partial, isolation_level=None)) as written:
                written.execute("PRAGMA journal_mode = WAL")
            sync(partial)
            partial.replace(file)
            sync(file.parent)

    def damage(self) -> list[str]:
        """Return the problems that SQLite's integrity check finds, in SQLite's words; empty if the file is sound."""
        with self._connection() as connection:
            found = [text for (text,) in connection.execute("PRAGMA integrity_check(20)").fetchall()]
        return [] if found == ["ok"] else found

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a new connection to the file. A store in memory has one connection, used by one thread at a time."""
        if self._is_closed:
            raise self._stopped()
        with _sentences(self.file):
            if self.file is None:
                with self._lock:
                    yield self._kept
            else:
                with closing(_connected(self.file, read_only=self.read_only)) as connection:
                    yield connection

    def _stopped(self) -> WarehouseStopped:
        return WarehouseStopped(f"{self.file}: closed; run the same command again")

    def _opened(self, file: Path) -> sqlite3.Connection:
        """Return a connection that stays open to detect changes.

        While it is open, other connections do not delete the write-ahead log when they close.
        """
        connection = _connected(file, read_only=self.read_only)
        try:
            ((version,),) = connection.execute("PRAGMA user_version").fetchall()
        except BaseException:
            connection.close()
            raise
        if version != VERSION:
            connection.close()
            raise WarehouseError(f"{file}: version {version} of the app store; this himalaya reads version {VERSION}")
        return connection


@cache
def no_store() -> AppStore:
    """Return an empty, read-only placeholder for a store that is not open."""
    return AppStore(problem="the app store of this database is not open")


def _connected(file: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open an existing file.

    Read-only and without a write-ahead log, it is opened as immutable: SQLite then creates no files next to it.
    """
    mode = "rw" if not read_only else "ro" if Path(f"{file}-wal").exists() else "ro&immutable=1"
    address = f"file:{quote(str(file))}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _in_memory(contents: bytes | None, warehouse: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    if contents is not None:
        connection.deserialize(contents)
        return connection
    connection.executescript(SCHEMA)
    connection.execute("INSERT INTO pair VALUES (?)", (warehouse,))
    connection.execute(f"PRAGMA user_version = {VERSION}")
    return connection


@contextmanager
def _sentences(file: Path | None) -> Iterator[None]:
    """Turn SQLite errors about the file into a `WarehouseError`."""
    try:
        yield
    except sqlite3.Error as error:
        code = str(getattr(error, "sqlite_errorname", ""))
        meaning = next((text for begin, text in ABOUT_FILE.items() if code.startswith(begin)), None)
        if meaning is None:
            raise
        raise WarehouseError(f"{file}: {meaning}") from error
    except OSError as error:
        raise WarehouseError(f"{error.filename or file}: {plain_reason(error)}") from error


# Times, stored as text


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def as_text(moment: datetime | None) -> str | None:
    """Return a time as ISO text in UTC, as stored in the tables. These texts sort chronologically."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


def as_moment(text: Any) -> datetime:
    """Parse a time written by `as_text`."""
    return datetime.fromisoformat(text)
