"""The warehouse as a lake: Parquet files by table, of which a run writes only those that changed.

A run makes a list of the files that the lake is to have, writes those that are missing, and then has readers see them
all at once; what it wrote before it was killed the next run finds and need not write again.
"""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb

from ingest.care.buckets import SCHEME
from ingest.care.lake.files import LakeFiles
from ingest.care.lake.folder import LakeFolder
from ingest.care.lake.parts import Files, Manifest, Partition, Parts, planned
from ingest.care.lake.tables import OF_WAREHOUSE, LakeTable, readme, refuse_another, shape_of
from ingest.care.rewrite import one_at_a_time, told
from ingest.errors import WarehouseError
from ingest.warehouse import Report, Warehouse

if TYPE_CHECKING:
    from ingest.care.lake.bucket import LakeBucket

__all__ = ["files_of", "publish", "write_lake"]

ICEBERG: Final = "iceberg"


def write_lake(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Bring a lake up to date with the warehouse of this moment: the operation `lake`.

    Arguments: `folder`, a path or `s3://BUCKET/PREFIX`; `compact`, to put small parts together; `format`, which may
    be `iceberg` to register the tables. Returns `matches` and `partitions` in the lake, how many `files` and
    `bytes` were written, files `removed`, and tables `registered` anew.
    """
    address = arguments["folder"]
    registered = arguments.get("format") == ICEBERG
    place = _place(address, registered=registered)
    so_far = "what was written before is whole"
    with (
        told(Path(address), warehouse.database, so_far=so_far),
        one_at_a_time,
        place.held(),
        warehouse.reading() as connection,
    ):
        connection.begin()
        try:
            return _Run(connection, place, report).run(compact=arguments.get("compact", False), registered=registered)
        finally:
            connection.rollback()


def _place(address: str, *, registered: bool) -> "LakeFolder | LakeBucket":
    """Return where the lake is; `WarehouseError` if its tables can't be `registered` there."""
    if address.startswith(SCHEME):
        from ingest.care.lake.bucket import LakeBucket

        if registered:
            raise WarehouseError(
                f"{address}: only tables of a folder can be registered with Iceberg; leave out --format"
            )
        return LakeBucket(address)
    if registered and find_spec("pyiceberg") is None:
        raise WarehouseError("--format iceberg needs more than was installed: pip install 'himalaya[iceberg]'")
    return LakeFolder(Path(address))


class _Run:
    """One run: compares the lake with the warehouse, and writes and removes files where they differ."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, place: "LakeFolder | LakeBucket", report: Report) -> None:
        self._place = place
        self._report = report
        self._files = LakeFiles(connection, place.scratch, place.put)

    def run(self, *, compact: bool, registered: bool) -> dict[str, Any]:
        """Write what has changed, remove what is gone."""
        before = self._place.manifest() or Manifest()
        if isinstance(self._place, LakeFolder):
            refuse_another(self._place.folder, self._place.tables, OF_WAREHOUSE)
        tables, matches = self._files.tables, self._files.matches()
        wanted = planned(before.parts, shape_of(tables), matches, compact=compact)
        expected = files_of(tables, wanted)
        self._write(wanted, matches, self._place.prepare(expected))
        newly = 0
        if registered and isinstance(self._place, LakeFolder):
            expected = self._place.register(expected)
            newly = self._place.registered
        removed = publish(self._place, self._files.all, wanted, expected, OF_WAREHOUSE)
        count = sum(part.matches for parts in wanted.values() for part in parts)
        counts = {"matches": count, "partitions": len(wanted)}
        written = {"files": self._files.count, "bytes": self._files.size}
        return counts | written | {"removed": removed, "registered": newly}

    def _write(
        self, wanted: Parts, matches: dict[Partition, list[tuple[int, str]]], missing: dict[str, set[str]]
    ) -> None:
        names = set().union(*missing.values())
        todo = [(key, part) for key, parts in wanted.items() for part in parts if key.file(part) in names]
        total, done = sum(part.matches for _, part in todo), 0

        def lacking(key: Partition, file: str) -> list[LakeTable]:
            return [table for table in self._files.of_game(key.game) if file in missing.get(table.name, ())]

        for key, part in sorted(todo, key=lambda each: (each[0].order, each[1].first)):
            self._report({"what": "writing", "done": done, "total": total})
            self._files.put_part(key, part, matches[key], lacking(key, key.file(part)))
            done += part.matches
        for key, parts in wanted.items():
            file = key.sums(parts)
            if tables := lacking(key, file):
                self._files.put_sums(key, file, tables)


def files_of(tables: Iterable[LakeTable], wanted: Parts) -> Files:
    """Return the files that a lake is to have for its parts, by table."""
    tables = list(tables)
    files: dict[str, set[str]] = {}
    for key, parts in wanted.items():
        for table in tables:
            if table.game in {None, key.game}:
                names = [key.sums(parts)] if table.is_sums else map(key.file, parts)
                files.setdefault(table.name, set()).update(names)
    return {table: frozenset(names) for table, names in files.items()}


def publish(
    place: "LakeFolder | LakeBucket", tables: Sequence[LakeTable], parts: Parts, expected: Files, source: str
) -> int:
    """Have readers see the files that were put, and no others; return how many are gone.

    `source` is the page about what the lake is made from.
    """
    former = {table.name: table.same_as for table in tables if table.same_as}
    removed = place.publish(Manifest(parts), expected, former)
    place.explain(readme(tables, place.name, place.where, place.holds, source))
    return removed
