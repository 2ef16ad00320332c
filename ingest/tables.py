"""The tables of a warehouse: typed event tables made from the schema, all others written in `sql/NN_name.sql`.

A file under `sql/` says of each table what it holds and its grain (the columns that name a row), and how the rows of
the matches in the table `batch` are made; the files run in the order of their names. What a table of sums gets is added
to the rows that are there, see `ingest.sums`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import duckdb

from himalaya_core.games import GAMES
from ingest.shapes import EventTable, shapes
from ingest.sums import Sums

__all__ = [
    "SCHEMA_VERSION",
    "SqlTable",
    "add_tables",
    "create_tables",
    "event_tables",
    "fill_tables",
    "make_tables",
    "refill_tables",
    "sql_tables",
    "take_out",
]

SCHEMA_VERSION: Final = 5
ADDED: Final[Mapping[int, tuple[str, ...]]] = {4: ("bookmarks",)}
"""What a version brought that differs from the one before by tables alone that nothing is derived from or into."""
INDEX: Final = "CREATE INDEX raw_matches_by_match ON raw_matches (match)"
"""Finds the log of one match among 200,000 in half a millisecond instead of seven; no other table has or needs one."""
TABLE: Final = re.compile(
    r"-- (?P<name>\w+): (?P<about>.+?) \((?P<grain>[\w, ]+)\)\.\n"
    r"(?P<create>CREATE (?P<kind>TABLE|VIEW) .*?;)\n+(?:(?:--[^\n]*\n)*(?P<fill>INSERT .*?;(?:\n+UPDATE .*?;)?))?",
    re.DOTALL,
)
SUMS: Final = "agg_"
ANY_COUNTED: Final = "SELECT 1 FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL LIMIT 1"
NOBODY: Final = "DELETE FROM dim_cohorts WHERE cohort NOT IN (SELECT cohort FROM dim_seats WHERE cohort IS NOT NULL)"


@dataclass(frozen=True, slots=True)
class SqlTable:
    """A table or view from `sql/`: what a row is, the columns that name it, how it is made and, if derived, filled."""

    name: str
    about: str
    grain: tuple[str, ...]
    create: str
    fill: str | None
    is_view: bool

    @property
    def is_raw(self) -> bool:
        """Say whether this is of the raw layer, that nothing else can make again."""
        return self.fill is None and not self.is_view

    @property
    def is_about_matches(self) -> bool:
        """Say whether a match has rows of its own here, to be removed with it."""
        return "match_id" in self.grain and not self.is_view

    @property
    def sums(self) -> Sums | None:
        """How sums are added up, if this is a table of them."""
        if self.fill is None or not self.name.startswith(SUMS):
            return None
        return Sums.read(self.name, self.grain, self.create, self.fill)


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
    """Return the typed event tables of every game, those that games share once."""
    return list({table.name: table for game in GAMES.values() for table in shapes(game).tables}.values())


def create_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all tables of an empty warehouse, in one transaction."""
    connection.begin()
    make_tables(connection)
    connection.commit()


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all tables of an empty warehouse, within the transaction of the caller."""
    for table in event_tables():
        connection.execute(table.create)
    for made in sql_tables():
        connection.execute(made.create)
    connection.execute(INDEX)
    connection.execute(f"CREATE VIEW events AS {' UNION ALL '.join(map(_as_logged, event_tables()))}")
    connection.execute("INSERT INTO schema_version VALUES ($version)", {"version": SCHEMA_VERSION})


def add_tables(connection: duckdb.DuckDBPyConnection, version: int) -> bool:
    """Bring a warehouse up to date in which only empty tables are missing since its version; say whether it is that.

    One transaction, so that it is done or not, whenever it is stopped.
    """
    later = range(version + 1, SCHEMA_VERSION + 1)
    if not all(each in ADDED for each in later):
        return False
    missing = {name for each in later for name in ADDED[each]}
    connection.begin()
    for made in sql_tables():
        if made.name in missing:
            connection.execute(made.create)
    connection.execute("UPDATE schema_version SET version = $version", {"version": SCHEMA_VERSION})
    connection.commit()
    return True


def _as_logged(table: EventTable) -> str:
    seat = "seat" if table.has_seat else "NULL::INTEGER AS seat"
    return f"SELECT match_id, seq, ply, round, '{table.event}' AS type, {seat}, {table.data} AS data FROM {table.name}"  # noqa: S608


def fill_tables(connection: duckdb.DuckDBPyConnection, pause: Callable[[], None] = lambda: None) -> None:
    """Derive the rows of the matches in the table `batch`, with a pause before each step."""
    for table in sql_tables():
        if table.fill:
            pause()
            connection.execute(table.sums.add if table.sums else table.fill)


def take_out(connection: duckdb.DuckDBPyConnection) -> None:
    """Take the matches in the table `batch` out of all that is derived."""
    if connection.execute(ANY_COUNTED).fetchall():
        for table in sql_tables():
            for statement in table.sums.subtract if table.sums else ():
                connection.execute(statement)
    for table in sql_tables():
        if table.fill and table.is_about_matches:
            connection.execute(f"DELETE FROM {table.name} WHERE match_id IN (FROM batch)")  # noqa: S608
    connection.execute(NOBODY)


def refill_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Derive the rows of the matches in the table `batch` anew."""
    take_out(connection)
    fill_tables(connection)
