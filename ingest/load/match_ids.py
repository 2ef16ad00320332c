"""Which id a match gets: a new one, that of the unfinished match it goes on with, or none.

The same name with the same bytes says nothing new, and what was forgotten stays out. A log that goes on where an
unfinished one stopped takes its place under the same id; anything else under a name that is taken is a conflict and
put aside, unless it is wanted in the place of what is there: then that is put aside.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl
import zstandard

from himalaya_core.log.codec import MATCH_STARTED, LogError, decode_line
from ingest.read.lines import STARTED, game_of
from ingest.validate.validation import Aside, ValidMatch

__all__ = ["FileRecord", "Place", "Places"]

_decompress = zstandard.ZstdDecompressor().decompress


@dataclass(slots=True)
class FileRecord:
    """What became of one file."""

    path: Path
    size: int
    sha256: str
    matches: int = 0
    skipped: int = 0
    quarantined: int = 0


@dataclass(slots=True)
class Place:
    """Where a match goes: its id, or `None` if its rows stay out; `counted` if just these bytes are in."""

    file: FileRecord
    match: ValidMatch
    match_id: int | None = None
    tournament: str | None = None
    counted: bool = False
    is_over: bool = True

    def settles(self, text: bytes) -> bool:
        """Say whether nothing of a text that was put aside is missing now that the match of its name came in."""
        if not self.is_over and text.count(b"\n") > self.match.events:
            return False
        first, *_ = _decompress(self.match.lines).partition(b"\n")
        return first in text or not any(map(_starts_a_match, text.splitlines(keepends=True)))


@dataclass(frozen=True, slots=True)
class _Known:
    """A match that is in the warehouse or, with a place, earlier in the batch."""

    match_id: int
    bytes_sha256: str
    size: int
    file: str
    line: int
    tournament: str | None
    place: Place | None = None


def _starts_a_match(line: bytes) -> bool:
    """Say whether a line is a sound first line: it names a match, its luck and its players."""
    if STARTED not in line or (game := game_of(line)) is None:
        return False
    try:
        return decode_line(line, game).type == MATCH_STARTED
    except LogError:
        return False


class Places:
    """Gives the matches of a batch their ids, in order; those that were forgotten get none."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        names: Sequence[str],
        forgotten: Collection[str],
        next_id: int,
        wanted: Collection[str] = (),
    ) -> None:
        """Look up what is known of the names; `forgotten` and `wanted` are digests of logs."""
        self.new = self.skipped = 0
        self.forgotten: list[str] = []
        self.continued: set[int] = set()
        """The ids of matches in the warehouse that come again with more lines, or other ones."""
        self.nameless: set[int] = set()
        """The ids of matches in the warehouse that are given a tournament now, and had none."""
        self.conflicts: list[tuple[FileRecord, Aside]] = []
        self._forgotten = forgotten
        self._wanted = wanted
        self._connection = connection
        self._next_id = next_id
        self._known = self._known_matches(names)

    def place(self, file: FileRecord, match: ValidMatch, tournament: str | None = None) -> Place:
        """Return where the next match goes; `tournament` is given with the log where that names none."""
        place = Place(file, match, tournament=tournament)
        before = self._known.get(match.match)
        if match.bytes_sha256 in self._forgotten:
            self.forgotten.append(match.match)
            file.skipped += 1
        elif before is None:
            place.match_id = self._next_id
            self._next_id += 1
            self.new += 1
        elif self._is_contained(match, before):
            self.skipped += 1
            file.skipped += 1
            place.counted = match.bytes_sha256 == before.bytes_sha256
            if tournament and not (before.tournament or before.place):
                self.nameless.add(before.match_id)
        elif (goes_on := self._goes_on(match, before)) or match.bytes_sha256 in self._wanted:
            if not goes_on:
                message = _another(f"{file.path}:{match.first_line}", match.bytes_sha256, before.bytes_sha256)
                aside = Aside(before.line, match.match, "conflict", message, self._text(before))
                self.conflicts.append((FileRecord(Path(before.file), before.size, before.bytes_sha256), aside))
            place.match_id = before.match_id
            place.tournament = tournament or before.tournament
            if before.place:
                before.place.match_id = None
            else:
                self.continued.add(before.match_id)
        else:
            message = _another(f"{before.file}:{before.line}", before.bytes_sha256, match.bytes_sha256)
            aside = Aside(match.first_line, match.match, "conflict", message, _decompress(match.lines))
            self.conflicts.append((file, aside))
        if place.match_id is not None:
            place.counted = True
            file.matches += 1
            known = (place.match_id, match.bytes_sha256, match.size, str(file.path), match.first_line)
            self._known[match.match] = _Known(*known, place.tournament, place)
        return place

    def _known_matches(self, names: Sequence[str]) -> dict[str, _Known]:
        """Return which names are in the warehouse already."""
        self._connection.register("names", pl.DataFrame({"match": names}, schema={"match": pl.String}))
        rows = self._connection.execute(
            "SELECT match, match_id, bytes_sha256, size, file, first_line, tournament "
            "FROM raw_matches SEMI JOIN names USING (match)"
        ).fetchall()
        self._connection.unregister("names")
        return {name: _Known(*row) for name, *row in rows}

    def _is_contained(self, match: ValidMatch, before: _Known) -> bool:
        """Say whether a match says nothing that is not known: the same bytes, or only the first of them."""
        if match.bytes_sha256 == before.bytes_sha256:
            return True
        return match.size < before.size and self._text(before).startswith(_decompress(match.lines))

    def _goes_on(self, match: ValidMatch, before: _Known) -> bool:
        """Say whether a match is the known, unfinished one with more lines."""
        return match.size > before.size and _decompress(match.lines).startswith(self._text(before))

    def _text(self, known: _Known) -> bytes:
        if known.place:
            return _decompress(known.place.match.lines)
        sql = "SELECT lines FROM raw_matches WHERE match_id = $match_id"
        ((lines,),) = self._connection.execute(sql, {"match_id": known.match_id}).fetchall()
        return _decompress(lines)


def _another(where: str, expected: str, found: str) -> str:
    """Say that a log is another one than that of the same match which counts."""
    return f"match: expected the same log as in {where} (sha256 {expected[:12]}), found another (sha256 {found[:12]})"
