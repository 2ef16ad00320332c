"""Decoded payloads as the columns of the table of their type of event."""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

from ingest.tables.schema import Column, EventTable
from ingest.validate.heads import Numbers

__all__ = ["Columns", "columns_of", "roles"]

SCALARS: Final = {"INTEGER": pl.Int32, "VARCHAR": pl.String, "BOOLEAN": pl.Boolean, "JSON": pl.String}
LIST: Final = "[]"
NO_FIGURE: Final = -1


class Columns(NamedTuple):
    """Payloads of one type by column, first the seat if they have one, and what of them must fit the number of seats.

    That is, for each of `roles`, the seat, or how many figures a list has; -1 where there is no list.
    """

    rows: pl.DataFrame
    figures: list[Numbers]


def columns_of(table: EventTable, payloads: Sequence[Any]) -> Columns:
    """Spread payloads of one type over the columns of its table."""
    seats = [payload.seat for payload in payloads] if table.has_seat else []
    series, figures = [pl.Series("seat", seats, dtype=pl.Int32)] * table.has_seat, [seats] * table.has_seat
    if table.spread.columns:
        values = table.spread.read([payload.data for payload in payloads])
        for column, held in zip(table.spread.columns, values, strict=True):
            series.append(_series(column, held))
            if column.role == "seat":
                figures.append([NO_FIGURE if seat is None else seat for seat in held])
            elif column.role:
                figures.append([NO_FIGURE if each is None else len(each) for each in held])
    return Columns(pl.DataFrame(series), [np.array(each, np.int32) for each in figures])


def roles(table: EventTable) -> list[tuple[str, str]]:
    """Return the fields of a table that must fit the number of seats, with their roles (`Column.role`)."""
    fields = [("seat", "seat")] if table.has_seat else []
    return fields + [(f"data.{column.name}", column.role) for column in table.spread.columns if column.role]


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
