"""Logs to be derived: found in folders or a bucket, with the names and endings of their matches."""

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
    """A log, or a file next to it, as it was found; a changed file may hold different matches.

    `name` is a path or, in a bucket, `s3://BUCKET/KEY`; `size` is in bytes, `written` and `changed` are times.
    """

    name: str
    size: int
    written: int
    changed: int = 0

    @classmethod
    def found(cls, name: str | Path) -> Self:
        """Return a file as it is now; all numbers are 0 if it cannot be accessed."""
        name = str(name)
        if name.startswith(SCHEME):
            with refusals(name):
                return cls.described(connected().get_file_info(name.removeprefix(SCHEME)))
        try:
            at = Path(name).stat()
        except OSError:
            return cls(name, 0, 0)  # reading it will give the reason
        return cls(name, at.st_size, at.st_mtime_ns, at.st_ctime_ns)

    @classmethod
    def described(cls, info: Any) -> Self:
        """Return an object from a bucket's description."""
        return cls(f"{SCHEME}{info.path}", info.size or 0, info.mtime_ns or 0)

    @property
    def is_in_bucket(self) -> bool:
        """Return whether it has to be fetched."""
        return self.name.startswith(SCHEME)

    @property
    def shown(self) -> Path:
        """Return the path used in messages; in a bucket `BUCKET/KEY`, as a path has no scheme."""
        return Path(self.name.removeprefix(SCHEME))

    @property
    def has_changed(self) -> bool:
        """Return whether the file has changed since it was found."""
        return Log.found(self.name) != self


def logs_named(words: Sequence[str]) -> tuple[list[Log], Found]:
    """Return the logs that arguments stand for, and other findings: files not finished or not searchable.

    An argument is a file, folder or pattern, as for `himalaya ingest`, or `s3://BUCKET/PREFIX` with all logs under it.
    Raises `WarehouseError` for one without a match.
    """
    here = [word for word in words if not word.startswith(SCHEME)]
    found = discover(named(here)) if here else Found((), ())
    logs = [Log.found(path) for path in found.logs]
    for word in dict.fromkeys(words):
        if word.startswith(SCHEME):
            logs += _in_bucket(word)
    return list({log.name: log for log in logs}.values()), found


def _in_bucket(address: str) -> list[Log]:
    """Return the logs under an address, in order of their keys."""
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
    """Yield local files with the logs, in order; those in a bucket are fetched into a scratch folder.

    Raises `WarehouseError` if a bucket refuses.
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
"""Bytes of a digest. A collision of two names or ends only puts their logs together."""
END: Final = re.compile(rb'"state_sha256"\s*:\s*"([0-9a-f]{64})"')
"""The final position of a match, which is the same in all copies of it."""
MOST_KEPT: Final = 1 << 24
"""Bytes kept of a line without an end: no event is longer, and the text after them names no match."""
ESCAPED: Final = b"\\u"


class _Named(msgspec.Struct):
    match: str


_named = msgspec.json.Decoder(_Named).decode


def names_in(logs: Sequence[Log]) -> list[tuple[bytes, bytes]]:
    """Return for each log the digests of all names of matches in it, and of all ends, each once and in order.

    For a log that cannot be read to its end, they cover the readable part: loading gets equally far.
    """
    return [_joined_digests(*_names_and_ends(log)) for log in logs]


def _names_and_ends(log: Log) -> tuple[set[bytes], set[bytes]]:
    found, ends = set[bytes](), set[bytes]()
    with suppress(ReadError, WarehouseError), at_hand([log]) as files:  # loading the log reports it
        for path in files:
            with Source(path, path) as source:
                for lines in _whole_lines(source.blocks()):
                    found.update(NAME.findall(lines))
                    ends.update(END.findall(lines))
                    if ESCAPED in lines:  # keys and names may have escapes, and be read as the same
                        found.update(_decoded(lines))
    return found, ends


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks cut at the ends of lines, and the remainder last."""
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
            continue  # not an event of any match


def _joined_digests(names: set[bytes], ends: set[bytes]) -> tuple[bytes, bytes]:
    return b"".join(sorted(map(_digest, names))), b"".join(sorted(map(_digest, ends)))


def _digest(name: bytes) -> bytes:
    return hashlib.blake2b(name, digest_size=DIGEST).digest()
