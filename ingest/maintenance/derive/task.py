"""The task for one share of the logs: loads it into a separate warehouse, and writes it as files of the lake.

Any process that sees logs and lake by the same paths can do it, and several may do the same. Each works in a separate
folder, which takes the name of the share when it is complete. Readers of the lake do not see it.
"""

import json
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from ingest.errors import WarehouseError
from ingest.fsync import sync
from ingest.load.summary import Summary
from ingest.maintenance.derive.logs import Log, at_hand
from ingest.maintenance.derive.shares import Share
from ingest.maintenance.lake.files import LakeFiles
from ingest.maintenance.lake.parts import Manifest, parts_of
from ingest.maintenance.lake.tables import LakeTable
from ingest.maintenance.rewrite import explained
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse

__all__ = ["QUARANTINE", "SUMS", "Done", "Job", "clear", "derive_share", "quarantine_of"]

COLUMNS: Final = "file, line, match, reason, message, size, sha256"
QUARANTINE: Final = LakeTable(
    "quarantine", "one row per line or match that was not taken, and why", ("file", "line"), COLUMNS, None
)
"""The only table of such a lake that is not about matches: there is no warehouse to query."""
OPEN: Final = f"SELECT {COLUMNS} FROM quarantine WHERE resolved_in IS NULL ORDER BY file, line, quarantine_id"
HIGHEST: Final = "SELECT coalesce(max(match_id), 0) FROM raw_matches"
SUMS: Final = "sums.parquet"
"""The file with a share's part of a table of sums, for all games and tournaments."""
MAKING: Final = "making-"
RESULT: Final = "result.json"
CHANGED: Final = "it changed while the logs were derived; run the same command again"


@dataclass(frozen=True, slots=True)
class Job:
    """A share of the logs to be derived; its result will be the folder `to`."""

    to: Path
    share: Share
    tournament: str | None


@dataclass(frozen=True, slots=True)
class Done:
    """Result of a share: its parts of the lake, its files by table, their bytes, and the summary of its logs."""

    manifest: Manifest
    files: list[tuple[str, str]]
    size: int
    summary: Summary

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Read the result of a share, `None` if it is not finished or incomplete."""
        try:
            found = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        files = [(table, file) for table, file in found["files"]]
        if not all((folder / table / file).exists() for table, file in files):
            return None  # it was being removed
        return cls(Manifest.read(found["manifest"], folder), files, found["size"], Summary.read(found["summary"]))

    def write(self, folder: Path) -> None:
        """Write the result in the form that `read` accepts."""
        manifest, summary = self.manifest.text(), self.summary.as_json()
        said = {"manifest": manifest, "files": self.files, "size": self.size, "summary": summary}
        (folder / RESULT).write_text(json.dumps(said), encoding="utf-8")
        sync(folder / RESULT)


def quarantine_of(folder: Path) -> str:
    """Return the name of the file with the rejected lines of a share."""
    return f"{folder.name}.parquet"


def clear(folder: Path) -> None:
    """Make the folder of shares, and remove the remains of killed workers in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{MAKING}*"):
        shutil.rmtree(left)


def derive_share(job: Job) -> str | None:
    """Derive a share of the logs into its folder, unless that exists; return the reason on failure, if any."""
    if Done.read(job.to):
        return None
    shutil.rmtree(job.to, ignore_errors=True)  # remains of an incomplete one
    try:
        with (
            explained(job.to, job.to, so_far="what was derived before is kept"),
            tempfile.TemporaryDirectory(dir=job.to.parent, prefix=MAKING) as making,
        ):
            _derive(job, Path(making))
    except WarehouseError as error:
        return str(error)
    return None


def _derive(job: Job, making: Path) -> None:
    whole, scratch = making / "whole", making / "scratch"
    whole.mkdir()
    scratch.mkdir()
    with open_warehouse(making / "share.duckdb") as warehouse:
        summary = _loaded(warehouse, job, making)
        with warehouse.reading() as connection:
            files = _Files(whole)
            made = LakeFiles(connection, scratch, files.put)
            manifest = _put_files(made, job.to)
    Done(manifest, files.names, made.size, summary).write(whole)
    for folder in (*(path for path in whole.iterdir() if path.is_dir()), whole):
        sync(folder)
    with suppress(OSError):  # another worker was faster, with the same result
        whole.rename(job.to)


def _loaded(warehouse: Warehouse, job: Job, scratch: Path) -> Summary:
    """Load the logs of a share as `ingest` does, if they have not changed since planning."""
    share = job.share
    _require_unchanged(share.logs)
    with at_hand(share.logs, scratch) as files:
        names = {path: str(log.shown) for path, log in files.items() if log.is_in_bucket}
        request = Request(tuple(files), tournament=job.tournament, jobs=0, names=names, first_id=share.first)
        summary = take_in(warehouse, request, lambda _: None)
    _require_unchanged(share.logs)
    with warehouse.reading() as connection:
        ((highest,),) = connection.execute(HIGHEST).fetchall()
    assert highest < share.first + share.names, "more matches than names were read"
    return summary


def _require_unchanged(logs: Sequence[Log]) -> None:
    for log in logs:
        if log.has_changed:
            raise WarehouseError(f"{log.name}: {CHANGED}")


class _Files:
    """The files of a share, by table, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.names: list[tuple[str, str]] = []

    def put(self, table: str, file: str, made: Path) -> None:
        sync(made)
        (self._folder / table).mkdir(exist_ok=True)
        made.replace(self._folder / table / file)
        self.names.append((table, file))


def _put_files(files: LakeFiles, share: Path) -> Manifest:
    matches, _ = files.matches()
    manifest = Manifest(share.name, parts_of(matches, share.name))
    for partition, parts in manifest.parts.items():
        for part in parts:
            files.put_part(partition, part, matches[partition])
    files.put_all_sums(SUMS)
    files.put_query(QUARANTINE.name, OPEN, quarantine_of(share))
    return manifest
