"""A lake from logs: sharing out the logs, collecting the results of workers, and publishing the lake in one step."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from himalaya_core import __version__
from himalaya_core.arena.manifest import SUFFIX
from himalaya_core.games import GAMES
from ingest.errors import WarehouseError
from ingest.load.records import Problem
from ingest.load.rejected import MOST_NAMED
from ingest.load.summary import Failure, Summary, counted
from ingest.maintenance.derive.logs import Log, logs_named
from ingest.maintenance.derive.names import names_in
from ingest.maintenance.derive.shares import shares_of
from ingest.maintenance.derive.sums import put_sums
from ingest.maintenance.derive.task import QUARANTINE, Done, Job, clear, derive_share, quarantine_of
from ingest.maintenance.derive.workers import Workers
from ingest.maintenance.lake.files import LakeFiles
from ingest.maintenance.lake.folder import LakeFolder
from ingest.maintenance.lake.parts import Manifest, Parts
from ingest.maintenance.lake.tables import DERIVED, OF_LOGS, LakeTable, refuse_another, shape_of
from ingest.maintenance.lake.write import files_of, publish
from ingest.maintenance.rewrite import explained
from ingest.read.discover import Found
from ingest.tables.definitions import create_tables
from ingest.warehouse import IN_MEMORY, Report, Warehouse

__all__ = ["Derived", "derive"]

DIGITS: Final = 20
LOGS_AT_ONCE: Final = 64
"""Logs per task that reads names."""
COUNTED: Final = (
    *("files", "matches", "completed", "events", "skipped", "put_aside"),
    *("known", "forgotten", "dropped", "resolved", "named"),
)
AGAIN: Final = "what was derived so far is kept; run the same command again"


@dataclass(frozen=True, slots=True)
class Derived:
    """Result of a run: of the logs, and of the writing; `is_new` unless all of it was there before."""

    summary: Summary
    matches: int
    shares: int
    size: int
    is_new: bool = True


def derive(
    sources: Sequence[str | Path],
    lake: Path,
    workers: Workers,
    *,
    tournament: str | None = None,
    report: Report = lambda _: None,
) -> Derived:
    """Make a lake of the matches in logs, given as files, folders, patterns, or `s3://BUCKET/PREFIX`.

    Matches without a tournament in their log belong to the given one. The figures equal those of one warehouse into
    which all logs were loaded together, for any distribution of the work. Readers see all of it at the end, nothing
    before; a stopped run is continued by the next. Raises `WarehouseError` with a one-line reason on failure.
    """
    logs, found = logs_named([str(source) for source in sources])
    place = LakeFolder(lake)
    with explained(lake, lake, so_far=AGAIN), place.held(), _empty() as warehouse, warehouse.reading() as connection:
        files = LakeFiles(connection, place.scratch, place.put)
        about = _digest(__version__, _rules(), shape_of(files.tables), tournament, _manifests(logs))
        if before := _record(place, files.tables, key := _digest(about, logs)):
            return before
        shares = shares_of(logs, _names(logs, workers, report), workers.count)
        clear(place.aside)
        jobs = [Job(place.aside / share.key(about), share, tournament) for share in shares]
        _work(jobs, workers, report)
        return _published(place, files, jobs, found, key)


@contextmanager
def _empty() -> Iterator[Warehouse]:
    """Yield a warehouse in memory, with tables that define those of a lake."""
    with Warehouse(IN_MEMORY) as warehouse:
        with warehouse.writing() as connection:
            create_tables(connection)
        yield warehouse


def _digest(*about: object) -> str:
    return hashlib.sha256(repr(about).encode(errors="surrogateescape")).hexdigest()[:DIGITS]


def _rules() -> list[tuple[str, str]]:
    return [(game.name, game.rules_version) for game in GAMES.values()]


def _manifests(logs: Sequence[Log]) -> list[Log]:
    """Return the tournament manifests next to the logs, which have facts about their matches."""
    folders = {log.shown.parent for log in logs if not log.is_in_bucket}
    return [Log.found(path) for folder in sorted(folders) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def _record(place: LakeFolder, tables: Sequence[LakeTable], key: str) -> Derived | None:
    """Return the result of an earlier run on the same logs; `None` if the lake is new, has others, or lacks a file."""
    refuse_another(place.folder, place.tables, OF_LOGS)
    text = place.shown(DERIVED, f"{key}.json")
    manifest = place.manifest()
    if text is None or manifest is None or not place.is_whole(files_of(tables, manifest)):
        return None
    place.tidy()
    kept = json.loads(text)
    return Derived(Summary.read(kept["summary"]), kept["matches"], kept["shares"], kept["size"], is_new=False)


def _names(logs: Sequence[Log], workers: Workers, report: Report) -> list[tuple[bytes, bytes]]:
    """Return the digests of the names in each log, and of the ends."""
    given = [logs[at : at + LOGS_AT_ONCE] for at in range(0, len(logs), LOGS_AT_ONCE)]
    found: list[list[tuple[bytes, bytes]]] = [[] for _ in given]
    done = 0
    for place, answer in workers.answers(names_in, given):
        found[place] = answer
        done += len(answer)
        report({"what": "reading names", "done": done, "total": len(logs)})
    return [digests for some in found for digests in some]


def _work(jobs: Sequence[Job], workers: Workers, report: Report) -> None:
    """Derive all shares. Raises `WarehouseError` with the first that fails."""
    total, done = sum(job.share.names for job in jobs), 0
    report({"what": "deriving", "done": 0, "total": total})
    for place, problem in workers.answers(derive_share, jobs):
        if problem:
            raise WarehouseError(problem)
        done += jobs[place].share.names
        report({"what": "deriving", "done": done, "total": total})


def _published(place: LakeFolder, files: LakeFiles, jobs: Sequence[Job], found: Found, key: str) -> Derived:
    """Combine the results of the shares, and publish the lake."""
    shares = {job.to: _outcome(job) for job in jobs}
    parts: Parts = {}
    for done in shares.values():
        for partition, some in done.manifest.parts.items():
            parts[partition] = (*parts.get(partition, ()), *some)
    manifest, before = Manifest(key, parts), place.manifest()
    if before and before.matches and not parts:
        gone = f"the logs have no valid match, and the lake has {counted(before.matches, 'match', 'es')}"
        raise WarehouseError(f"{place.folder}: {gone}; nothing was changed. To empty the lake, remove it")
    summary = _summary([done.summary for done in shares.values()], found)
    expected = {
        **files_of(files.tables, manifest),
        QUARANTINE.name: frozenset(map(quarantine_of, shares)),
        DERIVED: frozenset({f"{key}.json"}),
    }
    place.begin(expected)
    for folder, done in shares.items():
        for table, file in done.files:
            if file in expected.get(table, ()):
                place.take(table, file, folder / table / file)
    put_sums(files, manifest, list(shares))
    size = sum(done.size for done in shares.values()) + files.size
    made = place.scratch / DERIVED
    kept = {"summary": summary.as_json(), "matches": manifest.matches, "shares": len(jobs), "size": size}
    made.write_text(json.dumps(kept), encoding="utf-8")
    place.put(DERIVED, f"{key}.json", made)
    publish(place, [*files.all, QUARANTINE], manifest, expected, OF_LOGS)
    return Derived(summary, manifest.matches, len(jobs), size)


def _outcome(job: Job) -> Done:
    done = Done.read(job.to)
    if done is None:
        raise WarehouseError(f"{job.to}: missing, though a worker wrote it; all workers need the lake under this path")
    return done


def _summary(parts: Sequence[Summary], found: Found) -> Summary:
    """Return the summary for all logs, given that of each share."""
    counts: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in COUNTED}
    counts["files"] += len(found.failed)
    problems = sorted((each for part in parts for each in part.quarantined), key=_place_of)
    failed = [Failure(error.path, error.reason) for error in found.failed]
    failed += [each for part in parts for each in part.failed]
    failed = list(dict.fromkeys(failed))  # an unreadable manifest is next to the logs of many shares
    first = tuple(problems[:MOST_NAMED])
    return Summary(
        **counts, quarantined=first, unfinished=found.unfinished, failed=tuple(failed), archives=found.archives
    )


def _place_of(problem: Problem) -> tuple[tuple[str, ...], int]:
    return problem.file.parts, problem.line
