"""Decodes the lines of a chunk into columns.

A line in our own format has a prefix (match, seq, ply, round) and a payload, which often recurs. Prefixes are found in
all lines together, and each different payload is decoded once. A line that differs from our format by even one byte is
decoded whole (`ingest.validate.reader`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ingest.arrow import call_function, plain
from ingest.tables.schema import EventSchema
from ingest.validate.line_prefix import LinePrefixes, Numbers, find_prefixes
from ingest.validate.payload_cache import PayloadCache, payload_cache
from ingest.validate.reader import LineReader, Refusal

__all__ = ["DecodedLines", "Fault", "decode_lines"]


@dataclass(frozen=True, slots=True)
class Fault:
    """An error, and its line in the chunk (from 0)."""

    index: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class DecodedLines:
    """Decoded lines by column.

    `prefixes` has all lines, including those that were decoded whole. `kind` is the index of a line's table in
    `EventSchema.tables`, or -1 for a bad line; its other columns have no meaning. `row` is the place of its payload:
    from 0 up in the values of that table in `payloads`, from -1 down in `own`.
    """

    data: bytes
    prefixes: LinePrefixes
    kind: Numbers
    row: Numbers
    payloads: PayloadCache
    own: list[Any]
    faults: dict[int, Fault]
    names: dict[int, str | None]
    """The matches of lines without a prefix in our own format."""

    def text(self, start: int, stop: int) -> bytes:
        """Return some lines unchanged."""
        return bytes(self.view(start, stop))

    def view(self, start: int, stop: int) -> memoryview:
        """Return some lines unchanged, without a copy."""
        return memoryview(self.data)[self.prefixes.starts[start] : self.prefixes.starts[stop]]

    def match(self, index: int) -> str | None:
        """Return the match that a line names, `None` for a bad line."""
        if index in self.names:
            return self.names[index]
        return self.data[self.prefixes.names[index] : self.prefixes.name_ends[index]].decode()

    def own_payload(self, index: int) -> Any:
        """Return the payload of a line that is not shared with others, such as the first and last of a match."""
        return self.own[-1 - self.row[index]]


def decode_lines(data: bytes, schema: EventSchema) -> DecodedLines:
    """Decode lines that all end with a line end."""
    prefixes, payloads = find_prefixes(data), payload_cache(schema)
    texts, text_of_line = _different_payloads(data, prefixes)
    kinds, rows, own = payloads.find(texts)
    kind, row = np.full(len(prefixes.exact), -1, np.int32), np.zeros(len(prefixes.exact), np.int32)
    kind[prefixes.exact], row[prefixes.exact] = kinds[text_of_line], rows[text_of_line]
    lines = DecodedLines(data, prefixes, kind, row, payloads, own, {}, {})
    again = np.flatnonzero(kind < 0).tolist()
    if again:
        _read_whole(lines, again, schema)
    return lines


def _different_payloads(data: bytes, prefixes: LinePrefixes) -> tuple[list[bytes], Numbers]:
    """Return the different payloads of lines with an exact prefix, and the index of the payload of each such line."""
    lines = len(prefixes.exact)
    bounds = np.empty(2 * lines + 1, np.int64)
    bounds[0::2], bounds[1::2] = prefixes.starts, np.where(prefixes.exact, prefixes.payloads, prefixes.starts[:-1])
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(data)]
    cut = pa.Array.from_buffers(pa.large_binary(), 2 * lines, buffers)
    behind_heads = plain(pa.int64(), 1 + 2 * np.flatnonzero(prefixes.exact))
    coded = call_function("dictionary_encode", [call_function("take", [cut, behind_heads])])
    return coded.dictionary.to_pylist(), np.frombuffer(coded.indices.buffers()[1], np.int32, len(behind_heads))


def _read_whole(lines: DecodedLines, again: list[int], schema: EventSchema) -> None:
    """Decode some lines whole, one by one."""
    reread, prefixes = LineReader(schema), lines.prefixes
    for index in again:
        decoded = reread(lines.text(index, index + 1)[:-1])
        if isinstance(decoded, Refusal):
            lines.names[index] = None
            lines.faults[index] = Fault(index, decoded.reason, decoded.message)
            continue
        lines.names[index] = decoded.match
        prefixes.seq[index], prefixes.ply[index], prefixes.round[index] = decoded.seq, decoded.ply, decoded.round
        lines.own.append(decoded)
        lines.kind[index], lines.row[index] = schema.kinds[type(decoded)], -len(lines.own)
    for index in again:
        for place in (index, index + 1):
            if place < len(lines.kind):
                prefixes.changes[place] = place == 0 or lines.match(place) != lines.match(place - 1)
