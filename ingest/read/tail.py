"""Reads a growing log from its last position, and stores the positions of all followed files."""

import hashlib
import os
import re
import stat
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, Final, Self

import duckdb

from himalaya_core.log.text import BLOCK, is_plain
from ingest.errors import ReadError, plain_reason
from ingest.read.source import Ending
from ingest.values import table_of

__all__ = ["Checkpoint", "Checkpoints", "Key", "Tail", "forget", "is_followed", "is_rotated", "key_of", "moment"]


SLACK: Final = 2.0
"""Maximum seconds by which a file's modification time may lag behind the clock."""
BIGGEST: Final = 1 << 63

COLUMNS: Final = {
    "file": "VARCHAR",
    **dict.fromkeys(("device", "inode", "position"), "BIGINT"),
    "line": "INTEGER",
    "sha256": "VARCHAR",
    "size": "BIGINT",
    "live": "VARCHAR",
    "seen_at": "TIMESTAMP",
}
"""Columns of `watched_files`, in the order of the fields of a `Checkpoint`."""

Key = tuple[int, int]
"""Device and inode number, which identify a file."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The stored position in a file, a row of `watched_files`; `size` is the offset after the last line read."""

    file: str
    device: int
    inode: int
    position: int
    line: int
    sha256: str
    size: int
    live: str | None
    seen_at: datetime

    @property
    def key(self) -> Key:
        """Return the identity of the file."""
        return self.device, self.inode

    def is_of(self, found: os.stat_result) -> bool:
        """Return whether the file is certainly unchanged since this position was stored."""
        written = max(found.st_mtime, found.st_ctime)  # copying may preserve an old mtime
        unchanged = written < self.seen_at.replace(tzinfo=UTC).timestamp() - SLACK
        return unchanged and found.st_size == self.size and key_of(found) == self.key


def key_of(found: os.stat_result) -> Key:
    """Return the device and the inode as signed numbers, which the database can hold."""
    device, inode = (number - 2 * BIGGEST if number >= BIGGEST else number for number in (found.st_dev, found.st_ino))
    return device, inode


def moment(seconds: float) -> datetime:
    """Return a time, given in seconds since 1970, as stored in the database."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


class Checkpoints:
    """Stored positions of the given files, and of all other files in the given folders.

    Changes are written with the next batch.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: Mapping[Path, os.stat_result],
        folders: Sequence[Path] = (),
    ) -> None:
        self._connection = connection
        keys = {key_of(found) for found in files.values()}
        inside = tuple(f"{folder}{os.sep}" for folder in folders)
        values = {"files": list(map(str, files)), "inodes": [inode for _, inode in keys], "folders": list(inside)}
        rows = [Checkpoint(*row) for row in connection.execute(KNOWN, values).fetchall()]
        self._by_key = {row.key: row for row in rows if row.key in keys}
        self._there = {str(path) for path in files}
        self._by_name = {row.file: row for row in rows if row.key not in keys and row.file in self._there}
        self._new: dict[str, Checkpoint] = {}
        self._gone = {row.file for row in rows if row.file.startswith(inside) and row.file not in self._there}
        self._keys = {path: key_of(found) for path, found in files.items()}

    def renamed(self) -> Iterator[tuple[Path, Checkpoint]]:
        """Yield files that were known under another name, with the position stored for their inode.

        After rotation, the inode may have belonged to another file.
        """
        for path, key in self._keys.items():
            if (row := self._by_key.get(key)) and row.file != str(path):
                yield path, row

    def of(self, path: Path, found: os.stat_result) -> Checkpoint | None:
        """Return the position stored for a file under any name, or else for the file that it replaced."""
        return self._by_key.get(key_of(found)) or self._by_name.get(str(path))

    def keep(self, checkpoint: Checkpoint, before: Checkpoint | None) -> None:
        """Store a position with the next batch."""
        self._new[checkpoint.file] = checkpoint
        if before and before.file not in self._there:
            self._gone.add(before.file)

    def drop(self, gone: Iterable[Path]) -> None:
        """Remove the positions of deleted files."""
        self._gone.update(map(str, gone))

    def write(self, left_out: Collection[str] = ()) -> None:
        """Write pending changes within the caller's transaction; names of matches in `left_out` are not written."""
        names = {*self._new, *self._gone}
        if not names:
            return
        execute = self._connection.execute
        execute("DELETE FROM watched_files WHERE list_contains($names, file)", {"names": sorted(names)})
        if self._new:
            new = [replace(row, live=None) if row.live in left_out else row for row in self._new.values()]
            self._connection.register("rows", table_of(COLUMNS, map(astuple, new)))
            execute("INSERT INTO watched_files BY NAME FROM rows")
            self._connection.unregister("rows")
        self._new, self._gone = {}, set()


KNOWN: Final = """
FROM watched_files WHERE list_contains($files, file) OR list_contains($inodes, inode)
    OR list_bool_or([starts_with(file, folder) FOR folder IN $folders])
"""


FOLLOWED: Final = re.compile(r".*\.jsonl(\.partial|(?P<rotated>[.-]\d[\d._-]*)?(\.gz|\.zst)?)", re.DOTALL)
"""Pattern for names of followed files: `x.jsonl`, `x.jsonl.gz`, `x.jsonl.partial`, `x.jsonl.1`, `x.jsonl-20261121.zst`.
"""
EDGE: Final = 1 << 12
"""Bytes before the position that are compared each time, to detect that the file was replaced."""
MOST_KNOWN: Final = 4_096
"""Maximum number of files with a remembered digest."""


def is_followed(name: str) -> bool:
    """Return whether a file with this name is followed; a compressed file only under its final name."""
    return FOLLOWED.fullmatch(name) is not None


def is_rotated(name: str) -> bool:
    """Return whether the file name is that of a rotated log, which continues in another file."""
    found = FOLLOWED.fullmatch(name)
    return found is not None and bool(found["rotated"])


@dataclass(frozen=True, slots=True)
class _Digest:
    """The digest of the bytes before a position, and a digest of the last `EDGE` of these bytes."""

    position: int
    sha256: Any
    edge: bytes


_known: OrderedDict[Key, _Digest] = OrderedDict()


def forget() -> None:
    """Drop the remembered digests of this process, as after a restart."""
    _known.clear()


class Tail:
    """A file as it was when opened, read from a position. Every failure is a `ReadError`."""

    broken = None

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        """Bytes read so far."""
        self.changed = False
        """True if the file became shorter: it was truncated while being read."""
        self.lines = 0
        """Number of line ends read for the first time."""
        self.half = b""
        """A last line without line end that must be rejected, because nothing will follow it."""
        self.seen_at = time.time()
        try:
            self._file = FileIO(path, opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))
            self.found = os.fstat(self._file.fileno())
        except OSError as error:
            raise ReadError(path, plain_reason(error)) from None
        if not stat.S_ISREG(self.found.st_mode):
            self._file.close()
            raise ReadError(path, "it is not a regular file")
        self.key = key_of(self.found)
        self.start = self.seen = 0
        self.stop = self.found.st_size
        self._sha256 = hashlib.sha256()
        self._edge = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def age(self) -> float:
        """Return the seconds since the last write, as an absolute value because the clocks may differ."""
        return abs(self.seen_at - self.found.st_mtime)

    @property
    def is_plain(self) -> bool:
        """Return whether the file is plain text and not compressed, judging by its bytes."""
        return is_plain(self._at(0, EDGE))

    def starts_with(self, known: Checkpoint) -> bool:
        """Return whether the file still starts with the bytes read before.

        If so, reading continues at the stored position.
        """
        if self.found.st_size < known.position:
            return False
        edge = self.between(max(known.position - EDGE, 0), known.position)
        digest = _known.get(self.key)
        if digest and digest.position == known.position and digest.sha256.hexdigest() == known.sha256:
            if hashlib.sha256(edge).digest() != digest.edge:
                return False
            sha256 = digest.sha256.copy()
        else:
            sha256 = hashlib.sha256()
            for at in range(0, known.position, BLOCK):
                sha256.update(self._at(at, min(BLOCK, known.position - at)))
            if sha256.hexdigest() != known.sha256:
                return False
        self.start = self.seen = known.position
        if known.size <= self.found.st_size:
            self.seen = known.size
        self._sha256, self._edge = sha256, edge
        return True

    def last_line_end(self) -> int:
        """Return the offset after the last complete line; if no new line is complete, the offset known before."""
        stop = self.found.st_size
        while stop > self.seen:
            at = max(stop - BLOCK, self.seen)
            if (found := self._at(at, stop - at).rfind(b"\n")) >= 0:
                return at + found + 1
            stop = at
        return self.seen

    def between(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`."""
        return b"".join(self._at(at, min(BLOCK, stop - at)) for at in range(start, stop, BLOCK))

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes from `start` to `stop`, in blocks."""
        at = self.start
        while at < self.stop:
            block = self._at(at, min(BLOCK, self.stop - at))
            if not block:
                break
            self.lines += block.count(b"\n", max(self.seen - at, 0))
            self.size += len(block)
            at += len(block)
            yield block

    def ending(self) -> Ending:
        """Return the bytes read, and whether the file was truncated meanwhile; growth does not count as a change."""
        self.changed = os.fstat(self._file.fileno()).st_size < self.found.st_size
        return Ending(self.size, "", changed=self.changed)

    def settle(self, text: bytes) -> None:
        """Mark the next bytes as finally read."""
        self._sha256.update(text)
        self._edge = (self._edge + text[-EDGE:])[-EDGE:]
        self.start += len(text)

    def checkpoint(self, line: int, size: int, live: str | None) -> Checkpoint:
        """Return the position before the line with this number, and remember the digest of the bytes before it."""
        _known[self.key] = _Digest(self.start, self._sha256.copy(), hashlib.sha256(self._edge).digest())
        _known.move_to_end(self.key)
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
        sha256 = self._sha256.hexdigest()
        return Checkpoint(str(self.path), *self.key, self.start, line, sha256, size, live, moment(self.seen_at))

    def _at(self, place: int, size: int) -> bytes:
        try:
            return os.pread(self._file.fileno(), size, place)
        except OSError as error:
            raise ReadError(self.path, plain_reason(error)) from None
