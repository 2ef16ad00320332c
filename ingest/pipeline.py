"""Ingest: find logs, check them, load them; each match exactly once, whatever is not valid kept aside."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import duckdb
from pydantic import TypeAdapter

from ingest.discover import discover
from ingest.load import Loader, Source
from ingest.places import FileRecord
from ingest.read import Piece, pieces
from ingest.summary import Progress, Summary
from ingest.validate import Checked
from ingest.warehouse import Warehouse, WarehouseError, open_warehouse
from ingest.workers import Gatekeepers

__all__ = ["PROCESSES", "Request", "ingest", "ingest_logs", "take_in"]

PROCESSES: Final = min(2, os.cpu_count() or 1)
"""Processes that check lines; this one reads and loads."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to take in, and how.

    `tournament` is given to matches whose log names none; `names` are the names to show for files that stand for
    something else, standard input for one. A `dry_run` says what would happen, and leaves the warehouse as it is.
    """

    paths: tuple[Path, ...]
    tournament: str | None = None
    dry_run: bool = False
    jobs: int = PROCESSES
    source: Source = "command"
    names: Mapping[Path, str] = field(default_factory=dict)


_requests = TypeAdapter(Request)


def ingest(
    paths: Sequence[Path],
    database: Path,
    *,
    progress: Callable[[Progress], None] = lambda _: None,
    processes: int = PROCESSES,
) -> Summary:
    """Load logs (files, or folders of them) into a database, which is made if it is not there.

    `WarehouseError` says in one line what keeps it from that; what was loaded up to then stays.
    """
    request = Request(tuple(path.absolute() for path in paths), jobs=processes)
    discover(request.paths)  # nothing to read makes no database
    with open_warehouse(database) as warehouse:
        return take_in(warehouse, request, progress)


def ingest_logs(
    warehouse: Warehouse, arguments: dict[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Take logs in: the operation `ingest`. Arguments are those of `Request`, the result is a `Summary`."""
    request = _requests.validate_python(arguments)
    return take_in(warehouse, request, lambda at: report(asdict(at))).as_json()


def take_in(warehouse: Warehouse, request: Request, progress: Callable[[Progress], None]) -> Summary:
    """Take in what a request names; `progress` may raise to stop it after the last batch that was full."""
    found = discover(request.paths)
    with warehouse.writing() as connection, _taken_back(connection, when=request.dry_run):
        loader = Loader(connection, request.source, request.tournament, within=request.dry_run)
        files = _Files(found.logs, request.names, loader)
        with Gatekeepers(request.jobs) as gate:
            for piece, checked in gate.check(files.pieces()):
                files.add(piece, checked)
                progress(files.progress)
        loader.load()
        progress(files.progress)
        taken = loader.taken
        return Summary(
            files=len(found.logs),
            matches=taken.matches,
            completed=taken.completed,
            events=taken.events,
            skipped=taken.skipped,
            put_aside=taken.put_aside,
            quarantined=tuple(taken.quarantined),
            known=taken.known,
            unfinished=found.unfinished,
            forgotten=taken.forgotten,
            resolved=taken.resolved,
            dry_run=request.dry_run,
        )


@contextmanager
def _taken_back(connection: duckdb.DuckDBPyConnection, *, when: bool) -> Iterator[None]:
    """Take back all that the block does, if that is wanted."""
    if not when:
        yield
        return
    connection.begin()
    try:
        yield
    finally:
        with suppress(duckdb.Error):  # an error may have taken it back already
            connection.rollback()


class _Files:
    """The files of a run; those whose bytes were read to the end before are not read again."""

    def __init__(self, paths: Sequence[Path], names: Mapping[Path, str], loader: Loader) -> None:
        self._paths = paths
        self._names = names
        self._loader = loader
        self._records: dict[Path, FileRecord] = {}
        self._before = self._read = self._events = 0
        self._total = sum(map(_size, paths))

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces of all files that are to be read."""
        for path in self._paths:
            try:
                with path.open("rb") as file:
                    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                known = self._loader.skip(sha256)
                if not known:
                    shown = Path(self._names.get(path, path))
                    self._records[shown] = FileRecord(shown, _size(path), sha256)
                    yield from pieces(path, shown=shown)
            except OSError as error:
                raise WarehouseError(f"{path}: {error.strerror}") from None

    def add(self, piece: Piece, checked: Checked) -> None:
        """Hand on what a piece came to."""
        record = self._records[piece.path]
        self._loader.add([record], checked, done=[record] if piece.last else [])
        self._events += sum(match.events for match in checked.matches)
        self._read = self._before + piece.read
        if piece.last:
            self._before = self._read
            del self._records[piece.path]

    @property
    def progress(self) -> Progress:
        """How far the run has come."""
        taken = self._loader.taken
        return Progress(self._read, self._total, self._events, taken.matches + taken.completed, taken.put_aside)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise WarehouseError(f"{path}: {error.strerror}") from None
