"""Transactions: commit a step as a whole or not at all, hold off Ctrl-C, and pause long work for readers."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import duckdb

__all__ = ["Backpressure", "transaction", "undisturbed", "written_once"]


LARGE: Final = "100KB"
"""Minimum size of a large step, apart from its full row groups; DuckDB itself checkpoints its log at 16 MB."""


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit all changes of the block, or none if it fails."""
    connection.begin()
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # after a full disk there may be nothing left to roll back
            connection.rollback()
        raise
    connection.commit()


@contextmanager
def written_once(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Have a transaction written directly into the file, not first into DuckDB's log, if there are no readers.

    Use it only for the last of several transactions: repeated rewriting leaves gaps in the file.
    """
    connection.execute(f"SET checkpoint_threshold = '{LARGE}'")
    try:
        yield
    finally:
        connection.execute("RESET checkpoint_threshold")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C until the block is done: inside a statement DuckDB would turn it into a DuckDB error."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C goes to the main thread
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
"""Seconds after a read in which another is expected, as people often open one page after another."""
PATIENCE: Final = 4
"""Maximum length of a pause, as a multiple of the step before it, even if there are still readers."""
LONGEST: Final = 0.5
"""Maximum length of a pause in seconds, however long the step was."""


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
        """Hold the writer back while the block runs."""
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
        """Return whether there is a reader now or was one within `LATELY`: then steps should be small."""
        return self._inside > 0 or self._clock() - self._last < LATELY

    def yield_to_readers(self) -> None:
        """Pause between steps until there are no readers, at most `PATIENCE` times the last step and `LONGEST` s."""
        with self._changed:
            took = self._clock() - self._step_began
            self._changed.wait_for(lambda: self._inside == 0, min(PATIENCE * took, LONGEST))
            self._step_began = self._clock()
