"""Writes a warehouse as a lake: Parquet files by table, game and tournament, published together."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import polars as pl

from ingest.maintenance.lake.bucket import SCHEME
from ingest.maintenance.lake.folder import LakeFolder
from ingest.maintenance.lake.tables import (
    OF_WAREHOUSE,
    Files,
    LakeTable,
    Manifest,
    Partition,
    Segment,
    cohorts,
    parts_of,
    readme,
    refuse_another,
    shape_of,
    tables_of_lake,
)
from ingest.maintenance.rewrite import explained, one_at_a_time
from ingest.values import quoted
from ingest.warehouse import Report, Warehouse

if TYPE_CHECKING:
    from ingest.maintenance.lake.bucket import LakeBucket

__all__ = ["LakeFiles", "files_of", "publish", "write_lake"]


MATCHES: Final = """
SELECT
    game, about.tournament, match_id,
    left(sha256(CAST(ROW(match_id, match, bytes_sha256, file, first_line, raw.tournament, ingested_in,
        raw.verdict, raw.luck_verdict, raw.player_verdicts, raw.player_sources, raw.model, raw.looks,
        dim_reviews.model, not_valued, played_out, confirmed, is_copy) AS VARCHAR)), 32)
FROM raw_matches AS raw JOIN (SELECT match_id, game, tournament, is_copy FROM dim_matches) AS about USING (match_id)
LEFT JOIN dim_reviews USING (match_id)
LEFT JOIN (SELECT match_id, sum(samples) AS played_out FROM fct_playouts GROUP BY match_id) USING (match_id)
LEFT JOIN (SELECT match_id, string_agg(digest, '|' ORDER BY digest) AS confirmed FROM fct_confirmations GROUP BY ALL)
    USING (match_id)
ORDER BY match_id
"""
DIGITS: Final = 20
FORMAT: Final = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"


class LakeFiles:
    """Writes the files of a lake; each is made in a `scratch` folder and then passed to `put`.

    The data comes from `connection`. `tables` are the tables with separate files. `count` and `size` (bytes) cover
    the files written so far.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, scratch: Path, put: Callable[[str, str, Path], None]
    ) -> None:
        self.connection = connection
        self._scratch = scratch
        self._put = put
        self.all = list(tables_of_lake(connection))
        self.tables = [table for table in self.all if not table.same_as]
        self.count = self.size = 0
        self._cohorts = cohorts(connection)

    def matches(self) -> tuple[dict[Partition, list[int]], str]:
        """Return the sorted ids of the matches by partition, and a digest of all data that the rows depend on."""
        found: dict[Partition, list[int]] = {}
        made_from = hashlib.sha256(shape_of(self.tables).encode())
        for game, tournament, match_id, digest in self.connection.execute(MATCHES).fetchall():
            found.setdefault(Partition(game, tournament), []).append(match_id)
            made_from.update(repr((game, tournament, match_id, digest)).encode())
        return found, made_from.hexdigest()[:DIGITS]

    def of_game(self, game: str) -> list[LakeTable]:
        """Return the tables that can have rows of a game's matches."""
        return [table for table in self.tables if table.game in {None, game}]

    def put_part(self, key: Partition, part: Segment, matches: Sequence[int]) -> None:
        """Write the files of a segment of a partition's `matches`, except for sums."""
        ids = [number for number in matches if part.first <= number <= part.last]
        texts = {"game": pl.lit(key.game, pl.String), "tournament": pl.lit(key.tournament, pl.String)}
        frame = pl.DataFrame({"match_id": ids}, schema={"match_id": pl.Int32}).with_columns(**texts)
        tables = (table for table in self.of_game(key.game) if not table.is_sums)
        self._put_all({table.name: table.of(part) for table in tables}, frame, part.file)

    def put_sums(self, key: Partition, file: str) -> None:
        """Write the files of sums over all matches of a partition."""
        of_it = (pl.col("game") == key.game) & pl.col("tournament").eq_missing(pl.lit(key.tournament, pl.String))
        self._put_sums(self._cohorts.filter(of_it), file, self.of_game(key.game))

    def put_all_sums(self, file: str) -> None:
        """Write the sums over the matches of each partition, all partitions in one file per table."""
        self._put_sums(self._cohorts, file, self.tables)

    def put_query(self, table: str, query: str, file: str) -> None:
        """Write the result of a query as a file of a table."""
        made = self._scratch / table
        self.connection.execute(f"COPY ({query}) TO {quoted(made)} ({FORMAT})")
        self.count += 1
        self.size += made.stat().st_size
        self._put(table, file, made)

    def _put_sums(self, cohorts: pl.DataFrame, file: str, tables: Iterable[LakeTable]) -> None:
        queries = {table.name: table.summed() for table in tables if table.is_sums}
        self._put_all(queries, cohorts.select("cohort", "game", "tournament"), file)

    def _put_all(self, queries: dict[str, str], frame: pl.DataFrame, file: str) -> None:
        """Write the result of a query for each table; the queries may use `frame` as `lake_part`."""
        self.connection.register("lake_part", frame)
        self.connection.register("lake_cohorts", self._cohorts.select("cohort", "key"))
        for table, query in queries.items():
            self.put_query(table, query, file)
        self.connection.unregister("lake_part")
        self.connection.unregister("lake_cohorts")


def write_lake(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a lake of the warehouse in its present state, unless the lake is up to date: the operation `lake`.

    The argument `folder` is a path or `s3://BUCKET/PREFIX`. Returns the `matches` and `partitions` in the lake, and the
    numbers of `files` and `bytes` written.
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
    """Return the files that a lake with this manifest must have, by table."""
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
    """Publish exactly the expected files; `source` is the README page about the lake's source."""
    former = {table.name: table.same_as for table in tables if table.same_as}
    place.publish(manifest, expected, former)
    place.explain(readme(tables, place.name, place.where, place.holds, source))
