"""The warehouse file: open in one process at a time, in which many read while one writes.

DuckDB lets a single process have a file open for writing, and keeps every other out. So whoever opens a warehouse owns
it: a command for as long as it runs, a server until it stops. Readers see the last commit, whatever is being written.
"""

import fcntl
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

import duckdb

from ingest.backpressure import Backpressure
from ingest.errors import WarehouseError, WarehouseInUse
from ingest.private import private

__all__ = [
    "IN_MEMORY",
    "Report",
    "Warehouse",
    "holder_of",
    "remove_stub",
    "sentence",
]

Report = Callable[[dict[str, Any]], None]
"""Called with the progress of an operation, as JSON; an exception from it ends the operation at a safe point."""

MEMORY: Final = "600MB"
"""The memory limit of DuckDB; without one it would fill most of the machine as the file grows."""
HEADERS: Final = 3 * 4096
"""Bytes that DuckDB writes first of all into a new file."""

IN_MEMORY: Final = Path(":memory:")
"""Stands for no file: such a warehouse is gone when it is closed."""
LEAVE: Final = 5.0
"""Seconds that readers have to finish when a warehouse is closed."""


class Warehouse:
    """A warehouse file, open in this process; safe to use from several threads."""

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
        self._writer = threading.RLock()
        self._short = threading.RLock()
        """Held by `writing_at_once`; whoever needs both locks takes this one last."""
        self._door = threading.Condition()
        self._inside = 0
        self._leaving = False
        self._is_lost = False
        """Whether the file could not be opened again after it was put away; then the next caller tries again."""
        self._held = threading.local()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for queries. DuckDB's own errors come through, see `sentence`."""
        self._come_in()
        try:
            with self._connection.cursor() as cursor:
                yield cursor
        finally:
            self._go_out()

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor to write with, one at a time; DuckDB's errors become a `WarehouseError`."""
        with self._writer, self._kept_open(), self.reading() as cursor:
            yield cursor

    @contextmanager
    def writing_at_once(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for a short write to a table that nothing else writes, without waiting for other writers.

        It waits only while another file replaces this one, as a write to the old one would be lost.
        """
        with self._kept_open(), self._short, self.reading() as cursor:
            yield cursor

    @contextmanager
    def sole_writer(self) -> Iterator[None]:
        """Keep every other thread from writing, for operations that write and replace the file."""
        self._require_writable()
        with self._writer, self._short:
            yield

    @contextmanager
    def _kept_open(self) -> Iterator[None]:
        self._require_writable()
        with sentences(self.database):
            try:
                yield
            except duckdb.FatalException:
                with suppress(duckdb.Error):
                    self._open_again()  # DuckDB gives the open file up, on a full disk for one; the file is sound
                raise

    def _require_writable(self) -> None:
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

    def close(self) -> None:
        """Close the file once nobody writes; readers have `LEAVE` seconds to finish, then their queries fail."""
        with self._writer, self._short, self._door, sentences(self.database):
            self._door.wait_for(lambda: self._inside == 0, LEAVE)
            try:
                self._close()
            finally:
                self._opened.close()

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
                self._door.wait_for(lambda: not self._leaving)
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
        if not isinstance(error, duckdb.OperationalError | duckdb.FatalException) and "Corrupt" not in str(error):
            raise
        if "Could not set lock" in str(error):
            raise WarehouseInUse(sentence(error, database), _holder(str(error))) from None
        raise WarehouseError(sentence(error, database)) from None


def holder_of(database: Path) -> int | None:
    """Return the id of the other process that has a file open, `None` if DuckDB cannot tell."""
    try:
        duckdb.connect(_as_database(database), read_only=True).close()
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
        return duckdb.connect(_as_database(database), read_only=read_only, config={"memory_limit": MEMORY})


def _as_database(file: Path) -> str:
    """Return the name under which DuckDB opens a file as a database, whatever is in it.

    Of a log or a Parquet file it would otherwise make a view in a database in memory, and all that is loaded be lost.
    """
    return str(file) if file == IN_MEMORY else f"duckdb:{file}"


def remove_stub(database: Path) -> None:
    """Remove the beginnings of a file whose making was stopped by a full disk or a kill."""
    with suppress(OSError):
        if database.stat().st_size >= HEADERS:
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
    if "not a valid DuckDB database" in text:
        return f"{database}: not a DuckDB file; name another file"
    if "Could not read enough bytes" in text or "checksum" in text:
        return f"{database}: damaged; restore a copy, or name another file and ingest the logs again"
    if "newer version" in text or "Serialization Error" in text:
        return f"{database}: written by a newer DuckDB than {duckdb.__version__}; upgrade duckdb"
    if "No space left" in text or "File too large" in text or "Disk quota" in text:
        return f"{database}: the disk is full; what was loaded so far is safe. Make room and run the same command again"
    return f"{database}: {text.removeprefix('IO Error: ')}"
