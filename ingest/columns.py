"""Decoded lines as columns: one frame per type of event, ready for its table."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec
import polars as pl
import pyarrow as pa

from ingest.shapes import Column, EventTable, Shapes

__all__ = ["frames", "misfits"]

SCALARS: Final = {"INTEGER": pl.Int32, "VARCHAR": pl.String, "BOOLEAN": pl.Boolean, "JSON": pl.String}
LISTS: Final = {
    "INTEGER[]": pa.list_(pa.int32()),
    "VARCHAR[]": pa.list_(pa.string()),
    "INTEGER[][]": pa.list_(pa.list_(pa.int32())),
}


def frames(matches: Sequence[Sequence[msgspec.Struct]], shape: Shapes) -> dict[str, pl.DataFrame]:
    """Return the events of matches by type; the column `match` says which of them, from 0."""
    lines: dict[type[msgspec.Struct], list[msgspec.Struct]] = {line: [] for line in shape.tables}
    owners: dict[type[msgspec.Struct], list[int]] = {line: [] for line in shape.tables}
    for place, match in enumerate(matches):
        for line in match:
            lines[line.__class__].append(line)
        for kind, owned in owners.items():
            owned.extend([place] * (len(lines[kind]) - len(owned)))
    return {
        table.event: _frame(table, lines[kind], owners[kind]) for kind, table in shape.tables.items() if lines[kind]
    }


def _frame(table: EventTable, lines: list[Any], owners: list[int]) -> pl.DataFrame:
    columns = {"match": pl.Series("match", owners, dtype=pl.Int32)}
    for key in table.keys[1:]:
        columns[key] = pl.Series(key, list(map(attrgetter(key), lines)), dtype=pl.Int32)
    for column in table.columns:
        columns[column.name] = _series(column, list(map(column.value, lines)))
    return pl.DataFrame(columns)


def _series(column: Column, values: list[Any]) -> pl.Series:
    scalar = SCALARS.get(column.sql_type)
    if scalar is not None:
        return pl.Series(column.name, values, dtype=scalar)
    made = pl.from_arrow(pa.array(values, LISTS[column.sql_type]))  # twenty times as fast as polars with lists of lists
    assert isinstance(made, pl.Series)
    return made.alias(column.name)


def misfits(events: dict[str, pl.DataFrame], shape: Shapes, seats: Sequence[int]) -> dict[int, tuple[int, str]]:
    """Return the matches with a seat that nobody sits in, or a list that has not one figure per seat.

    `seats` is the number of seats of each match; the result maps a match to the line within it and the message.
    """
    number = pl.Series(seats, dtype=pl.Int32)
    found: dict[int, tuple[int, str]] = {}
    for table in shape.tables.values():
        frame = events.get(table.event)
        if frame is None:
            continue
        checks = [("seat", pl.col("seat"), "seat")] if table.has_seat else []
        checks += [(f"data.{c.name}", _checked(c), c.role) for c in table.columns if c.role is not None]
        for name, figure, role in checks:
            limit = pl.col("limit")
            bad = frame.with_columns(limit=number.gather(frame["match"])).filter(
                figure >= limit if role == "seat" else figure != limit
            )
            for match, line, value, most in bad.select("match", "seq", figure.alias("figure"), "limit").iter_rows():
                expected = f"a seat 0..{most - 1}" if role == "seat" else f"{most} figures, one per seat"
                if match not in found or line < found[match][0]:
                    found[match] = (line, f"{name}: expected {expected}, found {value}")
    return found


def _checked(column: Column) -> pl.Expr:
    return pl.col(column.name) if column.role == "seat" else pl.col(column.name).list.len().cast(pl.Int32)
