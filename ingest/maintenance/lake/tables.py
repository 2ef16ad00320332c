"""Defines the tables of a lake, the query for each, and the manifest that lists its files."""

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import duckdb

from ingest.errors import WarehouseError
from ingest.files import as_usual, sync
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables

if TYPE_CHECKING:
    import polars as pl

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
"""Maximum number of matches in a file."""
FORMAT: Final = 3
MANIFEST: Final = "_manifest.json"


def is_lake(path: Path) -> bool:
    """Return whether a path is a folder that contains a lake."""
    return path.is_dir() and (path / MANIFEST).exists()


@dataclass(frozen=True, slots=True)
class Segment:
    """Matches with ids from `first` to `last`: their rows are in a file of this name in each table."""

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
        """Return the sort key of a partition: by game, then by tournament, with no tournament first."""
        return self.game, self.tournament is not None, self.tournament or ""


Files = Mapping[str, frozenset[str]]
"""File names by table."""
Parts = dict[Partition, tuple[Segment, ...]]
"""Segments of each partition, ordered by match id."""


def parts_of(matches: Mapping[Partition, Sequence[int]], key: str) -> Parts:
    """Return the segments for matches, given by sorted ids; `key` identifies the lake or share in file names."""
    return {
        partition: tuple(
            Segment(f"{partition.game}-{some[0]:09d}-{key}.parquet", some[0], some[-1], len(some))
            for some in (ids[at : at + FULL] for at in range(0, len(ids), FULL))
        )
        for partition, ids in matches.items()
    }


@dataclass(frozen=True, slots=True)
class Manifest:
    """Lists the contents of a lake; `key` is a digest of the data that the lake was made from."""

    key: str
    parts: Parts

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        return sum(part.matches for parts in self.parts.values() for part in parts)

    def sums(self, partition: Partition) -> str:
        """Return the name of the files that hold the sums over a partition."""
        return f"{partition.game}-{self.parts[partition][0].first:09d}-all-{self.key}.parquet"

    @classmethod
    def read(cls, text: str, name: object) -> Self:
        """Parse a manifest.

        Raises `WarehouseError`, with `name` in the message, if the text is invalid or in another format.
        """
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
        """Return the manifest as JSON, for `read`."""
        partitions = [
            {"game": key.game, "tournament": key.tournament, "sums": self.sums(key), "parts": [*map(asdict, parts)]}
            for key, parts in sorted(self.parts.items(), key=lambda item: item[0].order)
        ]
        return json.dumps({"format": FORMAT, "key": self.key, "partitions": partitions}, indent=1) + "\n"

    def write(self, file: Path) -> None:
        """Write the manifest to a new file, and sync it to the disk."""
        file.write_text(self.text(), encoding="utf-8")
        sync(as_usual(file))


def _of_another_format(found: object) -> str:
    if isinstance(found, int) and found < FORMAT:
        return f"a lake of an earlier himalaya (format {found}); remove it and write it again, or name another folder"
    return f"a lake of a newer himalaya (format {found}); name another folder, or install that version"


OF_WAREHOUSE: Final = "of_warehouse.md"
OF_LOGS: Final = "of_logs.md"
"""Pages with the part of the README that depends on the source of the lake."""
DERIVED: Final = "_derived"
"""Folder that only a lake made from logs has: results of its runs."""


OF_THE_PART: Final = ("game", "tournament")
"""Columns added to every table of a lake if the table of the warehouse lacks them."""
COHORT: Final = "cohort"
"""Column with cohort numbers, which are valid only in one warehouse; a lake has a digest instead."""
COHORTS: Final = "dim_cohorts"
NAMED: Final = "lake_cohorts.key AS cohort"
KEY_DIGITS: Final = 32
PLAIN: Final = re.compile(r"(INTEGER|BIGINT|BOOLEAN|DOUBLE|VARCHAR|BLOB|TIMESTAMP)(\[\])*")
"""Pattern for types that every reader supports; all other types are written as texts."""


@dataclass(frozen=True, slots=True)
class LakeTable:
    """A table of the lake: its description, the columns that identify a row, and the selected columns.

    A table that is only another name of a table (`same_as`) has no files.
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
        """Return whether the table has a row per cohort, with sums over all matches of a game and tournament."""
        return self.grain[0] == COHORT

    def of(self, part: Segment) -> str:
        """Return the query for the rows of the matches in the frame `lake_part`.

        The frame also has the columns `OF_THE_PART`.
        """
        where = f"match_id BETWEEN {part.first} AND {part.last}"
        return self._query(f"(FROM {self.name} WHERE {where}) JOIN lake_part USING (match_id)")

    def summed(self) -> str:
        """Return the query for the rows of the cohorts in the frame `lake_part`.

        The frame also has the columns `OF_THE_PART`.
        """
        return self._query(f"{self.name} JOIN lake_part USING (cohort)")

    def _query(self, source: str) -> str:
        """Return a query that identifies cohorts by their digests, from the frame `lake_cohorts`."""
        named = " LEFT JOIN lake_cohorts USING (cohort)" if self.has_cohort else ""
        first = ", ".join(f"lake_part.{name}" for name in OF_THE_PART)
        return f"SELECT {first}, {self.columns} FROM {source}{named} ORDER BY {', '.join(self.grain)}"


def cohorts(connection: duckdb.DuckDBPyConnection) -> "pl.DataFrame":
    """Return all cohorts with columns `cohort` (number here), `key` (digest of all fields), `game` and `tournament`."""
    import polars as pl  # others ask this module only whether a folder is a lake

    names = [name for name, *_ in connection.execute(f"DESCRIBE {COHORTS}").fetchall() if name != COHORT]
    told = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in names)
    key = f"left(sha256(to_json([{told}])::VARCHAR), {KEY_DIGITS})"
    found = connection.execute(f"SELECT cohort, {key}, game, tournament FROM {COHORTS}").fetchall()
    texts = dict.fromkeys(("key", "game", "tournament"), pl.String)
    return pl.DataFrame(found, schema={"cohort": pl.Int32, **texts}, orient="row")


def tables_of_lake(connection: duckdb.DuckDBPyConnection) -> Iterator[LakeTable]:
    """Yield the tables of a lake: all tables about matches or cohorts; views of marts become tables."""
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
    """Return the SQL for a column, converted to a type that every reader supports."""
    if column == COHORT:
        return NAMED
    if PLAIN.fullmatch(kind):
        return f'"{column}"'
    lists = re.search(r"(\[\])*$", kind)
    return f'CAST("{column}" AS VARCHAR{lists[0] if lists else ""}) AS "{column}"'


def shape_of(tables: Sequence[LakeTable]) -> str:
    """Return a digest that changes when the tables or their columns change."""
    told = [(table.name, table.columns, table.grain) for table in tables]
    return hashlib.sha256(repr((SCHEMA_VERSION, told)).encode()).hexdigest()


def readme(tables: Sequence[LakeTable], lake: str, where: str, holds: str, source: str) -> str:
    """Return the README of a lake; `lake` is its address in the examples.

    `where` describes where the lake is. `holds` names the page about guarantees for readers there, and `source` the
    page about the lake's source.
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
    """Raise `WarehouseError` if an existing lake with these tables was made from a different kind of source."""
    if tables and (DERIVED in tables) != (source == OF_LOGS):
        by = "himalaya derive` from logs" if DERIVED in tables else "himalaya lake` from a database"
        raise WarehouseError(f"{lake}: a lake written by `{by}; name another folder")
