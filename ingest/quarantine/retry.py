"""Retries quarantined logs: validates them again, for example after a repair.

If the source file has changed, it is validated again. Otherwise, the quarantined text is validated again: a newer
himalaya may accept it, or the conflicting log may be gone. The user can supply a repaired text instead. Valid matches
are loaded like any log. A conflicting log is loaded only with `replace`, which moves the previously loaded log into
quarantine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import duckdb
from pydantic import TypeAdapter

from ingest.errors import ReadError, WarehouseError
from ingest.load.load import Loader
from ingest.load.match_ids import MatchIds
from ingest.load.rejected import tombstoned
from ingest.load.summary import FileRecord, Problem
from ingest.pipeline import Request, take_in
from ingest.quarantine.listing import Choice, Row, choose, require
from ingest.read.discover import in_letters
from ingest.read.source import Parts
from ingest.read.split import PART_OF_LINE, chunk_of, chunks
from ingest.validate.validation import ValidatedChunk, check
from ingest.values import unpack
from ingest.warehouse import Report, Warehouse

__all__ = ["retry_rows"]

ROWS_AT_ONCE: Final = 100
EVENTS_AT_ONCE: Final = 100_000
MOST_NAMED: Final = 1_000
CLEAN_NOW: Final = """
WITH clean AS (
    SELECT file, max(ingested_in) AS run FROM ingested_files WHERE ingested_in > $before AND quarantined = 0 GROUP BY 1
)
UPDATE quarantine SET resolved_in = clean.run FROM clean
WHERE quarantine.file = clean.file AND match IS NULL AND resolved_in IS NULL
    AND quarantine_id IN (SELECT unnest($ids))
"""

RESOLVED: Final = """
UPDATE quarantine SET resolved_in = $run WHERE quarantine_id IN (SELECT unnest($ids)) AND resolved_in IS NULL
"""


@dataclass(frozen=True, slots=True)
class _Request:
    """The chosen entries, and a file with the `repaired` text of one of them.

    With `replace`, the retried logs replace the loaded logs that they conflict with.
    """

    choice: Choice
    repaired: Path | None = None
    replace: bool = False


_requests = TypeAdapter(_Request)


def retry_rows(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Validate quarantine entries again and load the valid ones: the operation `retry_quarantine`.

    Arguments are the fields of `_Request`. Returns the number of entries `tried`, and of those still `open`. Also
    returns `problems`, the first open entries with their present reasons, and the `runs` that loaded the others.
    """
    request = _requests.validate_python(arguments)
    with warehouse.reading() as connection:
        require(connection, request.choice)
        where, values = request.choice.where()
        sql = f"SELECT quarantine_id, file FROM quarantine WHERE {where} ORDER BY 1"
        chosen = connection.execute(sql, values).fetchall()
        ((before,),) = connection.execute("SELECT coalesce(max(run), 0) FROM ingest_runs").fetchall()
    ids = [number for number, _ in chosen]
    report({"done": 0, "total": len(ids)})
    if not (request.repaired or request.replace):
        _read_again(warehouse, {file for _, file in chosen}, lambda: report({"done": 0, "total": len(ids)}))
    with warehouse.writing() as connection:
        connection.execute(CLEAN_NOW, {"before": before, "ids": ids})
        attempt = _Attempt(connection, Parts(warehouse.database), request.repaired, replace=request.replace)
        for done, row in enumerate(_still_open(connection, ids), start=1):
            attempt.add(row)
            report({"done": done, "total": len(ids)})
        attempt.load()
        sql = "SELECT DISTINCT resolved_in FROM quarantine WHERE quarantine_id IN (SELECT unnest($ids)) ORDER BY 1"
        runs = [run for (run,) in connection.execute(sql, {"ids": ids}).fetchall() if run is not None]
    problems = [{"id": number, **asdict(problem), "file": str(problem.file)} for number, problem in attempt.problems]
    return {"tried": len(ids), "open": attempt.open, "problems": problems, "runs": runs}


def _read_again(warehouse: Warehouse, names: set[str], report: Callable[[], None]) -> None:
    """Load the source files that still exist. Unchanged files are recognised by their digests and skipped."""
    files = sorted(path for path in map(Path, names) if path.is_absolute() and path.is_file())
    if files:
        take_in(warehouse, Request(tuple(files), source="retry"), lambda _: report())


def _still_open(connection: duckdb.DuckDBPyConnection, ids: list[int]) -> Iterator[Row]:
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = tuple(ids[start : start + ROWS_AT_ONCE])
        yield from choose(connection, Choice(some), len(some))


class _Attempt:
    """One run that validates texts again; `open` counts the entries that stay open, `problems` lists the first."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, database: Parts, repaired: Path | None, *, replace: bool
    ) -> None:
        self.open = 0
        self.problems: list[tuple[int, Problem]] = []
        self._connection = connection
        self._repaired = repaired
        self._database = database
        self._replace = replace
        self._wanted: set[str] = set()
        self._loader = Loader(connection, "retry", also=self._settle, wanted=self._wanted)
        self._names: set[str] = set()
        self._events = 0
        self._resolved: list[int] = []
        self._changed: list[tuple[int, Problem]] = []

    def add(self, row: Row) -> None:
        """Validate an entry again, and collect its match for loading."""
        problem, is_empty = None, True
        for file, checked in self._checked(row):
            for rejection in checked.rejections:
                problem = problem or Problem(file, rejection.line, rejection.match, rejection.reason, rejection.message)
            for match in _each(file, checked):
                is_empty = False
                problem = self._take(file, match) or problem
        is_part = row.reason == PART_OF_LINE and not self._repaired  # a part of a line cannot be validated alone
        if is_part or (is_empty and problem is None):
            problem = Problem(Path(row.file), row.line, row.match, row.reason, row.message)
        if problem:
            self._stays(row, problem)
        else:
            self._resolved.append(row.id)

    def load(self) -> None:
        self._loader.load()
        self._names.clear()
        self._events = 0

    def _checked(self, row: Row) -> Iterator[tuple[Path, ValidatedChunk]]:
        """Validate the text of an entry, or the repaired text, and yield the results with the file shown to users."""
        if self._repaired is None:
            sql = "SELECT text FROM quarantine WHERE quarantine_id = $id"
            ((text,),) = self._connection.execute(sql, {"id": row.id}).fetchall()
            yield Path(row.file), check(chunk_of(Path(row.file), unpack(text), row.line))
            return
        try:
            self._database.refuse(self._repaired)
            for chunk in chunks(self._repaired):
                yield in_letters(self._repaired), check(chunk)
        except ReadError as error:
            raise WarehouseError(f"cannot read {error}") from None

    def _take(self, file: Path, checked: ValidatedChunk) -> Problem | None:
        """Load a match, or return the reason for rejecting it."""
        (match,) = checked.matches
        if match.match in self._names:
            self.load()
        if self._replace:
            self._wanted.add(match.bytes_sha256)
        forgotten = tombstoned(self._connection, [(match.bytes_sha256, unpack(match.lines))])
        match_ids = MatchIds(self._connection, [match.match], forgotten, 0, self._wanted)
        match_ids.assign(FileRecord(file, match.size, match.bytes_sha256), match)
        if match_ids.forgotten:
            message = "match: forgotten; `himalaya forget --again` lets it be loaded again"
            return Problem(file, match.first_line, match.match, "forgotten", message)
        if match_ids.conflicts and not self._replace:
            ((_, rejection),) = match_ids.conflicts
            return Problem(file, match.first_line, match.match, rejection.reason, rejection.message)
        self._loader.add([FileRecord(file, match.size, match.bytes_sha256)], checked)
        self._names.add(match.match)
        self._events += match.events
        if self._events >= EVENTS_AT_ONCE:
            self.load()
        return None

    def _stays(self, row: Row, problem: Problem) -> None:
        self.open += 1
        if self._repaired is None:
            problem = replace(problem, line=row.line)
            if (problem.reason, problem.message) != (row.reason, row.message):
                self._changed.append((row.id, problem))
        if len(self.problems) < MOST_NAMED:
            self.problems.append((row.id, problem))

    def _settle(self, _: Sequence[FileRecord]) -> None:
        """Record the result of each entry, in the transaction that loads its match."""
        self._connection.execute(RESOLVED, {"run": self._loader.run, "ids": self._resolved})
        sql = "UPDATE quarantine SET reason = $reason, message = $message WHERE quarantine_id = $id"
        for number, problem in self._changed:
            values = {"id": number, "reason": problem.reason, "message": problem.message}
            self._connection.execute(sql, values)
        self._resolved, self._changed = [], []


def _each(file: Path, checked: ValidatedChunk) -> Iterator[ValidatedChunk]:
    """Yield the matches of a chunk one by one, so that a rejected match does not prevent loading the others."""
    if len(checked.matches) == 1:
        yield ValidatedChunk(checked.matches, checked.events, [])
        return
    for match in checked.matches:
        yield check(chunk_of(file, unpack(match.lines), match.first_line))
