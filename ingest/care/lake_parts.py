"""What is in a lake, kept in its manifest, and what a run has to write: parts whose matches are no longer the same.

A part is the matches of one game and tournament whose ids lie in a range, one file in every table. Of its matches it
keeps one digest, so the manifest stays small however many there are. New matches fill the last part up to `FULL`, then
begin new ones.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from ingest.errors import WarehouseError
from ingest.fsync import sync
from ingest.private import as_usual

__all__ = ["FULL", "MANIFEST", "Manifest", "Part", "Partition", "planned"]

FULL: Final = 5_000
"""Matches in a part that no more are added to."""
FORMAT: Final = 1
MANIFEST: Final = "_manifest.json"
NO_TOURNAMENT: Final = "__HIVE_DEFAULT_PARTITION__"
ESCAPED: Final = frozenset(map(chr, [*range(32), 127])) | set("\"#%'*/:=?\\{}[]^<>|&;")
"""What Hive, DuckDB, Polars and Spark read back from %XX; letters beyond ASCII stay, Spark would read them wrongly."""


@dataclass(frozen=True, slots=True)
class Part:
    """Matches with ids from `first` to `last`; `digest` is of their rows, none while files may not be what it says."""

    first: int
    last: int
    matches: int
    digest: str | None

    @property
    def file(self) -> str:
        """The name of its file in each table."""
        return f"part-{self.first:09d}.parquet"


@dataclass(frozen=True, slots=True, order=True)
class Partition:
    """The matches of a game in one tournament, or in none."""

    game: str
    tournament: str | None

    @property
    def folder(self) -> str:
        """Its folder in each table, as Hive names it."""
        if self.tournament is None:
            name = NO_TOURNAMENT
        else:
            name = "".join(f"%{ord(letter):02X}" if letter in ESCAPED else letter for letter in self.tournament)
            name = "%5F" + name[1:] if name == NO_TOURNAMENT else name
        return f"game={self.game}/tournament={name}"


Parts = dict[Partition, tuple[Part, ...]]


@dataclass(slots=True)
class Manifest:
    """The contents of a lake: `shape`, a digest of its tables, and the parts of each partition, ordered by id."""

    shape: str
    parts: Parts = field(default_factory=Parts)

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Return the manifest of a lake, `None` for a folder that is none yet; `WarehouseError` if it is unreadable."""
        file = folder / MANIFEST
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            if found["format"] != FORMAT:
                raise WarehouseError(f"{file}: of another himalaya (format {found['format']}); name another folder")
            parts = {
                Partition(each["game"], each["tournament"]): tuple(Part(**part) for part in each["parts"])
                for each in found["partitions"]
            }
            return cls(found["shape"], parts)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise WarehouseError(f"{file}: not readable; remove the folder and write the lake again") from None

    def write(self, folder: Path) -> None:
        """Write the manifest over the one before, in one step."""
        partitions = [
            {"game": key.game, "tournament": key.tournament, "folder": key.folder, "parts": list(map(asdict, parts))}
            for key, parts in sorted(self.parts.items(), key=lambda item: item[0].folder)
        ]
        text = json.dumps({"format": FORMAT, "shape": self.shape, "partitions": partitions}, indent=1)
        new = folder / f".{MANIFEST}"
        with new.open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        as_usual(new).replace(folder / MANIFEST)
        sync(folder)

    def of_shape(self, shape: str) -> "Manifest":
        """Return the manifest with all parts to be written again if the tables have another shape now."""
        if shape == self.shape:
            return self
        doubted = {key: tuple(replace(part, digest=None) for part in parts) for key, parts in self.parts.items()}
        return Manifest(shape, doubted)


Matches = Sequence[tuple[int, str]]
"""Ids in order, each with a digest of the match."""


def planned(before: Manifest, matches: Mapping[Partition, Matches]) -> Parts:
    """Return the parts that a lake should have; those that differ from its present ones are to be written."""
    return {key: tuple(_parts(before.parts.get(key, ()), found)) for key, found in matches.items() if found}


def _parts(before: Sequence[Part], matches: Matches) -> Iterator[Part]:
    """Yield the parts of a partition: the present ones with the matches in their range, then new ones."""
    at = 0
    for number, part in enumerate(before):
        end = at
        while end < len(matches) and matches[end][0] <= part.last:
            end += 1
        if number == len(before) - 1:
            end = max(end, min(len(matches), at + FULL))
        if end > at:
            yield _part(part.first, matches[at:end])
        at = end
    for start in range(at, len(matches), FULL):
        yield _part(matches[start][0], matches[start : start + FULL])


def _part(first: int, matches: Matches) -> Part:
    return Part(first, matches[-1][0], len(matches), _digest(digest for _, digest in matches))


def _digest(digests: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for each in digests:
        digest.update(bytes.fromhex(each))
    return digest.hexdigest()
