"""Stitching: joins the rest of a match to its head if its lines are in two files.

A recorder may switch to another file in the middle of a match. It leaves a head (an unfinished match) and a rest (lines
without a start). The first to be loaded waits, the head in the tables or the rest in quarantine. When the other
arrives, both are validated as one match.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import duckdb
import msgspec

from ingest.load.records import FileRecord
from ingest.packed import unpack
from ingest.read.split import Rejection, chunk_of
from ingest.validate.validation import ValidatedChunk, check

__all__ = ["stitched"]

Waiting = tuple[Sequence[FileRecord], ValidatedChunk]

HEADS: Final = """
SELECT match, events, lines, file, first_line FROM raw_matches WHERE list_contains($names, match)
"""
RESTS: Final = """
SELECT match, line, text FROM quarantine
WHERE list_contains($names, match) AND reason = 'no_start' AND resolved_in IS NULL ORDER BY quarantine_id
"""


class _First(msgspec.Struct):
    match: str
    seq: int


_first = msgspec.json.Decoder(_First).decode


@dataclass(frozen=True, slots=True)
class _Head:
    """A match as far as it is known, and the place where it starts."""

    events: int
    lines: bytes
    file: str
    first_line: int


@dataclass(frozen=True, slots=True)
class _Rest:
    """Rejected lines of a match from `seq` on; `record` is of the file that brought the rest or head in this run."""

    seq: int
    text: bytes
    rejection: Rejection
    record: FileRecord


def stitched(connection: duckdb.DuckDBPyConnection, waiting: Sequence[Waiting]) -> list[Waiting]:
    """Return validated chunks with the rests of known matches joined to their heads."""
    rests: dict[str, list[_Rest]] = {}
    for records, checked in waiting:
        for rejection in checked.rejections:
            if rejection.match and (seq := _seq(rejection)):
                rests.setdefault(rejection.match, []).append(
                    _Rest(seq, rejection.text, rejection, records[rejection.span])
                )
    heads = _heads(waiting, rests)
    if not rests and not heads:
        return list(waiting)
    brought = {match: found[0][1] for match, found in heads.items()}
    brought |= {match: found[0].record for match, found in rests.items()}
    for match, rest in _quarantined_before(connection, brought):
        rests.setdefault(match, []).append(rest)
    for match, head in _known(connection, list(rests)):
        heads.setdefault(match, []).append((head, brought[match]))
    joined: list[Waiting] = []
    taken: set[int] = set()
    for match in (name for name in rests if name in heads):
        ordered = sorted(rests[match], key=lambda rest: rest.seq)
        for head, _ in sorted(heads[match], key=lambda found: -found[0].events):
            if found := list(_joined(head, ordered)):
                joined += (([rest.record], checked) for rest, checked in found)
                taken.update(id(rest.rejection) for rest, _ in found)
                break  # any other head belongs to a different course of the match
    return [*(_without(taken, *each) for each in waiting), *joined]


def _seq(rejection: Rejection) -> int:
    """Return the `seq` of the first rejected line, 0 if it has none or starts a match."""
    try:
        first = _first(rejection.text.partition(b"\n")[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
    return max(first.seq, 0) if first.match == rejection.match else 0


def _heads(waiting: Sequence[Waiting], names: Collection[str]) -> dict[str, list[tuple[_Head, FileRecord]]]:
    """Return the matches that rests may continue, by name, and the file of each.

    They are unfinished. Matches with these `names` are included even if finished, so that a rest of a complete match is
    recognised. Several of one name may be of one course, each longer than the one before, or of different ones.
    """
    found: dict[str, list[tuple[_Head, FileRecord]]] = {}
    for records, checked in waiting:
        over = checked.over
        if len(checked.matches) == len(over) and not names:
            continue
        for number, match in enumerate(checked.matches):
            if number in over and match.match not in names:
                continue
            record = records[match.span]
            head = _Head(match.events, match.lines, match.found_in or str(record.path), match.first_line)
            found.setdefault(match.match, []).append((head, record))
    return found


def _known(connection: duckdb.DuckDBPyConnection, names: list[str]) -> Iterator[tuple[str, _Head]]:
    for match, *head in connection.execute(HEADS, {"names": names}).fetchall() if names else []:
        yield match, _Head(*head)


def _quarantined_before(
    connection: duckdb.DuckDBPyConnection, records: Mapping[str, FileRecord]
) -> Iterator[tuple[str, _Rest]]:
    for match, line, packed in connection.execute(RESTS, {"names": list(records)}).fetchall():
        text = unpack(packed)
        rejection = Rejection(line, match, "no_start", "", text)
        if seq := _seq(rejection):
            yield match, _Rest(seq, text, rejection, records[match])


def _joined(head: _Head, rests: Sequence[_Rest]) -> Iterator[tuple[_Rest, ValidatedChunk]]:
    """Yield the rests that continue a match, or were known already, joined to the lines before them."""
    for rest in rests:
        if rest.seq > head.events:
            continue
        before = b"".join(unpack(head.lines).splitlines(keepends=True)[: rest.seq])
        checked = check(chunk_of(Path(head.file), before + rest.text, head.first_line))
        if len(checked.matches) != 1 or checked.rejections:
            continue
        match = replace(checked.matches[0], found_in=head.file)
        yield rest, ValidatedChunk([match], checked.events, [])
        if match.events > head.events:
            head = replace(head, events=match.events, lines=match.lines)


def _without(taken: set[int], records: Sequence[FileRecord], checked: ValidatedChunk) -> Waiting:
    rejections = [rejection for rejection in checked.rejections if id(rejection) not in taken]
    return records, replace(checked, rejections=rejections) if len(rejections) < len(checked.rejections) else checked
