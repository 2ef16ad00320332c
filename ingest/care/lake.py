"""The warehouse as a lake: Parquet files by table, game and tournament, of which a run writes only those that changed.

The parts that a run will write are marked in the manifest first, and unmarked one by one as their files get their
names; so after a kill the next run finds what is left to do. A file gets its name once it is complete and on the disk.
"""

import fcntl
import hashlib
import os
import re
import shutil
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from ingest.care.lake_parts import MANIFEST, Manifest, Part, Partition, Parts, planned
from ingest.care.rewrite import one_at_a_time, told
from ingest.errors import WarehouseError
from ingest.fsync import sync
from ingest.private import as_usual
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables
from ingest.warehouse import Report, Warehouse

__all__ = ["write_lake"]

README: Final = "README.md"
WRITING: Final = "_writing"
PARTITIONED: Final = ("game", "tournament")
"""Columns that are in the names of folders instead of in the files."""
OF_THIS_WAREHOUSE: Final = ("cohort",)
"""Columns that name rows of tables which are not about single matches, and so not in a lake."""
PLAIN: Final = re.compile(r"(INTEGER|BIGINT|BOOLEAN|DOUBLE|VARCHAR|BLOB|TIMESTAMP)(\[\])*")
"""Types that every reader knows; all others are written as texts."""
OURS: Final = re.compile(r"part-\d+\.parquet")
MATCHES: Final = """
SELECT
    game, about.tournament, match_id,
    left(sha256(concat_ws('|', match_id, match, bytes_sha256, file, first_line, raw.tournament, ingested_in,
        raw.verdict, raw.luck_verdict, raw.player_verdicts, raw.player_sources, coalesce(raw.model, '-'),
        dim_reviews.model, not_valued)), 32)
FROM raw_matches AS raw JOIN (SELECT match_id, game, tournament FROM dim_matches) AS about USING (match_id)
LEFT JOIN dim_reviews USING (match_id)
ORDER BY match_id
"""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the lake: what a row is, the columns that name it, and what is selected for it.

    One that is another name of a table (`same_as`) has the same files, under a second name where the disk allows it.
    """

    name: str
    about: str
    grain: tuple[str, ...]
    columns: str
    game: str | None
    same_as: str | None = None

    def of(self, part: Part) -> str:
        """Return the query for the rows of the matches in `lake_part`."""
        where = f"match_id BETWEEN {part.first} AND {part.last}"
        return (
            f"SELECT {self.columns} FROM (FROM {self.name} WHERE {where}) SEMI JOIN lake_part USING (match_id) "
            f"ORDER BY {', '.join(self.grain)}"
        )


def write_lake(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Bring a lake up to date with the warehouse of this moment: the operation `lake`. Arguments: `folder`.

    Returns `matches` and `partitions` in the lake, and how many `files` and `bytes` were written and files `removed`.
    """
    folder = Path(arguments["folder"])
    database = warehouse.database
    so_far = "what was written before is whole"
    with told(folder, database, so_far=so_far), one_at_a_time, _to_ourselves(folder), warehouse.reading() as connection:
        connection.begin()
        try:
            return _Run(connection, folder, report).run()
        finally:
            connection.rollback()


@contextmanager
def _to_ourselves(folder: Path) -> Iterator[None]:
    """Make the folder if it is missing, and lock it against other runs."""
    if folder.exists() and not folder.is_dir():
        raise WarehouseError(f"{folder}: is not a folder; name another")
    _make(folder)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not (folder / MANIFEST).exists() and any(path.name != f".{MANIFEST}" for path in folder.iterdir()):
            raise WarehouseError(f"{folder}: has files in it, but is not a lake; name an empty folder")
        yield
    except BlockingIOError:
        raise WarehouseError(f"{folder}: another run writes this lake; let it finish") from None
    finally:
        os.close(descriptor)


def _make(folder: Path) -> None:
    """Make a folder that others may look into, and those above it, where they are missing."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        as_usual(made)


class _Run:
    """One run: compares the lake with the warehouse, and writes and removes files where they differ."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path, report: Report) -> None:
        self._connection = connection
        self._folder = folder
        self._report = report
        self._tables = list(_tables(connection))
        self._files = self._bytes = 0

    def run(self) -> dict[str, Any]:
        """Write what has changed, remove what is gone."""
        shape = self._shape()
        shutil.rmtree(self._folder / WRITING, ignore_errors=True)
        manifest = (Manifest.read(self._folder) or Manifest("")).of_shape(shape)
        self._ids = self._matches()
        wanted = planned(manifest, self._ids)
        changed = _changed(manifest.parts, wanted)
        if manifest.parts != wanted or not (self._folder / MANIFEST).exists():
            manifest.parts = {key: _in_doubt(parts, changed.get(key, ())) for key, parts in wanted.items()}
            manifest.write(self._folder)
            self._write(manifest, changed)
        removed = self._remove_strays(wanted)
        _write_readme(self._folder, self._tables)
        matches = sum(part.matches for parts in wanted.values() for part in parts)
        counts = {"matches": matches, "partitions": len(wanted)}
        return counts | {"files": self._files, "bytes": self._bytes, "removed": removed}

    def _shape(self) -> str:
        """Return a digest that changes with the tables."""
        tables = [(table.name, table.columns, table.grain) for table in self._tables]
        return hashlib.sha256(repr((SCHEMA_VERSION, tables)).encode()).hexdigest()

    def _matches(self) -> dict[Partition, list[tuple[int, str]]]:
        found: dict[Partition, list[tuple[int, str]]] = {}
        for game, tournament, match_id, digest in self._connection.execute(MATCHES).fetchall():
            found.setdefault(Partition(game, tournament), []).append((match_id, digest))
        return found

    def _write(self, manifest: Manifest, changed: Parts) -> None:
        total, done = sum(part.matches for parts in changed.values() for part in parts), 0
        for key, parts in changed.items():
            for part in parts:
                self._report({"what": "writing", "done": done, "total": total})
                self._write_part(key, part)
                known = manifest.parts[key]
                manifest.parts[key] = tuple(part if each.first == part.first else each for each in known)
                manifest.write(self._folder)
                done += part.matches

    def _write_part(self, key: Partition, part: Part) -> None:
        """Write the files of a part under temporary names, then rename them."""
        writing = self._folder / WRITING
        writing.mkdir(exist_ok=True)
        known = self._ids[key]
        start, stop = bisect_left(known, (part.first, "")), bisect_left(known, (part.last + 1, ""))
        ids = [number for number, _ in known[start:stop]]
        self._connection.register("lake_part", pl.DataFrame({"match_id": ids}, schema={"match_id": pl.Int32}))
        tables = [table for table in self._tables if table.game in {None, key.game}]
        for table in tables:
            if table.same_as:
                _give_second_name(writing / table.same_as, writing / table.name)
                continue
            new = str(writing / table.name).replace("'", "''")
            how = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
            self._connection.execute(f"COPY ({table.of(part)}) TO '{new}' ({how})")
            sync(writing / table.name)
        self._connection.unregister("lake_part")
        for table in tables:
            target = self._folder / table.name / key.folder
            _make(target)
            self._files += 1
            self._bytes += (writing / table.name).stat().st_size
            as_usual(writing / table.name).replace(target / part.file)
        writing.rmdir()

    def _remove_strays(self, wanted: Parts) -> int:
        """Remove files of parts that are no more, or of tables that are no more, and folders that are empty now."""
        expected = {
            self._folder / table.name / key.folder / part.file
            for key, parts in wanted.items()
            for part in parts
            for table in self._tables
            if table.game in {None, key.game}
        }
        removed = 0
        for file in list(self._folder.glob("*/game=*/tournament=*/part-*.parquet")):
            if OURS.fullmatch(file.name) and file not in expected:
                file.unlink()
                removed += 1
                with suppress(OSError):  # until one is not empty
                    for inside in list(file.parents)[:3]:
                        inside.rmdir()
        return removed


def _give_second_name(file: Path, name: Path) -> None:
    """Give a file a second name, or where files can't have two, make a copy."""
    try:
        os.link(file, name)
    except OSError:
        shutil.copyfile(file, name)
        sync(name)


def _changed(before: Parts, wanted: Parts) -> Parts:
    """Return the parts that are not in the lake as they are to be."""
    return {
        key: tuple(part for part in parts if part not in before.get(key, ()))
        for key, parts in sorted(wanted.items(), key=lambda item: item[0].folder)
        if parts != before.get(key, ())
    }


def _in_doubt(parts: tuple[Part, ...], changed: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(replace(part, digest=None) if part in changed else part for part in parts)


# --- What is in it


def _tables(connection: duckdb.DuckDBPyConnection) -> Iterator[_Table]:
    """Yield the tables of a lake: all about matches, events and marts, views of marts as tables."""
    sql = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name = current_database()"
    columns: dict[str, list[str]] = {}
    for table, column, kind in connection.execute(f"{sql} ORDER BY table_name, column_index").fetchall():
        if column not in PARTITIONED + OF_THIS_WAREHOUSE:
            columns.setdefault(table, []).append(_plain(column, kind))
    for made in sql_tables():
        if "match_id" in made.grain:
            yield _Table(made.name, made.about, made.grain, ", ".join(columns[made.name]), made.game, made.same_as)
    for table in event_tables():
        about = f"one row per event {table.event}"
        yield _Table(table.name, about, ("match_id", "seq"), ", ".join(columns[table.name]), table.game)


def _plain(column: str, kind: str) -> str:
    """Return what is selected for a column, in a type that every reader knows."""
    if PLAIN.fullmatch(kind):
        return f'"{column}"'
    lists = re.search(r"(\[\])*$", kind)
    return f'CAST("{column}" AS VARCHAR{lists[0] if lists else ""}) AS "{column}"'


def _write_readme(folder: Path, tables: list[_Table]) -> None:
    """Say in the lake what it is, unless it says so already."""
    in_order = sorted(tables, key=lambda table: table.name)
    rows = [f"| `{table.name}` | {table.about} | {', '.join(table.grain)} |" for table in in_order]
    text = (
        files("ingest.care").joinpath("lake_readme.md").read_text(encoding="utf-8").replace("TABLES", "\n".join(rows))
    )
    readme = folder / README
    if not readme.exists() or readme.read_text(encoding="utf-8") != text:
        new = folder / f".{README}"
        new.write_text(text, encoding="utf-8")
        as_usual(new).replace(readme)
