"""Data dictionary: the meaning of columns, from the comments next to them in `sql/`."""

import re
from functools import cache
from typing import Any, Final

import duckdb

from ingest.tables.definitions import event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["meaning_of", "readable_tables", "tables_of"]

COMMENT: Final = re.compile(r"^    (\w+) .*?-- (.+)$", re.MULTILINE)
SOURCE: Final = re.compile(r"\bFROM (\w+)", re.IGNORECASE)
"""Source table of a view; its column descriptions also apply to the view."""
READABLE: Final = frozenset(
    {"schema_version", "ingest_runs", "ingested_files", "raw_matches", "quarantine", "forgotten_matches"}
)
"""Readable tables of the raw layer. The others are about tokens, senders or progress of reading files."""
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
"""Columns of many tables, described once."""


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
    """Return the meaning of a column; without a table, the meaning it has in every table."""
    own, agreed = _written(table, installed_games())
    event = next((made for made in event_tables() if made.name == table), None)
    if event is not None:
        return SHARED.get(column) or f"field of the event {event.event}, as its log has it"
    return own.get(column) or SHARED.get(column) or agreed.get(column) or _of_events(table)


def _of_events(table: str | None) -> str:
    """Return the fallback for a column of a view: the events it is a field of."""
    events = {made.name: made.event for made in event_tables()}
    found = [events[name] for name in _read_by(table) if name in events]
    return f"field of the events {', '.join(dict.fromkeys(found))}" if found else ""


def _read_by(table: str | None) -> list[str]:
    """Return the tables a view reads from, directly or through other views."""
    views = {made.name: made for made in sql_tables() if made.is_view}
    found = SOURCE.findall(views[table].create) if table in views else []
    return [name for one in found for name in (one, *_read_by(one))]


@cache
def _written(table: str | None, _: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return the column comments of a table, and those that are the same in all tables with that column."""
    everywhere: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    read = _read_by(table)
    for made in sql_tables():
        for column, text in COMMENT.findall(made.create):
            everywhere.setdefault(column, set()).add(text)
            if made.name == table or made.name in read:
                own[column] = text
    return own, {column: next(iter(texts)) for column, texts in everywhere.items() if len(texts) == 1}
