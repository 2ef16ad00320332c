"""Decoded lines as frames: one per type of event, with the columns of its table."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

import msgspec
import polars as pl
import pyarrow as pa

from ingest.tables.schema import Column, EventSchema, EventTable
from ingest.validate.batches import Lines

__all__ = ["frames", "misfits"]

SCALARS: Final = {"INTEGER": pl.Int32, "VARCHAR": pl.String, "BOOLEAN": pl.Boolean, "JSON": pl.String}
LISTS: Final = {
    "INTEGER[]": pa.list_(pa.int32()),
    "VARCHAR[]": pa.list_(pa.string()),
    "INTEGER[][]": pa.list_(pa.list_(pa.int32())),
}


def frames(lines: Lines, matches: Sequence[range], schema: EventSchema) -> dict[str, pl.DataFrame]:
    """Return the events of matches, given by their lines, by table; the column `match` says which of them, from 0."""
    rows: list[list[msgspec.Struct]] = [[] for _ in schema.tables]
    row_of_payload: list[int] = []
    for payload, kind in zip(lines.payloads, lines.kinds, strict=True):
        row_of_payload.append(len(rows[kind]))
        rows[kind].append(payload)
    where = pl.DataFrame({"kind": lines.kinds, "row": row_of_payload}, schema={"kind": pl.Int32, "row": pl.UInt32})
    every = _positions(lines, matches)
    by_kind = every.drop("payload").hstack(where[every["payload"]]).sort("kind", maintain_order=True)
    envelopes, row = by_kind.drop("kind", "row"), by_kind["row"]
    found: dict[str, pl.DataFrame] = {}
    start = 0
    for kind, count in by_kind["kind"].value_counts().sort("kind").rows():
        table = schema.tables[kind]
        found[table.name] = envelopes.slice(start, count)
        data = _data(table, rows[kind])
        if data:
            found[table.name] = found[table.name].hstack(pl.DataFrame(data)[row.slice(start, count)])
        start += count
    return found


def _positions(lines: Lines, matches: Sequence[range]) -> pl.DataFrame:
    """Return match, seq, ply and round of the lines of matches, and the index of their payload."""
    every = pl.DataFrame(
        {
            "seq": pl.Series(lines.seq, dtype=pl.Int32),
            "ply": pl.Series(lines.ply, dtype=pl.Int32),
            "round": pl.Series(lines.round, dtype=pl.Int32),
            "payload": pl.Series(lines.payload_of, dtype=pl.Int32),
        }
    )
    owner = pl.Series("match", [number for number, match in enumerate(matches) for _ in match], dtype=pl.Int32)
    if len(owner) < len(every):
        every = every[list(chain.from_iterable(matches))]
    return every.insert_column(0, owner).with_columns(pl.col("payload").cast(pl.UInt32))


def _data(table: EventTable, payloads: Sequence[Any]) -> list[pl.Series]:
    """Return the payloads of one type by column."""
    series = [pl.Series("seat", [payload.seat for payload in payloads], dtype=pl.Int32)] if table.has_seat else []
    if table.spread.columns:
        values = table.spread.read([payload.data for payload in payloads])
        series += [_series(*pair) for pair in zip(table.spread.columns, values, strict=True)]
    return series


def _series(column: Column, values: Sequence[Any]) -> pl.Series:
    scalar = _enum(column.words) if column.words else SCALARS.get(column.sql_type)
    if scalar is not None:
        return pl.Series(column.name, values, dtype=scalar)
    made = pl.from_arrow(pa.array(values, LISTS[column.sql_type]))  # twenty times as fast as polars with lists of lists
    assert isinstance(made, pl.Series)
    return made.alias(column.name)


@cache
def _enum(words: tuple[str, ...]) -> pl.Enum:
    return pl.Enum(words)


def misfits(
    events: Mapping[str, pl.DataFrame], schema: EventSchema, seats: Sequence[int]
) -> dict[int, tuple[int, str]]:
    """Return the matches with a seat that nobody sits in, or a list that has not one figure per seat.

    `seats` is the number of seats of each match; the result maps a match to the line within it and the message.
    """
    number = pl.Series("limit", seats, dtype=pl.Int32)
    found: dict[int, tuple[int, str]] = {}
    for table in schema.tables:
        if table.name not in events:
            continue
        frame = events[table.name]
        limit = number.gather(frame["match"])
        roles = [("seat", "seat", "seat")] if table.has_seat else []
        roles += [(f"data.{column.name}", column.name, column.role) for column in table.spread.columns if column.role]
        for field, name, role in roles:
            figure = frame[name] if role == "seat" else frame[name].list.len().cast(pl.Int32)
            wrong = figure >= limit if role == "seat" else figure != limit
            if not wrong.any():
                continue
            for match, line, value, most in (
                pl.DataFrame([frame["match"], frame["seq"], figure, limit]).filter(wrong).rows()
            ):
                expected = f"a seat 0..{most - 1}" if role == "seat" else f"{most} figures, one per seat"
                if match not in found or line < found[match][0]:
                    found[match] = (line, f"{field}: expected {expected}, found {value}")
    return found
