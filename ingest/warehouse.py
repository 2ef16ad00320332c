"""The warehouse file: open in one process at a time, in which many read while one writes.

DuckDB lets a single process have a file open for writing, and keeps every other out. So whoever opens a warehouse owns
it: a command for as long as it runs, a server until it stops. Readers see the last commit, whatever is being written.
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
from ingest.backpressure import Backpressure
from ingest.errors import WarehouseError, WarehouseInUse, WarehouseStopped
from ingest.private import private
from ingest.quoting import quoted

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
]

Report = Callable[[dict[str, Any]], None]
"""Called with the progress of an operation, as JSON; an exception from it ends the operation at a safe point."""

MEMORY: Final = "600MB"
"""The memory limit of DuckDB; without one it would fill most of the machine as the file grows."""
SPILLED: Final = "4GB"
"""What DuckDB may put on the disk beside that; without a limit one query could fill the disk."""
HEADERS: Final = 3 * 4096
"""Bytes that DuckDB writes first of all into a new file."""
ROW_GROUP: Final = 20_480
"""Rows that are compressed together, by one core: most tables of a batch have fewer than DuckDB's own 122,880."""
ASKER: Final = ContextVar[object]("for whom the warehouse is asked", default=None)
"""What `interrupt` goes by; where there is none, by thread."""
NAME: Final = "warehouse"
"""That of the file's database within DuckDB, whatever the file is called."""

LIMITS: Final[dict[str, Any]] = {"memory_limit": MEMORY, "max_temp_directory_size": SPILLED}
IN_MEMORY: Final = Path(":memory:")
"""Stands for no file: such a warehouse is gone when it is closed."""
ABOUT_FILE: Final = re.compile("Corrupt|already attached")
"""In errors that are about the file, but of a kind that is about statements."""
LEAVE: Final = 6.0
"""Seconds in which everybody leaves a warehouse that is closed; less than the grace of whoever ends this process."""
SAFE_POINT: Final = 2.0
"""Seconds of these in which whoever writes may come to a safe point; then its batch is taken back."""
AGAIN: Final = 0.05
"""Seconds after which an interrupt is repeated: one that comes between two statements is not felt."""


class Warehouse:
    """A warehouse file, open in this process; safe to use from several threads."""

    of_lake = False
    """Whether it was made from a lake, which knows nothing of runs and quarantine."""

    def __init__(self, database: Path, *, read_only: bool = False) -> None:
        """Open a file as it is; `open_warehouse` also makes and upgrades it. Raises `WarehouseError`."""
        self.database = database
        self.read_only = read_only
        self.backpressure = Backpressure()
        """Lets readers, as a server counts them, go before who writes."""
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
        """The cursors that are out: each with the thread that has it, and whether that writes."""
        self._is_stopping = False
        self._closing = threading.RLock()
        self._is_closed = False
        self._is_lost = False
        """Whether the file could not be opened again after it was put away; then the next caller tries again."""
        self._held = threading.local()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def app(self) -> AppStore:
        """What people write; `ingest.opening` opens it."""
        return self._app

    def pair_with(self, store: AppStore) -> None:
        """Have a store from now on, and close it with this."""
        self._app = store

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for queries. DuckDB's own errors come through, see `sentence`."""
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
        """Have this thread read one file within the block; a warehouse is one, see `ingest.replica`."""
        yield

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor to write with, one at a time; DuckDB's errors become a `WarehouseError`."""
        with self._writer, self._kept_open(), self._cursor(writes=True) as cursor:
            yield cursor

    @contextmanager
    def sole_writer(self) -> Iterator[None]:
        """Keep every other thread from writing, for operations that write and replace the file."""
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
                        self._open_again()  # DuckDB gives the open file up, on a full disk for one; the file is sound
                raise

    def _require_writable(self) -> None:
        if self.of_lake:
            raise WarehouseError(f"{self.database.with_suffix('')}: is a lake, which is only read; name a database")
        if self.read_only:
            raise WarehouseError(f"{self.database}: cannot be written to; only what is in it can be read")

    @contextmanager
    def put_away(self) -> Iterator[None]:
        """Close the file while the block runs, so that another can replace it; readers wait meanwhile.

        Not from within `reading` or `writing`: it waits until nobody reads or writes.
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
        """Interrupt what an `ASKER`, or a thread, reads now: that fails. What it writes goes on to a safe point."""
        self._interrupt(lambda reader, writes: reader == asker and not writes)

    def _interrupt(self, is_meant: Callable[[object, bool], bool]) -> None:
        for cursor, (asker, writes) in list(self._out.items()):
            if is_meant(asker, writes):
                with suppress(duckdb.Error):  # closed meanwhile
                    cursor.interrupt()

    def close(self) -> None:
        """Have everybody leave, and close the file: nobody comes in any more, and statements are interrupted.

        Who writes has `SAFE_POINT` seconds to come to one. Of whoever is still inside after `LEAVE` seconds the file is
        not closed, as that would end the process: it is as safe as after a kill.
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
        """Have the file closed in `SAFE_POINT` seconds, whoever is inside then; `close` may come before."""
        soon = threading.Timer(SAFE_POINT, self.close)
        soon.daemon = True
        soon.start()

    def _is_left(self, until: float) -> bool:
        """Interrupt everybody else until they have left; return whether they have."""
        mine, patience = threading.get_ident(), until - LEAVE + SAFE_POINT
        own = 1 if getattr(self._held, "depth", 0) else 0
        with self._door:
            while self._inside > own and (now := time.monotonic()) < until:
                self._interrupt(lambda thread, writes: thread != mine and (not writes or now > patience))
                self._door.wait(AGAIN)
            return self._inside <= own

    def _stopped(self) -> WarehouseStopped:
        return WarehouseStopped(f"{self.database}: is being closed; run the same again")

    def _close(self) -> None:
        """Close the file, and first write the log of a killed process into it; DuckDB does so only with its own."""
        if not self.read_only and Path(f"{self.database}.wal").exists():
            with suppress(duckdb.Error):  # on a full disk it stays, and is as safe there
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
    """Turn DuckDB's errors about the file into a `WarehouseError`; errors in a statement are ours and come through."""
    try:
        yield
    except duckdb.Error as error:
        if not isinstance(error, duckdb.OperationalError | duckdb.FatalException) and not ABOUT_FILE.search(str(error)):
            raise
        if "Could not set lock" in str(error):
            raise WarehouseInUse(sentence(error, database), _holder(str(error))) from None
        raise WarehouseError(sentence(error, database)) from None


def holder_of(database: Path) -> int | None:
    """Return the id of the other process that has a file open, `None` if DuckDB cannot tell."""
    try:
        with duckdb.connect() as connection:
            attach(connection, database, NAME, read_only=True)
    except duckdb.Error as error:
        return _holder(str(error))
    return None


def _holder(text: str) -> int | None:
    """Return the process that an error of DuckDB names; one of another container is named 0, which is `None` here."""
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
    """Return a name for what has a file open, so that whoever opens it in this process as well shares that."""
    return str(IN_MEMORY) if database == IN_MEMORY else f"{IN_MEMORY}{database.absolute()}"


def attach(connection: duckdb.DuckDBPyConnection, database: Path, name: str, *, read_only: bool = False) -> None:
    """Open a file as a database beside those that a connection has, under a name, unless that is open there.

    It is one of DuckDB's, whatever is in it: of a log or a Parquet file a view would be made, and what is loaded lost.
    """
    how = f"TYPE duckdb, {'READ_ONLY' if read_only else 'READ_WRITE'}, ROW_GROUP_SIZE {ROW_GROUP}"
    connection.execute(f"ATTACH IF NOT EXISTS {quoted(database)} AS {name} ({how})")


def _spilling(database: Path) -> dict[str, Any]:
    """Return where DuckDB is to put what does not fit into memory: beside the file, not into the folder it runs in."""
    return {} if database == IN_MEMORY else {"temp_directory": f"{database.absolute()}.tmp"}


def remove_stub(database: Path) -> None:
    """Remove the beginnings of a file whose making was stopped by a full disk or a kill."""
    with suppress(OSError):
        found = database.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size >= HEADERS:
            return  # not even to look into: closing a file gives up the lock of whoever has it open in this process
        with database.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            head = file.read(HEADERS)
            if not head or head[8:12] == b"DUCK":  # anything else is somebody's, however short
                database.unlink()


def sentence(error: duckdb.Error, database: Path) -> str:
    """Return in one line what an error of DuckDB means for a warehouse, and what to do."""
    text = " ".join(str(error).split())
    if "Could not set lock" in text:
        holder = _holder(text)
        who = f"process {holder}" if holder else "another process"
        return f"{database}: in use by {who}; stop it and try again"
    if "already attached" in text or "file handle conflict" in text:
        return f"{database}: open in this process already"
    if "not a valid DuckDB database" in text:
        return f"{database}: not a DuckDB file; name another file"
    if "Could not read enough bytes" in text or "checksum" in text:
        return f"{database}: damaged; restore a copy, or name another file and ingest the logs again"
    if "newer version" in text or "Serialization Error" in text:
        return f"{database}: written by a newer DuckDB than {duckdb.__version__}; upgrade duckdb"
    if "No space left" in text or "File too large" in text or "Disk quota" in text:
        return f"{database}: the disk is full; what was loaded so far is safe. Make room and run the same command again"
    return f"{database}: {text.removeprefix('IO Error: ')}"
