"""Decoded payloads as columns, with combinations of types that no shipped game has."""

from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa

from ingest.tables.schema import Column, EventTable, Spread
from ingest.validate.decode import DecodedLines, Events, misfits
from ingest.validate.payload_cache import columns_of


class Payload(NamedTuple):
    """A payload as a decoder would return it."""

    data: tuple[Any, ...]


COLUMNS = (Column("few", "INTEGER[]"), Column("words", "VARCHAR[]"), Column("rows", "INTEGER[][]"))
TABLE = EventTable(
    "toy", "event", has_seat=False, spread=Spread(COLUMNS, lambda all_: [*zip(*all_, strict=True)]), data=""
)


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    """Return the rows of a table."""
    return [tuple(row.values()) for row in table.to_pylist()]


def test_lists_may_be_empty_absent_or_nested() -> None:
    given: list[tuple[Any, ...]] = [
        ([1, 2], ["a"], [[1], [], [2, 3]]),
        ([], [], []),
        (None, None, None),
        ([3], ["b", "\u00e9"], [[4]]),
        (None, ["c"], [[], []]),
    ]
    found = columns_of(TABLE, [Payload(each) for each in given]).rows
    assert rows_of(found) == given
    assert [str(kind) for kind in found.schema.types] == [
        "list<item: int32>",
        "list<item: large_string>",
        "list<item: list<item: int32>>",
    ]


def test_lists_that_are_all_empty() -> None:
    given: list[tuple[Any, ...]] = [([], [], []), ([], [], [])]
    assert rows_of(columns_of(TABLE, [Payload(each) for each in given]).rows) == given


def test_a_list_that_is_absent_need_not_fit_the_number_of_seats() -> None:
    columns = (Column("each", "INTEGER[]", "per_seat"), Column("who", "INTEGER", "seat"))
    table = EventTable(
        "toy", "event", has_seat=False, spread=Spread(columns, lambda all_: [*zip(*all_, strict=True)]), data=""
    )
    figures = columns_of(table, [Payload(([1, 2, 3], 2)), Payload((None, None)), Payload(([1], 3))]).figures
    assert [each.tolist() for each in figures] == [[3, -1, 1], [2, -1, 3]]
    lines = cast(DecodedLines, SimpleNamespace(payloads=SimpleNamespace(figures=[figures])))
    numbers = np.arange(3, dtype=np.int32)
    events = SimpleNamespace(schema=SimpleNamespace(tables=[table]), part=lambda _: slice(0, 3), own={})
    events.match = events.seq = events.row = numbers
    assert misfits(lines, cast(Events, events), [3, 3, 3]) == {
        2: (2, "data.each: expected 3 values, one per seat, found 1")
    }
    assert misfits(lines, cast(Events, events), [3, 3, 1]) == {
        2: (2, "data.who: expected a seat 0..0 (logs count seats from 0), found 3")
    }
