"""Divides logs into shares, and derives a share: one task that loads its logs and writes files of a lake."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
import polars as pl

from ingest.errors import WarehouseError
from ingest.files import sync
from ingest.load.summary import Summary
from ingest.maintenance.derive.logs import DIGEST, Log, at_hand
from ingest.maintenance.lake.tables import LakeTable, Manifest, parts_of
from ingest.maintenance.lake.write import LakeFiles
from ingest.maintenance.rewrite import explained
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse

__all__ = ["MOST", "QUARANTINE", "SUMS", "Done", "Job", "Share", "clear", "derive_share", "quarantine_of", "shares_of"]


MOST: Final = 5_000
"""Maximum matches in a share, unless more logs must be loaded together: as many as in a full file of a lake."""
MOST_IDS: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Share:
    """Logs that one task loads together, in order. They have at most `names` matches, with ids from `first`."""

    first: int
    names: int
    logs: tuple[Log, ...]

    def key(self, about: str) -> str:
        """Return a digest of all that the rows depend on; `about` is the digest of the facts common to all shares."""
        return hashlib.sha256(f"{about} {self!r}".encode(errors="surrogateescape")).hexdigest()[:20]


def shares_of(logs: Sequence[Log], found: Sequence[tuple[bytes, bytes]], workers: int) -> list[Share]:
    """Divide the logs into shares, two per worker; logs with a match in common stay in one share.

    `found` is the result of `names_in` for each log. Raises `WarehouseError` if there are more match names than ids.
    """
    counts = [len(names) // DIGEST for names, _ in found]
    if sum(counts) > MOST_IDS:
        raise WarehouseError(
            f"the logs name {sum(counts):,} matches, more than {MOST_IDS:,}; derive them in several lakes"
        )
    most = min(MOST, -(-sum(counts) // (2 * workers)))
    shares, first = list[Share](), 1
    for some in _filled(_together([names + ends for names, ends in found]), counts, most):
        size = sum(counts[place] for place in some)
        shares.append(Share(first, size, tuple(logs[place] for place in some)))
        first += size
    return shares


def _filled(groups: Iterable[list[int]], counts: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield shares, each as sorted indices of logs; groups are combined as long as they have at most `most` names."""
    share, size = list[int](), 0
    for group in groups:
        more = sum(counts[place] for place in group)
        if share and size + more > most:
            yield sorted(share)
            share, size = [], 0
        share += group
        size += more
    if share:
        yield sorted(share)


def _together(names: Sequence[bytes]) -> list[list[int]]:
    """Return the indices of logs in groups: logs with a name or final state in common are in the same group.

    The groups are ordered by their first log.
    """
    leads = list(range(len(names)))

    def lead(place: int) -> int:
        while leads[place] != place:
            leads[place] = place = leads[leads[place]]
        return place

    for places in _shared(names):
        ends = [lead(place) for place in places]
        for end in ends:
            leads[end] = min(ends)
    groups: dict[int, list[int]] = {}
    for place in range(len(names)):
        groups.setdefault(lead(place), []).append(place)
    return list(groups.values())


def _shared(names: Sequence[bytes]) -> list[list[int]]:
    """Return, for each digest that several logs have, the indices of these logs."""
    counts = np.array([len(each) // DIGEST for each in names], dtype=np.int64)
    frame = pl.DataFrame(
        {
            "log": np.repeat(np.arange(len(names), dtype=np.uint32), counts),
            "name": np.frombuffer(b"".join(names), dtype=np.uint64),
        }
    )
    shared = frame.filter(pl.col("name").is_duplicated())
    return shared.group_by("name").agg("log").get_column("log").unique().to_list()


COLUMNS: Final = "file, line, match, reason, message, size, sha256"
QUARANTINE: Final = LakeTable(
    "quarantine", "one row per line or match that was not taken, and why", ("file", "line"), COLUMNS, None
)
"""The only table that is not about matches: the quarantine, as there is no warehouse to query for it."""
OPEN: Final = f"SELECT {COLUMNS} FROM quarantine WHERE resolved_in IS NULL ORDER BY file, line, quarantine_id"
HIGHEST: Final = "SELECT coalesce(max(match_id), 0) FROM raw_matches"
SUMS: Final = "sums.parquet"
"""Name of the file with a share's contribution to a table of sums, for all games and tournaments."""
MAKING: Final = "making-"
RESULT: Final = "result.json"
CHANGED: Final = "it changed while the logs were derived; run the same command again"


@dataclass(frozen=True, slots=True)
class Job:
    """A share to derive, and the folder `to` for its result."""

    to: Path
    share: Share
    tournament: str | None


@dataclass(frozen=True, slots=True)
class Done:
    """Result of a share: its parts of the lake, its files by table, their size in bytes, and the logs' summary."""

    manifest: Manifest
    files: list[tuple[str, str]]
    size: int
    summary: Summary

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Read the result of a share; `None` if it is missing or incomplete."""
        try:
            found = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        files = [(table, file) for table, file in found["files"]]
        if not all((folder / table / file).exists() for table, file in files):
            return None  # removing this share was interrupted
        return cls(Manifest.read(found["manifest"], folder), files, found["size"], Summary.read(found["summary"]))

    def write(self, folder: Path) -> None:
        """Write the result in the form that `read` parses."""
        manifest, summary = self.manifest.text(), self.summary.as_json()
        said = {"manifest": manifest, "files": self.files, "size": self.size, "summary": summary}
        (folder / RESULT).write_text(json.dumps(said), encoding="utf-8")
        sync(folder / RESULT)


def quarantine_of(folder: Path) -> str:
    """Return the name of the file with a share's quarantine."""
    return f"{folder.name}.parquet"


def clear(folder: Path) -> None:
    """Create the folder for shares, and remove the remains of killed workers from it."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{MAKING}*"):
        shutil.rmtree(left)


def derive_share(job: Job) -> str | None:
    """Derive a share into its folder, unless its result exists; return the reason for a failure, if any."""
    if Done.read(job.to):
        return None
    shutil.rmtree(job.to, ignore_errors=True)  # remains of an interrupted attempt
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
    with suppress(OSError):  # another worker has already written the same result
        whole.rename(job.to)


def _loaded(warehouse: Warehouse, job: Job, scratch: Path) -> Summary:
    """Load the logs of a share as `ingest` does. Raises an error if they have changed since they were found."""
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
    """The files of a share, in a folder with a subfolder for each table."""

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
