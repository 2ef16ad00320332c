"""Writes the warehouse as a lake: Parquet files by table, game and tournament, published in one step."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from ingest.maintenance.buckets import SCHEME
from ingest.maintenance.lake.files import LakeFiles
from ingest.maintenance.lake.folder import LakeFolder
from ingest.maintenance.lake.parts import Files, Manifest, parts_of
from ingest.maintenance.lake.tables import OF_WAREHOUSE, LakeTable, readme, refuse_another
from ingest.maintenance.rewrite import explained, one_at_a_time
from ingest.warehouse import Report, Warehouse

if TYPE_CHECKING:
    from ingest.maintenance.lake.bucket import LakeBucket

__all__ = ["files_of", "publish", "write_lake"]


def write_lake(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a lake of the warehouse as it is now, unless it is up to date: the operation `lake`.

    The argument `folder` is a path or `s3://BUCKET/PREFIX`. Returns `matches` and `partitions` in the lake, and the
    number of `files` and `bytes` written.
    """
    address = arguments["folder"]
    place = _place(address)
    with (
        explained(Path(address), warehouse.database, so_far="the lake stays as it was"),
        one_at_a_time,
        place.held(),
        warehouse.reading() as connection,
    ):
        connection.begin()
        try:
            return _written(connection, place, report)
        finally:
            connection.rollback()


def _place(address: str) -> "LakeFolder | LakeBucket":
    if address.startswith(SCHEME):
        from ingest.maintenance.lake.bucket import LakeBucket

        return LakeBucket(address)
    return LakeFolder(Path(address))


def _written(connection: duckdb.DuckDBPyConnection, place: "LakeFolder | LakeBucket", report: Report) -> dict[str, Any]:
    files = LakeFiles(connection, place.scratch, place.put)
    before = place.manifest()
    if isinstance(place, LakeFolder):
        refuse_another(place.folder, place.tables, OF_WAREHOUSE)
    matches, key = files.matches()
    manifest = Manifest(key, parts_of(matches, key))
    expected = files_of(files.tables, manifest)
    if manifest == before and place.is_whole(expected):
        place.tidy()
    else:
        place.begin(expected)
        done = 0
        for partition, parts in manifest.parts.items():
            for part in parts:
                report({"what": "writing", "done": done, "total": manifest.matches})
                files.put_part(partition, part, matches[partition])
                done += part.matches
            files.put_sums(partition, manifest.sums(partition))
        publish(place, files.all, manifest, expected, OF_WAREHOUSE)
    counts = {"matches": manifest.matches, "partitions": len(manifest.parts)}
    return counts | {"files": files.count, "bytes": files.size}


def files_of(tables: Iterable[LakeTable], manifest: Manifest) -> Files:
    """Return the files that a lake is to have, by table."""
    tables = list(tables)
    files: dict[str, set[str]] = {}
    for key, parts in manifest.parts.items():
        for table in tables:
            if table.game in {None, key.game}:
                names = [manifest.sums(key)] if table.is_sums else [part.file for part in parts]
                files.setdefault(table.name, set()).update(names)
    return {table: frozenset(names) for table, names in files.items()}


def publish(
    place: "LakeFolder | LakeBucket", tables: Sequence[LakeTable], manifest: Manifest, expected: Files, source: str
) -> None:
    """Publish the files that were put, and no others; `source` is the README page about the lake's source."""
    former = {table.name: table.same_as for table in tables if table.same_as}
    place.publish(manifest, expected, former)
    place.explain(readme(tables, place.name, place.where, place.holds, source))
