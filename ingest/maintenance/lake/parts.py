"""The manifest of a lake, which names the files of each game and tournament.

A lake is written whole. A file has at most `FULL` matches of one game and tournament, or the sums over all of them.
Names of files end in a key of the lake's source: in another state no file has the same name.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from ingest.errors import WarehouseError
from ingest.fsync import sync
from ingest.private import as_usual

__all__ = ["FULL", "MANIFEST", "Files", "Manifest", "Partition", "Parts", "Segment", "is_lake", "parts_of"]

FULL: Final = 5_000
"""Maximum matches in a file."""
FORMAT: Final = 3
MANIFEST: Final = "_manifest.json"


def is_lake(path: Path) -> bool:
    """Return whether a path is a folder with a lake in it."""
    return path.is_dir() and (path / MANIFEST).exists()


@dataclass(frozen=True, slots=True)
class Segment:
    """Matches with ids from `first` to `last`: in each table a `file` of this name."""

    file: str
    first: int
    last: int
    matches: int


@dataclass(frozen=True, slots=True)
class Partition:
    """The matches of a game in one tournament, or in none."""

    game: str
    tournament: str | None

    @property
    def order(self) -> tuple[str, bool, str]:
        """Return the sort key of partitions: the one without a tournament is first."""
        return self.game, self.tournament is not None, self.tournament or ""


Files = Mapping[str, frozenset[str]]
"""Names of files by table."""
Parts = dict[Partition, tuple[Segment, ...]]
"""The parts of each partition, ordered by id."""


def parts_of(matches: Mapping[Partition, Sequence[int]], key: str) -> Parts:
    """Return the parts for matches, given by their ids in order; the lake or share has this `key`."""
    return {
        partition: tuple(
            Segment(f"{partition.game}-{some[0]:09d}-{key}.parquet", some[0], some[-1], len(some))
            for some in (ids[at : at + FULL] for at in range(0, len(ids), FULL))
        )
        for partition, ids in matches.items()
    }


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a lake; `key` is a digest of what it was made from."""

    key: str
    parts: Parts

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        return sum(part.matches for parts in self.parts.values() for part in parts)

    def sums(self, partition: Partition) -> str:
        """Return the name of the files with the sums over a partition."""
        return f"{partition.game}-{self.parts[partition][0].first:09d}-all-{self.key}.parquet"

    @classmethod
    def read(cls, text: str, name: object) -> Self:
        """Parse a manifest. Raises `WarehouseError` with its name if it is in another format or not a manifest."""
        try:
            found = json.loads(text)
            if found["format"] != FORMAT:
                raise WarehouseError(f"{name}: {_of_another_format(found['format'])}")
            parts = {
                Partition(each["game"], each["tournament"]): tuple(Segment(**part) for part in each["parts"])
                for each in found["partitions"]
            }
            return cls(found["key"], parts)
        except (ValueError, KeyError, TypeError):
            raise WarehouseError(f"{name}: not readable; remove the lake and write it again") from None

    def text(self) -> str:
        """Return the manifest in the form that `read` accepts: JSON."""
        partitions = [
            {"game": key.game, "tournament": key.tournament, "sums": self.sums(key), "parts": [*map(asdict, parts)]}
            for key, parts in sorted(self.parts.items(), key=lambda item: item[0].order)
        ]
        return json.dumps({"format": FORMAT, "key": self.key, "partitions": partitions}, indent=1) + "\n"

    def write(self, file: Path) -> None:
        """Write the manifest into a new file, and sync it to the disk."""
        file.write_text(self.text(), encoding="utf-8")
        sync(as_usual(file))


def _of_another_format(found: object) -> str:
    if isinstance(found, int) and found < FORMAT:
        return f"a lake of an earlier himalaya (format {found}); remove it and write it again, or name another folder"
    return f"a lake of a newer himalaya (format {found}); name another folder, or install that version"
