"""Ingests logs: finds them, validates them, loads each match once, and quarantines invalid data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

import duckdb
from pydantic import TypeAdapter

from ingest.errors import ReadError
from ingest.load.load import Loader, Source
from ingest.load.summary import Failure, FileRecord, Progress, Summary, different_spellings
from ingest.opening import open_warehouse
from ingest.read.discover import Found, discover, in_letters
from ingest.read.source import Parts
from ingest.read.source import Source as File
from ingest.read.split import Chunk, Named, SmallFiles, chunks, grouped, is_small, joined
from ingest.validate import PROCESSES
from ingest.validate.pool import ValidationPool
from ingest.validate.validation import ValidatedChunk
from ingest.warehouse import Report, Warehouse

__all__ = ["Request", "ingest", "ingest_logs", "take_in"]

CHANGED: Final = "it changed while it was read; run the same command again"


@dataclass(frozen=True, slots=True)
class Request:
    """Logs to load, and options.

    `tournament` applies to matches whose log names none. `names` has display names for files, e.g. for a temporary copy
    of standard input. With `dry_run`, the effect is reported but the warehouse stays unchanged. `judge` is "now" to
    verify matches by the rules before loading them, or "later". New matches get ids from `first_id`, or from the next
    free id.
    """

    paths: tuple[Path, ...]
    tournament: str | None = None
    dry_run: bool = False
    jobs: int = PROCESSES
    source: Source = "command"
    names: Mapping[Path, str] = field(default_factory=dict)
    judge: Literal["now", "later"] = "now"
    first_id: int = 1


_requests = TypeAdapter(Request)


def ingest(
    paths: Sequence[Path],
    database: Path,
    *,
    progress: Callable[[Progress], None] = lambda _: None,
    processes: int = PROCESSES,
    judge: Literal["now", "later"] = "now",
) -> Summary:
    """Load logs (files, or folders of them) into a database, which is created if missing.

    Matches are verified by the rules before they are loaded or, with `judge="later"`, afterwards. Raises
    `WarehouseError` with a one-line reason on failure; data loaded by then stays.

    >>> from pathlib import Path
    >>> import himalaya_core as hm
    >>> from ingest.pipeline import ingest
    >>> played = hm.play("summit", ["porter", "racer"], seed="monday", out="monday.jsonl")
    >>> ingest([Path("monday.jsonl")], Path("first.duckdb"), processes=1).matches
    1
    """
    request = Request(tuple(path.absolute() for path in paths), jobs=processes, judge=judge)
    found = discover(request.paths)  # before opening: without logs, no database is created
    with open_warehouse(database) as warehouse:
        return _take_in(warehouse, request, found, progress)


def ingest_logs(
    warehouse: Warehouse, arguments: dict[str, Any], report: Report, pool: ValidationPool | None = None
) -> dict[str, Any]:
    """Ingest logs: the operation `ingest`. Arguments are the fields of `Request`; the result is a `Summary` as JSON."""
    request = _requests.validate_python(arguments)
    return take_in(warehouse, request, lambda at: report(asdict(at)), pool).as_json()


def take_in(
    warehouse: Warehouse,
    request: Request,
    progress: Callable[[Progress], None],
    pool: ValidationPool | None = None,
) -> Summary:
    """Load the logs of a request. If `progress` raises an exception, loading stops; batches committed by then stay.

    Lines are validated in the caller's `pool`, or in a new one for this request.
    """
    return _take_in(warehouse, request, discover(request.paths), progress, pool)


def _take_in(
    warehouse: Warehouse,
    request: Request,
    found: Found,
    progress: Callable[[Progress], None],
    pool: ValidationPool | None = None,
) -> Summary:
    with ExitStack() as stack:
        connection = stack.enter_context(warehouse.writing())
        stack.enter_context(_taken_back(connection, when=request.dry_run))
        loader = Loader(
            connection,
            request.source,
            request.tournament,
            within=request.dry_run,
            backpressure=warehouse.backpressure,
            first_id=request.first_id,
        )
        files = _Files(found, request, loader, connection, warehouse.database)
        pool = pool or stack.enter_context(ValidationPool(request.jobs, judges=request.judge == "now"))
        for chunk, checked in pool.check(files.chunks(), expected=files.new):
            warehouse.backpressure.yield_to_readers()
            files.add(chunk, checked)
            progress(files.progress)
        for error in pool.failed:
            files.fail(error)
        files.failed.sort(key=lambda failure: failure.file.parts)
        loader.load()
        progress(files.progress)
        return replace(_summary(files, loader, request), spellings=different_spellings(connection, loader.run))


def _summary(files: "_Files", loader: Loader, request: Request) -> Summary:
    found = files.found
    return Summary.of(
        loader.taken,
        files=len(found.logs) - len(files.failed) + len(found.failed),
        unfinished=found.unfinished,
        archives=found.archives,
        failed=(*files.failed, *loader.manifests.failed),
        dry_run=request.dry_run,
    )


@contextmanager
def _taken_back(connection: duckdb.DuckDBPyConnection, *, when: bool) -> Iterator[None]:
    """Roll back all changes made in the block if `when` is true."""
    if not when:
        yield
        return
    connection.begin()
    try:
        yield
    finally:
        with suppress(duckdb.Error):  # an error may already have rolled it back
            connection.rollback()


class _Files:
    """The files of a run. A file that was completely read before is skipped if its bytes are unchanged."""

    def __init__(
        self,
        found: Found,
        request: Request,
        loader: Loader,
        connection: duckdb.DuckDBPyConnection,
        database: Path,
    ) -> None:
        self.found = found
        self.failed: list[Failure] = []
        for unsearched in found.failed:
            self.fail(unsearched)
        self._paths = found.logs
        self._request = request
        self._loader = loader
        self._database = Parts(database)
        sizes = connection.execute("SELECT DISTINCT size FROM ingested_files").fetchall()
        self._known_sizes = {size for (size,) in sizes}
        self._records: dict[Path, FileRecord] = {}
        self._before = self._read = self._events = 0
        sizes_now = [_size(path) for path in found.logs]
        self.new = sum(size for size in sizes_now if size not in self._known_sizes)
        """Total bytes on the disk of the files that certainly must be read."""
        self._total = sum(sizes_now)

    def chunks(self) -> Iterator[Chunk | SmallFiles]:
        """Yield small text files in groups, which other processes read, and the chunks of all other files."""
        for are_small, files in groupby(self._new_files(), _is_small):
            if are_small:
                yield from grouped(files)
            else:
                yield from joined(self._read_in_order(files))

    def _new_files(self) -> Iterator[tuple[Named, int]]:
        """Yield the files that must be read, with their sizes."""
        for path in self._paths:
            named = _named(path, self._request)
            try:
                self._database.refuse(path)
                if not self._is_known(*named):
                    self._records[named[1]] = FileRecord(named[1], 0, "")
                    yield named, _size(path)
            except ReadError as error:
                self.fail(error)

    def _read_in_order(self, files: Iterable[tuple[Named, int]]) -> Iterator[Chunk]:
        for (path, shown), _ in files:
            try:
                yield from chunks(path, shown=shown)
            except ReadError as error:
                self.fail(error)

    def fail(self, error: ReadError) -> None:
        """Record that a file cannot be read, or not to its end."""
        self.failed.append(Failure(error.path, error.reason))

    def _is_known(self, path: Path, shown: Path) -> bool:
        """Return whether a file was completely read before.

        Its digest is computed only if a known file has the same size.
        """
        size = _size(path)
        if size not in self._known_sizes:
            return False
        with File(path, shown) as file:
            is_known = self._loader.skip(FileRecord(shown, size, file.ending().sha256))
        if is_known:
            self._before += size
            self._read += size
        return is_known

    def add(self, chunk: Chunk, checked: ValidatedChunk) -> None:
        """Pass a validated chunk to the loader, with the files that end in it."""
        records = [self._records[span.path] for span in chunk.spans]
        done: list[FileRecord] = []
        for span, record in zip(chunk.spans, records, strict=True):
            self._read = self._before + span.read
            if span.end:
                self._before = self._read
                del self._records[span.path]
                if span.end.changed:
                    self.failed.append(Failure(span.path, CHANGED))
                else:
                    record.size, record.sha256 = span.end.size, span.end.sha256
                    done.append(record)
        self._loader.add(records, checked, done=done)
        self._events += sum(match.events for match in checked.matches)

    @property
    def progress(self) -> Progress:
        """Return the progress of the run so far."""
        taken = self._loader.taken
        return Progress(self._read, self._total, self._events, taken.matches + taken.completed, taken.quarantined)


def _named(path: Path, request: Request) -> Named:
    return path, Path(request.names.get(path, in_letters(path)))


def _is_small(file: tuple[Named, int]) -> bool:
    (path, _), size = file
    return is_small(path, size)


def _size(path: Path) -> int:
    """Return the size of a file, or 0 if it cannot be found out; the error is reported when the file is read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
