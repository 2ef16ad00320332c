"""The tables of a lake: what is selected for each from the warehouse, and how the lake's README tells of them."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import duckdb

from ingest.care.lake_parts import Part
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables

__all__ = ["LakeTable", "readme", "shape_of", "tables_of_lake"]

OF_THE_PART: Final = ("game", "tournament")
"""Columns that every table has, whether or not the warehouse's has them: they are those of the part."""
OF_THIS_WAREHOUSE: Final = ("cohort",)
"""Columns that name rows of tables which are not about single matches, and so not in a lake."""
PLAIN: Final = re.compile(r"(INTEGER|BIGINT|BOOLEAN|DOUBLE|VARCHAR|BLOB|TIMESTAMP)(\[\])*")
"""Types that every reader knows; all others are written as texts."""


@dataclass(frozen=True, slots=True)
class LakeTable:
    """A table of the lake: what a row is, the columns that name it, and what is selected for it.

    One that is another name of a table (`same_as`) has no files of its own.
    """

    name: str
    about: str
    grain: tuple[str, ...]
    columns: str
    game: str | None
    same_as: str | None = None

    def of(self, part: Part) -> str:
        """Return the query for the rows of the matches in the frame `lake_part`, which also has their `OF_THE_PART`."""
        where = f"match_id BETWEEN {part.first} AND {part.last}"
        return (
            f"SELECT {', '.join(f'lake_part.{name}' for name in OF_THE_PART)}, {self.columns} "
            f"FROM (FROM {self.name} WHERE {where}) JOIN lake_part USING (match_id) ORDER BY {', '.join(self.grain)}"
        )


def tables_of_lake(connection: duckdb.DuckDBPyConnection) -> Iterator[LakeTable]:
    """Yield the tables of a lake: all about matches, events and marts, views of marts as tables."""
    sql = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name = current_database()"
    columns: dict[str, list[str]] = {}
    for table, column, kind in connection.execute(f"{sql} ORDER BY table_name, column_index").fetchall():
        if column not in OF_THE_PART + OF_THIS_WAREHOUSE:
            columns.setdefault(table, []).append(_plain(column, kind))
    for made in sql_tables():
        if "match_id" in made.grain:
            yield LakeTable(made.name, made.about, made.grain, ", ".join(columns[made.name]), made.game, made.same_as)
    for table in event_tables():
        about = f"one row per event {table.event}"
        yield LakeTable(table.name, about, ("match_id", "seq"), ", ".join(columns[table.name]), table.game)


def _plain(column: str, kind: str) -> str:
    """Return what is selected for a column, in a type that every reader knows."""
    if PLAIN.fullmatch(kind):
        return f'"{column}"'
    lists = re.search(r"(\[\])*$", kind)
    return f'CAST("{column}" AS VARCHAR{lists[0] if lists else ""}) AS "{column}"'


def shape_of(tables: Sequence[LakeTable]) -> str:
    """Return a digest that changes with the tables."""
    told = [(table.name, table.columns, table.grain) for table in tables]
    return hashlib.sha256(repr((SCHEMA_VERSION, told)).encode()).hexdigest()


def readme(tables: Sequence[LakeTable], lake: str) -> str:
    """Return what a lake says of itself; `lake` stands in the examples for where it is."""
    in_order = sorted(tables, key=lambda table: table.name)
    rows = [f"| `{table.name}` | {table.about} | {', '.join(table.grain)} |" for table in in_order]
    text = files("ingest.care").joinpath("lake_readme.md").read_text(encoding="utf-8")
    return text.replace("LAKE", lake).replace("TABLES", "\n".join(rows))
