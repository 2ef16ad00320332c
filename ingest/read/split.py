"""Cuts log files into chunks that end between two matches; groups small files for the validating processes."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import msgspec
import numpy as np

from himalaya_core.files import LOG_SUFFIXES
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MAX_LINE_BYTES
from himalaya_core.log.envelope import MATCH_ENDED, MATCH_STARTED
from himalaya_core.log.text import Broken
from ingest.errors import ReadError
from ingest.read.chunk import NEWLINE, STARTED, Chunk, Cut, FileSpan, Rejection, by_game, by_match, game_of
from ingest.read.source import Ending, Source

__all__ = [
    "TOO_SHORT",
    "Chunk",
    "Cut",
    "Ending",
    "FileSpan",
    "Named",
    "ReadError",
    "Rejection",
    "SmallFiles",
    "chunk_of",
    "chunks",
    "chunks_from",
    "game_of",
    "grouped",
    "is_small",
    "joined",
    "match_named",
    "read",
]


CHUNK_BYTES: Final = 8 << 20
MOST_BYTES: Final = 16 << 20
MOST_LINES: Final = 1 << 17
"""Maximum lines validated together if no match ends: short lines take far more memory than their text."""
MANY_LINES: Final = MOST_LINES // 2
SHORTEST: Final = 40
"""Minimum bytes of a line that can be an event: its keys alone are this long."""
SPAN_BYTES: Final = 1 << 10
"""Cost of a span in addition to its text, in bytes."""
PART_OF_LINE: Final = "part_of_line"
"""Rejection reason of each part of a line that is too long for one row; the parts together are the whole line."""
TOO_SHORT: Final = "lines_too_short"
"""Rejection reason of a long run of lines that are too short; they are not examined one by one."""
LINES_TOO_SHORT: Final = f"line: expected an event, found {MANY_LINES} lines or more in a row that are too short"
LINE_TOO_LONG: Final = f"line: expected at most {MAX_LINE_BYTES} bytes, found more"
NAME: Final = re.compile(rb'"match"\s*:\s*"([A-Za-z0-9._-]{1,64})"')


class _Bytes(Protocol):
    """A file or part of a file that can be read once; `size` is the number of bytes read so far."""

    @property
    def size(self) -> int: ...
    @property
    def broken(self) -> Broken | None: ...
    def blocks(self) -> Iterator[bytes]: ...
    def ending(self) -> Ending: ...


class _Start(msgspec.Struct):
    match: str
    type: str
    seq: int


_start = msgspec.json.Decoder(_Start).decode


def chunks(path: Path, *, shown: Path | None = None) -> Iterator[Chunk]:
    """Yield the lines of a log in chunks, displayed under the name `shown` if given.

    Of a truncated file, the readable part is yielded. Raises `ReadError` for a file that cannot be read to its end.
    """
    with Source(path, shown or path) as source:
        yield from chunks_from(source, shown or path)


def chunks_from(source: _Bytes, path: Path, first_line: int = 1) -> Iterator[Chunk]:
    """Yield the lines of an open file from line `first_line`, in chunks of one game that end between matches."""
    lines = _Lines(path, source, first_line)
    for block in source.blocks():
        for chunk in lines.add(block):
            yield from by_game(*by_match(chunk))
    yield from by_game(*by_match(lines.rest()))


def chunk_of(path: Path, data: bytes, first_line: int = 1) -> Chunk:
    """Return bytes as a chunk, as if they were a file with line numbers from `first_line`."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    end = Ending(len(data), hashlib.sha256(data).hexdigest())
    chunk, _ = by_match(Chunk((FileSpan(path, first_line, lines, len(data), end=end),), data))
    return chunk


def joined(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Join neighbouring chunks that are small files of one game, which are validated much faster together."""
    waiting: list[Chunk] = []
    size, game = 0, None
    for chunk in chunks:
        cost = len(chunk.data) + SPAN_BYTES
        before, game = game, game_of(chunk.data) if GAMES.has_several else None
        if waiting and (not chunk.is_whole or size + cost > CHUNK_BYTES or game is not before):
            yield _together(waiting)
            waiting, size = [], 0
        if chunk.is_whole:
            waiting.append(chunk)
            size += cost
        else:
            yield chunk
    if waiting:
        yield _together(waiting)


def _together(whole: list[Chunk]) -> Chunk:
    if len(whole) == 1:
        return whole[0]
    return Chunk(tuple(chunk.spans[0] for chunk in whole), b"".join(chunk.data for chunk in whole))


class _Lines:
    """The lines of a file while it is being read and cut into chunks."""

    def __init__(self, path: Path, source: _Bytes, first_line: int) -> None:
        self._path = path
        self._source = source
        self._data = bytearray()
        self._behind: list[bytes] = []
        """Blocks read after `_data`; they are joined only when there is enough text for a chunk."""
        self._size = 0
        """Bytes in `_data` and `_behind`."""
        self._line = first_line
        self._ends = 0
        """Line ends in `_data` and `_behind`."""
        self._long: _LongLine | None = None

    def add(self, block: bytes) -> Iterator[Chunk]:
        """Add a block, and yield the chunks that it completes."""
        self._behind.append(block)
        self._size += len(block)
        self._ends += int(np.count_nonzero(np.frombuffer(block, np.uint8) == NEWLINE))
        if not self._long and self._size < CHUNK_BYTES and self._ends <= MOST_LINES:
            return
        for each in self._behind:
            self._data += each
        self._behind.clear()
        while chunk := self._part_of_line() if self._long else self._next():
            yield chunk

    def rest(self) -> Chunk:
        """Return the last chunk."""
        end, broken = self._source.ending(), self._source.broken
        if self._long and self._data:
            return self._take_of_line(len(self._data), end)
        data = b"".join([self._data, *self._behind] if self._data else self._behind)  # a single block is not copied
        lines = self._ends + (not data.endswith(b"\n") and bool(data))
        last = self._line + max(lines - 1, 0)
        cut = None
        if broken:
            cut = Cut(broken.reason, f"file: {broken.message}", last)
        elif end.changed:
            cut = Cut("file_changed", "file: expected it to stay as it is while it is read, found it changed", last)
        span = FileSpan(self._path, self._line, lines, self._source.size, cut, end)
        return Chunk((span,), data)

    def _next(self) -> Chunk | None:
        """Return the next chunk; `None` if more text must be read first."""
        data, ends = self._data, self._ends
        if len(data) < CHUNK_BYTES and ends <= MOST_LINES:
            return None
        if ends > MOST_LINES:
            *_, behind = data.split(b"\n", MOST_LINES)
            data, ends = data[: len(data) - len(behind)], MOST_LINES
        if at := _between_matches(data):
            return self._take(at, data.count(b"\n", 0, at))
        if len(data) < MOST_BYTES and ends < MOST_LINES:
            return None
        at = data.rfind(b"\n") + 1
        if at == 0:
            self._long = _LongLine(match_named(self._data))
            return self._part_of_line()
        if ends == MOST_LINES and data.count(b"\n", start := _short_lines(data)) >= MANY_LINES:
            return self._take_short(start, at)
        if len(data) - at > MAX_LINE_BYTES:
            return self._take(at, ends, Cut("line_too_long", LINE_TOO_LONG, self._line + ends))
        most = f"{MOST_LINES} lines" if ends == MOST_LINES else f"{MOST_BYTES} bytes"
        message = f"match: expected at most {most}, found more"
        return self._take(at, ends, Cut("match_too_long", message, self._line + ends - 1))

    def _take(self, size: int, lines: int, cut: Cut | None = None) -> Chunk:
        span = FileSpan(self._path, self._line, lines, self._source.size, cut)
        self._line += lines
        self._ends -= lines
        return Chunk((span,), self._take_bytes(size))

    def _take_short(self, start: int, size: int) -> Chunk:
        """Return a chunk of lines that are all too short, or first the lines before them."""
        lines = self._data.count(b"\n", 0, start or size)
        if start:
            return self._take(start, lines, Cut(TOO_SHORT, LINES_TOO_SHORT, self._line + lines))
        rejection = Rejection(self._line, None, TOO_SHORT, LINES_TOO_SHORT, self._take_bytes(size))
        self._line += lines
        self._ends -= lines
        return Chunk((FileSpan(self._path, rejection.line, 0, self._source.size),), b"", (rejection,))

    def _part_of_line(self) -> Chunk | None:
        """Return the next part of an overlong line; `None` if more text must be read first."""
        if self._ends:
            return self._take_of_line(self._data.find(b"\n") + 1)
        return self._take_of_line(len(self._data)) if len(self._data) >= MOST_BYTES else None

    def _take_of_line(self, size: int, end: Ending | None = None) -> Chunk:
        assert self._long
        self._long.parts += 1
        message = f"{LINE_TOO_LONG} (part {self._long.parts} of it)"
        rejection = Rejection(self._line, self._long.match, PART_OF_LINE, message, self._take_bytes(size))
        span = FileSpan(self._path, self._line, 0, self._source.size, end=end)
        if rejection.text.endswith(b"\n"):
            self._long = None
            self._line += 1
            self._ends -= 1
        return Chunk((span,), b"", (rejection,))

    def _take_bytes(self, size: int) -> bytes:
        taken = bytes(memoryview(self._data)[:size])
        del self._data[:size]
        self._size -= size
        return taken


@dataclass(slots=True)
class _LongLine:
    """An overlong line that is rejected in parts: the match it names, if any, and the number of parts so far."""

    match: str | None
    parts: int = 0


def match_named(line: bytes | bytearray) -> str | None:
    """Return the name of the match that a bad line seems to belong to; `None` if it names no match."""
    found = NAME.search(line)
    return found[1].decode() if found else None


def _short_lines(data: bytes | bytearray) -> int:
    """Return the offset after which all lines are too short to be events."""
    sizes = [*map(len, data.split(b"\n"))]
    if max(sizes) < SHORTEST:
        return 0
    long = next(place for place in reversed(range(len(sizes))) if sizes[place] >= SHORTEST)
    return sum(sizes[: long + 1]) + long + 1


def _between_matches(data: bytearray) -> int:
    """Return the last offset at which a match certainly starts after another match, or 0 if there is none.

    A place where the previous match has ended is preferred, because an unfinished match may continue after the cut.
    """
    found, second = len(data), 0
    while (found := data.rfind(STARTED, 0, found)) > 0:
        start, is_best = _match_start(data, found)
        if is_best:
            return start
        second = second or start
    return second


def _match_start(data: bytearray, found: int) -> tuple[int, bool]:
    """Return the start of the line around an offset, if a match certainly starts there after another one, else 0.

    Also return whether the line before it ends a match.
    """
    start = data.rfind(b"\n", 0, found) + 1
    end = data.find(b"\n", found)
    if start == 0 or end < 0:
        return 0, False
    try:
        following = _start(data[start:end])
        before = _start(data[data.rfind(b"\n", 0, start - 1) + 1 : start])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0, False
    is_start = following.type == MATCH_STARTED and following.seq == 0 and following.match != before.match
    return (start, before.type == MATCH_ENDED) if is_start else (0, False)


PLAIN: Final = ".jsonl"
GROWS: Final = 16
"""Typical ratio of text to compressed bytes. Files with more than twice this ratio are not read by the workers."""

Named = tuple[Path, Path]
"""Path of a file, and its display name."""


@dataclass(frozen=True, slots=True)
class SmallFiles:
    """Neighbouring small files, with the approximate size of their text, including a fixed cost for each file."""

    files: tuple[Named, ...]
    size: int


def is_small(path: Path, size: int) -> bool:
    """Return whether the text of a log probably fits into one chunk, judging by its name and its size on the disk."""
    return path.name.endswith(LOG_SUFFIXES) and _text(path, size) <= CHUNK_BYTES


def _text(path: Path, size: int) -> int:
    return size if path.name.endswith(PLAIN) else GROWS * size


def grouped(files: Iterable[tuple[Named, int]]) -> Iterator[SmallFiles]:
    """Group neighbouring small files, given with their sizes; each group is about as large as a chunk."""
    group: list[Named] = []
    total = 0
    for named, size in files:
        cost = _text(named[0], size) + SPAN_BYTES
        if group and total + cost > CHUNK_BYTES:
            yield SmallFiles(tuple(group), total)
            group, total = [], 0
        group.append(named)
        total += cost
    if group:
        yield SmallFiles(tuple(group), total)


def read(small: SmallFiles, failed: list[ReadError], left: list[Named]) -> Iterator[Chunk]:
    """Yield the lines of the files in chunks; files that cannot be read are added to `failed`.

    If a file turns out to hold much more text than a chunk, this file and all later ones are added to `left`. The
    caller must read them in order.
    """
    for number, (path, shown) in enumerate(small.files):
        try:
            with Source(path, shown) as source:
                kept = _Kept.of(source)
                if kept is None:
                    left += small.files[number:]
                    return
                yield from chunks_from(kept, shown)
        except ReadError as error:
            failed.append(error.with_traceback(None))  # a traceback would keep this frame alive


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file, with its text in memory."""

    source: Source
    text: tuple[bytes, ...]

    @classmethod
    def of(cls, source: Source) -> "_Kept | None":
        """Read the text of a file; `None` if there is too much."""
        text: list[bytes] = []
        size = 0
        for block in source.blocks():
            text.append(block)
            size += len(block)
            if size > 2 * CHUNK_BYTES:
                return None
        return cls(source, tuple(text))

    @property
    def size(self) -> int:
        return self.source.size

    @property
    def broken(self) -> Broken | None:
        return self.source.broken

    def blocks(self) -> Iterator[bytes]:
        return iter(self.text)

    def ending(self) -> Ending:
        return self.source.ending()
