"""Values as Arrow tables: DuckDB reads them unchanged."""

import math
from datetime import datetime
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.values import array_of, rows_at, table_of

CONNECTION = duckdb.connect()
WORDS = ("salt", "tea", "jade")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "INTEGER": st.integers(-(2**31), 2**31 - 1),
    "BIGINT": st.integers(-(2**63), 2**63 - 1),
    "DOUBLE": st.floats(allow_nan=False),
    "BOOLEAN": st.booleans(),
    "VARCHAR": TEXTS,
    "JSON": st.sampled_from(["{}", '{"a": ["é", null]}', "null"]),
    "BLOB": st.binary(),
    "TIMESTAMP": st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1)),  # noqa: DTZ001  as tables have them
    "INTEGER[]": st.lists(st.none() | st.integers(0, 9)),
    "VARCHAR[]": st.lists(st.none() | TEXTS),
    "INTEGER[][]": st.lists(st.none() | st.lists(st.integers(0, 9))),
}


@given(st.lists(st.tuples(*(st.none() | values for values in VALUES.values()))))
def test_values_of_every_type_are_read_as_they_were(values: list[tuple[Any, ...]]) -> None:
    columns = {f"value_{number}": kind for number, kind in enumerate(VALUES)}
    CONNECTION.register("rows", table_of(columns, values))
    selected = ", ".join(f"{name}::{kind}" for name, kind in columns.items())
    assert CONNECTION.execute(f"SELECT {selected} FROM rows").fetchall() == values


@given(st.lists(st.none() | st.sampled_from(WORDS)))
def test_words_are_a_dictionary_that_fits_an_enumeration(values: list[str | None]) -> None:
    made = array_of("ENUM", values, WORDS)
    assert made.to_pylist() == values
    assert made.dictionary.to_pylist() == [*WORDS]


def test_there_may_be_more_words_than_a_byte_counts() -> None:
    words = [f"w{number}" for number in range(300)]
    assert array_of("ENUM", words[::-1], words).to_pylist() == words[::-1]


def test_a_number_out_of_range_does_not_become_another_number() -> None:
    with pytest.raises(OverflowError):
        array_of("INTEGER", [2**31])


def test_rows_are_taken_in_any_order_and_more_than_once() -> None:
    table = table_of({"n": "INTEGER", "of": "INTEGER[]"}, [(1, [1]), (2, None), (3, [])])
    found = rows_at(table, array_of("INTEGER", [2, 0, 0, 1]).to_numpy())
    assert [tuple(row.values()) for row in found.to_pylist()] == [(3, []), (1, [1]), (1, [1]), (2, None)]


def test_rows_of_another_length_than_there_are_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        table_of({"a": "INTEGER", "b": "INTEGER"}, [(1, 2, 3)])


def test_zeros_and_infinities_are_not_nulls() -> None:
    assert array_of("DOUBLE", [0.0, None, math.inf]).to_pylist() == [0.0, None, math.inf]
