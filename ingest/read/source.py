"""Reads the bytes of a log file, decompressed, with its digest: once, in bounded memory, from regular files only.

Compression is recognised by the first bytes, because file names can be wrong.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final, Self

from himalaya_core.log.text import BLOCK, Broken, Text
from ingest.errors import ReadError, plain_reason

__all__ = ["Ending", "Parts", "Source"]

KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class Parts:
    """The files of an open database, which must not be read as logs or even opened, under any name.

    Closing such a file would release this process's lock on the database. Another process could then write to it.
    """

    def __init__(self, database: Path) -> None:
        files = (Path(f"{database.resolve()}{suffix}") for suffix in ("", ".wal", ".server.json"))
        self._files = [file.stat() for file in files if file.exists()]

    def refuse(self, path: Path) -> None:
        """Raise `ReadError` if a path is one of these files."""
        try:
            found = path.stat()
        except OSError:
            return  # the error is reported when the file is read
        if any(os.path.samestat(found, file) for file in self._files):
            raise ReadError(path, "it is the database itself, or a part of it, and not a log")


@dataclass(frozen=True, slots=True)
class Ending:
    """Size and SHA-256 of a file as stored on the disk, and whether it changed while it was being read."""

    size: int
    sha256: str
    changed: bool = False


class Source:
    """A file that is read from start to end. Every failure is a `ReadError` about the name `shown`."""

    def __init__(self, path: Path, shown: Path) -> None:
        self.size = 0
        """Bytes read so far, as stored on the disk."""
        self.broken: Broken | None = None
        self._path = path
        self._shown = shown
        self._sha256 = hashlib.sha256()
        try:
            _check_regular(path.stat(), shown)  # before opening, as opening some devices has side effects
            self._file = FileIO(path, opener=_open)
            self._before = os.fstat(self._file.fileno())
        except OSError as error:
            raise ReadError(shown, plain_reason(error)) from None
        if not stat.S_ISREG(self._before.st_mode):
            self._file.close()
            _check_regular(self._before, shown)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def blocks(self) -> Iterator[bytes]:
        """Yield all bytes, decompressed, in blocks of at most `BLOCK` bytes. After a failure, `broken` is set."""
        text = Text(self._read)
        yield from text.blocks()
        self.broken = text.broken

    def ending(self) -> Ending:
        """Return the size and the digest once all blocks are read. After a failure, the rest is read for the digest."""
        while self._read():
            pass
        try:
            after, named = os.fstat(self._file.fileno()), self._path.stat()
        except FileNotFoundError:
            return Ending(self.size, self._sha256.hexdigest(), changed=True)
        except OSError as error:
            raise ReadError(self._shown, plain_reason(error)) from None
        is_same = _identity(self._before) == _identity(after) == _identity(named) and self.size == after.st_size
        return Ending(self.size, self._sha256.hexdigest(), changed=not is_same)

    def _read(self) -> bytes:
        try:
            block = self._file.read(BLOCK)
        except OSError as error:
            raise ReadError(self._shown, plain_reason(error)) from None
        assert block is not None, "a regular file never has to be waited for"
        self._sha256.update(block)
        self.size += len(block)
        return block


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # if a named pipe has replaced the file, do not block


def _check_regular(found: os.stat_result, shown: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for is_kind, name in KINDS if is_kind(found.st_mode)), "something else")
        raise ReadError(shown, f"it is {kind}, not a file")


def _identity(found: os.stat_result) -> tuple[int, ...]:
    """Return a value that changes when the file is written to or replaced."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
