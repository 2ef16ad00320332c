"""Transactions, delay of Ctrl-C inside them, and pauses of long work so that readers are served."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import duckdb

__all__ = ["Backpressure", "transaction", "undisturbed", "written_once"]


LARGE: Final = "100KB"
"""Write-ahead log size from which `written_once` checkpoints; full row groups bypass this log.

The default of DuckDB is 16 MB.
"""


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit all changes of the block, or roll back all of them if it raises an exception."""
    connection.begin()
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # a full disk may have ended the transaction
            connection.rollback()
        raise
    connection.commit()


@contextmanager
def written_once(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let DuckDB write a transaction directly into the file instead of its write-ahead log, if there are no readers.

    Use it only for the last of several transactions, because frequent rewriting leaves gaps in the file.
    """
    connection.execute(f"SET checkpoint_threshold = '{LARGE}'")
    try:
        yield
    finally:
        connection.execute("RESET checkpoint_threshold")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block. Inside a statement, DuckDB would turn it into a DuckDB error."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives Ctrl-C
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


LATELY: Final = 2.0
"""Seconds after a read during which another one is expected: people often open several pages in a row."""
PATIENCE: Final = 4
"""Maximum length of a pause, as a multiple of the previous step, even if there are still readers."""
LONGEST: Final = 0.5
"""Maximum length of a pause in seconds, however long the previous step took."""


class Backpressure:
    """Gives readers priority over one writer that works in steps; safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, changed: threading.Condition | None = None) -> None:
        self._clock = clock
        self._changed = changed or threading.Condition()
        self._inside = 0
        self._last = float("-inf")
        self._step_began = clock()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep the writer from starting a new step during the block."""
        with self._changed:
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._last = self._clock()
                self._changed.notify_all()

    @property
    def has_readers(self) -> bool:
        """Return whether there is a reader, or was one within the last `LATELY` seconds. Steps should then be small."""
        return self._inside > 0 or self._clock() - self._last < LATELY

    def yield_to_readers(self) -> None:
        """Pause between steps until there are no readers.

        A pause takes at most `PATIENCE` times as long as the last step, and at most `LONGEST` seconds.
        """
        with self._changed:
            took = self._clock() - self._step_began
            self._changed.wait_for(lambda: self._inside == 0, min(PATIENCE * took, LONGEST))
            self._step_began = self._clock()
