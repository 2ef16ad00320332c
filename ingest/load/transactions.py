"""How rows are committed: all of a step or none, not cut by Ctrl-C, and a large step written once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import duckdb

__all__ = ["transaction", "undisturbed", "written_once"]

LARGE: Final = "100KB"
"""What a large step comes to at least, beside its full row groups; DuckDB waits for 16 MB to write its log over."""


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit what the block does, or nothing of it if it fails."""
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
    """Have a transaction written into the file as it is committed, and not into DuckDB's log before if nobody reads.

    For the last of several alone: what is written over and over leaves gaps in the file.
    """
    connection.execute(f"SET checkpoint_threshold = '{LARGE}'")
    try:
        yield
    finally:
        connection.execute("RESET checkpoint_threshold")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C until the block is done: inside a statement DuckDB would turn it into an error of its own."""
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
