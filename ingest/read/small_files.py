"""Small files, read by the validating processes, so that one process need not read them all for the others.

Text read by one process has to be copied to another; for small files only their names are. All other files are read in
order by the loading process, as they must be cut at the end of a match.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from himalaya_core.files import LOG_SUFFIXES
from himalaya_core.log.text import Broken
from ingest.errors import ReadError
from ingest.read import split
from ingest.read.source import Ending, Source
from ingest.read.split import SPAN_BYTES, Chunk, chunks_from

__all__ = ["Named", "SmallFiles", "grouped", "is_small", "read"]

PLAIN: Final = ".jsonl"
GROWS: Final = 16
"""Typical expansion of packed logs: bytes of text per byte; files with more than twice as much are not read here."""

Named = tuple[Path, Path]
"""A file, and its display name."""


@dataclass(frozen=True, slots=True)
class SmallFiles:
    """Neighbouring files, with their approximate amount of text including a fixed cost for each."""

    files: tuple[Named, ...]
    size: int


def is_small(path: Path, size: int) -> bool:
    """Return whether all text of a log fits into a chunk, judging by its name and its size on the disk."""
    return path.name.endswith(LOG_SUFFIXES) and _text(path, size) <= split.CHUNK_BYTES


def _text(path: Path, size: int) -> int:
    return size if path.name.endswith(PLAIN) else GROWS * size


def grouped(files: Iterable[tuple[Named, int]]) -> Iterator[SmallFiles]:
    """Group neighbouring small files, given with their sizes, into one chunk's worth each."""
    group: list[Named] = []
    total = 0
    for named, size in files:
        cost = _text(named[0], size) + SPAN_BYTES
        if group and total + cost > split.CHUNK_BYTES:
            yield SmallFiles(tuple(group), total)
            group, total = [], 0
        group.append(named)
        total += cost
    if group:
        yield SmallFiles(tuple(group), total)


def read(small: SmallFiles, failed: list[ReadError], left: list[Named]) -> Iterator[Chunk]:
    """Yield the lines of the files in chunks; files that cannot be read are added to `failed`.

    If one turns out to hold more text than a chunk or two, it and all later files are `left` to be read in order.
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
            failed.append(error.with_traceback(None))  # which would refer back to this list, and keep it alive


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file with the text that was read from it."""

    source: Source
    text: tuple[bytes, ...]

    @classmethod
    def of(cls, source: Source) -> "_Kept | None":
        """Read the text of a file, unless there is too much."""
        text: list[bytes] = []
        size = 0
        for block in source.blocks():
            text.append(block)
            size += len(block)
            if size > 2 * split.CHUNK_BYTES:
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
