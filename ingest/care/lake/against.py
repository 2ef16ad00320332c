"""Which matches of a lake are in others as well: the same, or others of the same name. Lakes are read, never written.

A match has one name everywhere, but its number and the files that it is in are those of a lake. Names and digests of
logs are joined by DuckDB, which puts on the disk what does not fit into its memory.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb

from ingest.care.lake.contents import LakeContents, listed
from ingest.care.lake.parts import is_lake
from ingest.errors import WarehouseError
from ingest.warehouse import MEMORY, sentence

__all__ = ["Comparison", "Differing", "Overlap", "Source", "compared"]

AT_ONCE: Final = 1_000
"""Matches that are fetched at once."""
SAME: Final = "a.bytes_sha256 = b.bytes_sha256"
SHARED: Final = "{matches} AS a JOIN {others} AS b USING (match)"
COUNTS: Final = f"SELECT count(*) FILTER ({SAME}), count(*) FILTER (NOT ({SAME})) FROM {SHARED}"
DIFFERING: Final = f"""
SELECT match, a.file, a.first_line, a.events, b.file, b.first_line, b.events FROM {SHARED}
WHERE NOT ({SAME}) ORDER BY match
"""


class Source(NamedTuple):
    """Where the log of a match came from, with its first line there, and how many lines it has."""

    file: str
    line: int
    events: int


class Differing(NamedTuple):
    """A match with another log in `other`, a lake, than in the one that is compared; where each came from."""

    match: str
    other: str
    here: Source
    there: Source


class Overlap(NamedTuple):
    """How many matches another lake has, and how many of those are in both: with the same log, and with another."""

    lake: str
    matches: int
    same: int
    differing: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A lake beside others: how many `matches` it has, and what each other has of them.

    `differing` yields the matches with another log, one other lake after the other, by name.
    """

    matches: int
    overlaps: Sequence[Overlap]
    differing: Iterator[Differing]


@contextmanager
def compared(lake: Path, others: Sequence[Path]) -> Iterator[Comparison]:
    """Compare the matches of a lake with those of others; what comes of it can be read within the block.

    Raises `WarehouseError` for a folder that is no lake, or whose tables or format are not those of this version.
    """
    with tempfile.TemporaryDirectory(prefix="himalaya-") as spilled:
        limits: dict[str, Any] = {"memory_limit": MEMORY, "temp_directory": spilled}
        with duckdb.connect(config=limits) as connection:
            here = _matches(connection, lake)
            there = {str(other): _matches(connection, other) for other in others}
            try:
                overlaps = [_overlap(connection, here, name, matches) for name, matches in there.items()]
                yield Comparison(_number(connection, here), overlaps, _differing(connection, here, there))
            except duckdb.IOException as error:
                reason = sentence(error, lake)
                raise WarehouseError(f"{reason}; if a run of `himalaya lake` has ended, do the same again") from None


def _matches(connection: duckdb.DuckDBPyConnection, lake: Path) -> str:
    """Return what to select the logs of a lake from, after a look at all of its tables."""
    if not is_lake(lake):
        raise WarehouseError(f"{lake}: {'is not a lake in a folder' if lake.exists() else 'no such folder'}")
    files = LakeContents(lake).checked(connection)["raw_matches"]
    if not files:
        return "(SELECT ''::VARCHAR AS match, '' AS bytes_sha256, '' AS file, 0 AS first_line, 0 AS events LIMIT 0)"
    return f"(SELECT match, bytes_sha256, file, first_line, events FROM read_parquet({listed(files)}))"


def _number(connection: duckdb.DuckDBPyConnection, matches: str) -> int:
    ((number,),) = connection.execute(f"SELECT count(*) FROM {matches}").fetchall()
    return int(number)


def _overlap(connection: duckdb.DuckDBPyConnection, here: str, name: str, there: str) -> Overlap:
    ((same, differing),) = connection.execute(COUNTS.format(matches=here, others=there)).fetchall()
    return Overlap(name, _number(connection, there), same, differing)


def _differing(connection: duckdb.DuckDBPyConnection, here: str, there: dict[str, str]) -> Iterator[Differing]:
    for name, matches in there.items():
        connection.execute(DIFFERING.format(matches=here, others=matches))
        while rows := connection.fetchmany(AT_ONCE):
            for match, *found in rows:
                yield Differing(match, name, Source(*found[:3]), Source(*found[3:]))
