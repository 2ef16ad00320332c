"""The payload cache: the text after a line's prefix is decoded, checked and converted to column values only once.

A million events of caravan have some 70,000 different payloads. The cache is kept by game, from chunk to chunk, as long
as the process lives. Processes send an event as its prefix and the index of its payload. The column values of a payload
are sent together with the first event that has it.
"""

import multiprocessing
import os
import threading
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from ingest.tables.schema import EventSchema, EventTable
from ingest.validate.line_prefix import Numbers
from ingest.validate.reader import FEW_BYTES, decoded_payloads
from ingest.values import array_of

__all__ = ["Columns", "PayloadCache", "PayloadColumns", "columns_of", "drop_copies", "payload_cache", "roles"]

UNKNOWN: Final = -1
REFUSED: Final = (-1, 0)
MOST_KEPT: Final = 1 << 17
"""Maximum number of payloads in the cache, which take about 50 MB."""

_kept: "dict[str, PayloadCache]" = {}


class PayloadCache:
    """The distinct payloads of a game, with their table values. Safe to use from several threads.

    A payload has a kind, the index of its table in `EventSchema.tables`, and a row in the values of that table.
    Payloads that do not recur (first and last lines, long payloads) are not cached.
    """

    def __init__(self, schema: EventSchema) -> None:
        self._schema = schema
        self._codes: dict[bytes, int] = {}
        """By payload, its row and kind combined into one number."""
        self._rows = [0] * len(schema.tables)
        self._new: list[list[Any]] = [[] for _ in schema.tables]
        """By table, payloads not converted to column values yet."""
        self.values = PayloadColumns(schema.game.name, len(schema.tables))
        self.figures = [[np.empty(0, np.int32) for _ in roles(table)] for table in schema.tables]
        """For each table, one array per field in `roles`: the values, by row, that must fit the number of seats."""
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Return whether the cache is full and must be replaced by an empty one."""
        return len(self._codes) > MOST_KEPT

    def find(self, texts: Sequence[bytes]) -> tuple[Numbers, Numbers, list[Any]]:
        """Return the kind and the row of each payload; a payload is text as in the log, including the line end.

        Payloads that are not cached are also returned, decoded; their rows are -1, -2 and so on. An invalid payload has
        the kind -1.
        """
        known = self._codes.get
        codes = np.array([known(text, UNKNOWN) for text in texts], np.int64)
        row, kind = np.divmod(codes, len(self._schema.tables))
        own: list[Any] = []
        unknown = np.flatnonzero(codes == UNKNOWN)
        if len(unknown):
            with self._lock:
                found = [*self._decoded([texts[place] for place in unknown.tolist()], own)]
            kind[unknown], row[unknown] = np.array(found, np.int64).T
        return kind.astype(np.int32), row.astype(np.int32), own

    def _decoded(self, texts: Sequence[bytes], own: list[Any]) -> Iterator[tuple[int, int]]:
        """Yield the kind and the row of payloads that were not cached; another thread may have added them since."""
        schema, known = self._schema, self._codes.get
        alone = (schema.started, schema.ended)
        for text, payload in zip(texts, decoded_payloads(texts, schema), strict=True):
            if payload is None:
                yield REFUSED
                continue
            kind = schema.kinds[type(payload)]
            if kind in alone or len(text) >= FEW_BYTES:
                own.append(payload)
                yield kind, -len(own)
                continue
            if (code := known(text)) is None:
                code = self._codes[text] = self._rows[kind] * len(schema.tables) + kind
                self._rows[kind] += 1
                self._new[kind].append(payload)
            yield kind, code // len(schema.tables)

    def spread(self, kind: int) -> None:
        """Convert the new payloads of a kind to column values, and add them to `values`."""
        with self._lock:
            if not self._new[kind]:
                return
            rows, figures = columns_of(self._schema.tables[kind], self._new[kind])
            self.values.add(kind, rows)
            self.figures[kind] = [*map(np.append, self.figures[kind], figures)]
            self._new[kind].clear()


def payload_cache(schema: EventSchema) -> PayloadCache:
    """Return the payload cache of a game in this process."""
    kept = _kept.get(schema.game.name)
    if kept is None or kept.is_full:
        kept = _kept[schema.game.name] = PayloadCache(schema)
    return kept


# --- Converting payloads to columns


NO_FIGURE: Final = -1


class Columns(NamedTuple):
    """Column values of payloads of one type, and the values that must fit the number of seats.

    For each of `roles`, such a value is a seat or the length of a list; -1 if there is none.
    """

    rows: pa.Table
    figures: list[Numbers]


def columns_of(table: EventTable, payloads: Sequence[Any]) -> Columns:
    """Convert payloads of one type to the columns of its table."""
    arrays: dict[str, pa.Array] = {}
    figures: list[Sequence[int]] = []
    if table.has_seat:
        figures.append([payload.seat for payload in payloads])
        arrays["seat"] = array_of("INTEGER", figures[0])
    if table.spread.columns:
        values = table.spread.read([payload.data for payload in payloads])
        for column, held in zip(table.spread.columns, values, strict=True):
            arrays[column.name] = array_of(column.sql_type, held, column.words)
            if column.role == "seat":
                figures.append([NO_FIGURE if seat is None else seat for seat in held])
            elif column.role:
                figures.append([NO_FIGURE if each is None else len(each) for each in held])
    return Columns(pa.table(arrays), [np.array(each, np.int32) for each in figures])


def roles(table: EventTable) -> list[tuple[str, str]]:
    """Return the fields of a table that must fit the number of seats, with their roles (`Column.role`)."""
    fields = [("seat", "seat")] if table.has_seat else []
    return fields + [(f"data.{column.name}", column.role) for column in table.spread.columns if column.role]


_serials: Final = count()


class PayloadColumns:
    """Column values of payloads by table, one row per payload; a table is named by the index of its kind of event.

    Rows are only ever added. Safe to use from several threads. A copy in another process grows with every answer.
    """

    def __init__(self, game: str, tables: int) -> None:
        self.heights = [0] * tables
        """Number of rows by table."""
        self._name = (os.getpid(), game, next(_serials))
        self._parts: list[list[pa.Table]] = [[] for _ in range(tables)]
        self._sent = [0] * tables
        self._lock = threading.Lock()

    def add(self, kind: int, rows: pa.Table) -> None:
        """Add rows to a table."""
        with self._lock:
            self._parts[kind].append(rows)
            self.heights[kind] += rows.num_rows

    def of(self, kind: int) -> pa.Table:
        """Return the rows of a table that is not empty."""
        with self._lock:
            if len(self._parts[kind]) > 1:
                self._parts[kind] = [pa.concat_tables(self._parts[kind]).combine_chunks()]
            return self._parts[kind][0]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the rows that the receiving process does not have yet."""
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


_copies: Final[dict[tuple[int, str], tuple[int, PayloadColumns]]] = {}
"""Copies of other processes' column values, by process and game; a copy with a higher number replaces the former."""


def _received(name: tuple[int, str, int], tables: int, new: list[tuple[int, pa.Table]]) -> PayloadColumns:
    process, game, serial = name
    known, copy = _copies.get((process, game), (-1, None))
    if copy is None or known != serial:
        copy = PayloadColumns(game, tables)
        _copies[process, game] = serial, copy
    for kind, rows in new:
        copy.add(kind, rows)
    return copy


def drop_copies() -> None:
    """Drop the copies of processes that have ended."""
    alive = {process.pid for process in multiprocessing.active_children()}
    for key in list(_copies):  # a list, because other threads may add keys
        if key[0] not in alive:
            del _copies[key]
