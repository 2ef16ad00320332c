"""Quarantines rejected lines and matches with the reason, and recognizes forgotten logs by their digests."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import duckdb

from ingest.load.match_ids import Assignment
from ingest.load.summary import FileRecord, Problem
from ingest.read.chunk import Rejection
from ingest.read.split import PART_OF_LINE
from ingest.values import pack, table_of, unpack

__all__ = ["MOST_NAMED", "Quarantine", "first_line_of", "settles", "tombstoned"]


ASKED_DIGESTS: Final = {"bytes_sha256": "VARCHAR", "first_line_sha256": "VARCHAR"}
STAYS_OUT: Final = """
SELECT bytes_sha256 FROM asked SEMI JOIN forgotten_matches USING (bytes_sha256) UNION
SELECT bytes_sha256 FROM asked SEMI JOIN forgotten_matches USING (first_line_sha256)
"""


def first_line_of(text: bytes) -> str:
    """Return the SHA-256 of the first line of a text, without its line end."""
    return hashlib.sha256(text.partition(b"\n")[0]).hexdigest()


def tombstoned(connection: duckdb.DuckDBPyConnection, texts: Iterable[tuple[str, bytes]]) -> set[str]:
    """Return the digests of texts that must not be loaded because they were forgotten.

    `texts` are pairs of SHA-256 and text; if no log was ever forgotten, they are not computed.
    """
    ((marks,),) = connection.execute("SELECT count(*) FROM forgotten_matches").fetchall()
    if not marks:
        return set()
    asked = table_of(ASKED_DIGESTS, ((digest, first_line_of(text)) for digest, text in texts))
    connection.register("asked", asked)
    found = connection.execute(STAYS_OUT).fetchall()
    connection.unregister("asked")
    return {digest for (digest,) in found}


CAME_IN: Final = """
UPDATE quarantine SET resolved_in = $run FROM counted
WHERE quarantine.match = counted.match AND resolved_in IS NULL
    AND CASE reason WHEN 'conflict' THEN sha256 = counted.bytes_sha256
        ELSE NOT list_contains($left, quarantine_id) END
RETURNING quarantine_id, quarantine.match
"""
"""Resolves entries once their match is loaded; a conflict only if the quarantined log itself was loaded."""
DOUBTFUL: Final = """
SELECT quarantine_id, match, reason, CASE WHEN reason <> 'part_of_line' THEN text END FROM quarantine
WHERE resolved_in IS NULL AND reason <> 'conflict' AND list_contains($matches, match)
"""
"""Selects entries that may hold lines missing in the loaded match: lines without a start, and unfinished matches."""
KEPT_OF: Final = """
SELECT file, line, reason, sha256, message, resolved_in IS NULL, match, size, quarantine_id FROM quarantine
WHERE (file, line) IN (SELECT (file, line) FROM asked) OR (file, match) IN (SELECT (file, match) FROM asked)
"""
HIGHEST: Final = "SELECT coalesce(max(highest), 0) FROM quarantine_numbers"
WHOLE_NOW: Final = """
UPDATE quarantine SET resolved_in = $run
WHERE size = 0 AND match IS NULL AND resolved_in IS NULL AND file IN (SELECT unnest($files)) RETURNING quarantine_id
"""
BACK_AGAIN: Final = """
UPDATE quarantine SET resolved_in = NULL, message = $message
WHERE file = $file AND line = $line AND reason = 'conflict' AND sha256 = $sha256 RETURNING quarantine_id
"""

MOST_NAMED: Final = 1_000
"""Maximum number of problems listed in a result; the quarantine holds all of them."""


class Quarantine:
    """The quarantine as changed by one run.

    `kept` counts entries quarantined by this run; `open` counts those of them that are still open, and `problems` has
    the first of these. `known` counts entries from earlier runs. `resolved` counts open entries of matches that this
    run loaded.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, run: int) -> None:
        self.problems: dict[int, Problem] = {}
        self.kept = self.open = self.known = self.resolved = self.forgotten = 0
        self.left_out: set[str] = set()
        """Names of matches that were left out because they were forgotten."""
        self._connection = connection
        self._run = run
        self._brought: dict[int, FileRecord] = {}
        """For each open entry quarantined by this run, the file that it came from."""

    def resolve(self, assignments: Iterable[Assignment]) -> None:
        """Resolve open entries of matches that are now in the warehouse."""
        taken = {assignment.match.match: assignment for assignment in assignments if assignment.counted}
        counted = {name: assignment.match.bytes_sha256 for name, assignment in taken.items()}
        left = [
            number
            for number, name, reason, text in self._connection.execute(DOUBTFUL, {"matches": list(taken)}).fetchall()
            if not (taken[name].is_over if text is None else settles(taken[name], reason, unpack(text)))
        ]
        self._connection.register("counted", table_of(COUNTED, counted.items()))
        for number, match in self._connection.execute(CAME_IN, {"run": self._run, "left": left}).fetchall():
            self._resolve(number, taken[match].file)
        self._connection.unregister("counted")

    def _resolve(self, number: int, by: FileRecord) -> None:
        """Count an entry as resolved by the file `by`.

        If the entry came from that same file in this run, it no longer counts as quarantined for the file.
        """
        self.resolved += 1
        by.taken.resolved += 1
        problem = self.problems.pop(number, None)
        if brought := self._brought.pop(number, None):
            self.open -= 1
            if brought is by:
                by.taken.quarantined -= 1
                by.taken.problems = [each for each in by.taken.problems if each is not problem]

    def complete(self, files: Iterable[FileRecord]) -> None:
        """Resolve entries that only report a truncated file, once the file was read to its end."""
        whole = [str(file.path) for file in files if file.path.is_absolute() and not file.quarantined]
        for _ in self._connection.execute(WHOLE_NOW, {"run": self._run, "files": whole}).fetchall():
            self.resolved += 1

    def keep(self, rejections: Sequence[tuple[FileRecord, Rejection, FileRecord | None]]) -> None:
        """Quarantine rejections, unless the same entry exists. Each comes with its file and the file that resolves it.

        If the file has grown, its new text replaces an open entry with the beginning of that text.
        """
        digests = [hashlib.sha256(rejection.text).hexdigest() for _, rejection, _ in rejections]
        there = _There(self._connection, rejections)
        texts = (rejection.text for _, rejection, _ in rejections)
        forgotten = tombstoned(self._connection, zip(digests, texts, strict=True))
        ((number,),) = self._connection.execute(HIGHEST).fetchall()
        newest = number
        rows: dict[int, dict[str, Any]] = {}
        for (file, rejection, resolved_by), sha256 in zip(rejections, digests, strict=True):
            if sha256 in forgotten:
                self.forgotten += 1
                file.taken.forgotten += 1
                self.left_out.add(rejection.match or "")
                file.skipped += 1
                continue
            file.quarantined += 1
            if (is_open := there.is_open(file, rejection, sha256)) is not None:
                self.known += is_open
                file.taken.known += is_open
                if rejection.reason == "conflict" and not is_open:
                    self._open_again(file, rejection, sha256)
                continue
            row = {"file": str(file.path), "line": rejection.line, "match": rejection.match}
            row |= {"reason": rejection.reason, "message": rejection.message, "text": pack(rejection.text)}
            row |= {"size": len(rejection.text), "sha256": sha256, "ingested_in": self._run}
            row |= {"resolved_in": self._run if resolved_by else None}
            if shorter := there.shorter(file, rejection):
                self.known += shorter not in rows
                file.taken.known += shorter not in rows
                rows[shorter] = row | {"quarantine_id": shorter}
                continue
            number += 1
            self._count(number, file, rejection, resolved_by)
            rows[number] = row | {"quarantine_id": number}
            there.add(number, file, rejection, sha256)
        if rows:
            replaced = "DELETE FROM quarantine WHERE list_contains($rows, quarantine_id)"
            self._connection.execute(replaced, {"rows": [number for number in rows if number <= newest]})
            self._connection.register("rows", table_of(ROW, (tuple(map(row.get, ROW)) for row in rows.values())))
            self._connection.execute("INSERT INTO quarantine BY NAME FROM rows")
            self._connection.unregister("rows")
        if number > newest:
            self._connection.execute("DELETE FROM quarantine_numbers")
            self._connection.execute("INSERT INTO quarantine_numbers VALUES ($highest)", {"highest": number})

    def _open_again(self, file: FileRecord, rejection: Rejection, sha256: str) -> None:
        """Reopen the entry of a log that replaced another log for a while and has now been replaced itself."""
        values = {"file": str(file.path), "line": rejection.line, "sha256": sha256, "message": rejection.message}
        for (number,) in self._connection.execute(BACK_AGAIN, values).fetchall():
            self._open(number, file, rejection)

    def _count(self, number: int, file: FileRecord, rejection: Rejection, resolved_by: FileRecord | None) -> None:
        self.kept += 1
        if resolved_by:
            self.resolved += 1
            resolved_by.taken.resolved += 1
        if resolved_by is None:
            self._open(number, file, rejection)
        elif resolved_by is not file:
            self._tell(file, _problem(file, rejection))

    def _open(self, number: int, file: FileRecord, rejection: Rejection) -> None:
        """Count an entry as open, for the run and for its file."""
        problem = _problem(file, rejection)
        self.open += 1
        self._brought[number] = file
        if len(self.problems) < MOST_NAMED:
            self.problems[number] = problem
        self._tell(file, problem)

    def _tell(self, file: FileRecord, problem: Problem) -> None:
        file.taken.quarantined += 1
        if len(file.taken.problems) < MOST_NAMED:
            file.taken.problems.append(problem)


def _problem(file: FileRecord, rejection: Rejection) -> Problem:
    return Problem(file.path, rejection.line, rejection.match, rejection.reason, rejection.message)


def settles(assignment: Assignment, reason: str, text: bytes) -> bool:
    """Return whether a loaded match has all lines of a text that was quarantined for this reason."""
    if reason == "no_start":
        return text in unpack(assignment.match.lines)
    return assignment.settles(text)


class _There:
    """Existing quarantine entries of the files that have rejections."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        rejections: Sequence[tuple[FileRecord, Rejection, FileRecord | None]],
    ) -> None:
        self._open: dict[tuple[Any, ...], bool] = {}
        self._growing: dict[tuple[Any, ...], list[tuple[int, str, int]]] = {}
        asked = ((str(file.path), rejection.line, rejection.match) for file, rejection, _ in rejections)
        connection.register("asked", table_of(ASKED, asked))
        found = connection.execute(KEPT_OF).fetchall()
        connection.unregister("asked")
        for file, line, reason, sha256, message, is_open, match, size, number in found:
            self._open[file, line, reason, sha256, _part(reason, message)] = is_open
            if is_open and not _part(reason, message):
                self._growing.setdefault((file, match or line), []).append((size, sha256, number))

    def is_open(self, file: FileRecord, rejection: Rejection, sha256: str) -> bool | None:
        """Return whether the same entry exists and is open; `None` if it does not exist."""
        part = _part(rejection.reason, rejection.message)
        return self._open.get((str(file.path), rejection.line, rejection.reason, sha256, part))

    def shorter(self, file: FileRecord, rejection: Rejection) -> int | None:
        """Return the open entry with the beginning of this rejection's text, if any."""
        if _part(rejection.reason, rejection.message):
            return None
        for size, sha256, number in self._growing.get((str(file.path), rejection.match or rejection.line), ()):
            if size < len(rejection.text) and hashlib.sha256(rejection.text[:size]).hexdigest() == sha256:
                return number
        return None

    def add(self, number: int, file: FileRecord, rejection: Rejection, sha256: str) -> None:
        """Remember a rejection that is now quarantined."""
        if _part(rejection.reason, rejection.message):
            return
        key = (str(file.path), rejection.match or rejection.line)
        self._growing.setdefault(key, []).append((len(rejection.text), sha256, number))


def _part(reason: str, message: str) -> str | None:
    """Return the message, which has the part number, for a part of an overlong line; `None` for any other rejection.

    The message distinguishes two parts with the same bytes.
    """
    return message if reason == PART_OF_LINE else None


ASKED: Final = {"file": "VARCHAR", "line": "BIGINT", "match": "VARCHAR"}
COUNTED: Final = {"match": "VARCHAR", "bytes_sha256": "VARCHAR"}
ROW: Final = {
    "quarantine_id": "INTEGER",
    "file": "VARCHAR",
    "line": "INTEGER",
    **dict.fromkeys(("match", "reason", "message"), "VARCHAR"),
    "text": "BLOB",
    "size": "BIGINT",
    "sha256": "VARCHAR",
    "ingested_in": "INTEGER",
    "resolved_in": "INTEGER",
}
"""Columns of the table `quarantine`."""
