"""Reading the list of matches: filtered, sorted and paged by the database, of matches in any state."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, Final

import duckdb
import polars as pl

from dashboards.warehouse.csv_safe import neutral
from dashboards.warehouse.filters import MatchFilter, Sort
from dashboards.warehouse.listed import LISTED
from dashboards.warehouse.reader import Reader, frame_of
from dashboards.warehouse.where import Where, conjunction, listed_where

__all__ = ["MATCH_COLUMNS", "Reader"]

MATCH_COLUMNS: Final = (
    "match",
    "game",
    "tournament",
    "line_up",
    "winner",
    "margin",
    "rounds",
    "events",
    "status",
    "players",
    "luck",
    "file",
)
ENDED: Final = """select match_id,
        case when highest = 0 then 'table' when tie_break then 'earlier' else 'highest' end as ending
    from fct_climbers_courses
    union all select match_id, ending::varchar as ending from fct_summit_courses"""
"""How each match ended, of games in which that is not told by what became of each seat."""
BATCH: Final = 2_000
FURTHEST: Final = 1 << 53


def matches_page(reader: Reader, where: MatchFilter, sort: Sort, start: int, stop: int) -> tuple[pl.DataFrame, int]:
    """Return rows start..stop of the filtered and sorted list, and how long the list is."""
    condition, values = _matches(where)
    columns = ", ".join(f'm."{name}"' for name in MATCH_COLUMNS)
    start, stop = (min(max(place, 0), FURTHEST) for place in (start, stop))
    with reader.cursor() as cursor:
        cursor.begin()  # the list and its length are of the same moment
        total = int(_one(cursor.execute(f"select count(*) from {LISTED} where {condition}", values)))  # noqa: S608
        sql = f"select {columns} from {LISTED} where {condition} order by {_order(sort)}"  # noqa: S608
        frame = frame_of(cursor, sql + " limit $n offset $start", values | {"n": max(stop - start, 0), "start": start})
    return frame, total


def matches_csv(reader: Reader, where: MatchFilter, sort: Sort) -> Iterator[str]:
    """Yield the filtered and sorted list as CSV, piece by piece."""
    condition, values = _matches(where)
    columns = ", ".join(f'm."{name}"' for name in MATCH_COLUMNS)
    sql = f"select {columns} from {LISTED} where {condition} order by {_order(sort)}"  # noqa: S608
    yield _csv_rows([MATCH_COLUMNS])
    with reader.cursor() as cursor:
        cursor.execute(sql, values)
        while rows := cursor.fetchmany(BATCH):
            yield _csv_rows(rows)


def _one(result: duckdb.DuckDBPyConnection) -> Any:
    return result.fetchall()[0][0]  # reads to the end, which frees the connection for the next question


def _order(sort: Sort) -> str:
    column = sort.column if sort.column in MATCH_COLUMNS else "match"
    return f'm."{column}" {"desc" if sort.descending else "asc"} nulls last, m.match'


def _matches(where: MatchFilter) -> Where:
    condition, values = listed_where(where.where)
    parts = [condition]
    if where.find:
        parts.append("(contains(lower(m.match), $find) or contains(lower(m.line_up), $find))")
        values["find"] = where.find.lower()
    if where.together:
        parts.append(
            "len($together) = (select count(distinct s.player) from dim_seats s"
            " where s.match_id = m.match_id and list_contains($together, s.player))"
        )
        values["together"] = list(where.together)
    if where.statuses:
        parts.append("list_contains($statuses, m.status)")
        values["statuses"] = list(where.statuses)
    if where.endings:
        parts.append(f"m.match_id in (select match_id from ({ENDED}) where list_contains($endings, ending))")  # noqa: S608
        values["endings"] = list(where.endings)
    if where.tags:
        parts.append("exists (from bookmarks b where b.match = m.match and list_has_any(b.tags, $tags))")
        values["tags"] = list(where.tags)
    return conjunction(parts), values


def _csv_rows(rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([neutral(value) for value in row] for row in rows)
    return text.getvalue()
