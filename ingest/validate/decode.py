"""Decodes the lines of a chunk into columns, and collects its events by type."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from himalaya_core.games import GAMES
from ingest.tables.schema import EventSchema, EventTable, schema_of
from ingest.validate.line_prefix import Flags, LinePrefixes, Numbers, find_prefixes
from ingest.validate.payload_cache import Columns, PayloadCache, PayloadColumns, columns_of, payload_cache, roles
from ingest.validate.reader import LineReader, Refusal
from ingest.values import call_function, plain, rows_at

__all__ = ["DecodedLines", "Events", "Fault", "by_table", "decode_lines", "events_of", "misfits"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and its line in the chunk, counted from 0."""

    index: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class DecodedLines:
    """Decoded lines, by column.

    `prefixes` covers all lines, even those that were decoded as a whole. `kind` is the index of a line's table in
    `EventSchema.tables`, or -1 for a bad line; its other columns have no meaning. `row` is the place of the line's
    payload: from 0 up in the rows of that table in `payloads`, or from -1 down in `own`.
    """

    data: bytes
    prefixes: LinePrefixes
    kind: Numbers
    row: Numbers
    payloads: PayloadCache
    own: list[Any]
    faults: dict[int, Fault]
    names: dict[int, str | None]
    """Match names of lines with a prefix that is not in himalaya's own format, by line."""

    def text(self, start: int, stop: int) -> bytes:
        """Return the text of some lines."""
        return bytes(self.view(start, stop))

    def view(self, start: int, stop: int) -> memoryview:
        """Return the text of some lines without copying it."""
        return memoryview(self.data)[self.prefixes.starts[start] : self.prefixes.starts[stop]]

    def match(self, index: int) -> str | None:
        """Return the match that a line names; `None` for a bad line."""
        if index in self.names:
            return self.names[index]
        return self.data[self.prefixes.names[index] : self.prefixes.name_ends[index]].decode()

    def own_payload(self, index: int) -> Any:
        """Return a payload that is not shared with other lines, such as that of the first or last line of a match."""
        return self.own[-1 - self.row[index]]


def decode_lines(data: bytes, schema: EventSchema) -> DecodedLines:
    """Decode lines, all of which end with a newline."""
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
    """Return the distinct payloads of lines with an exact prefix, and for each such line the index of its payload."""
    lines = len(prefixes.exact)
    bounds = np.empty(2 * lines + 1, np.int64)
    bounds[0::2], bounds[1::2] = prefixes.starts, np.where(prefixes.exact, prefixes.payloads, prefixes.starts[:-1])
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(data)]
    cut = pa.Array.from_buffers(pa.large_binary(), 2 * lines, buffers)
    behind_heads = plain(pa.int64(), 1 + 2 * np.flatnonzero(prefixes.exact))
    coded = call_function("dictionary_encode", [call_function("take", [cut, behind_heads])])
    return coded.dictionary.to_pylist(), np.frombuffer(coded.indices.buffers()[1], np.int32, len(behind_heads))


def _read_whole(lines: DecodedLines, again: list[int], schema: EventSchema) -> None:
    """Decode some lines as a whole, one by one, with all checks."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Events(Mapping[str, pa.Table]):
    """The events of some matches of a game; also a mapping of table names to tables with a match index, `match`.

    Events are ordered by their table in `EventSchema.tables`; `starts` has the start of each table's events, and the
    end of the last. `row` is a row of that table in `shared`; a number below 0 is a row in `own`, counted from -1 down.
    """

    game: str
    starts: Sequence[int]
    match: Numbers
    seq: Numbers
    ply: Numbers
    round: Numbers
    row: Numbers
    own: Mapping[int, Columns]
    shared: PayloadColumns

    @property
    def schema(self) -> EventSchema:
        """Return the event schema of the game."""
        return schema_of(GAMES[self.game])

    def part(self, kind: int) -> slice:
        """Return the slice of the events of one table."""
        return slice(self.starts[kind], self.starts[kind + 1])

    def __iter__(self) -> Iterator[str]:
        return (
            table.name for kind, table in enumerate(self.schema.tables) if self.starts[kind] < self.starts[kind + 1]
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> pa.Table:
        for kind, table in enumerate(self.schema.tables):
            if table.name == name and self.starts[kind] < self.starts[kind + 1]:
                return _together(table, [(self, kind, self.match[self.part(kind)])], "match")
        raise KeyError(name)


def events_of(lines: DecodedLines, matches: Sequence[range], schema: EventSchema) -> Events:
    """Return the events of matches, each given as a range of lines."""
    owner = np.repeat(np.arange(len(matches), dtype=np.int32), [len(match) for match in matches])
    every = np.concatenate([np.arange(match.start, match.stop) for match in matches] or [np.empty(0, np.int64)])
    kinds = lines.kind[every].astype(np.int16)  # numpy sorts 16-bit integers faster
    order = np.argsort(kinds, kind="stable")
    every = every[order]
    starts = np.append(0, np.cumsum(np.bincount(kinds, minlength=len(schema.tables)))).tolist()
    row, own = lines.row[every], dict[int, Columns]()
    for kind, table in enumerate(schema.tables):
        part = slice(starts[kind], starts[kind + 1])
        if part.start < part.stop and _has_values(table):
            lines.payloads.spread(kind)
            own |= _own(lines, table, kind, row[part])
    prefixes = lines.prefixes
    columns = owner[order], prefixes.seq[every], prefixes.ply[every], prefixes.round[every]
    return Events(schema.game.name, starts, *columns, row, own, lines.payloads.values)


def _has_values(table: EventTable) -> bool:
    return table.has_seat or bool(table.spread.columns)


def _own(lines: DecodedLines, table: EventTable, kind: int, row: Numbers) -> dict[int, Columns]:
    """Return the table values of unshared payloads, and make `row` point to them."""
    is_own = row < 0
    if not is_own.any():
        return {}
    places, found = np.unique(-1 - row[is_own], return_inverse=True)
    row[is_own] = -1 - found
    return {kind: columns_of(table, [lines.own[place] for place in places.tolist()])}


# --- Events of several chunks


def by_table(chunks: Sequence[tuple[Events, Numbers]]) -> Iterator[tuple[str, pa.Table]]:
    """Yield the events of several chunks by table, in order; those of matches with a negative id are left out."""
    parts: dict[str, tuple[EventTable, list[_Part]]] = {}
    for events, ids in chunks:
        for kind, table in enumerate(events.schema.tables):
            part = events.part(kind)
            if part.start < part.stop:
                numbered = ids[events.match[part]]
                parts.setdefault(table.name, (table, []))[1].append((events, kind, numbered))
    for name, (table, of_table) in parts.items():
        yield name, _together(table, of_table, "match_id")


_Part = tuple[Events, int, Numbers]
"""A chunk's events, the index of one table in them, and the match number of each event in that table."""


def _together(table: EventTable, parts: Sequence[_Part], number: str) -> pa.Table:
    """Return the events of one table, with match numbers in the column `number`; negative numbers are left out."""
    columns = {number: np.concatenate([numbers for _, _, numbers in parts])}
    for key in ("seq", "ply", "round"):
        columns[key] = np.concatenate([getattr(events, key)[events.part(kind)] for events, kind, _ in parts])
    stays = columns[number] >= 0
    prefixes = {name: plain(pa.int32(), column[stays]) for name, column in columns.items()}
    if not _has_values(table):
        return pa.table(prefixes)
    held: list[pa.Table] = []
    first_rows: dict[int, int] = {}
    height, rows = 0, list[Numbers]()
    for events, kind, _ in parts:
        shared, own, row = events.shared, events.own.get(kind), events.row[events.part(kind)]
        if id(shared) not in first_rows and shared.heights[kind]:
            first_rows[id(shared)] = height
            held.append(shared.of(kind))
            height += held[-1].num_rows
        rows.append(row + first_rows.get(id(shared), 0))
        if own is not None:
            rows[-1][row < 0] = height - 1 - row[row < 0]
            held.append(own.rows)
            height += own.rows.num_rows
    values = rows_at(pa.concat_tables(held).combine_chunks(), np.concatenate(rows)[stays])
    return pa.table(prefixes | dict(zip(values.column_names, values.columns, strict=True)))


# --- Seats and values per seat


def misfits(lines: DecodedLines, events: Events, seats: Sequence[int]) -> dict[int, tuple[int, str]]:
    """Return the matches with a nonexistent seat, or with a list that does not have one value for each seat.

    `seats` has the number of seats of each match. The result maps the index of a match to the line within it and the
    message.
    """
    limits, found = np.array(seats, np.int32), dict[int, tuple[int, str]]()
    for kind, table in enumerate(events.schema.tables):
        part = events.part(kind)
        if part.start == part.stop or not (asked := roles(table)):
            continue
        match, seq, row = events.match[part], events.seq[part], events.row[part]
        limit = limits[match]
        own = events.own[kind].figures if kind in events.own else [np.empty(0, np.int32)] * len(asked)
        for (field, role), shared, alone in zip(asked, lines.payloads.figures[kind], own, strict=True):
            figure = np.append(shared, alone)[np.where(row < 0, len(shared) - 1 - row, row)]
            wrong: Flags = figure >= limit if role == "seat" else (figure != limit) & (figure >= 0)
            for place in np.flatnonzero(wrong).tolist():
                most, line, value = int(limit[place]), int(seq[place]), int(figure[place])
                expected = (
                    f"a seat 0..{most - 1} (logs count seats from 0)"
                    if role == "seat"
                    else f"{most} values, one per seat"
                )
                if (owner := int(match[place])) not in found or line < found[owner][0]:
                    found[owner] = (line, f"{field}: expected {expected}, found {value}")
    return found
