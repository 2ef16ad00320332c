"""The position in each followed file: the rows of `watched_files`, written with the matches that were read."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import duckdb

from ingest.arrow import table_of

__all__ = ["Checkpoint", "Checkpoints", "Key", "key_of", "moment"]

SLACK: Final = 2.0
"""Seconds by which the time of a file's last change may lag behind the clock."""
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
"""Device and inode."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A row of `watched_files`; `size` is the offset after the last line that was read."""

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
        """Return whether nothing can have been written to the file since."""
        written = max(found.st_mtime, found.st_ctime)  # a copy may keep an old time
        unchanged = written < self.seen_at.replace(tzinfo=UTC).timestamp() - SLACK
        return unchanged and found.st_size == self.size and key_of(found) == self.key


def key_of(found: os.stat_result) -> Key:
    """Return device and inode in the form that the database can hold."""
    device, inode = (number - 2 * BIGGEST if number >= BIGGEST else number for number in (found.st_dev, found.st_ino))
    return device, inode


def moment(seconds: float) -> datetime:
    """Return a time in the form of the database."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


class Checkpoints:
    """The checkpoints of some files, and of all others in some folders; changes are written with the next batch."""

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
        """Yield files known under another name, each with the checkpoint of its inode, maybe another file's."""
        for path, key in self._keys.items():
            if (row := self._by_key.get(key)) and row.file != str(path):
                yield path, row

    def of(self, path: Path, found: os.stat_result) -> Checkpoint | None:
        """Return the checkpoint of a file under any name, or else that of the file it replaced."""
        return self._by_key.get(key_of(found)) or self._by_name.get(str(path))

    def keep(self, checkpoint: Checkpoint, before: Checkpoint | None) -> None:
        """Write a row with the next batch."""
        self._new[checkpoint.file] = checkpoint
        if before and before.file not in self._there:
            self._gone.add(before.file)

    def drop(self, gone: Iterable[Path]) -> None:
        """Drop the checkpoints of files that no longer exist."""
        self._gone.update(map(str, gone))

    def write(self, left_out: Collection[str] = ()) -> None:
        """Write pending changes, within the transaction of the caller; no match that is `left_out` is named."""
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
