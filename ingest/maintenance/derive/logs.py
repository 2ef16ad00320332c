"""Finds the logs to derive, in folders or a bucket, and reads the names and final states of their matches."""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from himalaya_core.files import LOG_SUFFIXES, PARTIAL
from ingest.errors import ReadError, WarehouseError
from ingest.maintenance.lake.bucket import SCHEME, connected, refusals, require_bucket, split
from ingest.read.discover import Found, discover, is_log, named
from ingest.read.source import Source
from ingest.read.split import NAME

__all__ = ["DIGEST", "Log", "at_hand", "logs_named", "names_in"]


@dataclass(frozen=True, slots=True)
class Log:
    """A log, or a manifest next to it, as it was when found. If the file changes later, it may hold other matches.

    `name` is a path or, in a bucket, `s3://BUCKET/KEY`; `size` is in bytes; `written` and `changed` are in nanoseconds.
    """

    name: str
    size: int
    written: int
    changed: int = 0

    @classmethod
    def found(cls, name: str | Path) -> Self:
        """Return a file in its present state; all numbers are 0 if it cannot be accessed."""
        name = str(name)
        if name.startswith(SCHEME):
            with refusals(name):
                return cls.described(connected().get_file_info(name.removeprefix(SCHEME)))
        try:
            at = Path(name).stat()
        except OSError:
            return cls(name, 0, 0)  # the error is reported when the file is read
        return cls(name, at.st_size, at.st_mtime_ns, at.st_ctime_ns)

    @classmethod
    def described(cls, info: Any) -> Self:
        """Return the log for a bucket's description of an object."""
        return cls(f"{SCHEME}{info.path}", info.size or 0, info.mtime_ns or 0)

    @property
    def is_in_bucket(self) -> bool:
        """Return whether the log is in a bucket and must be fetched."""
        return self.name.startswith(SCHEME)

    @property
    def shown(self) -> Path:
        """Return the path shown in messages; in a bucket, `BUCKET/KEY` without the scheme."""
        return Path(self.name.removeprefix(SCHEME))

    @property
    def has_changed(self) -> bool:
        """Return whether the file has changed since it was found."""
        return Log.found(self.name) != self


def logs_named(words: Sequence[str]) -> tuple[list[Log], Found]:
    """Return the logs that the arguments name, and other findings such as unfinished or unreadable files.

    An argument is a file, a folder or a pattern, as for `himalaya ingest`, or `s3://BUCKET/PREFIX` for all logs under
    it. Raises `WarehouseError` for an argument without a match.
    """
    here = [word for word in words if not word.startswith(SCHEME)]
    found = discover(named(here)) if here else Found((), ())
    logs = [Log.found(path) for path in found.logs]
    for word in dict.fromkeys(words):
        if word.startswith(SCHEME):
            logs += _in_bucket(word)
    return list({log.name: log for log in logs}.values()), found


def _in_bucket(address: str) -> list[Log]:
    """Return the logs under a bucket address, sorted by key."""
    from pyarrow import fs

    bucket, prefix = split(address)
    with refusals(address):
        system = connected()
        require_bucket(system, bucket, address)
        place = system.get_file_info(f"{bucket}/{prefix}".rstrip("/"))
        below = fs.FileSelector(place.path, allow_not_found=True, recursive=True)
        objects = [place] if place.type == fs.FileType.File else system.get_file_info(below)
    logs = [each for each in objects if each.type == fs.FileType.File and is_log(each.base_name)]
    if not logs:
        raise WarehouseError(f"{address}: no logs there; their names end in {' or '.join(LOG_SUFFIXES)}")
    whole = (each for each in logs if not each.base_name.endswith(PARTIAL))
    return sorted((Log.described(each) for each in whole), key=lambda log: log.name.split("/"))


@contextmanager
def at_hand(logs: Sequence[Log], scratch: Path | None = None) -> Iterator[dict[Path, Log]]:
    """Yield the logs by local path, in the given order; logs in a bucket are downloaded to a scratch folder.

    Raises `WarehouseError` if a bucket refuses access.
    """
    with tempfile.TemporaryDirectory(dir=scratch, prefix="himalaya-logs-") as folder:
        files: dict[Path, Log] = {}
        for number, log in enumerate(logs):
            path = Path(log.name)
            if log.is_in_bucket:
                path = Path(folder) / f"{number:06}"
                _fetch(log, path)
            files[path] = log
        yield files


def _fetch(log: Log, path: Path) -> None:
    with (
        refusals(log.name),
        connected().open_input_stream(log.name.removeprefix(SCHEME)) as source,
        path.open("wb") as target,
    ):
        shutil.copyfileobj(source, target)


DIGEST: Final = 8
"""Bytes of a digest. If two names or final states collide, their logs are only derived together."""
END: Final = re.compile(rb'"state_sha256"\s*:\s*"([0-9a-f]{64})"')
"""Pattern for the digest of a match's final state, which is the same in all copies of the match."""
MOST_KEPT: Final = 1 << 24
"""Maximum bytes kept of a line without a line end. No event is longer, so the rest of the line names no match."""
ESCAPED: Final = b"\\u"


class _Named(msgspec.Struct):
    match: str


_named = msgspec.json.Decoder(_Named).decode


def names_in(logs: Sequence[Log]) -> list[tuple[bytes, bytes]]:
    """Return, for each log, the sorted digests of all match names and of all final states in it.

    For a log that cannot be read to its end, they cover the readable part. Loading reads the same part.
    """
    return [_joined_digests(*_names_and_ends(log)) for log in logs]


def _names_and_ends(log: Log) -> tuple[set[bytes], set[bytes]]:
    found, ends = set[bytes](), set[bytes]()
    with suppress(ReadError, WarehouseError), at_hand([log]) as files:  # the error is reported when the log is loaded
        for path in files:
            with Source(path, path) as source:
                for lines in _whole_lines(source.blocks()):
                    found.update(NAME.findall(lines))
                    ends.update(END.findall(lines))
                    if ESCAPED in lines:  # keys and names may be written with JSON escapes
                        found.update(_decoded(lines))
    return found, ends


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text in blocks that end at line ends, except perhaps the last block."""
    rest = b""
    for block in blocks:
        head, end, tail = (rest + block).rpartition(b"\n")
        if end or len(tail) > MOST_KEPT:
            yield head + end if end else tail
        rest = tail if end or len(tail) <= MOST_KEPT else b""
    yield rest


def _decoded(lines: bytes) -> Iterator[bytes]:
    for line in lines.split(b"\n"):
        try:
            yield _named(line).match.encode()
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue  # not an event


def _joined_digests(names: set[bytes], ends: set[bytes]) -> tuple[bytes, bytes]:
    return b"".join(sorted(map(_digest, names))), b"".join(sorted(map(_digest, ends)))


def _digest(name: bytes) -> bytes:
    return hashlib.blake2b(name, digest_size=DIGEST).digest()
