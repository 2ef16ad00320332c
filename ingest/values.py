"""Converts values between Python and DuckDB: Arrow tables, compressed texts, quoted texts."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import zstandard
from pyarrow._compute import call_function

__all__ = ["array_of", "call_function", "pack", "plain", "quoted", "rows_at", "table_of", "unpack"]


def quoted(text: object) -> str:
    """Return a text as a quoted SQL literal."""
    return "'{}'".format(str(text).replace("'", "''"))


LEVEL: Final = 3


class _Own(threading.local):
    """The compressor and decompressor of this thread."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_own = _Own()


def pack(text: bytes | memoryview) -> bytes:
    """Compress a text."""
    return _own.compressor.compress(text)


def unpack(packed: bytes, max_output_size: int = 0) -> bytes:
    """Decompress a text, to at most `max_output_size` bytes if given. Raises `zstandard.ZstdError` if it is damaged."""
    return _own.decompressor.decompress(packed, max_output_size=max_output_size)


LIST: Final = "[]"
NUMBERS: Final = {
    "INTEGER": (np.int32, pa.int32()),
    "BIGINT": (np.int64, pa.int64()),
    "DOUBLE": (np.float64, pa.float64()),
}
TEXTS: Final = ("VARCHAR", "JSON")
EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  times in tables are UTC without a zone
MICROSECOND: Final = timedelta(microseconds=1)


def table_of(kinds: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> pa.Table:
    """Return rows as an Arrow table; `kinds` has the SQL type of each column, in order (see `array_of`)."""
    columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    arrays = [array_of(kind, values) for kind, values in zip(kinds.values(), columns, strict=True)]
    return pa.Table.from_arrays(arrays, names=list(kinds))


def array_of(kind: str, values: Sequence[Any], words: Sequence[str] = ()) -> pa.Array:
    """Return values of an SQL type as an Arrow array; `None` becomes a null.

    Types are INTEGER, BIGINT, DOUBLE, BOOLEAN, VARCHAR, JSON (as text), BLOB, TIMESTAMP (without a zone), and lists of
    these (`INTEGER[]`). If `words` lists all possible texts, the array is dictionary-encoded.
    """
    present = _present(values) if None in values else None
    if kind.endswith(LIST):
        return _lists(kind.removesuffix(LIST), values, present)
    if words:
        return pa.DictionaryArray.from_arrays(_places(values, words, present), array_of("VARCHAR", words))
    if kind in NUMBERS:
        numpy_type, arrow_type = NUMBERS[kind]
        return plain(arrow_type, np.array([each or 0 for each in values] if present else values, numpy_type), present)
    if kind == "BOOLEAN":
        bits = np.packbits(np.array(values, np.bool_), bitorder="little")
        return pa.Array.from_buffers(pa.bool_(), len(values), [present, pa.py_buffer(bits)])
    if kind == "TIMESTAMP":
        since = [0 if each is None else (each - EPOCH) // MICROSECOND for each in values]
        return plain(pa.timestamp("us"), np.array(since, np.int64), present)
    return _texts(kind, values, present)


def plain(arrow_type: pa.DataType, values: npt.NDArray[Any], present: pa.Buffer | None = None) -> pa.Array:
    """Return an Arrow array that shares memory with a numpy array; `present` has a bit set for each non-null value."""
    return pa.Array.from_buffers(arrow_type, len(values), [present, pa.py_buffer(values)])


def rows_at(table: pa.Table, places: npt.NDArray[np.integer[Any]]) -> pa.Table:
    """Return the rows of a table at these indices, in the order of the indices."""
    return call_function("take", [table, plain(pa.int64(), places.astype(np.int64))])


def _present(values: Sequence[Any]) -> pa.Buffer:
    return pa.py_buffer(np.packbits([each is not None for each in values], bitorder="little"))


def _places(values: Sequence[Any], words: Sequence[str], present: pa.Buffer | None) -> pa.Array:
    place_of = {word: place for place, word in enumerate(words)}
    found = (0 if each is None else place_of[each] for each in values)
    return plain(pa.uint16(), np.fromiter(found, np.uint16, len(values)), present)


def _texts(kind: str, values: Sequence[Any], present: pa.Buffer | None) -> pa.Array:
    parts = [each or b"" for each in values] if present else values
    arrow_type = pa.large_binary()
    if kind in TEXTS:
        parts = [each.encode() if each else b"" for each in values]
        arrow_type = pa.large_string()
    buffers = [present, pa.py_buffer(_ends(parts, np.int64)), pa.py_buffer(b"".join(parts))]
    return pa.Array.from_buffers(arrow_type, len(parts), buffers)


def _lists(kind: str, values: Sequence[Any], present: pa.Buffer | None) -> pa.Array:
    there = [each or () for each in values] if present else values
    inner = array_of(kind, list(chain.from_iterable(there)))
    buffers = [present, pa.py_buffer(_ends(there, np.int32))]
    return pa.Array.from_buffers(pa.list_(inner.type), len(there), buffers, children=[inner])


def _ends(parts: Sequence[Any], kind: type[np.integer[Any]]) -> npt.NDArray[Any]:
    return np.cumsum([0, *map(len, parts)], dtype=kind)
