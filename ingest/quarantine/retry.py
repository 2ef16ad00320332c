"""Out of quarantine: what was put aside is sent through the gate once more, from where it may be better now.

That is the file it came from, if that has changed; else the text that is kept, which another gate may let through or
whose rival may be gone; or a text that somebody has repaired. What is valid goes in like any log. A log in conflict
goes in only if it is wanted in the place of the one that counts, and then that one is what is put aside.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import duckdb
import zstandard
from pydantic import TypeAdapter

from ingest.errors import ReadError, WarehouseError
from ingest.load.load import Loader
from ingest.load.match_ids import FileRecord, Places
from ingest.load.rejected import Problem
from ingest.load.tombstones import forgotten_of
from ingest.pipeline import Request, take_in
from ingest.quarantine.listing import Choice, Row, choose, require
from ingest.read.discover import in_letters
from ingest.read.lines import PART_OF_LINE, piece_of, pieces
from ingest.read.source import Parts
from ingest.validate.validation import Checked, check
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


_decompress = zstandard.ZstdDecompressor().decompress


@dataclass(frozen=True, slots=True)
class _Request:
    """Which rows, for one of them a `repaired` text, and whether they are to count in the place of their rivals."""

    choice: Choice
    repaired: Path | None = None
    replace: bool = False


_requests = TypeAdapter(_Request)


def retry_rows(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Try to get rows out of quarantine: the operation `retry_quarantine`.

    Returns how many were `tried`, how many are `open` still, with the first of these and their reasons of today, and
    the `runs` in which the others came in.
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
    """Take in the files that are there, if they have changed: the others are known by their digests."""
    files = sorted(path for path in map(Path, names) if path.is_absolute() and path.is_file())
    if files:
        take_in(warehouse, Request(tuple(files), source="retry"), lambda _: report())


def _still_open(connection: duckdb.DuckDBPyConnection, ids: list[int]) -> Iterator[Row]:
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = tuple(ids[start : start + ROWS_AT_ONCE])
        yield from choose(connection, Choice(some), len(some))


class _Attempt:
    """One run in which texts go through the gate again; `open` counts the rows that stay, `problems` are the first."""

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
        """Try a row."""
        problem, is_empty = None, True
        for file, checked in self._checked(row):
            for aside in checked.asides:
                problem = problem or Problem(file, aside.line, aside.match, aside.reason, aside.message)
            for match in _each(file, checked):
                is_empty = False
                problem = self._take(file, match) or problem
        is_part = row.reason == PART_OF_LINE and not self._repaired  # what is wrong with it, it does not say itself
        if is_part or (is_empty and problem is None):
            problem = Problem(Path(row.file), row.line, row.match, row.reason, row.message)
        if problem:
            self._stays(row, problem)
        else:
            self._resolved.append(row.id)

    def load(self) -> None:
        """Load what has come together."""
        self._loader.load()
        self._names.clear()
        self._events = 0

    def _checked(self, row: Row) -> Iterator[tuple[Path, Checked]]:
        """Yield what the gate says of the text of a row, or of the one that was repaired."""
        if self._repaired is None:
            sql = "SELECT text FROM quarantine WHERE quarantine_id = $id"
            ((text,),) = self._connection.execute(sql, {"id": row.id}).fetchall()
            yield Path(row.file), check(piece_of(Path(row.file), _decompress(text), row.line))
            return
        try:
            self._database.refuse(self._repaired)
            for piece in pieces(self._repaired):
                yield in_letters(self._repaired), check(piece)
        except ReadError as error:
            raise WarehouseError(str(error)) from None

    def _take(self, file: Path, checked: Checked) -> Problem | None:
        """Take a match in, or say what keeps it out."""
        (match,) = checked.matches
        if match.match in self._names:
            self.load()
        if self._replace:
            self._wanted.add(match.bytes_sha256)
        forgotten = forgotten_of(self._connection, [(match.bytes_sha256, _decompress(match.lines))])
        places = Places(self._connection, [match.match], forgotten, 0, self._wanted)
        places.place(FileRecord(file, match.size, match.bytes_sha256), match)
        if places.forgotten:
            message = "match: expected a log that was not forgotten, found one that was"
            return Problem(file, match.first_line, match.match, "forgotten", message)
        if places.conflicts and not self._replace:
            ((_, aside),) = places.conflicts
            return Problem(file, match.first_line, match.match, aside.reason, aside.message)
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

    def _settle(self) -> None:
        """Write down what became of the rows, in the transaction that takes their matches in."""
        self._connection.execute(RESOLVED, {"run": self._loader.run, "ids": self._resolved})
        sql = "UPDATE quarantine SET reason = $reason, message = $message WHERE quarantine_id = $id"
        for number, problem in self._changed:
            values = {"id": number, "reason": problem.reason, "message": problem.message}
            self._connection.execute(sql, values)
        self._resolved, self._changed = [], []


def _each(file: Path, checked: Checked) -> Iterator[Checked]:
    """Yield the matches of a piece one by one, as what keeps one of them out need not keep the others."""
    if len(checked.matches) == 1:
        yield Checked(checked.matches, checked.events, [])
        return
    for match in checked.matches:
        yield check(piece_of(file, _decompress(match.lines), match.first_line))
