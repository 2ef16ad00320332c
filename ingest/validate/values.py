"""What the tables of a game hold of the different payloads of its events, once for each process that validates.

A million events of caravan have some 70,000 different payloads. So what one process tells another of an event is its
head and which payload it has; what a table holds of a payload goes with the first event that has it.
"""

import multiprocessing
import os
from itertools import count
from threading import Lock
from typing import Any, Final

import pyarrow as pa

__all__ = ["Values", "drop_copies"]

_serials: Final = count()


class Values:
    """What the columns of tables hold, a row for each payload; a table is named by the index of its kind of event.

    It only grows, and is safe to use from several threads. A copy in another process grows with every answer.
    """

    def __init__(self, game: str, tables: int) -> None:
        self.heights = [0] * tables
        """Rows by table."""
        self._name = (os.getpid(), game, next(_serials))
        self._parts: list[list[pa.Table]] = [[] for _ in range(tables)]
        self._sent = [0] * tables
        self._lock = Lock()

    def add(self, kind: int, rows: pa.Table) -> None:
        """Add rows to a table."""
        with self._lock:
            self._parts[kind].append(rows)
            self.heights[kind] += rows.num_rows

    def of(self, kind: int) -> pa.Table:
        """Return the rows of a table, of which there are some."""
        with self._lock:
            if len(self._parts[kind]) > 1:
                self._parts[kind] = [pa.concat_tables(self._parts[kind]).combine_chunks()]
            return self._parts[kind][0]

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as what that does not know of it yet."""
        with self._lock:
            new = [(kind, part) for kind in range(len(self._parts)) for part in self._unsent(kind)]
            self._sent = [*self.heights]
        return _received, (self._name, len(self._parts), new)

    def _unsent(self, kind: int) -> list[pa.Table]:
        left, found = self.heights[kind] - self._sent[kind], list[pa.Table]()
        for part in reversed(self._parts[kind]):
            if left <= 0:
                break
            found.append(part.slice(max(part.num_rows - left, 0)))
            left -= part.num_rows
        return found[::-1]


_copies: Final[dict[tuple[int, str], tuple[int, Values]]] = {}
"""Copies of what other processes have, by process and game, each with its number: a later one takes its place."""


def _received(name: tuple[int, str, int], tables: int, new: list[tuple[int, pa.Table]]) -> Values:
    process, game, serial = name
    known, copy = _copies.get((process, game), (-1, None))
    if copy is None or known != serial:
        copy = Values(game, tables)
        _copies[process, game] = serial, copy
    for kind, rows in new:
        copy.add(kind, rows)
    return copy


def drop_copies() -> None:
    """Drop the copies of what processes had that have ended."""
    alive = {process.pid for process in multiprocessing.active_children()}
    for key in list(_copies):  # at once, as others may come meanwhile
        if key[0] not in alive:
            del _copies[key]
