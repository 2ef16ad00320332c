"""Stores a small warehouse of a release, for later upgrade tests: `python -m tests.ingest.keep_version`."""

import os
import tempfile
from pathlib import Path
from typing import Final

import duckdb
import zstandard

from ingest.pipeline import ingest
from ingest.tables.definitions import SCHEMA_VERSION
from tests.ingest.helping import FOUR, THREE, VARIANTS, climbers_log, log, summit_log, write
from tests.once import FOLDER

VERSIONS: Final = Path(__file__).with_name("versions")
WITH_FILES: Final = ("raw_matches", "dim_matches", "ingested_files", "quarantine")
"""Tables with the names of log files."""


def keep(folder: Path) -> Path:
    """Load finished matches of all games, an unfinished and an invalid one; return the warehouse, compressed."""
    with tempfile.TemporaryDirectory() as scratch:
        logs, database = Path(scratch, "logs"), Path(scratch, "w.duckdb")
        logs.mkdir()
        caravan = [log("old.1", THREE), log("old.2", FOUR, options=VARIANTS)]
        write(logs / "a.jsonl", *caravan, summit_log("old.4"), climbers_log("old.5"))
        write(logs / "b.jsonl", log("old.3", FOUR)[:200])
        write(logs / "bad.jsonl", log("bad", THREE)[7:])
        ingest([logs], database, processes=0)
        with duckdb.connect(str(database)) as connection:
            for table in WITH_FILES:
                connection.execute(f"UPDATE {table} SET file = replace(file, $here, '')", {"here": f"{scratch}/"})
        kept = folder / f"schema-{SCHEMA_VERSION}.duckdb.zst"
        kept.write_bytes(zstandard.ZstdCompressor(level=19).compress(database.read_bytes()))
    return kept


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as share:
        os.environ[FOLDER] = share
        keep(VERSIONS)
