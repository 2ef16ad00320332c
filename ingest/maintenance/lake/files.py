"""Files of a lake made from a warehouse: the rows of some matches, or sums over them, table by table."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from ingest.maintenance.lake.parts import Partition, Segment
from ingest.maintenance.lake.tables import LakeTable, cohorts, shape_of, tables_of_lake
from ingest.quoting import quoted

__all__ = ["LakeFiles"]

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
    """The data of a warehouse for a lake; each file is made in a `scratch` folder and then `put` under its names.

    It reads from `connection`. `tables` are those with their own files; `count` and `size` (bytes) cover the files put
    so far.
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
        """Return the ids of the matches, in order, and a key: a digest of all that the rows of tables depend on."""
        found: dict[Partition, list[int]] = {}
        made_from = hashlib.sha256(shape_of(self.tables).encode())
        for game, tournament, match_id, digest in self.connection.execute(MATCHES).fetchall():
            found.setdefault(Partition(game, tournament), []).append(match_id)
            made_from.update(repr((game, tournament, match_id, digest)).encode())
        return found, made_from.hexdigest()[:DIGITS]

    def of_game(self, game: str) -> list[LakeTable]:
        """Return the tables in which matches of a game have rows."""
        return [table for table in self.tables if table.game in {None, game}]

    def put_part(self, key: Partition, part: Segment, matches: Sequence[int]) -> None:
        """Put the files of a part of the `matches` of a partition, except for sums."""
        ids = [number for number in matches if part.first <= number <= part.last]
        texts = {"game": pl.lit(key.game, pl.String), "tournament": pl.lit(key.tournament, pl.String)}
        frame = pl.DataFrame({"match_id": ids}, schema={"match_id": pl.Int32}).with_columns(**texts)
        tables = (table for table in self.of_game(key.game) if not table.is_sums)
        self._put_all({table.name: table.of(part) for table in tables}, frame, part.file)

    def put_sums(self, key: Partition, file: str) -> None:
        """Put the files of sums over all matches of a partition."""
        of_it = (pl.col("game") == key.game) & pl.col("tournament").eq_missing(pl.lit(key.tournament, pl.String))
        self._put_sums(self._cohorts.filter(of_it), file, self.of_game(key.game))

    def put_all_sums(self, file: str) -> None:
        """Put the files of sums over the matches of each partition, with all partitions together."""
        self._put_sums(self._cohorts, file, self.tables)

    def put_query(self, table: str, query: str, file: str) -> None:
        """Put the result of a query as a file of a table."""
        made = self._scratch / table
        self.connection.execute(f"COPY ({query}) TO {quoted(made)} ({FORMAT})")
        self.count += 1
        self.size += made.stat().st_size
        self._put(table, file, made)

    def _put_sums(self, cohorts: pl.DataFrame, file: str, tables: Iterable[LakeTable]) -> None:
        queries = {table.name: table.summed() for table in tables if table.is_sums}
        self._put_all(queries, cohorts.select("cohort", "game", "tournament"), file)

    def _put_all(self, queries: dict[str, str], frame: pl.DataFrame, file: str) -> None:
        """Put the result of a query for each table, with the frame as `lake_part`."""
        self.connection.register("lake_part", frame)
        self.connection.register("lake_cohorts", self._cohorts.select("cohort", "key"))
        for table, query in queries.items():
            self.put_query(table, query, file)
        self.connection.unregister("lake_part")
        self.connection.unregister("lake_cohorts")
