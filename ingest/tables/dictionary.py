"""What the columns of the tables mean, from the comments that stand beside them in `sql/`."""

import re
from functools import cache
from typing import Any, Final

import duckdb

from ingest.tables.definitions import event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["meaning_of", "tables_of"]

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


def meaning_of(table: str | None, column: str) -> str:
    """Return what a column of a table means; without a table, of a name that means one thing everywhere."""
    own, agreed = _written(table, installed_games())
    event = next((made for made in event_tables() if made.name == table), None)
    if event is not None:
        return SHARED.get(column) or f"field of the event {event.event}, as its log has it"
    return own.get(column) or agreed.get(column) or SHARED.get(column, "")


@cache
def _written(table: str | None, _: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return the comments beside the columns of a table, and those on which all tables with such a column agree."""
    everywhere: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    same_as = next((made.same_as for made in sql_tables() if made.name == table), None)
    for made in sql_tables():
        for column, text in COMMENT.findall(made.create):
            everywhere.setdefault(column, set()).add(text)
            if made.name == (same_as or table):
                own[column] = text
    return own, {column: next(iter(texts)) for column, texts in everywhere.items() if len(texts) == 1}
