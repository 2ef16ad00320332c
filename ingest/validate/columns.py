"""Decoded payloads as the columns of the table of their type of event."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from ingest.arrow import array_of
from ingest.tables.schema import EventTable
from ingest.validate.heads import Numbers

__all__ = ["Columns", "columns_of", "roles"]

NO_FIGURE: Final = -1


class Columns(NamedTuple):
    """Payloads of one type by column, first the seat if they have one, and what of them must fit the number of seats.

    That is, for each of `roles`, the seat, or how many figures a list has; -1 where there is no list.
    """

    rows: pa.Table
    figures: list[Numbers]


def columns_of(table: EventTable, payloads: Sequence[Any]) -> Columns:
    """Spread payloads of one type over the columns of its table."""
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
