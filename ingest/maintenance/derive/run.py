"""Derives a lake from logs: divides them among workers, combines their results, and publishes the lake in one step."""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

import duckdb

from himalaya_core import __version__
from himalaya_core.games import GAMES
from himalaya_core.pool import WorkerLost, ordered
from himalaya_core.tournament.manifest import SUFFIX
from ingest.errors import WarehouseError
from ingest.load.rejected import MOST_NAMED
from ingest.load.summary import Failure, Problem, Summary, counted
from ingest.maintenance.derive.logs import Log, logs_named, names_in
from ingest.maintenance.derive.task import QUARANTINE, SUMS, Done, Job, clear, derive_share, quarantine_of, shares_of
from ingest.maintenance.lake.contents import listed
from ingest.maintenance.lake.folder import LakeFolder
from ingest.maintenance.lake.tables import DERIVED, OF_LOGS, LakeTable, Manifest, Parts, refuse_another, shape_of
from ingest.maintenance.lake.write import LakeFiles, files_of, publish
from ingest.maintenance.rewrite import explained
from ingest.read.discover import Found
from ingest.tables.definitions import create_tables, sql_tables
from ingest.values import quoted
from ingest.warehouse import IN_MEMORY, Report, Warehouse

__all__ = ["Derived", "LocalWorkers", "SparkWorkers", "Workers", "derive", "put_sums"]


TABLE: Final = "lake_sums"
OF_PARTITION: Final = "game = {game} AND tournament IS NOT DISTINCT FROM {tournament}"


def put_sums(files: LakeFiles, manifest: Manifest, shares: Sequence[Path]) -> None:
    """Add up the sums of all shares, given their folders, and put them into the lake, by game and tournament."""
    for table in (table for table in files.tables if table.is_sums):
        given = listed(share / table.name / SUMS for share in shares)
        files.connection.execute(f"CREATE OR REPLACE TEMP TABLE {TABLE} AS {_added_up(files.connection, table, given)}")
        for key in manifest.parts:
            if table.game in {None, key.game}:
                tournament = "NULL" if key.tournament is None else quoted(key.tournament)
                where = OF_PARTITION.format(game=quoted(key.game), tournament=tournament)
                order = ", ".join(table.grain)
                files.put_query(table.name, f"FROM {TABLE} WHERE {where} ORDER BY {order}", manifest.sums(key))


def _added_up(connection: duckdb.DuckDBPyConnection, table: LakeTable, files: str) -> str:
    """Return the query that adds up the rows of several files, with the same columns and types."""
    (sums,) = (made.sums for made in sql_tables() if made.name == table.name)
    source = f"read_parquet({files})"
    if sums is None:  # the table of cohorts has no sums
        return f"SELECT DISTINCT * FROM {source}"
    columns = [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE FROM {source}").fetchall()]
    added = [f"CAST(sum({name}) AS {kind}) AS {name}" if name in sums.summed else name for name, kind in columns]
    keys = [name for name, _ in columns if name not in sums.summed]
    return f"SELECT {', '.join(added)} FROM {source} GROUP BY {', '.join(keys)}"


Given = TypeVar("Given")
Answer = TypeVar("Answer")
SECONDS: Final = 0.5
"""Seconds between two checks for results from a cluster."""


class Workers(Protocol):
    """Worker processes, local or remote. They must see logs and lake under the same paths as this process."""

    @property
    def count(self) -> int:
        """Return the number of workers that run at the same time."""
        ...

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the index and the answer of each item, in order of completion; the work of a dead worker is repeated.

        Raises `WarehouseError` if repeating does not help.
        """
        ...


class LocalWorkers:
    """Worker processes on this machine; without a `count`, one per core."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the index and the answer of each item, in order; see `Workers`."""
        try:
            yield from enumerate(ordered(function, given, self.count))
        except WorkerLost:
            raise WarehouseError(
                "a worker was killed twice, perhaps for lack of memory; run the same command with fewer: "
                "what was derived so far is kept"
            ) from None


class SparkWorkers:
    """Tasks of a Spark cluster. Use it in a `with` statement, which connects to the cluster.

    Without a `master`, Spark's own settings apply; their default is this machine. Raises `WarehouseError` if Spark or
    Java is missing. Every machine of the cluster needs this version of himalaya, in the Python named by
    `PYSPARK_PYTHON`.
    """

    def __init__(self, master: str | None = None) -> None:
        self._master = master
        self.count = 1

    def __enter__(self) -> Self:
        if find_spec("pyspark") is None:
            raise WarehouseError(
                "--on spark needs the extra 'spark', which is not installed: "
                "run pip install '.[spark]' in the folder of Himalaya's sources"
            )
        if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
            raise WarehouseError(
                "--on spark needs a Java runtime, 17 or later; in Debian: apt install openjdk-17-jre-headless"
            )
        from pyspark import SparkConf, SparkContext  # pyright: ignore[reportMissingImports]  it is an extra

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings = SparkConf().setAppName("himalaya derive").set("spark.ui.showConsoleProgress", "false")
        self._context = SparkContext(conf=settings.setMaster(self._master) if self._master else settings)
        self._context.setLogLevel("OFF")
        self.count = self._context.defaultParallelism
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._context.cancelAllJobs()
        self._context.stop()

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the index and the answer of each item, in order of completion; see `Workers`."""
        come = self._context.accumulator([], _Lists())

        def work(each: tuple[int, Given]) -> None:
            place, one = each
            come.add([(place, function(one))])

        tasks = self._context.parallelize(list(enumerate(given)), max(1, len(given)))
        with ThreadPoolExecutor(1) as runner:
            yield from self._as_they_come(runner.submit(tasks.foreach, work), come)

    def _as_they_come(self, job: "Future[None]", come: Any) -> Iterator[tuple[int, Any]]:
        seen = 0
        try:
            while True:
                is_over = bool(wait([job], SECONDS).done)
                new = come.value[seen:]
                yield from new
                seen += len(new)
                if is_over:
                    break
        finally:
            if not job.done():
                self._context.cancelAllJobs()
        if error := job.exception():
            raise WarehouseError(f"Spark gave up: {_reason(error)}; what was derived so far is kept") from None


class _Lists:
    """Tells Spark how to merge the results of its tasks: by concatenating lists."""

    def zero(self, _: list[Any]) -> list[Any]:
        return []

    def addInPlace(self, one: list[Any], other: list[Any]) -> list[Any]:  # noqa: N802  the name is Spark's
        one += other
        return one


def _reason(error: BaseException) -> str:
    """Return the first line of Spark's message about a failure."""
    java: Any = getattr(error, "java_exception", None)
    return str(java.getMessage() if java else error).strip().partition("\n")[0]


DIGITS: Final = 20
LOGS_AT_ONCE: Final = 64
"""Number of logs from which one task reads match names."""
COUNTED: Final = (
    *("files", "matches", "completed", "events", "skipped", "put_aside"),
    *("known", "forgotten", "dropped", "resolved", "named"),
)
AGAIN: Final = "what was derived so far is kept; run the same command again"


@dataclass(frozen=True, slots=True)
class Derived:
    """Result of a run: the summary of the logs, and counts of the files written; `is_new` if anything was written."""

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

    Matches without a tournament in their log belong to the given one. However the work is divided, the figures equal
    those of one warehouse with all these logs. Readers see the whole result at the end and nothing before; the next run
    continues a stopped one. Raises `WarehouseError` with a one-line reason on failure.
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
    """Yield an empty warehouse in memory; its tables define those of the lake."""
    with Warehouse(IN_MEMORY) as warehouse:
        with warehouse.writing() as connection:
            create_tables(connection)
        yield warehouse


def _digest(*about: object) -> str:
    return hashlib.sha256(repr(about).encode(errors="surrogateescape")).hexdigest()[:DIGITS]


def _rules() -> list[tuple[str, str]]:
    return [(game.name, game.rules_version) for game in GAMES.values()]


def _manifests(logs: Sequence[Log]) -> list[Log]:
    """Return the tournament manifests next to the logs; they have facts about the matches."""
    folders = {log.shown.parent for log in logs if not log.is_in_bucket}
    return [Log.found(path) for folder in sorted(folders) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def _record(place: LakeFolder, tables: Sequence[LakeTable], key: str) -> Derived | None:
    """Return the recorded result of an earlier run on the same logs.

    `None` if the lake is new, was made from different logs, or lacks a file.
    """
    refuse_another(place.folder, place.tables, OF_LOGS)
    text = place.shown(DERIVED, f"{key}.json")
    manifest = place.manifest()
    if text is None or manifest is None or not place.is_whole(files_of(tables, manifest)):
        return None
    place.tidy()
    kept = json.loads(text)
    return Derived(Summary.read(kept["summary"]), kept["matches"], kept["shares"], kept["size"], is_new=False)


def _names(logs: Sequence[Log], workers: Workers, report: Report) -> list[tuple[bytes, bytes]]:
    """Return, for each log, the digests of its match names and of their final states; the workers read them."""
    given = [logs[at : at + LOGS_AT_ONCE] for at in range(0, len(logs), LOGS_AT_ONCE)]
    found: list[list[tuple[bytes, bytes]]] = [[] for _ in given]
    done = 0
    for place, answer in workers.answers(names_in, given):
        found[place] = answer
        done += len(answer)
        report({"what": "reading names", "done": done, "total": len(logs)})
    return [digests for some in found for digests in some]


def _work(jobs: Sequence[Job], workers: Workers, report: Report) -> None:
    """Derive all shares. Raises `WarehouseError` with the reason for the first failure."""
    total, done = sum(job.share.names for job in jobs), 0
    report({"what": "deriving", "done": 0, "total": total})
    for place, problem in workers.answers(derive_share, jobs):
        if problem:
            raise WarehouseError(problem)
        done += jobs[place].share.names
        report({"what": "deriving", "done": done, "total": total})


def _published(place: LakeFolder, files: LakeFiles, jobs: Sequence[Job], found: Found, key: str) -> Derived:
    """Combine the results of the shares and publish the lake."""
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
    """Return the summary of all logs, given the summary of each share."""
    counts: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in COUNTED}
    counts["files"] += len(found.failed)
    problems = sorted((each for part in parts for each in part.quarantined), key=_place_of)
    failed = [Failure(error.path, error.reason) for error in found.failed]
    failed += [each for part in parts for each in part.failed]
    failed = list(dict.fromkeys(failed))  # several shares may report the same unreadable manifest
    first = tuple(problems[:MOST_NAMED])
    return Summary(
        **counts, quarantined=first, unfinished=found.unfinished, failed=tuple(failed), archives=found.archives
    )


def _place_of(problem: Problem) -> tuple[tuple[str, ...], int]:
    return problem.file.parts, problem.line
