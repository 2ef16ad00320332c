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
"""Letters of a value in a message."""


def one_line(value: Any, name: str, most: int) -> str:
    """Return a text in the form that is kept; raises `Unfit` if it is not one line, or has more than `most` letters."""
    if not isinstance(value, str):
        raise Unfit(f"{name}: expected a text, found {shown(value)}")
    if found := CONTROLS.search(value):
        raise Unfit(f"{name}: expected no control characters, found U+{ord(found[0]):04X}")
    text = normalize_name(value)
    if not 1 <= len(text) <= most:
        raise Unfit(f"{name}: expected 1 to {most} letters, found {len(text)}", most, len(text))
    return text


def shown(value: Any) -> str:
    """Return a value as a message shows it, shortened if it is long."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


SCHEMA: Final = files("ingest").joinpath("app_store.sql").read_text("utf-8")
ENDING: Final = ".app.sqlite"
VERSION: Final = 1
"""Version of the schema, in `PRAGMA user_version`."""
PATIENCE: Final = 5.0
"""Seconds that one writer waits for another."""
MODE: Final = 0o600
ABOUT_FILE: Final = {
    "SQLITE_BUSY": "another process is writing to it; try again",
    "SQLITE_LOCKED": "another process is writing to it; try again",
    "SQLITE_FULL": "the disk is full; make room and try again",
    "SQLITE_CORRUPT": "damaged; restore a backup",
    "SQLITE_NOTADB": "damaged, or not a file of himalaya; restore a backup",
    "SQLITE_READONLY": "no permission to write to it",
    "SQLITE_PERM": "no permission to open it",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_IOERR": "cannot be read or written; check the disk",
}
"""Meaning of each SQLite error code that concerns the file. All other errors are our own bugs."""


def store_file(database: Path) -> Path:
    """Return the app store file of a warehouse: `a.app.sqlite` for `a.duckdb`."""
    file = database.resolve()
    return file.with_name(file.name.removesuffix(".duckdb") + ENDING)


class AppStore:
    """The tables of people; safe to use from several threads and processes.

    Without a file, the store is in memory; `contents` are those of another store. With a `problem`, a sentence, the
    store is empty and read-only.
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
        """Open a file, or make a store in memory that belongs to a `warehouse`, by its id.

        `WarehouseError` says in one sentence why the file cannot be read.
        """
        self.file, self.problem = file, problem
        self.read_only = read_only or problem is not None
        self._lock = threading.RLock()
        self._is_closed = False
        with _sentences(file):
            self._kept = _in_memory(contents, warehouse) if file is None else self._opened(file)

    def close(self) -> None:
        """Close the file; the last connection to close writes the log into it."""
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
        """Return a number that differs after any change."""
        with self._lock, _sentences(self.file):
            if self._is_closed:
                raise self._stopped()
            if self.file is None:
                return self._kept.total_changes
            ((version,),) = self._kept.execute("PRAGMA data_version").fetchall()
            return int(version)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that sees the state of one moment. Raises `WarehouseError` if the file cannot be read."""
        with self._connection() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction that is on the disk when the block ends; an error rolls it back.

        A write that is not `durable` waits for no disk. It survives a kill of the process, but not always a loss of
        power. Raises `WarehouseError` if nothing can be written.
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
        """Erase every trace of removed data from the file and its log."""
        with self._connection() as connection:
            connection.execute("VACUUM")
            ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if is_busy:
            raise WarehouseError(f"{self.file}: another process is reading it; run the same command again")

    def contents(self) -> bytes:
        """Return all current contents, as the bytes of a file."""
        with self._connection() as connection, closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            connection.backup(copy)
            copy.execute("VACUUM")  # without it the copy needs a log, which nothing in memory has
            return copy.serialize()

    def put(self, file: Path) -> None:
        """Write these contents to a file, which gets its name once it is complete and on the disk."""
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
        """Return the damage that SQLite finds, in its words; empty if the file is sound."""
        with self._connection() as connection:
            found = [text for (text,) in connection.execute("PRAGMA integrity_check(20)").fetchall()]
        return [] if found == ["ok"] else found

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a separate connection to a file; in memory there is only one, for one thread at a time."""
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
        """Return a lasting connection: it reports changes, and keeps other connections from ending the log."""
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
    """Return a store that represents the absence of a store."""
    return AppStore(problem="the app store of this database is not open")


def _connected(file: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open an existing file. If nothing can be written next to it and no process writes to it, it is read as it is."""
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
    """Turn errors about the file into a `WarehouseError`."""
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


# Times


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def as_text(moment: datetime | None) -> str | None:
    """Return a moment as the tables hold it; such texts sort in the order of their moments."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


def as_moment(text: Any) -> datetime:
    """Parse the text of a moment."""
    return datetime.fromisoformat(text)
