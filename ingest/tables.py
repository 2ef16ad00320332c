"""The tables of a warehouse: typed event tables made from the schema, all others written in `sql/NN_name.sql`.

A file under `sql/` says of each table what it holds and its grain (the columns that name a row), and how the rows of
the matches in the table `batch` are made; the files run in the order of their names.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import duckdb

from himalaya_core.games import GAMES
from ingest.shapes import EventTable, shapes

__all__ = [
    "SCHEMA_VERSION",
    "SqlTable",
    "create_tables",
    "event_tables",
    "fill_tables",
    "sql_tables",
    "upgrade_tables",
]

SCHEMA_VERSION: Final = 2
TABLE: Final = re.compile(
    r"-- (?P<name>\w+): (?P<about>.+?) \((?P<grain>[\w, ]+)\)\.\n"
    r"(?P<create>CREATE (?P<kind>TABLE|VIEW) .*?;)\n+(?P<fill>INSERT .*?;)?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class SqlTable:
    """A table or view from `sql/`: what a row is, the columns that name it, how it is made and, if derived, filled."""

    name: str
    about: str
    grain: tuple[str, ...]
    create: str
    fill: str | None
    is_view: bool


@cache
def sql_tables() -> tuple[SqlTable, ...]:
    """Return the tables of `sql/` in order."""
    texts = [file.read_text() for file in sorted(files("ingest").joinpath("sql").iterdir(), key=lambda file: file.name)]
    return tuple(
        SqlTable(
            name=found["name"],
            about=found["about"],
            grain=tuple(found["grain"].split(", ")),
            create=found["create"],
            fill=found["fill"],
            is_view=found["kind"] == "VIEW",
        )
        for text in texts
        for found in TABLE.finditer(text)
    )


def event_tables() -> list[EventTable]:
    """Return the typed event tables of every game."""
    return [table for game in GAMES.values() for table in shapes(game).tables]


def create_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all tables of an empty warehouse."""
    connection.begin()
    for table in event_tables():
        connection.execute(table.create)
    for made in sql_tables():
        connection.execute(made.create)
    _finish(connection)


def upgrade_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring a warehouse of an earlier version up to this one: add the event tables and columns it lacks."""
    found = "SELECT table_name, list(column_name) FROM duckdb_columns() GROUP BY ALL"
    known: dict[str, list[str]] = dict(connection.execute(found).fetchall())
    connection.begin()
    for table in event_tables():
        if table.name not in known:
            connection.execute(table.create)
            continue
        for column in table.spread.columns:
            if column.name not in known[table.name]:
                connection.execute(f'ALTER TABLE {table.name} ADD COLUMN "{column.name}" {column.sql_type}')
    _finish(connection)


def _finish(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the view over all event tables, note the version, and keep both."""
    connection.execute(f"CREATE OR REPLACE VIEW raw_events AS {' UNION ALL '.join(map(_as_raw, event_tables()))}")
    connection.execute("INSERT INTO schema_version VALUES ($version)", {"version": SCHEMA_VERSION})
    connection.commit()


def _as_raw(table: EventTable) -> str:
    seat = "seat" if table.has_seat else "NULL::INTEGER AS seat"
    return f"SELECT match_id, seq, ply, round, '{table.event}' AS type, {seat}, {table.data} AS data FROM {table.name}"  # noqa: S608


def fill_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Derive the rows of the matches in the table `batch`."""
    for table in sql_tables():
        if table.fill:
            connection.execute(table.fill)
