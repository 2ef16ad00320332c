"""The list of matches: filtered, sorted and paged by the database; and details of matches on a page."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import duckdb
import polars as pl

from dashboards.queries.addresses import (
    TEXT,
    TEXTS,
    Key,
    Pairs,
    Query,
    Sort,
    names_of,
    repeated,
    text_of,
    texts_of,
    without_folder,
)
from dashboards.queries.encoded import neutral
from dashboards.queries.filters import DESCRIBED_KEYS, Filter, Where, conjunction
from dashboards.queries.reader import Reader, frame_of
from dashboards.queries.where import listed_where
from himalaya_core.names import normalize_name
from ingest.people.bookmarks import matches_with_tags
from ingest.tables.marts import installed_games

__all__ = [
    "LIST_KEYS",
    "LIVE",
    "MATCH_COLUMNS",
    "MATCH_KEYS",
    "STATUSES",
    "MatchFilter",
    "endings",
    "matches_csv",
    "matches_page",
    "neighbours",
    "turning_plies",
    "with_status",
]


LIVE: Final = "select live from watched_files where live is not null"
LOWEST: Final = "select match_id, lowest, lowest_ply from dim_reviews"
NO_ENDING: Final = "select null::integer as match_id, null::varchar as ending where false"


def with_status() -> str:
    """Return a subquery, with the alias `m`, for matches and their current status (live if the log is being followed).

    For evaluated matches, `lowest` is the winner's lowest chance of winning, and `lowest_ply` the ply after which it
    occurred.
    """
    status = f"case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status"
    return f"(select * replace ({status}) from dim_matches left join ({LOWEST}) using (match_id)) m"


def endings() -> str:
    """Return the query for `match_id, ending`, for games in which seats do not show how a match ended."""
    return " union all ".join(f"({marts.endings})" for _, marts in installed_games() if marts.endings) or NO_ENDING


def turning_plies(reader: Reader, matches: Sequence[str], questions: Iterable[str]) -> dict[str, int]:
    """Map each match with a turning point to the ply of that turning point.

    `questions` are SQL queries, one per game, that return `match, ply` for the matches in `$matches`.
    """
    parts = [f"({sql})" for sql in questions if sql]
    rows = reader.rows(" union all ".join(parts), {"matches": list(matches)}) if parts else []
    return {str(match): int(ply) for match, ply in rows}


MATCH_COLUMNS: Final = (
    "match",
    "game",
    "tournament",
    "line_up",
    "winner",
    "margin",
    "gap",
    "gap_unit",
    "lowest",
    "lowest_ply",
    "rounds",
    "events",
    "status",
    "players",
    "luck",
    "file",
    "verdict",
    "luck_verdict",
)
STATUSES: Final = ("finished", "abandoned", "unfinished", "live", "branch")
SORTS: Final = [*MATCH_COLUMNS, *(f"-{column}" for column in MATCH_COLUMNS)]
LIST_KEYS: Final = (
    *DESCRIBED_KEYS,
    Key("find", "a part of the name or of the line-up", TEXT),
    Key("with", "all of these players sat at the table", TEXTS),
    Key("status", "with one of these statuses", {"type": "array", "items": {"enum": list(STATUSES)}}),
    Key("ending", "it ended in one of these ways", TEXTS),
    Key("tag", "with a bookmark that has one of these tags", TEXTS),
    Key("sort", "by which column; with a leading -, largest first", {"enum": SORTS, "default": "match"}),
)
"""Address keys of the list, with their meanings."""
MATCH_KEYS: Final = tuple(key.name for key in LIST_KEYS)
BATCH: Final = 2_000
FURTHEST: Final = 1 << 53


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Selection of listed matches: a filter, part of a name, players, statuses, endings, tags.

    `together` are players who must all be at the table. `endings` are the ways in which a match ends. `tags` select
    matches with such a bookmark on the match or on one of its plies.
    """

    where: Filter = field(default_factory=Filter)
    find: str = ""
    together: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @classmethod
    def read(cls, query: Query) -> Self:
        """Return the filter in the keys of an address; invalid values are dropped."""
        return cls(
            where=Filter.read(query),
            find=text_of(query, "find"),
            together=names_of(query, "with"),
            statuses=tuple(status for status in texts_of(query, "status") if status in STATUSES),
            endings=texts_of(query, "ending"),
            tags=texts_of(query, "tag"),
        )

    def pairs(self) -> Pairs:
        """Return the filter as keys and values of an address; criteria that do not filter are omitted."""
        return [
            *self.where.pairs(),
            *([("find", self.find)] if self.find else []),
            *repeated("with", self.together),
            *repeated("status", self.statuses),
            *repeated("ending", self.endings),
            *repeated("tag", self.tags),
        ]


def matches_page(reader: Reader, where: MatchFilter, sort: Sort, start: int, stop: int) -> tuple[pl.DataFrame, int]:
    """Return rows `start` to `stop` of the filtered and sorted list, and the length of the list."""
    condition, values = _matches(reader, where)
    start, stop = (min(max(place, 0), FURTHEST) for place in (start, stop))
    with reader.cursor() as cursor:
        cursor.begin()  # a transaction, so that list and length are consistent
        total = int(_one(cursor.execute(f"select count(*) from {with_status()} where {condition}", values)))
        sql = f"select {_columns()} from {with_status()} where {condition} order by {_order(sort)}"
        frame = frame_of(cursor, sql + " limit $n offset $start", values | {"n": max(stop - start, 0), "start": start})
    return frame, total


def neighbours(
    reader: Reader, where: MatchFilter, sort: Sort, match: str
) -> tuple[int | None, int, str | None, str | None]:
    """Return the row of a match in the filtered and sorted list, the list's length, and the matches before and after.

    Rows are numbered from 0. A match that is not in the list has no row, no match before and no match after.
    """
    condition, values = _matches(reader, where)
    sql = f"""with listed as (
            select m.match, row_number() over ordered - 1 as row, count(*) over () as total,
                lag(m.match) over ordered as previous, lead(m.match) over ordered as next
            from {with_status()} where {condition} window ordered as (order by {_order(sort)}))
        select row, total, previous, next from listed where match = $match
        union all select null, (select count(*) from listed), null, null order by row nulls last limit 1"""
    row, total, previous, following = reader.rows(sql, values | {"match": match})[0]
    return row, total, previous, following


def matches_csv(reader: Reader, where: MatchFilter, sort: Sort) -> Iterator[str]:
    """Yield the filtered and sorted list as CSV, in chunks."""
    condition, values = _matches(reader, where)
    sql = f"select {_columns()} from {with_status()} where {condition} order by {_order(sort)}"
    yield _csv_rows([MATCH_COLUMNS])
    with reader.cursor() as cursor:
        cursor.execute(sql, values)
        while rows := cursor.fetchmany(BATCH):
            yield _csv_rows(rows)


def _columns() -> str:
    file = f"{without_folder('m.file')} as file"
    return ", ".join(file if name == "file" else f'm."{name}"' for name in MATCH_COLUMNS)


def _one(result: duckdb.DuckDBPyConnection) -> Any:
    return result.fetchall()[0][0]  # reading to the end frees the connection for the next query


def _order(sort: Sort) -> str:
    """Return the SQL sort order; matches sorted by margin are sorted by closeness, as games have different units."""
    column = sort.column if sort.column in MATCH_COLUMNS else "match"
    columns = ["closeness", "margin"] if column == "margin" else [column]
    way = "desc" if sort.descending else "asc"
    return ", ".join([*(f'm."{each}" {way} nulls last' for each in columns), "m.match"])


def _matches(reader: Reader, where: MatchFilter) -> Where:
    condition, values = listed_where(where.where)
    parts = [condition]
    if where.find:
        parts.append("(contains(lower(m.match), $find) or contains(lower(m.line_up), $find))")
        values["find"] = normalize_name(where.find).lower()
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
        parts.append(f"m.match_id in (select match_id from ({endings()}) where list_contains($endings, ending))")
        values["endings"] = list(where.endings)
    if where.tags:
        parts.append("list_contains($bookmarked, m.match)")
        with reader.app():
            values["bookmarked"] = matches_with_tags(reader.warehouse, where.tags)
    return conjunction(parts), values


def _csv_rows(rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([neutral(value) for value in row] for row in rows)
    return text.getvalue()
