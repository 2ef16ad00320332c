"""Assigns ids to matches, and joins the two parts of a match with lines in two files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import duckdb
import msgspec

from himalaya_core.log.codec import LogError, decode_line
from himalaya_core.log.envelope import MATCH_STARTED
from ingest.load.summary import FileRecord
from ingest.read.chunk import STARTED, Rejection, game_of
from ingest.read.split import chunk_of
from ingest.validate.validation import ValidatedChunk, ValidMatch, check
from ingest.values import table_of, unpack

__all__ = ["Assignment", "MatchIds", "stitched"]


@dataclass(slots=True)
class Assignment:
    """The id assigned to a match, or `None` if its rows are not inserted.

    `counted` is true if the warehouse holds exactly these bytes.
    """

    file: FileRecord
    match: ValidMatch
    match_id: int | None = None
    tournament: str | None = None
    counted: bool = False
    is_over: bool = True

    def settles(self, text: bytes) -> bool:
        """Return whether this match contains every line of a quarantined text that names it."""
        if not self.is_over and text.count(b"\n") > self.match.events:
            return False
        first, *_ = unpack(self.match.lines).partition(b"\n")
        return first in text or not any(map(_starts_a_match, text.splitlines(keepends=True)))


@dataclass(frozen=True, slots=True)
class _Known:
    """A match that is in the warehouse or, if it has an `assignment`, earlier in the batch."""

    match: str
    match_id: int
    bytes_sha256: str
    size: int
    file: str
    line: int
    tournament: str | None
    assignment: Assignment | None = None


def _starts_a_match(line: bytes) -> bool:
    if STARTED not in line or (game := game_of(line)) is None:
        return False
    try:
        return decode_line(line, game).type == MATCH_STARTED
    except LogError:
        return False


class MatchIds:
    """Assigns ids to the matches of a batch, in the order given."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        names: Sequence[str],
        forgotten: Collection[str],
        next_id: int,
        wanted: Collection[str] = (),
    ) -> None:
        """Look up the matches with these names. `forgotten` and `wanted` are digests of logs."""
        self.new = self.skipped = 0
        self.forgotten: list[str] = []
        self.continued: set[int] = set()
        """Ids of loaded matches that get a longer or a different log."""
        self.named: dict[int, str] = {}
        """Tournaments for loaded matches that had none, by match id."""
        self.conflicts: list[tuple[FileRecord, Rejection]] = []
        self._forgotten = forgotten
        self._wanted = wanted
        self._connection = connection
        self._next_id = next_id
        self._known = self._known_matches(names)

    def assign(self, file: FileRecord, match: ValidMatch, tournament: str | None = None) -> Assignment:
        """Assign an id to the next match; `tournament` is that of its file, used if the log names none."""
        assignment = Assignment(file, match, tournament=tournament)
        before = self._known.get(match.match)
        if match.bytes_sha256 in self._forgotten:
            self.forgotten.append(match.match)
            file.skipped += 1
            file.taken.forgotten += 1
        elif before is None:
            assignment.match_id = self._next_id
            self._next_id += 1
            self.new += 1
            file.taken.matches += 1
        elif self._is_contained(match, before):
            self.skipped += 1
            file.skipped += 1
            file.taken.skipped += 1
            assignment.counted = match.bytes_sha256 == before.bytes_sha256
            if tournament and not before.tournament:
                self._name(before, tournament, file)
        elif (goes_on := self._goes_on(match, before)) or match.bytes_sha256 in self._wanted:
            if not goes_on:
                message = _another(f"{file.path}:{match.first_line}")
                rejection = Rejection(before.line, match.match, "conflict", message, self._text(before))
                self.conflicts.append((FileRecord(Path(before.file), before.size, before.bytes_sha256), rejection))
            assignment.match_id = before.match_id
            assignment.tournament = tournament or before.tournament
            if before.assignment:
                before.assignment.match_id = None
            else:
                self.continued.add(before.match_id)
            if before.assignment and before.assignment.file is file:
                file.taken.events -= before.assignment.match.events
            else:
                file.taken.completed += 1
        else:
            message = _another(f"{before.file}:{before.line}")
            rejection = Rejection(match.first_line, match.match, "conflict", message, unpack(match.lines))
            self.conflicts.append((file, rejection))
        if assignment.match_id is not None:
            assignment.counted = True
            file.matches += 1
            file.taken.events += match.events
            known = (match.match, assignment.match_id, match.bytes_sha256, match.size, str(file.path), match.first_line)
            self._known[match.match] = _Known(*known, assignment.tournament, assignment)
        return assignment

    def _name(self, known: _Known, tournament: str, file: FileRecord) -> None:
        """Set the tournament of a known match that has none to that of a file with the same match."""
        if known.assignment:
            known.assignment.tournament = tournament
        else:
            self.named[known.match_id] = tournament
        file.taken.named += 1
        self._known[known.match] = replace(known, tournament=tournament)

    def _known_matches(self, names: Sequence[str]) -> dict[str, _Known]:
        self._connection.register("names", table_of({"match": "VARCHAR"}, zip(names)))
        rows = self._connection.execute(
            "SELECT match, match_id, bytes_sha256, size, file, first_line, tournament "
            "FROM raw_matches SEMI JOIN names USING (match)"
        ).fetchall()
        self._connection.unregister("names")
        return {row[0]: _Known(*row) for row in rows}

    def _is_contained(self, match: ValidMatch, before: _Known) -> bool:
        """Return whether a match adds nothing to the known one: the same bytes, or only the first part of them."""
        if match.bytes_sha256 == before.bytes_sha256:
            return True
        return match.size < before.size and self._text(before).startswith(unpack(match.lines))

    def _goes_on(self, match: ValidMatch, before: _Known) -> bool:
        """Return whether a match continues the known, unfinished one with more lines."""
        return match.size > before.size and unpack(match.lines).startswith(self._text(before))

    def _text(self, known: _Known) -> bytes:
        if known.assignment:
            return unpack(known.assignment.match.lines)
        sql = "SELECT lines FROM raw_matches WHERE match_id = $match_id"
        ((lines,),) = self._connection.execute(sql, {"match_id": known.match_id}).fetchall()
        return unpack(lines)


def _another(where: str) -> str:
    """Return the message of a conflict with a different log of the same match."""
    return f"match: expected the same log as in {where}, found another one"


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
    """The beginning of a match, and the place where it starts."""

    events: int
    lines: bytes
    file: str
    first_line: int


@dataclass(frozen=True, slots=True)
class _Rest:
    """Rejected lines of a match, from number `seq` to its end.

    `record` describes the file with these lines if it was read in this run, or else the file with the beginning.
    """

    seq: int
    text: bytes
    rejection: Rejection
    record: FileRecord


def stitched(connection: duckdb.DuckDBPyConnection, waiting: Sequence[Waiting]) -> list[Waiting]:
    """Return validated chunks in which later parts of known matches are joined to their beginnings."""
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
                break  # any other beginning belongs to a different version of the match
    return [*(_without(taken, *each) for each in waiting), *joined]


def _seq(rejection: Rejection) -> int:
    """Return the `seq` of the first rejected line; 0 if it has none or starts a match."""
    try:
        first = _first(rejection.text.partition(b"\n")[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
    return max(first.seq, 0) if first.match == rejection.match else 0


def _heads(waiting: Sequence[Waiting], names: Collection[str]) -> dict[str, list[tuple[_Head, FileRecord]]]:
    """Return the matches that rejected lines may continue, by name, each with its file.

    These are unfinished matches. Finished matches with one of these `names` are also included, to recognize lines that
    a complete match already contains. Several entries with one name are either growing versions of one match, or
    different matches.
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
    """Yield the parts that continue a match or repeat its lines, each validated together with the lines before it."""
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
