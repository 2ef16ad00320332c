"""What players were made of, as the manifests of their tournaments say.

The log of a player that ships names no source; the manifest that lies beside the log does (`NAME.tournament.json`).
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from himalaya_core.arena.manifest import SUFFIX, sources_of
from himalaya_core.arena.plan import TournamentError
from himalaya_core.files import LogFileError
from ingest.load.summary import Failure

__all__ = ["Manifests"]

PLAYED: Final = """
SELECT DISTINCT file, started.tournament
FROM raw_matches SEMI JOIN batch USING (match_id) JOIN stg_match_started AS started USING (match_id)
WHERE started.tournament IS NOT NULL ORDER BY ALL
"""
NAMED: Final = """
UPDATE raw_matches SET player_sources = said.sources
FROM said JOIN stg_match_started AS started USING (tournament)
WHERE raw_matches.match_id = started.match_id AND raw_matches.file = said.file AND raw_matches.match_id IN (FROM batch)
"""


class Manifests:
    """The manifests beside the logs of a run, each read once; `failed` are those that cannot be read."""

    def __init__(self) -> None:
        self.failed: list[Failure] = []
        self._read: dict[Path, str | None] = {}

    def name_sources(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Write down with each match of the table `batch` what its players were made of, if a manifest says so."""
        said = [
            (file, tournament, sources)
            for file, tournament in connection.execute(PLAYED).fetchall()
            if (sources := self._sources(Path(file), tournament))
        ]
        if said:
            connection.register("said", pl.DataFrame(said, schema=["file", "tournament", "sources"], orient="row"))
            connection.execute(NAMED)
            connection.unregister("said")

    def _sources(self, log: Path, tournament: str) -> str | None:
        """Return the sources by player as JSON; `None` if there is no manifest, as for logs from elsewhere."""
        if not log.is_absolute() or "/" in tournament:
            return None
        path = log.with_name(f"{tournament}{SUFFIX}")
        if path not in self._read:
            self._read[path] = None
            with suppress(OSError, ValueError):  # a name too long, or one that no file can have
                self._read[path] = self._manifest(path) if path.is_file() else None
        return self._read[path]

    def _manifest(self, path: Path) -> str | None:
        try:
            sources = sources_of(path)
        except (LogFileError, TournamentError) as error:
            self.failed.append(Failure(path, str(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")))
            return None
        return json.dumps(sources, sort_keys=True) if sources else None
