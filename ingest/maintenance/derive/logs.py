"""Logs to be derived, in folders or a bucket: found by the coordinator, fetched by the workers."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from himalaya_core.files import LOG_SUFFIXES, PARTIAL
from ingest.errors import WarehouseError
from ingest.maintenance.buckets import SCHEME, connected, refusals, require_bucket, split
from ingest.read.discover import Found, discover, is_log
from ingest.read.globbing import named

__all__ = ["Log", "at_hand", "logs_named"]


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
