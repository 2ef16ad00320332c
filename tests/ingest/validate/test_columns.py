"""Decoded payloads as columns, of kinds that no shipped game has together."""

from typing import Any, NamedTuple

import polars as pl

from ingest.tables.schema import Column, EventTable, Spread
from ingest.validate.columns import columns_of


class Payload(NamedTuple):
    """As a decoder returns it."""

    data: tuple[Any, ...]


COLUMNS = (Column("few", "INTEGER[]"), Column("words", "VARCHAR[]"), Column("rows", "INTEGER[][]"))
TABLE = EventTable(
    "toy", "event", has_seat=False, spread=Spread(COLUMNS, lambda all_: [*zip(*all_, strict=True)]), data=""
)


def test_lists_may_be_empty_or_absent_and_lie_in_lists() -> None:
    given: list[tuple[Any, ...]] = [
        ([1, 2], ["a"], [[1], [], [2, 3]]),
        ([], [], []),
        (None, None, None),
        ([3], ["b", "\u00e9"], [[4]]),
        (None, ["c"], [[], []]),
    ]
    found = columns_of(TABLE, [Payload(each) for each in given]).rows
    assert found.rows() == given
    assert found.schema == {"few": pl.List(pl.Int32), "words": pl.List(pl.String), "rows": pl.List(pl.List(pl.Int32))}


def test_lists_that_are_all_empty() -> None:
    given: list[tuple[Any, ...]] = [([], [], []), ([], [], [])]
    assert columns_of(TABLE, [Payload(each) for each in given]).rows.rows() == given
