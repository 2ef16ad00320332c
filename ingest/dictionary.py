"""What the columns of the tables mean, from the comments that stand beside them in `sql/`."""

import re
from functools import cache
from typing import Final

import duckdb

from ingest.tables import event_tables, sql_tables

__all__ = ["meanings", "tables_of"]

COMMENT: Final = re.compile(r"^    (\w+) .*?-- (.+)$", re.MULTILINE)
SHARED: Final = {
    "match_id": "short name of the match in all tables",
    "seq": "place of the event in its log",
    "ply": "the decision within which it happened",
    "round": "round of the match; 0 is the set-up",
    "seat": "seat at the table, from 0",
    "step": "programmed action, from 1",
}
"""Columns of many tables, which none need explain."""


def tables_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the tables and views of a warehouse."""
    sql = """select table_name from duckdb_tables() where not internal and database_name = current_database()
             union select view_name from duckdb_views() where not internal and database_name = current_database()"""
    return sorted(name for (name,) in connection.execute(sql).fetchall())


@cache
def meanings(table: str | None) -> dict[str, str]:
    """Return what the columns of a table mean, by name; without a table, those of names that mean one thing only."""
    everywhere: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    for made in sql_tables():
        for column, text in COMMENT.findall(made.create):
            everywhere.setdefault(column, set()).add(text)
            if made.name == table:
                own[column] = text
    agreed = {column: next(iter(texts)) for column, texts in everywhere.items() if len(texts) == 1}
    event = next((made for made in event_tables() if made.name == table), None)
    fields = {column: f"of the event {event.event}, as in its log" for column in event.columns} if event else {}
    return fields | agreed | SHARED | own if event is None else fields | SHARED
