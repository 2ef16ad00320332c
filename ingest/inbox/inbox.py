"""The inbox next to a warehouse, `FILE.inbox`: request bodies that were accepted but not yet loaded.

A body is written under a temporary name, checked, and synced to the disk. Only then is it renamed to the SHA-256 of its
bytes. So every file with such a name is complete, and identical bodies share one file. A note next to each body holds
its time of arrival and its sender. Bodies that arrive at the same time share one sync of the folder.
"""

import errno
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from pydantic import TypeAdapter, ValidationError

from himalaya_core.log.text import BLOCK, compression
from ingest.errors import NotAccepted, ReadError, Reason, plain_reason
from ingest.files import SharedSync, sync
from ingest.read.source import Source

__all__ = ["PASSING", "Arrival", "Body", "Encoding", "Inbox", "Limits", "is_receipt"]

DIGEST: Final = 64
PASSING: Final = "incoming-"
NOTE: Final = ".json"
TEXT_PER_BODY: Final = 16
"""Maximum ratio of decompressed to sent bytes. Logs compress to about a tenth, so a body above this ratio is not a log.
"""
FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on request bodies and on the queue.

    For bodies: bytes as sent, lines, and bytes per minute from one sender. For the queue: bytes, bodies, and the
    waiting time of the oldest body in seconds.
    """

    body: int = 256 << 20
    lines: int = 5_000_000
    bytes_per_minute: int = 1 << 30
    waiting_bytes: int = 2 << 30
    waiting_bodies: int = 20_000
    waiting_seconds: float = 600.0

    @property
    def text(self) -> int:
        """Return the maximum bytes of a decompressed body."""
        return TEXT_PER_BODY * self.body


class Encoding(StrEnum):
    """Compressions that a request may declare for a body."""

    GZIP = "gzip"
    ZSTD = "zstd"


class Body(Protocol):
    """Source of a body's bytes."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; empty at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """A body in the inbox: its time of arrival (UTC), its sender, and the tournament for logs that name none."""

    receipt: str
    size: int
    received_at: datetime
    source: str
    tournament: str | None = None


@dataclass(frozen=True, slots=True)
class _Passing:
    """A body that is written to the inbox but not accepted yet."""

    path: Path
    receipt: str
    size: int


_notes = TypeAdapter(Arrival)


def is_receipt(name: str) -> bool:
    """Return whether a name has the form of a receipt: 64 lowercase hexadecimal digits."""
    return len(name) == DIGEST and not set(name) - set("0123456789abcdef")


class Inbox:
    """The inbox folder, used by one process at a time; safe to use from several threads.

    The list of waiting bodies is kept in memory.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self.size = 0
        """Total bytes of the waiting bodies."""
        self._waiting: dict[str, Arrival] = {}
        self._arriving: set[str] = set()
        self._changed = threading.Condition()
        self._sync = SharedSync(folder)
        self._making = threading.Lock()
        self._is_made = False

    def open(self) -> None:
        """Find waiting bodies. Remove unfinished files of a killed process, for which no receipt was sent."""
        with suppress(FileNotFoundError):
            names = {path.name for path in self.folder.iterdir()}
            for name in names:
                if name.startswith(PASSING) or (name.endswith(NOTE) and name.removesuffix(NOTE) not in names):
                    (self.folder / name).unlink(missing_ok=True)
            arrivals = sorted(map(self._read, filter(is_receipt, names)), key=_as_they_came)
            with self._changed:
                self._waiting = {arrival.receipt: arrival for arrival in arrivals}
                self.size = sum(arrival.size for arrival in arrivals)

    @contextmanager
    def written(self, body: Body) -> Iterator[_Passing]:
        """Write a body under a temporary name; it is removed after the block unless `keep` accepted it.

        Raises `NotAccepted`.
        """
        with _full_disk():
            self._make()
        path = self.folder / f"{PASSING}{secrets.token_hex(8)}"
        try:
            with _full_disk():
                written = self._write(path, body)
            yield written
        finally:
            path.unlink(missing_ok=True)

    def _make(self) -> None:
        """Create the folder and sync its entry to the disk, before any body is accepted."""
        with self._making:
            if self._is_made and self.folder.is_dir():
                return
            self.folder.mkdir(mode=0o700, exist_ok=True)
            sync(self.folder.parent)
            self._is_made = True

    def _write(self, path: Path, body: Body) -> _Passing:
        digest, size = hashlib.sha256(), 0
        with path.open("xb", buffering=0) as file:
            while block := body.read(BLOCK):
                size += len(block)
                if size > self.limits.body:
                    raise _too_much("bytes as sent", self.limits.body, size)
                digest.update(block)
                left = memoryview(block)
                while left:
                    left = left[file.write(left) :]
            os.fsync(file.fileno())
        if size == 0:
            raise NotAccepted(Reason.EMPTY, "body: empty; send the lines of a log")
        return _Passing(path, digest.hexdigest(), size)

    def check(self, body: _Passing, encoding: Encoding | None) -> None:
        """Decompress a whole body to check it. Raises `NotAccepted` if it is damaged or exceeds a limit."""
        with body.path.open("rb") as file:
            first = file.read(4)
        if encoding and compression(first) != encoding:
            message = f"body: not {encoding} data, as Content-Encoding claims"
            raise NotAccepted(Reason.BROKEN, message)
        size = lines = 0
        last = b""
        for block in _text(body.path):
            size += len(block)
            lines += block.count(b"\n")
            last = block
            self._check_text(size, lines)
        if size == 0:
            raise NotAccepted(Reason.EMPTY, "body: empty after decompression; send the lines of a log")
        self._check_text(size, lines + (not last.endswith(b"\n")))

    def _check_text(self, size: int, lines: int) -> None:
        if lines > self.limits.lines:
            raise _too_much("lines", self.limits.lines, lines)
        if size > self.limits.text:
            raise _too_much("bytes without its compression", self.limits.text, size)

    def keep(self, body: _Passing, arrival: Arrival) -> bool:
        """Accept a body: sync it to the disk under its final name; return `False` if the same body is already waiting.

        Raises `NotAccepted`.
        """
        receipt = arrival.receipt
        with self._changed:
            self._changed.wait_for(lambda: receipt not in self._arriving)
            if receipt in self._waiting:
                return False
            self._arriving.add(receipt)
        try:
            with _full_disk():
                self._settle(body, arrival)
            with self._changed:
                self._waiting[receipt] = arrival
                self.size += arrival.size
        finally:
            with self._changed:
                self._arriving.discard(receipt)
                self._changed.notify_all()
        return True

    def _settle(self, body: _Passing, arrival: Arrival) -> None:
        note = self._note(arrival.receipt)
        try:
            _write_through(note, json.dumps(asdict(arrival), default=str).encode())
            body.path.rename(self.path(arrival.receipt))
            self._sync()
        except OSError:
            self.path(arrival.receipt).unlink(missing_ok=True)
            note.unlink(missing_ok=True)
            raise

    def remove(self, receipt: str) -> None:
        """Remove a body that was loaded."""
        self.path(receipt).unlink(missing_ok=True)
        self._note(receipt).unlink(missing_ok=True)
        with self._changed:
            if arrival := self._waiting.pop(receipt, None):
                self.size -= arrival.size

    def waiting(self) -> list[Arrival]:
        """Return the waiting bodies, in the order in which they were accepted."""
        with self._changed:
            return list(self._waiting.values())

    def arrival(self, receipt: str) -> Arrival | None:
        """Return the record of a waiting body; `None` if it is not in the inbox."""
        return self._waiting.get(receipt)

    def _read(self, receipt: str) -> Arrival:
        """Read the record of a body from its note; if the note was lost, sender and tournament are empty."""
        try:
            return _notes.validate_json(self._note(receipt).read_bytes())
        except (FileNotFoundError, ValidationError):
            found = self.path(receipt).stat()
            return Arrival(receipt, found.st_size, datetime.fromtimestamp(found.st_mtime, UTC).replace(tzinfo=None), "")

    def path(self, receipt: str) -> Path:
        """Return the path of a waiting body."""
        return self.folder / receipt

    def _note(self, receipt: str) -> Path:
        return self.folder / f"{receipt}{NOTE}"


def _as_they_came(arrival: Arrival) -> tuple[datetime, str]:
    return arrival.received_at, arrival.receipt


def _text(path: Path) -> Iterator[bytes]:
    """Yield the decompressed, non-empty blocks of a body."""
    try:
        with Source(path, Path("body")) as source:
            yield from filter(None, source.blocks())
            broken = source.broken
    except ReadError as error:
        raise NotAccepted(Reason.NOT_WRITABLE, f"the server cannot read it again: {error.reason}") from None
    if broken:
        raise NotAccepted(Reason.BROKEN, f"body: {broken.message}")


def _too_much(what: str, limit: int, found: int) -> NotAccepted:
    return NotAccepted(Reason.TOO_LARGE, f"body: expected at most {limit} {what}, found more", limit, found)


@contextmanager
def _full_disk() -> Iterator[None]:
    """Turn errors about a full disk into a `NotAccepted`."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise NotAccepted(
                Reason.NO_SPACE, "the disk of the server is full; make room there and send it again"
            ) from None
        message = f"the server cannot store it: {plain_reason(error)}"
        raise NotAccepted(Reason.NOT_WRITABLE, message) from None


def _write_through(path: Path, text: bytes) -> None:
    with path.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
