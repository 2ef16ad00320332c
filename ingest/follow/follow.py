"""Follows growing logs: the operation `follow` loads the new lines of files and stores its position in each file.

New text is read up to the last line end. An unfinished match at that point is loaded as far as it is written. When the
file has grown, the match is read again from its start, and its rows are replaced under the same id. If one of its lines
is invalid, the match is quarantined instead, and its quarantine entry is replaced. The stored position is therefore the
start of the unfinished match; every match before it has ended. Positions are written in the same transaction as the
rows, so after a kill the next run continues exactly there.

A last line without a line end is not read immediately. After a minute without writes, the line is loaded if it is
complete. It is rejected if the file's name shows that the log continues in another file. A compressed file is read once
it is complete, or after a minute without writes, as far as it is readable.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from himalaya_core.log.codec import MATCH_ENDED
from ingest.errors import ReadError
from ingest.follow.request import Followed, FollowRequest, Growth, rename_quarantined
from ingest.load.load import Loader
from ingest.load.summary import Failure, FileRecord, Progress
from ingest.read.discover import in_letters
from ingest.read.source import Source
from ingest.read.split import Chunk, FileSpan, chunk_of, chunks, chunks_from, joined
from ingest.read.tail import Checkpoint, Checkpoints, Tail, is_rotated, moment
from ingest.validate.pool import ValidationPool
from ingest.validate.validation import ValidatedChunk, check
from ingest.values import unpack
from ingest.warehouse import Report, Warehouse

__all__ = ["follow", "follow_logs"]

QUIET: Final = 60.0
"""Seconds without a change after which the rest of a line or file is no longer awaited."""
LIVE: Final = 3600.0
"""Seconds since the last change during which an unfinished match counts as live."""
SOON: Final = 1.0
"""Seconds until a file that changed while it was being read is read again."""
MOST_NAMED: Final = 1_000
"""Maximum number of files listed in a result."""


def follow_logs(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Load new lines of files: the operation `follow`.

    `arguments` are the JSON of a `FollowRequest`; the result is the JSON of a `Followed`.
    """
    return follow(warehouse, FollowRequest.read(arguments), lambda at: report(asdict(at))).as_json()


def follow(warehouse: Warehouse, request: FollowRequest, progress: Callable[[Progress], None]) -> Followed:
    """Load new lines of files. If `progress` raises an exception, loading stops; batches committed by then stay."""
    # No positions are stored for folders with invalid names.
    folders = [folder for folder in request.folders if in_letters(folder) == folder]
    with warehouse.writing() as connection:
        if request.stopped:
            connection.execute(NOT_LIVE, {"folders": [f"{folder}{os.sep}" for folder in folders]})
            return Followed()
        found, gone = _found(request)
        checkpoints = Checkpoints(connection, found, folders)
        checkpoints.drop(gone)
        rename_quarantined(connection, checkpoints.renamed())
        write, started, backpressure = checkpoints.write, request.started, warehouse.backpressure
        loader = Loader(
            connection,
            "watch",
            request.tournament,
            started=started,
            also=lambda _: write(loader.left_out),
            backpressure=backpressure,
        )
        following = _Following(found, checkpoints, loader)
        following.refuse(path for path in request.files if in_letters(path) != path)
        with ValidationPool(request.jobs) as pool:
            for chunk, checked in pool.check(joined(following.chunks())):
                backpressure.yield_to_readers()
                following.add(chunk, checked)
                progress(following.progress)
        loader.load()
        return following.followed()


NOT_LIVE: Final = """
UPDATE watched_files SET live = NULL WHERE list_bool_or([starts_with(file, folder) FOR folder IN $folders])
"""


def _found(request: FollowRequest) -> tuple[dict[Path, os.stat_result], list[Path]]:
    """Return the existing files with their `stat` results, and the deleted files."""
    found: dict[Path, os.stat_result] = {}
    gone = [path for path in request.gone if in_letters(path) == path]
    for path in request.files:
        if in_letters(path) != path:
            continue  # a position cannot be stored under a name that is not valid Unicode
        try:
            found[path] = path.stat()
        except OSError:
            gone.append(path)
    return found, gone


@dataclass(slots=True)
class _Reading:
    """A file being read: its stored position, its counts in this run, and its texts awaiting validation."""

    tail: Tail
    known: Checkpoint | None
    record: FileRecord
    compressed: bool = False
    texts: deque[bytes] = field(default_factory=deque)
    live: str | None = None


@dataclass(frozen=True, slots=True)
class _Open:
    """The unfinished match at the end of a file."""

    name: str | None
    text: bytes


class _Following:
    """State of one follow request."""

    def __init__(self, found: dict[Path, os.stat_result], checkpoints: Checkpoints, loader: Loader) -> None:
        self._found = found
        self._checkpoints = checkpoints
        self._loader = loader
        self._reading: dict[Path, _Reading] = {}
        self._done: list[_Reading] = []
        self._failed: list[Failure] = []
        self._again: dict[Path, float] = {}
        known = {path: checkpoints.of(path, at) for path, at in found.items()}
        self._total = sum(at.st_size - (row.position if (row := known[path]) else 0) for path, at in found.items())
        self._before = self._read = self._events = 0

    # --- Reading

    def refuse(self, paths: Iterable[Path]) -> None:
        """Add files that cannot be followed, because their names are not UTF-8, to the failures."""
        self._failed += [Failure(in_letters(path), "its name is not UTF-8; rename it") for path in paths]

    def chunks(self) -> Iterator[Chunk]:
        """Yield the new text of each file, beginning at the start of a match."""
        for path, found in self._found.items():
            known = self._checkpoints.of(path, found)
            if known and known.is_of(found) and not self._is_live_again(path, known, found):
                self._refresh(path, known, found)
                continue
            try:
                with Tail(path) as tail:
                    yield from self._plain(tail, known) if tail.is_plain else self._compressed(tail, known)
            except ReadError as error:
                self._failed.append(Failure(error.path, error.reason))

    def _plain(self, tail: Tail, known: Checkpoint | None) -> Iterator[Chunk]:
        goes_on = known is not None and tail.starts_with(known)
        tail.stop = tail.last_line_end()
        if tail.stop < tail.found.st_size:
            self._weigh_half_line(tail)
        if known and goes_on and tail.stop == known.size < tail.found.st_size and not tail.half:
            self._refresh(tail.path, known, tail.found)
            return
        line = known.line if known and goes_on else 1
        reading = self._start(tail, known)
        for chunk in chunks_from(tail, tail.path, line):
            reading.texts.append(chunk.as_read)
            yield chunk

    def _compressed(self, tail: Tail, known: Checkpoint | None) -> Iterator[Chunk]:
        if tail.age < QUIET and not _is_complete(tail.path):
            self._again[tail.path] = QUIET - tail.age
            return
        reading = self._start(tail, known)
        reading.compressed = True
        yield from chunks(tail.path)

    def _start(self, tail: Tail, known: Checkpoint | None) -> _Reading:
        reading = _Reading(tail, known, FileRecord(tail.path, 0, ""))
        self._reading[tail.path] = reading
        return reading

    def _weigh_half_line(self, tail: Tail) -> None:
        """Decide whether an unfinished last line waits, is loaded, or is rejected."""
        if tail.age < QUIET:
            self._again[tail.path] = QUIET - tail.age
            return
        half = tail.between(tail.stop, tail.found.st_size)
        if _is_object(half):
            tail.stop = tail.found.st_size
        elif is_rotated(tail.path.name):
            tail.half = half

    def _is_live_again(self, path: Path, known: Checkpoint, found: os.stat_result) -> bool:
        """Return whether the unfinished match at the end of a file may be live again after a pause in following."""
        return known.live is None and known.position < known.size and self._can_be_live(path, found)

    def _can_be_live(self, path: Path, found: os.stat_result) -> bool:
        left = LIVE - (time.time() - found.st_mtime)
        if left > 0 and not is_rotated(path.name):
            self._again[path] = min(left, self._again.get(path, left))
            return True
        return False

    def _refresh(self, path: Path, known: Checkpoint, found: os.stat_result) -> None:
        """Store the current name and live match of a file without new lines."""
        live = known.live if known.live and self._can_be_live(path, found) else None
        if (str(path), live) != (known.file, known.live):
            self._checkpoints.keep(replace(known, file=str(path), live=live), known)

    # --- Validated chunks

    def add(self, chunk: Chunk, checked: ValidatedChunk) -> None:
        """Pass a validated chunk to the loader, and update the positions in its files."""
        if any(span.end and self._has_changed(span) for span in chunk.spans):
            return
        readings = [self._reading[span.path] for span in chunk.spans]
        records, done = [reading.record for reading in readings], list[FileRecord]()
        halves: list[tuple[_Reading, Checkpoint, Chunk]] = []
        for number, (span, reading) in enumerate(zip(chunk.spans, readings, strict=True)):
            self._read = self._before + span.read
            if span.end:
                self._before = self._read
                self._done.append(self._reading.pop(span.path))
            if reading.compressed:
                if span.end:
                    reading.record.size, reading.record.sha256 = span.end.size, span.end.sha256
                    done.append(reading.record)
                    self._checkpoints.keep(_all_of(reading.tail, span), reading.known)
                continue
            open_ = _open_match(number, span, checked) if span.end else None
            checkpoint = self._checkpoint(reading, span, open_)
            if span.end and reading.tail.half:
                before = open_.text if open_ else b""
                halves.append((reading, checkpoint, chunk_of(span.path, before + reading.tail.half, checkpoint.line)))
            else:
                self._checkpoints.keep(checkpoint, reading.known)
        self._loader.add(records, checked, done=done)
        self._events += sum(match.events for match in checked.matches)
        for reading, checkpoint, half in halves:
            self._checkpoints.keep(checkpoint, reading.known)
            self._loader.add([reading.record], check(half), done=[])

    def _has_changed(self, span: FileSpan) -> bool:
        """Return whether a file was truncated or replaced while it was read; if so, schedule another reading."""
        if not (span.end and span.end.changed):
            return False
        del self._reading[span.path]
        self._again[span.path] = SOON
        return True

    def _checkpoint(self, reading: _Reading, span: FileSpan, open_: _Open | None) -> Checkpoint:
        """Return the position to store for a file: the start of its unfinished match, or else its end."""
        tail, text = reading.tail, reading.texts.popleft()
        left = len(open_.text) - (not text.endswith(b"\n")) if open_ and open_.text else 0
        settled = text[: len(text) - left]
        tail.settle(settled)
        line = span.first_line + settled.count(b"\n")
        if span.end and open_ and open_.name and self._can_be_live(span.path, tail.found):
            reading.live = open_.name
        return tail.checkpoint(line, tail.stop + len(tail.half) if span.end else tail.start, reading.live)

    # --- Progress and result

    @property
    def progress(self) -> Progress:
        """Return the progress of the request so far."""
        taken = self._loader.taken
        return Progress(self._read, self._total, self._events, taken.matches + taken.completed, taken.quarantined)

    def followed(self) -> Followed:
        """Return the result of the request; call this after everything is loaded."""
        taken = self._loader.taken
        growth = [_growth(reading) for reading in self._done]
        return Followed(
            growth=tuple(one for one in growth if one.lines or one.matches)[:MOST_NAMED],
            files=len(growth),
            matches=sum(one.matches for one in growth),
            events=sum(one.lines for one in growth),
            put_aside=taken.quarantined,
            problems=tuple(taken.problems),
            failed=(*self._failed, *self._loader.manifests.failed),
            again=self._again,
        )


def _growth(reading: _Reading) -> Growth:
    record, tail = reading.record, reading.tail
    over = record.matches - (reading.live is not None)
    return Growth(record.path, tail.lines, max(over, 0), record.skipped, reading.live)


def _all_of(tail: Tail, span: FileSpan) -> Checkpoint:
    assert span.end
    size, line = span.end.size, span.number(span.lines)
    return Checkpoint(str(span.path), *tail.key, size, line, span.end.sha256, size, None, moment(tail.seen_at))


def _open_match(number: int, span: FileSpan, checked: ValidatedChunk) -> _Open | None:
    """Return the unfinished match at the end of a file, even if it is invalid so far; `None` if there is none."""
    if span.lines == 0:
        return None
    matches = [(place, match) for place, match in enumerate(checked.matches) if match.span == number]
    start = span.lines - span.sizes[-1]
    # The lines of a scattered match are not consecutive.
    # Its later lines are joined to it as if they came from another file.
    is_scattered = not span.are_together(start, span.lines)
    if matches and matches[-1][1].first_line == span.number(start):
        place, match = matches[-1]
        if place in checked.over:
            return None
        return _Open(match.match, b"" if is_scattered else unpack(match.lines))
    last = [rejection for rejection in checked.rejections if rejection.span == number][-1]
    return None if _ends(last.text) else _Open(last.match, b"" if is_scattered else last.text)


class _Typed(msgspec.Struct):
    type: str


_typed = msgspec.json.Decoder(_Typed).decode


def _ends(text: bytes) -> bool:
    """Return whether the last line of a text ends a match."""
    try:
        return _typed(text.rstrip(b"\n").rpartition(b"\n")[2]).type == MATCH_ENDED
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _is_complete(path: Path) -> bool:
    """Return whether a compressed file can be read to its end."""
    with Source(path, path) as source:
        for _ in source.blocks():
            pass
        return source.broken is None
