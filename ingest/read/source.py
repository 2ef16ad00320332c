"""The bytes of a log file, decompressed, with its digest: read once, in bounded memory, and never from anything else.

Compression is recognised by the first bytes, since names can lie.
"""

import hashlib
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final, Protocol, Self

import zstandard

from ingest.errors import ReadError

__all__ = ["BLOCK", "Broken", "Ending", "Parts", "Source"]

BLOCK: Final = 1 << 20
SLICE: Final = 1 << 10
"""Compressed bytes taken at once; they stand for 32 MiB at most."""
MOST_GROWTH: Final = 1_000
"""Logs shrink to a fortieth at best; what grows by more than this as it is read, past `GROWS` bytes, is no log."""
GROWS: Final = 64 << 20
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class Parts:
    """The files of an open database, under whatever names: they are no logs, and must not even be opened.

    Closing one would give up this process's lock on the database, and another process could write to it.
    """

    def __init__(self, database: Path) -> None:
        files = (Path(f"{database.resolve()}{suffix}") for suffix in ("", ".wal", ".server.json"))
        self._files = [file.stat() for file in files if file.exists()]

    def refuse(self, path: Path) -> None:
        """Raise `ReadError` if a file is one of these."""
        try:
            found = path.stat()
        except OSError:
            return  # reading it will say why
        if any(os.path.samestat(found, file) for file in self._files):
            raise ReadError(path, "expected a log, found the database itself, or a part of it")


@dataclass(frozen=True, slots=True)
class Ending:
    """Size and SHA-256 of a file as it is on the disk, and whether it changed while it was read."""

    size: int
    sha256: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a compressed file could be read no further."""

    reason: str
    message: str


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class Source:
    """A file that is read from its start to its end; every failure is a `ReadError` under the name `shown`."""

    def __init__(self, path: Path, shown: Path) -> None:
        self.size = 0
        """Bytes read so far, as they are on the disk."""
        self.broken: Broken | None = None
        self._path = path
        self._shown = shown
        self._sha256 = hashlib.sha256()
        try:
            _check_regular(path.stat(), shown)  # first, as opening some devices does something
            self._file = FileIO(path, opener=_open)
            self._before = os.fstat(self._file.fileno())
        except OSError as error:
            raise ReadError(shown, _why(error)) from None
        if not stat.S_ISREG(self._before.st_mode):
            self._file.close()
            _check_regular(self._before, shown)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def blocks(self) -> Iterator[bytes]:
        """Yield all bytes, decompressed, in blocks of at most `BLOCK` bytes; if that fails, `broken` says why."""
        first = self._read()
        if first.startswith(GZIP):
            yield from self._decompressed(first, "gzip", lambda: zlib.decompressobj(wbits=31), b"\0")
        elif first.startswith(ZSTD):
            yield from self._decompressed(first, "zstd", zstandard.ZstdDecompressor().decompressobj)
        else:
            while first:
                yield first
                first = self._read()

    def ending(self) -> Ending:
        """Return size and digest once all blocks were read; bytes behind a break are read for the digest."""
        while self._read():
            pass
        try:
            after, named = os.fstat(self._file.fileno()), self._path.stat()
        except FileNotFoundError:
            return Ending(self.size, self._sha256.hexdigest(), changed=True)
        except OSError as error:
            raise ReadError(self._shown, _why(error)) from None
        is_same = _identity(self._before) == _identity(after) == _identity(named) and self.size == after.st_size
        return Ending(self.size, self._sha256.hexdigest(), changed=not is_same)

    def _read(self) -> bytes:
        try:
            block = self._file.read(BLOCK)
        except OSError as error:
            raise ReadError(self._shown, _why(error)) from None
        assert block is not None, "a regular file never has to be waited for"
        self._sha256.update(block)
        self.size += len(block)
        return block

    def _decompressed(
        self, block: bytes, name: str, new: Callable[[], _Decompressor], padding: bytes = b""
    ) -> Iterator[bytes]:
        """Decompress frame after frame; bytes of `padding` behind one are left out."""
        frame = new()
        out: list[bytes] = []
        size = whole = 0
        while block and not self.broken:
            for at in range(0, len(block), SLICE):
                left = block[at : at + SLICE]
                try:
                    while left:
                        if frame.eof:
                            if not (left := left.lstrip(padding)):
                                break
                            frame = new()
                        out.append(frame.decompress(left))
                        size += len(out[-1])
                        whole += len(out[-1])
                        left = frame.unused_data if frame.eof else b""
                except (zlib.error, zstandard.ZstdError) as error:
                    place = self.size - len(block) + at
                    self.broken = _broken(name, place, str(error))
                    break
                if whole > max(GROWS, MOST_GROWTH * self.size):
                    self.broken = _grown(name, self.size, whole)
                    break
                if size >= BLOCK:
                    yield from _blocks(b"".join(out))
                    out, size = [], 0
            if not self.broken:
                block = self._read()
        if not self.broken and not frame.eof:
            self.broken = Broken("file_cut", f"expected a complete {name} file, found its end missing")
        yield from _blocks(b"".join(out))


def _broken(name: str, place: int, why: str) -> Broken:
    found = f"something else near byte {place} ({why}); nothing behind it was read"
    return Broken("file_broken", f"expected {name} data to the end of the file, found {found}")


def _grown(name: str, size: int, text: int) -> Broken:
    most = f"at most {MOST_GROWTH:,} bytes of text for each byte of {name} data"
    return Broken("file_broken", f"expected {most}, found {text:,} for {size:,}; nothing behind it was read")


def _blocks(data: bytes) -> Iterator[bytes]:
    if len(data) <= BLOCK:
        yield data
    else:
        yield from (data[at : at + BLOCK] for at in range(0, len(data), BLOCK))


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a named pipe that took the place of a file must not hold us up


def _check_regular(found: os.stat_result, shown: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for is_kind, name in KINDS if is_kind(found.st_mode)), "something else")
        raise ReadError(shown, f"expected a file, found {kind}")


def _identity(found: os.stat_result) -> tuple[int, ...]:
    """Return what stays the same as long as nobody writes to a file or puts another in its place."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _why(error: OSError) -> str:
    return error.strerror or str(error)
