"""The tables of a lake, the query for each, and the manifest that names its files."""

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final, Self

import duckdb
import polars as pl

from ingest.errors import WarehouseError
from ingest.files import as_usual, sync
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables

__all__ = [
    "DERIVED",
    "FULL",
    "MANIFEST",
    "OF_LOGS",
    "OF_WAREHOUSE",
    "Files",
    "LakeTable",
    "Manifest",
    "Partition",
    "Parts",
    "Segment",
    "cohorts",
    "is_lake",
    "parts_of",
    "readme",
    "refuse_another",
    "shape_of",
    "tables_of_lake",
]


FULL: Final = 5_000
"""Maximum matches in a file."""
FORMAT: Final = 3
MANIFEST: Final = "_manifest.json"


def is_lake(path: Path) -> bool:
    """Return whether a path is a folder with a lake in it."""
    return path.is_dir() and (path / MANIFEST).exists()


@dataclass(frozen=True, slots=True)
class Segment:
    """Matches with ids from `first` to `last`: in each table a `file` of this name."""

    file: str
    first: int
    last: int
    matches: int


@dataclass(frozen=True, slots=True)
class Partition:
    """The matches of a game in one tournament, or in none."""

    game: str
    tournament: str | None

    @property
    def order(self) -> tuple[str, bool, str]:
        """Return the sort key of partitions: the one without a tournament is first."""
        return self.game, self.tournament is not None, self.tournament or ""


Files = Mapping[str, frozenset[str]]
"""Names of files by table."""
Parts = dict[Partition, tuple[Segment, ...]]
"""The parts of each partition, ordered by id."""


def parts_of(matches: Mapping[Partition, Sequence[int]], key: str) -> Parts:
    """Return the parts for matches, given by their ids in order; the lake or share has this `key`."""
    return {
        partition: tuple(
            Segment(f"{partition.game}-{some[0]:09d}-{key}.parquet", some[0], some[-1], len(some))
            for some in (ids[at : at + FULL] for at in range(0, len(ids), FULL))
        )
        for partition, ids in matches.items()
    }


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a lake; `key` is a digest of what it was made from."""

    key: str
    parts: Parts

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        return sum(part.matches for parts in self.parts.values() for part in parts)

    def sums(self, partition: Partition) -> str:
        """Return the name of the files with the sums over a partition."""
        return f"{partition.game}-{self.parts[partition][0].first:09d}-all-{self.key}.parquet"

    @classmethod
    def read(cls, text: str, name: object) -> Self:
        """Parse a manifest. Raises `WarehouseError` with its name if it is in another format or not a manifest."""
        try:
            found = json.loads(text)
            if found["format"] != FORMAT:
                raise WarehouseError(f"{name}: {_of_another_format(found['format'])}")
            parts = {
                Partition(each["game"], each["tournament"]): tuple(Segment(**part) for part in each["parts"])
                for each in found["partitions"]
            }
            return cls(found["key"], parts)
        except (ValueError, KeyError, TypeError):
            raise WarehouseError(f"{name}: not readable; remove the lake and write it again") from None

    def text(self) -> str:
        """Return the manifest in the form that `read` accepts: JSON."""
        partitions = [
            {"game": key.game, "tournament": key.tournament, "sums": self.sums(key), "parts": [*map(asdict, parts)]}
            for key, parts in sorted(self.parts.items(), key=lambda item: item[0].order)
        ]
        return json.dumps({"format": FORMAT, "key": self.key, "partitions": partitions}, indent=1) + "\n"

    def write(self, file: Path) -> None:
        """Write the manifest into a new file, and sync it to the disk."""
        file.write_text(self.text(), encoding="utf-8")
        sync(as_usual(file))


def _of_another_format(found: object) -> str:
    if isinstance(found, int) and found < FORMAT:
        return f"a lake of an earlier himalaya (format {found}); remove it and write it again, or name another folder"
    return f"a lake of a newer himalaya (format {found}); name another folder, or install that version"


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
