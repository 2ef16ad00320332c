"""The data dictionary: descriptions of tables and columns, the published tables, and the page `docs/warehouse.md`."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import duckdb

from ingest.app_store import SCHEMA
from ingest.tables.definitions import create_tables, event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["PublishedTable", "document", "meaning_of", "published_tables", "readable_tables", "tables_of"]


EVENT: Final = ("match_id", "seq")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table or view: its description, its grain, and its game if it covers only one."""

    name: str
    about: str
    grain: tuple[str, ...]
    game: str | None


def published_tables() -> tuple[PublishedTable, ...]:
    """Return the published tables, in the order of docs/warehouse.md.

    The raw layer is not included: tokens, receipts, bookmarks, runs and logs. Former names of tables are not included
    either.
    """
    return _published(installed_games())


@cache
def _published(_: Any) -> tuple[PublishedTable, ...]:
    derived = [
        PublishedTable(table.name, f"{table.about[0].upper()}{table.about[1:]}.", table.grain, table.game)
        for table in sql_tables()
        if not (table.is_raw or table.same_as)
    ]
    every = PublishedTable("events", "One row per event of any game, `data` as its log has it.", EVENT, None)
    events = [
        PublishedTable(
            table.name, f"One row per event `{table.event}` of {table.game or 'any game'}.", EVENT, table.game
        )
        for table in event_tables()
    ]
    return (*derived, every, *events)


COMMENT: Final = re.compile(r"^    (\w+) .*?-- (.+)$", re.MULTILINE)
SOURCE: Final = re.compile(r"\bFROM (\w+)", re.IGNORECASE)
"""Finds the source table of a view, whose column descriptions also apply to the view."""
READABLE: Final = frozenset(
    {"schema_version", "ingest_runs", "ingested_files", "raw_matches", "quarantine", "forgotten_matches"}
)
"""Tables of the raw layer that users may read. The other raw tables are about tokens, senders, or positions in files.
"""
SHARED: Final = {
    "match_id": "short name of the match in all tables",
    "seq": "place of the event in its log",
    "ply": "the decision within which it happened",
    "round": "round of the match; 0 is the set-up",
    "seat": "seat at the table, from 0",
    "step": "programmed action, from 1",
    "type": "type of the event",
    "data": "what happened, as the log has it",
}
"""Descriptions of columns that many tables have."""


def tables_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the tables and views of a warehouse."""
    sql = """select table_name from duckdb_tables() where not internal and database_name = current_database()
             union select view_name from duckdb_views() where not internal and database_name = current_database()"""
    return sorted(name for (name,) in connection.execute(sql).fetchall())


def readable_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the tables and views of a warehouse that queries and exports may read.

    These are all derived tables, and those of the raw layer in `READABLE`. A new raw table is private until it is added
    there.
    """
    known = {"events", *READABLE, *(table.name for table in event_tables())}
    known |= {table.name for table in sql_tables() if not table.is_raw}
    return [name for name in tables_of(connection) if name in known]


def meaning_of(table: str | None, column: str) -> str:
    """Return the description of a column; without a table, the description that all tables share."""
    own, agreed = _written(table, installed_games())
    event = next((made for made in event_tables() if made.name == table), None)
    if event is not None:
        return SHARED.get(column) or f"field of the event {event.event}, as its log has it"
    return own.get(column) or SHARED.get(column) or agreed.get(column) or _of_events(table)


def _of_events(table: str | None) -> str:
    """Return the fallback description for a column of a view: the events that have this field."""
    events = {made.name: made.event for made in event_tables()}
    found = [events[name] for name in _read_by(table) if name in events]
    return f"field of the events {', '.join(dict.fromkeys(found))}" if found else ""


def _read_by(table: str | None) -> list[str]:
    """Return the tables that a view reads from, directly or through other views."""
    views = {made.name: made for made in sql_tables() if made.is_view}
    found = SOURCE.findall(views[table].create) if table in views else []
    return [name for one in found for name in (one, *_read_by(one))]


@cache
def _written(table: str | None, _: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return the column descriptions of a table, and those that are the same in all tables with that column."""
    everywhere: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    read = _read_by(table)
    for made in sql_tables():
        for column, text in COMMENT.findall(made.create):
            everywhere.setdefault(column, set()).add(text)
            if made.name == table or made.name in read:
                own[column] = text
    return own, {column: next(iter(texts)) for column, texts in everywhere.items() if len(texts) == 1}


INTRODUCTION: Final = """\
# The warehouse

One DuckDB file, `NAME.duckdb`, holds everything that was ingested. Its tables form layers; each layer can be
rebuilt from the one before it. Data that people enter is in a separate SQLite file, the [app store](#the-app-store).

| layer | what it is |
|---|---|
| raw | the logs as they were (`raw_matches` keeps the original lines of each match), and what runs did with them |
| `stg_` | one typed table per type of event of a game, its columns made from the schema of the log |
| `int_` | steps on the way to a mart |
| `dim_`, `fct_` | what pages and reports ask: matches and seats, and what happened in them |
| `agg_` | the same summed up over all finished matches, by kind of seat |

A match has the same `match_id` in every table. Seats are numbered from 0. `seq` is the place of an event in its log, so
any row can be found there. A match without its last line has the status `unfinished`: it is shown, but not counted. A
match with a `verdict` other than `clean` is only counted on request: its rules check is pending, or its rules are not
installed. Lines that are invalid or break the rules are in `quarantine`, with all lines of their match. They are in no
other table until the match is loaded.

Rows of events are stored by match and `seq`, with two exceptions: matches that continued after others were loaded, and
matches that replaced a rival. Their rows follow later under the same id, until `himalaya vacuum` sorts them. A query
that needs an order names it.

`dim_` tables and those of reviews cover all games. All other tables have the rows of one game only, and its name in
theirs. The sections below describe them game by game.

Most queries of pages are about seats that differ only by match: the same player, version and settings, seat, table
size, board, options, tournament and ending. Such a kind of seat is a *cohort*, a row of `dim_cohorts`; `dim_seats` has
the cohort of each seat. A table `agg_…` holds sums by cohort, round and place, so it hardly grows with the number of
matches.

The model's review of a finished match with the verdict `clean` (`docs/review.md`) is in `dim_reviews`, `fct_values`,
`fct_moments` and `fct_causes`. These are filled after the match is loaded, by a server in the background or by
`himalaya check --review`. A match without a row in `dim_reviews` waits for its review, or its game has no model. When a
new model ships with a game, its matches wait again and keep the former review until then. `model` names the model.

The figures of each finished match are added to the sums. They are subtracted again when it is forgotten, moves to
another tournament, or is replaced by a rival. `himalaya check` recomputes all sums from the events. Unfinished matches
are not counted. If SQL repeats a rule of a game, it names the rule's place in `RULES.md` and its code. Tests fold many
logs by that code and compare every column.

*Grain* are the columns that identify a row. `himalaya check` verifies that every table has one row for each grain, and
all rows that the other tables require. A warehouse from an older himalaya is rebuilt from its raw tables when it is
opened. If only derived tables differ from today's, only these are derived again.
Texts in `lines` and `text` are compressed by zstd, times are UTC, and a column with a fixed list of words is an ENUM,
which sorts in the order of that list. This page is made by `python -m ingest.tables.dictionary`.
"""
APP_STORE: Final = """\
## The app store

`NAME.app.sqlite`, next to `NAME.duckdb`, holds the data that people enter and no log has: tokens, sessions, the audit,
bookmarks, branches, studies, and recording sessions. It is a SQLite file in WAL mode, so `himalaya token` and
`himalaya audit` work while a server is running. The table `app_store` of the warehouse has the id of both files; files
that do not belong together are refused. A backup is one file: the contents of the app store are in that table. Times
are UTC, lists are JSON.
"""
OF_PEOPLE: Final = re.compile(r"-- (\w+): (.+?) \(([\w, ]+)\)\.\nCREATE TABLE \w+ \((.*?)\n\) STRICT;", re.DOTALL)
OF_ROW: Final = re.compile(r"^    ([a-z_0-9]+) (TEXT|INTEGER)[^-\n]*(?:-- (.+))?$", re.MULTILINE)


def document() -> str:
    """Return the text of the page `docs/warehouse.md`."""
    with duckdb.connect() as connection:
        create_tables(connection)
        parts = [INTRODUCTION, *_games(), *_cell(connection), *_generated(connection), *_of_people()]
    return "\n".join(parts)


def _games() -> Iterator[str]:
    yield "## Games\n"
    for game, marts in installed_games():
        if marts.about:
            yield f"### {game}\n\n{marts.about}"


def _cell(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Tables\n"
    for table in sql_tables():
        if table.same_as:
            continue
        view = " A view." if table.is_view else ""
        yield f"### `{table.name}`\n\n{table.about[0].upper()}{table.about[1:]}.{view} Grain: {_names(table.grain)}.\n"
        yield _columns(connection, table.name, dict(COMMENT.findall(table.create)))
    former = [table for table in sql_tables() if table.same_as]
    yield "### Former names\n\nViews under the names of schema 7, with the columns of today, until the next schema.\n"
    yield "\n".join(
        ["| view | table |", "|---|---|", *(f"| `{made.name}` | `{made.same_as}` |" for made in former), ""]
    )


def _generated(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Events\n\nThe view `events` shows them all, `data` as the log has it. Grain: `match_id`, `seq`.\n"
    yield _columns(connection, "events", {})
    for table in event_tables():
        game = f"`{table.game}`" if table.game else "every game"
        yield f"### `{table.name}`\n\nOne row per event `{table.event}` of {game}. Grain: `match_id`, `seq`.\n"
        yield _columns(connection, table.name, {})


def _of_people() -> Iterator[str]:
    yield APP_STORE
    for table, about, grain, columns in OF_PEOPLE.findall(SCHEMA):
        yield f"### `{table}`\n\n{about[0].upper()}{about[1:]}. Grain: {_names(tuple(grain.split(', ')))}.\n"
        rows = [f"| `{name}` | {kind} | {said} |" for name, kind, said in OF_ROW.findall(columns)]
        yield "\n".join(["| column | type | |", "|---|---|---|", *rows, ""])


def _columns(connection: duckdb.DuckDBPyConnection, table: str, about: dict[str, str]) -> str:
    columns = [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE {table}").fetchall()]
    if not about:
        return f"{', '.join(f'`{name}` {kind}' for name, kind in columns)}\n"
    rows = [f"| `{name}` | {kind} | {about.get(name, '')} |" for name, kind in columns]
    return "\n".join(["| column | type | |", "|---|---|---|", *rows, ""])


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f"`{column}`" for column in columns)


if __name__ == "__main__":
    sys.stdout.write(document())
