"""Assigns the id of a match: a new one, that of the unfinished match it continues, or none.

The same name with the same bytes adds nothing, and forgotten matches stay out. A log that continues an unfinished one
replaces it under the same id. Any other log under a known name is a conflict and is rejected, unless it is `wanted`:
then the log that counted so far is rejected instead.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from himalaya_core.log.codec import MATCH_STARTED, LogError, decode_line
from ingest.arrow import table_of
from ingest.load.records import FileRecord
from ingest.packed import unpack
from ingest.read.chunk import STARTED, Rejection, game_of
from ingest.validate.validation import ValidMatch

__all__ = ["Assignment", "MatchIds"]


@dataclass(slots=True)
class Assignment:
    """The id of a match, `None` if its rows stay out; `counted` if exactly these bytes are in the warehouse."""

    file: FileRecord
    match: ValidMatch
    match_id: int | None = None
    tournament: str | None = None
    counted: bool = False
    is_over: bool = True

    def settles(self, text: bytes) -> bool:
        """Return whether the stored match contains every line of a quarantined text that names it."""
        if not self.is_over and text.count(b"\n") > self.match.events:
            return False
        first, *_ = unpack(self.match.lines).partition(b"\n")
        return first in text or not any(map(_starts_a_match, text.splitlines(keepends=True)))


@dataclass(frozen=True, slots=True)
class _Known:
    """A match in the warehouse or, with an `assignment`, earlier in the batch."""

    match: str
    match_id: int
    bytes_sha256: str
    size: int
    file: str
    line: int
    tournament: str | None
    assignment: Assignment | None = None


def _starts_a_match(line: bytes) -> bool:
    """Return whether a line is a valid first line, with a match, its seed and its players."""
    if STARTED not in line or (game := game_of(line)) is None:
        return False
    try:
        return decode_line(line, game).type == MATCH_STARTED
    except LogError:
        return False


class MatchIds:
    """Assigns ids to the matches of a batch, in order."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        names: Sequence[str],
        forgotten: Collection[str],
        next_id: int,
        wanted: Collection[str] = (),
    ) -> None:
        """Look up the matches of these names; `forgotten` and `wanted` are digests of logs."""
        self.new = self.skipped = 0
        self.forgotten: list[str] = []
        self.continued: set[int] = set()
        """Ids of matches in the warehouse with a log that is replaced by a longer or a different one."""
        self.named: dict[int, str] = {}
        """New tournaments, by id, of matches in the warehouse that had none."""
        self.conflicts: list[tuple[FileRecord, Rejection]] = []
        self._forgotten = forgotten
        self._wanted = wanted
        self._connection = connection
        self._next_id = next_id
        self._known = self._known_matches(names)

    def assign(self, file: FileRecord, match: ValidMatch, tournament: str | None = None) -> Assignment:
        """Assign an id to the next match; `tournament` is that of its file, for a log that names none."""
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
        """Give a match without a tournament that of a file with the same match."""
        if known.assignment:
            known.assignment.tournament = tournament
        else:
            self.named[known.match_id] = tournament
        file.taken.named += 1
        self._known[known.match] = replace(known, tournament=tournament)

    def _known_matches(self, names: Sequence[str]) -> dict[str, _Known]:
        """Return the matches with these names that are in the warehouse."""
        self._connection.register("names", table_of({"match": "VARCHAR"}, zip(names)))
        rows = self._connection.execute(
            "SELECT match, match_id, bytes_sha256, size, file, first_line, tournament "
            "FROM raw_matches SEMI JOIN names USING (match)"
        ).fetchall()
        self._connection.unregister("names")
        return {row[0]: _Known(*row) for row in rows}

    def _is_contained(self, match: ValidMatch, before: _Known) -> bool:
        """Return whether a match adds nothing to the known one: the same bytes, or only the first of them."""
        if match.bytes_sha256 == before.bytes_sha256:
            return True
        return match.size < before.size and self._text(before).startswith(unpack(match.lines))

    def _goes_on(self, match: ValidMatch, before: _Known) -> bool:
        """Return whether a match is the known, unfinished one with more lines."""
        return match.size > before.size and unpack(match.lines).startswith(self._text(before))

    def _text(self, known: _Known) -> bytes:
        if known.assignment:
            return unpack(known.assignment.match.lines)
        sql = "SELECT lines FROM raw_matches WHERE match_id = $match_id"
        ((lines,),) = self._connection.execute(sql, {"match_id": known.match_id}).fetchall()
        return unpack(lines)


def _another(where: str) -> str:
    """Return the message of a conflict: another log of the same match counts."""
    return f"match: expected the same log as in {where}, found another one"
