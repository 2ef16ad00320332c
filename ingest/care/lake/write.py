"""The warehouse as a lake: Parquet files by table, of which a run writes only those that changed.

A run makes a list of the files that the lake is to have, writes those that are missing, and then has readers see them
all at once; what it wrote before it was killed the next run finds and need not write again.
"""

from bisect import bisect_left
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import polars as pl

from ingest.care.lake.folder import LakeFolder
from ingest.care.lake.parts import SCHEME, Files, Manifest, Matches, Part, Partition, Parts, planned
from ingest.care.lake.tables import LakeTable, cohorts, readme, shape_of, tables_of_lake
from ingest.care.rewrite import one_at_a_time, told
from ingest.errors import WarehouseError
from ingest.warehouse import Report, Warehouse

if TYPE_CHECKING:
    from ingest.care.lake.bucket import LakeBucket

__all__ = ["write_lake"]

ICEBERG: Final = "iceberg"
MATCHES: Final = """
SELECT
    game, about.tournament, match_id,
    left(sha256(concat_ws('|', match_id, match, bytes_sha256, file, first_line, raw.tournament, ingested_in,
        raw.verdict, raw.luck_verdict, raw.player_verdicts, raw.player_sources, coalesce(raw.model, '-'),
        dim_reviews.model, not_valued, played_out)), 32)
FROM raw_matches AS raw JOIN (SELECT match_id, game, tournament FROM dim_matches) AS about USING (match_id)
LEFT JOIN dim_reviews USING (match_id)
LEFT JOIN (SELECT match_id, sum(samples) AS played_out FROM fct_playouts GROUP BY match_id) USING (match_id)
ORDER BY match_id
"""


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
        self._connection = connection
        self._place = place
        self._report = report
        self._all = list(tables_of_lake(connection))
        self._tables = [table for table in self._all if not table.same_as]
        self._files = self._bytes = 0

    def run(self, *, compact: bool, registered: bool) -> dict[str, Any]:
        """Write what has changed, remove what is gone."""
        before = self._place.manifest() or Manifest()
        self._cohorts = cohorts(self._connection)
        matches = self._matches()
        wanted = planned(before.parts, shape_of(self._tables), matches, compact=compact)
        expected = self._files_of(wanted)
        self._write(wanted, matches, self._place.prepare(expected))
        newly = 0
        if registered and isinstance(self._place, LakeFolder):
            expected = self._place.register(expected)
            newly = self._place.registered
        former = {table.name: table.same_as for table in self._all if table.same_as}
        removed = self._place.publish(Manifest(wanted), expected, former)
        self._place.explain(readme(self._all, self._place.name, self._place.where, self._place.holds))
        count = sum(part.matches for parts in wanted.values() for part in parts)
        counts = {"matches": count, "partitions": len(wanted)}
        return counts | {"files": self._files, "bytes": self._bytes, "removed": removed, "registered": newly}

    def _matches(self) -> dict[Partition, list[tuple[int, str]]]:
        found: dict[Partition, list[tuple[int, str]]] = {}
        for game, tournament, match_id, digest in self._connection.execute(MATCHES).fetchall():
            found.setdefault(Partition(game, tournament), []).append((match_id, digest))
        return found

    def _files_of(self, wanted: Parts) -> Files:
        """Return the files that the lake is to have."""
        files: dict[str, set[str]] = {}
        for key, parts in wanted.items():
            for table in self._of_game(key.game):
                names = [key.sums(parts)] if table.is_sums else map(key.file, parts)
                files.setdefault(table.name, set()).update(names)
        return {table: frozenset(names) for table, names in files.items()}

    def _of_game(self, game: str) -> list[LakeTable]:
        return [table for table in self._tables if table.game in {None, game}]

    def _write(
        self, wanted: Parts, matches: dict[Partition, list[tuple[int, str]]], missing: dict[str, set[str]]
    ) -> None:
        names = set().union(*missing.values())
        todo = [(key, part) for key, parts in wanted.items() for part in parts if key.file(part) in names]
        total, done = sum(part.matches for _, part in todo), 0
        for key, part in sorted(todo, key=lambda each: (each[0].order, each[1].first)):
            self._report({"what": "writing", "done": done, "total": total})
            file = key.file(part)
            tables = [table for table in self._of_game(key.game) if file in missing.get(table.name, ())]
            self._write_part(key, part, matches[key], tables)
            done += part.matches
        for key, parts in wanted.items():
            file = key.sums(parts)
            if tables := [table for table in self._of_game(key.game) if file in missing.get(table.name, ())]:
                self._write_sums(key, file, tables)

    def _write_part(self, key: Partition, part: Part, matches: Matches, tables: list[LakeTable]) -> None:
        """Write the files of a part, each into the scratch folder first."""
        start, stop = bisect_left(matches, (part.first, "")), bisect_left(matches, (part.last + 1, ""))
        ids = [number for number, _ in matches[start:stop]]
        texts = {"game": pl.lit(key.game, pl.String), "tournament": pl.lit(key.tournament, pl.String)}
        frame = pl.DataFrame({"match_id": ids}, schema={"match_id": pl.Int32}).with_columns(**texts)
        self._copy({table.name: table.of(part) for table in tables}, frame, key.file(part))

    def _write_sums(self, key: Partition, file: str, tables: list[LakeTable]) -> None:
        """Write the files of what is summed up over all parts of a partition."""
        of_it = (pl.col("game") == key.game) & pl.col("tournament").eq_missing(pl.lit(key.tournament, pl.String))
        frame = self._cohorts.filter(of_it).select("cohort", "game", "tournament")
        self._copy({table.name: table.summed() for table in tables}, frame, file)

    def _copy(self, queries: dict[str, str], frame: pl.DataFrame, file: str) -> None:
        """Write the result of a query for each table, with the frame as `lake_part`."""
        self._connection.register("lake_part", frame)
        self._connection.register("lake_cohorts", self._cohorts.select("cohort", "key"))
        for table, query in queries.items():
            made = self._place.scratch / table
            new = str(made).replace("'", "''")
            how = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
            self._connection.execute(f"COPY ({query}) TO '{new}' ({how})")
            self._files += 1
            self._bytes += made.stat().st_size
            self._place.put(table, file, made)
        self._connection.unregister("lake_part")
        self._connection.unregister("lake_cohorts")
