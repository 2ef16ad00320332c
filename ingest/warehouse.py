"""The warehouse file: open in one process at a time, with many readers and one writer.

DuckDB lets only one process have a file open for writing. So the process that opens a warehouse owns it: a command for
as long as it runs, a server until it stops. Readers see the last commit, regardless of writes in progress.
"""

import fcntl
import re
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, Self

import duckdb

from ingest.app_store import AppStore, no_store
from ingest.errors import WarehouseError, WarehouseInUse, WarehouseStopped
from ingest.files import private
from ingest.transactions import Backpressure
from ingest.values import quoted

__all__ = [
    "ASKER",
    "IN_MEMORY",
    "ROW_GROUP",
    "Report",
    "Warehouse",
    "attach",
    "holder_of",
    "remove_stub",
    "sentence",
    "sentences",
]

Report = Callable[[dict[str, Any]], None]
"""Called with the progress of an operation as JSON. An exception from it ends the operation at a safe point."""

MEMORY: Final = "600MB"
"""Memory limit of DuckDB; without it, DuckDB would use most of the machine's memory as the file grows."""
SPILLED: Final = "4GB"
"""Maximum size of DuckDB's temporary files; without it, one query could fill the disk."""
HEADERS: Final = 3 * 4096
"""Size in bytes of the headers that DuckDB writes first into a new file."""
ROW_GROUP: Final = 20_480
"""Rows per row group, which one core compresses. DuckDB's default of 122,880 exceeds most tables of a batch."""
ASKER: Final = ContextVar[object]("for whom the warehouse is asked", default=None)
"""Identifies the caller of a query, for `interrupt`; if it is not set, the thread identifies the caller."""
NAME: Final = "warehouse"
"""Name of the database within DuckDB, whatever the name of its file."""

LIMITS: Final[dict[str, Any]] = {"memory_limit": MEMORY, "max_temp_directory_size": SPILLED}
IN_MEMORY: Final = Path(":memory:")
"""Path of a warehouse in memory; its data is lost when it is closed."""
REFUSED: Final = {
    "Permission denied": "no permission to open it",
    "Read-only file system": "the disk is read-only",
    "No such file or directory": "no such file or folder",
    "Is a directory": "it is a folder; name a file",
}
"""Operating system errors as DuckDB words them, and the texts for users."""
ABOUT_FILE: Final = re.compile("Corrupt|already attached")
"""Pattern for errors about the file that DuckDB classifies as errors in a statement."""
LEAVE: Final = 6.0
"""Seconds for all threads to leave a warehouse that is being closed; less than a service manager's grace period."""
SAFE_POINT: Final = 2.0
"""Seconds, within `LEAVE`, for the writer to reach a safe point; after that, its batch is rolled back."""
AGAIN: Final = 0.05
"""Seconds until an interrupt is repeated: an interrupt between two statements has no effect."""


class Warehouse:
    """A warehouse file, open in this process; safe to use from several threads."""

    of_lake = False
    """True if the file was made from a lake, which has no runs and no quarantine."""

    def __init__(self, database: Path, *, read_only: bool = False) -> None:
        """Open a file as it is. `open_warehouse` also creates and upgrades files. Raises `WarehouseError`."""
        self.database = database
        self.read_only = read_only
        self.backpressure = Backpressure()
        """Gives readers priority over the writer; only a server counts its readers here."""
        with ExitStack() as opening:
            if not read_only:
                opening.enter_context(private())
            self._connection = _connect(database, read_only=read_only)
            self._opened = opening.pop_all()
        self._app = no_store()
        self._writer = threading.RLock()
        self._door = threading.Condition()
        self._inside = 0
        self._leaving = False
        self._out: dict[duckdb.DuckDBPyConnection, tuple[object, bool]] = {}
        """The open cursors, each with its thread or asker, and whether it writes."""
        self._is_stopping = False
        self._closing = threading.RLock()
        self._is_closed = False
        self._is_lost = False
        """True if the file could not be reopened after `put_away`; the next caller then tries again."""
        self._held = threading.local()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def app(self) -> AppStore:
        """Return the app store, which holds the data that people write; `ingest.opening` opens it."""
        return self._app

    def pair_with(self, store: AppStore) -> None:
        """Attach an app store, which is then closed together with this warehouse."""
        self._app = store

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for queries. DuckDB's errors are not converted; see `sentence`."""
        with self._cursor(writes=False) as cursor:
            yield cursor

    @contextmanager
    def _cursor(self, *, writes: bool) -> Iterator[duckdb.DuckDBPyConnection]:
        self._come_in()
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(f"USE {NAME}")
                self._out[cursor] = ASKER.get() or threading.get_ident(), writes
                try:
                    yield cursor
                finally:
                    del self._out[cursor]
        except duckdb.InterruptException:
            if not self._is_stopping:
                raise
            raise self._stopped() from None
        finally:
            self._go_out()

    @contextmanager
    def of_one_file(self) -> Iterator[None]:
        """Keep reading the same file during the block. A plain warehouse has only one file; see `ingest.replica`."""
        yield

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for writing, to one thread at a time.

        DuckDB's errors about the file become a `WarehouseError`.
        """
        with self._writer, self._kept_open(), self._cursor(writes=True) as cursor:
            yield cursor

    @contextmanager
    def sole_writer(self) -> Iterator[None]:
        """Keep all other threads from writing during the block, for operations that replace the file."""
        self._require_writable()
        with self._writer:
            yield

    @contextmanager
    def _kept_open(self) -> Iterator[None]:
        self._require_writable()
        with sentences(self.database):
            try:
                yield
            except duckdb.Error as error:
                if isinstance(error, duckdb.FatalException) or "has been invalidated" in str(error):
                    with suppress(duckdb.Error):
                        self._open_again()  # DuckDB lost the file, e.g. on a full disk
                raise

    def _require_writable(self) -> None:
        if self.of_lake:
            raise WarehouseError(f"{self.database.with_suffix('')}: a lake can only be read; name a database")
        if self.read_only:
            raise WarehouseError(f"{self.database}: cannot be written to, as it is open for reading only")

    @contextmanager
    def put_away(self) -> Iterator[None]:
        """Close the file during the block, so that it can be replaced; readers wait until it is open again.

        Do not call it within `reading` or `writing`, because it waits for all readers and writers to finish.
        """
        with self.sole_writer(), self._door:
            self._leaving = True
            self._door.wait_for(lambda: self._inside == 0)
            try:
                self._close()
                yield
            finally:
                self._leaving, self._is_lost = False, True
                self._door.notify_all()
                self._connect_again()

    def interrupt(self, asker: object) -> None:
        """Interrupt the current reads of an `ASKER` or a thread; its writes continue to a safe point."""
        self._interrupt(lambda reader, writes: reader == asker and not writes)

    def _interrupt(self, is_meant: Callable[[object, bool], bool]) -> None:
        for cursor, (asker, writes) in list(self._out.items()):
            if is_meant(asker, writes):
                with suppress(duckdb.Error):  # the cursor was closed in the meantime
                    cursor.interrupt()

    def close(self) -> None:
        """Make all threads leave, and close the file. New callers are refused, and running statements are interrupted.

        The writer has `SAFE_POINT` seconds to reach a safe point. If threads are still inside after `LEAVE` seconds,
        the file is not closed, because that would crash the process. The file is then as safe as after a kill.
        """
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = self._is_stopping = True
            until = time.monotonic() + LEAVE
            self._app.close()
            if self._is_left(until) and self._writer.acquire(timeout=max(until - time.monotonic(), 0)):
                try:
                    with self._door, sentences(self.database):
                        self._close()
                finally:
                    self._opened.close()
                    self._writer.release()

    def close_soon(self) -> None:
        """Close the file in `SAFE_POINT` seconds, even with threads inside. Calling `close` earlier is allowed."""
        soon = threading.Timer(SAFE_POINT, self.close)
        soon.daemon = True
        soon.start()

    def _is_left(self, until: float) -> bool:
        """Interrupt all other threads until they have left; return whether they have."""
        mine, patience = threading.get_ident(), until - LEAVE + SAFE_POINT
        own = 1 if getattr(self._held, "depth", 0) else 0
        with self._door:
            while self._inside > own and (now := time.monotonic()) < until:
                self._interrupt(lambda thread, writes: thread != mine and (not writes or now > patience))
                self._door.wait(AGAIN)
            return self._inside <= own

    def _stopped(self) -> WarehouseStopped:
        return WarehouseStopped(f"{self.database}: closed; run the same command again")

    def _close(self) -> None:
        """Close the file, after checkpointing any write-ahead log left by a killed process.

        On closing, DuckDB itself only checkpoints the write-ahead log of its own process.
        """
        if not self.read_only and Path(f"{self.database}.wal").exists():
            with suppress(duckdb.Error):  # on a full disk, the data stays safe in the write-ahead log
                self._connection.execute("CHECKPOINT")
        self._connection.close()

    def _open_again(self) -> None:
        with self.put_away():
            pass

    def _connect_again(self) -> None:
        self._connection = _connect(self.database, read_only=self.read_only)
        self._is_lost = False

    def _come_in(self) -> None:
        depth = getattr(self._held, "depth", 0)
        with self._door:
            if depth == 0:
                self._door.wait_for(lambda: not self._leaving or self._is_stopping)
                if self._is_stopping:
                    raise self._stopped()
                if self._is_lost:
                    self._connect_again()
                self._inside += 1
        self._held.depth = depth + 1

    def _go_out(self) -> None:
        self._held.depth -= 1
        if self._held.depth == 0:
            with self._door:
                self._inside -= 1
                self._door.notify_all()


@contextmanager
def sentences(database: Path) -> Iterator[None]:
    """Turn DuckDB's errors about the file into a `WarehouseError`; errors in a statement are bugs and pass through."""
    try:
        yield
    except duckdb.Error as error:
        if not isinstance(error, duckdb.OperationalError | duckdb.FatalException) and not ABOUT_FILE.search(str(error)):
            raise
        if "Could not set lock" in str(error):
            raise WarehouseInUse(sentence(error, database), _holder(str(error))) from None
        raise WarehouseError(sentence(error, database)) from None


def holder_of(database: Path) -> int | None:
    """Return the id of the other process that has a file open; `None` if DuckDB does not report it."""
    try:
        with duckdb.connect() as connection:
            attach(connection, database, NAME, read_only=True)
    except duckdb.Error as error:
        return _holder(str(error))
    return None


def _holder(text: str) -> int | None:
    """Return the process id in a DuckDB error; `None` if it is missing or 0 (a process in another container)."""
    found = re.search(r"PID (\d+)", text)
    return int(found[1]) or None if found else None


def _connect(database: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    with sentences(database):
        if not read_only:
            remove_stub(database)
        connection = duckdb.connect(_instance(database), config=LIMITS | _spilling(database))
        try:
            attach(connection, database, NAME, read_only=read_only)
            connection.execute(f"USE {NAME}")
        except BaseException:
            connection.close()
            raise
        return connection


def _instance(database: Path) -> str:
    """Return the name under which DuckDB caches the open file, so that opening it again in this process shares it."""
    return str(IN_MEMORY) if database == IN_MEMORY else f"{IN_MEMORY}{database.absolute()}"


def attach(connection: duckdb.DuckDBPyConnection, database: Path, name: str, *, read_only: bool = False) -> None:
    """Attach a file to a connection under a name, unless something is already attached under that name.

    The file is always opened as a DuckDB database. Otherwise, DuckDB would attach a log or a Parquet file as a view,
    and loaded data would be lost.
    """
    how = f"TYPE duckdb, {'READ_ONLY' if read_only else 'READ_WRITE'}, ROW_GROUP_SIZE {ROW_GROUP}"
    connection.execute(f"ATTACH IF NOT EXISTS {quoted(database)} AS {name} ({how})")


def _spilling(database: Path) -> dict[str, Any]:
    """Return the setting for DuckDB's temporary folder: next to the database, not in the current folder."""
    return {} if database == IN_MEMORY else {"temp_directory": f"{database.absolute()}.tmp"}


def remove_stub(database: Path) -> None:
    """Remove an incomplete new database file, left behind by a full disk or a kill."""
    with suppress(OSError):
        found = database.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size >= HEADERS:
            return  # opening and closing it could release this process's lock
        with database.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            head = file.read(HEADERS)
            if not head or head[8:12] == b"DUCK":  # any other short file is the user's
                database.unlink()


def sentence(error: duckdb.Error, database: Path) -> str:
    """Return a one-line message for users that explains a DuckDB error and names the next step."""
    text = " ".join(str(error).split())
    if "Could not set lock" in text:
        holder = _holder(text)
        who = f"process {holder}" if holder else "another process"
        return f"{database}: in use by {who}; stop it and try again"
    if "already attached" in text or "file handle conflict" in text:
        return f"{database}: open in this process already; close it first"
    if "not a valid DuckDB database" in text:
        return f"{database}: not a DuckDB file; name another file"
    if "Could not read enough bytes" in text or "checksum" in text:
        return f"{database}: damaged; restore a backup, or ingest the logs into another file"
    if "newer version" in text or "Serialization Error" in text:
        return f"{database}: written by a newer DuckDB than {duckdb.__version__}; upgrade duckdb"
    if "No space left" in text or "File too large" in text or "Disk quota" in text:
        return f"{database}: the disk is full; what was loaded so far is safe. Make room and run the same command again"
    reason = next((plain for words, plain in REFUSED.items() if words in text), None)
    return f"{database}: {reason or text.removeprefix('IO Error: ')}"
