"""Small files of text, read by whoever validates them, so that one process need not read them all for the others.

Of what one process reads, text is copied to another; of these only the names are. Anything else is read in order by
the process that loads: a large file must be cut where a match ends, and how much text is in a packed one is not known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.errors import ReadError
from ingest.read import lines
from ingest.read.lines import PART_BYTES, Piece, pieces_from
from ingest.read.source import Source

__all__ = ["Named", "SmallFiles", "grouped", "is_small", "read"]

SUFFIX: Final = ".jsonl"

Named = tuple[Path, Path]
"""A file, and the name to show for it."""


@dataclass(frozen=True, slots=True)
class SmallFiles:
    """Neighbouring files, and how many bytes are in all of them."""

    files: tuple[Named, ...]
    size: int

    def without_text(self) -> "SmallFiles":
        """Return the same: there is no text in it."""
        return self

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to validate, which is known only when it is read."""
        return False


def is_small(path: Path, size: int) -> bool:
    """Return whether a file seems to be a small one of text."""
    return path.name.endswith(SUFFIX) and size <= lines.PIECE_BYTES


def grouped(files: Iterable[tuple[Named, int]]) -> Iterator[SmallFiles]:
    """Yield small files, given with their sizes, together with their neighbours, as much as makes one piece."""
    group: list[Named] = []
    total = 0
    for named, size in files:
        if group and total + size + PART_BYTES > lines.PIECE_BYTES:
            yield SmallFiles(tuple(group), total)
            group, total = [], 0
        group.append(named)
        total += size + PART_BYTES
    if group:
        yield SmallFiles(tuple(group), total)


def read(small: SmallFiles, failed: list[ReadError], left: list[Named]) -> Iterator[Piece]:
    """Yield the lines of the files in pieces; those that cannot be read are added to `failed`.

    Once one turns out not to be a small file of text, it and all behind it are `left` to be read in order.
    """
    for number, (path, shown) in enumerate(small.files):
        try:
            with Source(path, shown) as source:
                if not source.is_text or source.found > lines.PIECE_BYTES:
                    left += small.files[number:]
                    return
                yield from pieces_from(source, shown)
        except ReadError as error:
            failed.append(error)
