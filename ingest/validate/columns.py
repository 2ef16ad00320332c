"""Decoded payloads as the columns of the table of their type of event."""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

import numpy as np
import polars as pl
import pyarrow as pa

from ingest.tables.schema import Column, EventTable
from ingest.validate.heads import Numbers

__all__ = ["columns_of", "figures", "roles"]

SCALARS: Final = {"INTEGER": pl.Int32, "VARCHAR": pl.String, "BOOLEAN": pl.Boolean, "JSON": pl.String}
LIST: Final = "[]"
NO_FIGURE: Final = -1


def columns_of(table: EventTable, payloads: Sequence[Any]) -> list[pl.Series]:
    """Return the payloads of one type by column, first the seat if it has one."""
    series = [pl.Series("seat", [payload.seat for payload in payloads], dtype=pl.Int32)] if table.has_seat else []
    if table.spread.columns:
        values = table.spread.read([payload.data for payload in payloads])
        series += [_series(*pair) for pair in zip(table.spread.columns, values, strict=True)]
    return series


def roles(table: EventTable) -> list[tuple[str, str]]:
    """Return the fields of a table that must fit the number of seats, with their roles (`Column.role`)."""
    fields = [("seat", "seat")] if table.has_seat else []
    return fields + [(f"data.{column.name}", column.role) for column in table.spread.columns if column.role]


def figures(table: EventTable, rows: pl.DataFrame) -> list[Numbers]:
    """Return for each of these fields what must fit: the seat, or how many figures a list has; -1 for no list."""
    found: list[Numbers] = []
    for field, role in roles(table):
        column = rows[field.removeprefix("data.")]
        numbers = column if role == "seat" else column.list.len().cast(pl.Int32)
        found.append(numbers.fill_null(NO_FIGURE).to_numpy())
    return found


def _series(column: Column, values: Sequence[Any]) -> pl.Series:
    if not column.sql_type.endswith(LIST):
        return pl.Series(column.name, values, dtype=_enum(column.words) if column.words else SCALARS[column.sql_type])
    made = pl.from_arrow(_lists(values, column.sql_type.removesuffix(LIST)))
    assert isinstance(made, pl.Series)
    return made.alias(column.name)


def _lists(values: Sequence[Any], kind: str) -> pa.Array:
    """Return lists of values of a kind, or of lists of them; polars by itself takes twenty times as long."""
    present = [each is not None for each in values]
    there = [each or () for each in values]
    flat = list(chain.from_iterable(there))
    if kind.endswith(LIST):
        inner = _lists(flat, kind.removesuffix(LIST))
    else:
        inner = pl.Series(flat, dtype=SCALARS[kind]).to_arrow()
    ends = np.cumsum([0, *map(len, there)], dtype=np.int32)
    buffers = [pa.py_buffer(np.packbits(np.array(present, np.bool_), bitorder="little")), pa.py_buffer(ends)]
    return pa.ListArray.from_buffers(pa.list_(inner.type), len(values), buffers, children=[inner])


@cache
def _enum(words: tuple[str, ...]) -> pl.Enum:
    return pl.Enum(words)
