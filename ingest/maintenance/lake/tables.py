"""The tables of a lake: the query for each on the warehouse, and their description in the lake's README."""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import duckdb
import polars as pl

from ingest.errors import WarehouseError
from ingest.maintenance.lake.parts import Segment
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables

__all__ = [
    "DERIVED",
    "OF_LOGS",
    "OF_WAREHOUSE",
    "LakeTable",
    "cohorts",
    "readme",
    "refuse_another",
    "shape_of",
    "tables_of_lake",
]

OF_WAREHOUSE: Final = "of_warehouse.md"
OF_LOGS: Final = "of_logs.md"
"""Pages of the README, one for each source of a lake."""
DERIVED: Final = "_derived"
"""A folder that only a lake made from logs has: the results for the logs."""


OF_THE_PART: Final = ("game", "tournament")
"""Columns of every table, even if the warehouse's lacks them: their values are those of the part."""
COHORT: Final = "cohort"
"""The column with a number that is valid only in this warehouse; a lake has a digest in its place."""
COHORTS: Final = "dim_cohorts"
NAMED: Final = "lake_cohorts.key AS cohort"
KEY_DIGITS: Final = 32
PLAIN: Final = re.compile(r"(INTEGER|BIGINT|BOOLEAN|DOUBLE|VARCHAR|BLOB|TIMESTAMP)(\[\])*")
"""Types that every reader knows; all others are written as texts."""


@dataclass(frozen=True, slots=True)
class LakeTable:
    """A table of the lake: the meaning of a row, the columns that identify it, and the selected columns.

    A table that is another name of a table (`same_as`) has no separate files.
    """

    name: str
    about: str
    grain: tuple[str, ...]
    columns: str
    game: str | None
    has_cohort: bool = False
    same_as: str | None = None

    @property
    def is_sums(self) -> bool:
        """Return whether its rows are of cohorts, and so cover all parts of a game and tournament."""
        return self.grain[0] == COHORT

    def of(self, part: Segment) -> str:
        """Return the query for the rows of the matches in the frame `lake_part`, which also has their `OF_THE_PART`."""
        where = f"match_id BETWEEN {part.first} AND {part.last}"
        return self._query(f"(FROM {self.name} WHERE {where}) JOIN lake_part USING (match_id)")

    def summed(self) -> str:
        """Return the query for the rows of the cohorts in the frame `lake_part`, which also has their `OF_THE_PART`."""
        return self._query(f"{self.name} JOIN lake_part USING (cohort)")

    def _query(self, source: str) -> str:
        """Return a query that identifies cohorts in its result as the frame `lake_cohorts` does."""
        named = " LEFT JOIN lake_cohorts USING (cohort)" if self.has_cohort else ""
        first = ", ".join(f"lake_part.{name}" for name in OF_THE_PART)
        return f"SELECT {first}, {self.columns} FROM {source}{named} ORDER BY {', '.join(self.grain)}"


def cohorts(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Return all cohorts: `cohort`, its number here, `key`, a digest of all its fields, `game` and `tournament`."""
    names = [name for name, *_ in connection.execute(f"DESCRIBE {COHORTS}").fetchall() if name != COHORT]
    told = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in names)
    key = f"left(sha256(to_json([{told}])::VARCHAR), {KEY_DIGITS})"
    found = connection.execute(f"SELECT cohort, {key}, game, tournament FROM {COHORTS}").fetchall()
    texts = dict.fromkeys(("key", "game", "tournament"), pl.String)
    return pl.DataFrame(found, schema={"cohort": pl.Int32, **texts}, orient="row")


def tables_of_lake(connection: duckdb.DuckDBPyConnection) -> Iterator[LakeTable]:
    """Yield the tables of a lake: all about matches or cohorts, events and marts, views of marts as tables."""
    sql = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name = current_database()"
    columns: dict[str, list[str]] = {}
    for table, column, kind in connection.execute(f"{sql} ORDER BY table_name, column_index").fetchall():
        if column not in OF_THE_PART:
            columns.setdefault(table, []).append(_plain(column, kind))
    for made in sql_tables():
        if made.grain[0] in {"match_id", COHORT}:
            selected = columns[made.name]
            has_cohort = NAMED in selected
            yield LakeTable(made.name, made.about, made.grain, ", ".join(selected), made.game, has_cohort, made.same_as)
    for table in event_tables():
        about = f"one row per event {table.event}"
        yield LakeTable(table.name, about, ("match_id", "seq"), ", ".join(columns[table.name]), table.game)


def _plain(column: str, kind: str) -> str:
    """Return the SQL for a column, in a type that every reader knows."""
    if column == COHORT:
        return NAMED
    if PLAIN.fullmatch(kind):
        return f'"{column}"'
    lists = re.search(r"(\[\])*$", kind)
    return f'CAST("{column}" AS VARCHAR{lists[0] if lists else ""}) AS "{column}"'


def shape_of(tables: Sequence[LakeTable]) -> str:
    """Return a digest that changes with the tables."""
    told = [(table.name, table.columns, table.grain) for table in tables]
    return hashlib.sha256(repr((SCHEMA_VERSION, told)).encode()).hexdigest()


def readme(tables: Sequence[LakeTable], lake: str, where: str, holds: str, source: str) -> str:
    """Return the README of a lake; `lake` is its address in the examples.

    `where` describes the place, `holds` is the page on the guarantees for readers there, and `source` the page on the
    lake's source.
    """
    in_order = sorted(tables, key=lambda table: table.name)
    rows = [f"| `{table.name}` | {table.about} | {', '.join(table.grain)} |" for table in in_order]
    pages = files("ingest.maintenance.lake")
    text, relied, made = (pages.joinpath(name).read_text(encoding="utf-8") for name in ("readme.md", holds, source))
    written, _, runs = made.partition("\n\n")
    text = text.replace("WRITTEN", written).replace("MADE\n", runs)
    text = text.replace("WHAT_IT_IS", where).replace("HOLDS\n", relied).replace("LAKE", lake)
    return text.replace("TABLES", "\n".join(rows))


def refuse_another(lake: object, tables: Collection[str], source: str) -> None:
    """Raise `WarehouseError` if a lake with these tables has a different kind of source from its next state."""
    if tables and (DERIVED in tables) != (source == OF_LOGS):
        by = "himalaya derive` from logs" if DERIVED in tables else "himalaya lake` from a database"
        raise WarehouseError(f"{lake}: a lake written by `{by}; name another folder")
