"""Ingest: find logs, check them, load them; each match exactly once, whatever is not valid kept aside."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.discover import discover
from ingest.load import Loader, Problem
from ingest.places import FileRecord
from ingest.read import Piece, pieces
from ingest.validate import Checked
from ingest.warehouse import WarehouseError, open_warehouse
from ingest.workers import Gatekeepers

__all__ = ["Progress", "Summary", "ingest"]

PROCESSES: Final = 2
"""Processes that check lines; this one reads and loads."""
MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; bytes are those on the disk, events those that passed the gate."""

    bytes_read: int
    bytes_total: int
    events: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run took in, and what it did not.

    `matches` are new, `completed` were unfinished and go on now, `skipped` were there already with the same bytes;
    `quarantined` was put aside in this run, `known` in an earlier one; `unfinished` files are still being written.
    """

    files: int
    matches: int
    completed: int
    events: int
    skipped: int
    quarantined: tuple[Problem, ...]
    known: int
    unfinished: tuple[Path, ...]

    def __str__(self) -> str:
        lines = [f"{self.matches:,} matches, {self.events:,} events taken from {_count(self.files, 'file')}"]
        if self.completed:
            lines.append(f"{_count(self.completed, 'unfinished match', 'es')} completed")
        if self.skipped:
            lines.append(f"{_count(self.skipped, 'match', 'es')} skipped: there already, with the same bytes")
        if self.known:
            lines.append(f"{self.known:,} put aside before, still in quarantine")
        if self.quarantined:
            lines.append(f"{len(self.quarantined):,} put aside in quarantine:")
            lines += [f"  {problem}" for problem in self.quarantined[:MOST_SHOWN]]
            if len(self.quarantined) > MOST_SHOWN:
                lines.append(f"  and {len(self.quarantined) - MOST_SHOWN:,} more, in the table quarantine")
        lines += [f"{path}: still being written, left alone" for path in self.unfinished]
        return "\n".join(lines)


def _count(number: int, what: str, plural: str = "s") -> str:
    return f"{number:,} {what}{'' if number == 1 else plural}"


def ingest(
    paths: Sequence[Path],
    database: Path,
    *,
    progress: Callable[[Progress], None] | None = None,
    processes: int = PROCESSES,
) -> Summary:
    """Load logs (files, or folders of them) into a database, which is made if it is not there.

    `WarehouseError` says in one line what keeps it from that; what was loaded up to then stays.
    """
    found = discover(paths)
    with open_warehouse(database) as connection:
        connection.execute(f"SET threads = {max(1, (os.cpu_count() or 1) - processes)}")
        loader = Loader(connection)
        files = _Files(found.logs, loader)
        with Gatekeepers(processes) as gate:
            for piece, checked in gate.check(files.pieces()):
                files.add(piece, checked)
                if progress:
                    progress(files.progress)
        loader.load()
        taken = loader.taken
        return Summary(
            files=len(found.logs),
            matches=taken.matches,
            completed=taken.completed,
            events=taken.events,
            skipped=taken.skipped,
            quarantined=tuple(taken.quarantined),
            known=taken.known,
            unfinished=found.unfinished,
        )


class _Files:
    """The files of a run; those whose bytes were read to the end before are not read again."""

    def __init__(self, paths: Sequence[Path], loader: Loader) -> None:
        self._paths = paths
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
                    self._records[path] = FileRecord(path, _size(path), sha256)
                    yield from pieces(path)
            except OSError as error:
                raise WarehouseError(f"{path}: {error.strerror}") from None

    def add(self, piece: Piece, checked: Checked) -> None:
        """Hand on what a piece came to."""
        self._loader.add(self._records[piece.path], checked, last=piece.last)
        self._events += sum(match.events for match in checked.matches)
        self._read = self._before + piece.read
        if piece.last:
            self._before = self._read
            del self._records[piece.path]

    @property
    def progress(self) -> Progress:
        """How far the run has come."""
        return Progress(self._read, self._total, self._events)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise WarehouseError(f"{path}: {error.strerror}") from None
