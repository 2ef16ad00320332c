"""Meaning of tables and columns, and the tables published to readers."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import duckdb

from ingest.tables.definitions import event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["PublishedTable", "meaning_of", "published_tables", "readable_tables", "tables_of"]


EVENT: Final = ("match_id", "seq")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table or view: its description, its grain, and its game if it covers only one."""

    name: str
    about: str
    grain: tuple[str, ...]
    game: str | None


def published_tables() -> tuple[PublishedTable, ...]:
    """Return the published tables, in the order of the files that define them.

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
"""Finds the source table of a view, because its column descriptions also apply to the view."""
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
