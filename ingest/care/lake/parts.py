"""What is in a lake, kept in its manifest, and what a run has to write: parts whose matches are not there as they are.

A part is the matches of one game and tournament whose ids lie in a range, one file in every table. Of its matches it
keeps one digest, so the manifest stays small however many there are, and its files have the digest in their names: a
file of that name has these rows, and what has other rows has another name. A table of sums has one file for all parts
of a game and tournament. New matches are a part of their own, however
few; once many small ones stand side by side they are put together.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final, Self

from ingest.errors import WarehouseError
from ingest.fsync import sync
from ingest.private import as_usual

__all__ = [
    "FULL",
    "LISTS",
    "MANIFEST",
    "Files",
    "Manifest",
    "Matches",
    "Part",
    "Partition",
    "Parts",
    "is_lake",
    "planned",
]

FULL: Final = 5_000
"""Most matches in a part; one of less than half is small."""
MOST_SMALL: Final = 16
"""Small parts that may stand side by side before a run puts them together by itself."""
FORMAT: Final = 2
MANIFEST: Final = "_manifest.json"
DIGITS: Final = 20
LISTS: Final = "_iceberg"
"""The folder of a lake with the lists of files that its tables of Iceberg name."""


def is_lake(path: Path) -> bool:
    """Return whether a path is a folder with a lake in it."""
    return path.is_dir() and (path / MANIFEST).exists()


@dataclass(frozen=True, slots=True)
class Part:
    """Matches with ids from `first` to `last`; `digest` is of their rows."""

    first: int
    last: int
    matches: int
    digest: str


@dataclass(frozen=True, slots=True)
class Partition:
    """The matches of a game in one tournament, or in none."""

    game: str
    tournament: str | None

    @property
    def order(self) -> tuple[str, bool, str]:
        """Return what partitions are sorted by: that of no tournament comes first."""
        return self.game, self.tournament is not None, self.tournament or ""

    def file(self, part: Part) -> str:
        """Return the name of a part's file, the same in each table; no other part ever has it."""
        return f"{self.game}-{part.first:09d}-{self._digits([part])}.parquet"

    def sums(self, parts: Sequence[Part]) -> str:
        """Return the name of the file with what is summed up over all its parts; no other sums ever have it."""
        return f"{self.game}-all-{self._digits(parts)}.parquet"

    def _digits(self, parts: Sequence[Part]) -> str:
        told = repr((self.game, self.tournament, *(part.digest for part in parts)))
        return hashlib.sha256(told.encode()).hexdigest()[:DIGITS]


Files = Mapping[str, frozenset[str]]
"""Names of files by table."""
Parts = dict[Partition, tuple[Part, ...]]


@dataclass(slots=True)
class Manifest:
    """The contents of a lake: the parts of each partition, ordered by id."""

    parts: Parts = field(default_factory=Parts)

    @classmethod
    def read(cls, text: str, name: object) -> Self:
        """Return the manifest that a text is; `WarehouseError`, with its name, if it is of another format or none."""
        try:
            found = json.loads(text)
            if found["format"] != FORMAT:
                raise WarehouseError(f"{name}: {_of_another_format(found['format'])}")
            parts = {
                Partition(each["game"], each["tournament"]): tuple(
                    Part(part["first"], part["last"], part["matches"], part["digest"]) for part in each["parts"]
                )
                for each in found["partitions"]
            }
            return cls(parts)
        except (ValueError, KeyError, TypeError):
            raise WarehouseError(f"{name}: not readable; remove the lake and write it again") from None

    def text(self) -> str:
        """Return the manifest as `read` takes it: JSON, with the names of the files for readers."""
        partitions = [
            {
                "game": key.game,
                "tournament": key.tournament,
                "sums": key.sums(parts),
                "parts": [{"file": key.file(part), **asdict(part)} for part in parts],
            }
            for key, parts in sorted(self.parts.items(), key=lambda item: item[0].order)
        ]
        return json.dumps({"format": FORMAT, "partitions": partitions}, indent=1) + "\n"

    def write(self, file: Path) -> None:
        """Write the manifest into a new file, and have the disk hold it."""
        file.write_text(self.text(), encoding="utf-8")
        sync(as_usual(file))


def _of_another_format(found: object) -> str:
    if isinstance(found, int) and found < FORMAT:
        return (
            f"a lake of an earlier himalaya (format {found}), whose files are laid out otherwise; "
            "remove it, or name another folder, and it is written anew"
        )
    return f"a lake of a newer himalaya (format {found}); name another folder, or install that version"


Matches = Sequence[tuple[int, str]]
"""Ids in order, each with a digest of the match."""


def planned(before: Parts, shape: str, matches: Mapping[Partition, Matches], *, compact: bool = False) -> Parts:
    """Return the parts that a lake should have, of tables of a `shape`; those it has not yet are to be written.

    Small parts are put together where more than `MOST_SMALL` stand side by side, and with `compact` wherever two do.
    """
    most = 1 if compact else MOST_SMALL
    return {
        key: tuple(
            _part(part, shape, found) for part in _put_together(_ranges(before.get(key, ()), found), found, most)
        )
        for key, found in matches.items()
        if found
    }


@dataclass(frozen=True, slots=True)
class _Range:
    """Matches of a partition by their places in order, with the id from which they are a part."""

    first: int
    start: int
    stop: int

    @property
    def is_small(self) -> bool:
        return self.stop - self.start < FULL // 2


def _ranges(before: Iterable[Part], matches: Matches) -> Iterator[_Range]:
    """Yield the matches of the present parts, then those of new ones."""
    at = 0
    for part in before:
        end = at
        while end < len(matches) and matches[end][0] <= part.last:
            end += 1
        if end > at:
            yield _Range(min(part.first, matches[at][0]), at, end)
        at = end
    yield from _filled(at, len(matches), matches)


def _filled(start: int, stop: int, matches: Matches) -> Iterator[_Range]:
    for at in range(start, stop, FULL):
        yield _Range(matches[at][0], at, min(stop, at + FULL))


def _put_together(ranges: Iterable[_Range], matches: Matches, most: int) -> Iterator[_Range]:
    """Yield the ranges, but in place of more than `most` small ones side by side such as are full."""
    for is_small, each in groupby(ranges, key=lambda found: found.is_small):
        group = list(each)
        if is_small and len(group) > most:
            yield from _filled(group[0].start, group[-1].stop, matches)
        else:
            yield from group


def _part(found: _Range, shape: str, matches: Matches) -> Part:
    of_it = matches[found.start : found.stop]
    return Part(found.first, of_it[-1][0], len(of_it), _digest(shape, (digest for _, digest in of_it)))


def _digest(shape: str, digests: Iterable[str]) -> str:
    digest = hashlib.sha256(bytes.fromhex(shape))
    for each in digests:
        digest.update(bytes.fromhex(each))
    return digest.hexdigest()
