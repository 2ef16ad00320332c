"""Facts from tournament manifests: the sources of players, earlier interim analyses, the model named beforehand.

The manifest next to a log (`NAME.tournament.json`) has facts that the log lacks. The log of a built-in player names no
source. No log records that its tournament was extended, or the win probability model that was named before its first
match.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

import duckdb

from himalaya_core.arena.manifest import SUFFIX, looks_of, model_of, sources_of
from himalaya_core.arena.plan import TournamentError
from himalaya_core.files import LogFileError
from ingest.arrow import table_of
from ingest.load.summary import Failure

__all__ = ["Manifests"]

PLAYED: Final = """
SELECT DISTINCT file, started.tournament
FROM raw_matches SEMI JOIN batch USING (match_id) JOIN stg_match_started AS started USING (match_id)
WHERE started.tournament IS NOT NULL ORDER BY ALL
"""
SAID: Final[dict[str, str]] = dict.fromkeys(("file", "tournament", "sources", "looks", "model"), "VARCHAR")
NAMED: Final = """
UPDATE raw_matches SET player_sources = said.sources, looks = said.looks, model = said.model
FROM said JOIN stg_match_started AS started USING (tournament)
WHERE raw_matches.match_id = started.match_id AND raw_matches.file = said.file AND raw_matches.match_id IN (FROM batch)
"""

_Remarks = tuple[str | None, str | None, str | None]
"""Sources by player and interim analyses, as JSON; the digest of the model."""
NOTHING: Final[_Remarks] = (None, None, None)


class Manifests:
    """The manifests next to the logs of a run, each read once; `failed` are those that cannot be read."""

    def __init__(self) -> None:
        self.failed: list[Failure] = []
        self._read: dict[Path, _Remarks] = {}

    def write_down(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Store the facts of a manifest with each match of the table `batch`."""
        said = [
            (file, tournament, *remarks)
            for file, tournament in connection.execute(PLAYED).fetchall()
            if any(remarks := self._remarks(Path(file), tournament))
        ]
        if said:
            connection.register("said", table_of(SAID, said))
            connection.execute(NAMED)
            connection.unregister("said")

    def _remarks(self, log: Path, tournament: str) -> _Remarks:
        if not log.is_absolute() or "/" in tournament:
            return NOTHING
        path = log.with_name(f"{tournament}{SUFFIX}")
        if path not in self._read:
            self._read[path] = NOTHING
            with suppress(OSError, ValueError):  # the name is too long, or not valid for a file
                self._read[path] = self._manifest(path) if path.is_file() else NOTHING
        return self._read[path]

    def _manifest(self, path: Path) -> _Remarks:
        try:
            said, model = (sources_of(path), looks_of(path)), model_of(path)
        except (LogFileError, TournamentError) as error:
            self.failed.append(Failure(path, str(error).removeprefix(f"{path}: ").removeprefix(f"{path} is ")))
            return NOTHING
        sources, looks = (json.dumps(remark, sort_keys=True) if remark else None for remark in said)
        return sources, looks, model
