"""Decodes the lines of a piece into columns.

Lines as we write them begin with a head (match, seq, ply, round), and the payload behind it often recurs. So heads are
found in all lines at once, and each different payload is decoded once. This holds only for lines that are, byte for
byte, as we would write them; any other line is decoded whole (`ingest.validate.reader`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ingest.arrow import call_function, plain
from ingest.tables.schema import EventSchema
from ingest.validate.heads import Heads, Numbers, find_heads
from ingest.validate.payloads import Payloads, payloads_of
from ingest.validate.reader import LineReader, Refusal

__all__ = ["Fault", "Lines", "decode_lines"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and in which line of the piece (from 0)."""

    index: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Decoded lines by column.

    `heads` are those of all lines, also where a line was read whole. `kind` has for each line the index of its table in
    `EventSchema.tables`; -1 stands for a bad line, of which the other columns say nothing. `row` says where its payload
    is: in the values of that table in `payloads`, or below zero in `own`, from -1 on.
    """

    data: bytes
    heads: Heads
    kind: Numbers
    row: Numbers
    payloads: Payloads
    own: list[Any]
    faults: dict[int, Fault]
    names: dict[int, str | None]
    """The matches of lines without a head as we write it."""

    def text(self, start: int, stop: int) -> bytes:
        """Return some lines as they were."""
        return bytes(self.view(start, stop))

    def view(self, start: int, stop: int) -> memoryview:
        """Return some lines as they were, without a copy."""
        return memoryview(self.data)[self.heads.starts[start] : self.heads.starts[stop]]

    def match(self, index: int) -> str | None:
        """Return the match that a line names, `None` if it is a bad one."""
        if index in self.names:
            return self.names[index]
        return self.data[self.heads.names[index] : self.heads.name_ends[index]].decode()

    def own_payload(self, index: int) -> Any:
        """Return the payload of a line that is not shared with others, such as the first and last of a match."""
        return self.own[-1 - self.row[index]]


def decode_lines(data: bytes, schema: EventSchema) -> Lines:
    """Decode lines that all end with a line end."""
    heads, payloads = find_heads(data), payloads_of(schema)
    texts, text_of_line = _different_payloads(data, heads)
    kinds, rows, own = payloads.find(texts)
    kind, row = np.full(len(heads.exact), -1, np.int32), np.zeros(len(heads.exact), np.int32)
    kind[heads.exact], row[heads.exact] = kinds[text_of_line], rows[text_of_line]
    lines = Lines(data, heads, kind, row, payloads, own, {}, {})
    again = np.flatnonzero(kind < 0).tolist()
    if again:
        _read_whole(lines, again, schema)
    return lines


def _different_payloads(data: bytes, heads: Heads) -> tuple[list[bytes], Numbers]:
    """Return the different payloads of the lines with exact heads, and for each of these lines the index of its own."""
    lines = len(heads.exact)
    bounds = np.empty(2 * lines + 1, np.int64)
    bounds[0::2], bounds[1::2] = heads.starts, np.where(heads.exact, heads.payloads, heads.starts[:-1])
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(data)]
    cut = pa.Array.from_buffers(pa.large_binary(), 2 * lines, buffers)
    behind_heads = plain(pa.int64(), 1 + 2 * np.flatnonzero(heads.exact))
    coded = call_function("dictionary_encode", [call_function("take", [cut, behind_heads])])
    return coded.dictionary.to_pylist(), np.frombuffer(coded.indices.buffers()[1], np.int32, len(behind_heads))


def _read_whole(lines: Lines, again: list[int], schema: EventSchema) -> None:
    """Decode some lines whole, each by itself."""
    reread, heads = LineReader(schema), lines.heads
    for index in again:
        decoded = reread(lines.text(index, index + 1)[:-1])
        if isinstance(decoded, Refusal):
            lines.names[index] = None
            lines.faults[index] = Fault(index, decoded.reason, decoded.message)
            continue
        lines.names[index] = decoded.match
        heads.seq[index], heads.ply[index], heads.round[index] = decoded.seq, decoded.ply, decoded.round
        lines.own.append(decoded)
        lines.kind[index], lines.row[index] = schema.kinds[type(decoded)], -len(lines.own)
    for index in again:
        for place in (index, index + 1):
            if place < len(lines.kind):
                heads.changes[place] = place == 0 or lines.match(place) != lines.match(place - 1)
