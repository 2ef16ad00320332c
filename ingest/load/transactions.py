"""Transactions: commit a step as a whole or not at all, hold off Ctrl-C, and write a large step once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import duckdb

__all__ = ["transaction", "undisturbed", "written_once"]

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
