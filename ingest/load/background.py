"""Background work of a server: verifies matches that were loaded unverified, then reviews matches."""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Self

import duckdb

from himalaya_core.games import GAMES
from himalaya_core.verification import DiceVerdict
from ingest.errors import WarehouseStopped
from ingest.load import reviews
from ingest.load.load import Loader
from ingest.load.reproducibility import chunks_of
from ingest.load.summary import FileRecord, Problem
from ingest.read.chunk import Chunk, Rejection
from ingest.tables.definitions import refill_tables, remove
from ingest.validate.after_load import Verdict
from ingest.validate.pool import ValidationPool
from ingest.validate.validation import ValidatedChunk
from ingest.values import table_of
from ingest.warehouse import Report, Warehouse

__all__ = ["BackgroundWork", "a_match_waits", "how_many_wait", "judge_waiting"]


WAITING: Final = """
SELECT match_id FROM raw_matches JOIN stg_match_started USING (match_id)
WHERE verdict = 'waiting' OR (verdict = 'unjudged' AND list_contains($installed, game || ' ' || rules_version))
ORDER BY match_id
"""
KNOWN: Final = "SELECT match_id, match, bytes_sha256 FROM raw_matches WHERE list_contains($names, match)"
JUDGED: Final = """
UPDATE raw_matches SET verdict = judged.verdict, luck_verdict = judged.luck_verdict FROM judged
WHERE raw_matches.match_id = judged.match_id
"""
COLUMNS: Final = {"match_id": "INTEGER", "verdict": "VARCHAR", "luck_verdict": "VARCHAR"}
NOT_TAKEN: Final = """
UPDATE ingested_files SET matches = greatest(ingested_files.matches - 1, 0), quarantined = quarantined + 1
FROM raw_matches AS raw WHERE raw.match_id = $id AND ingested_files.file = raw.file
    AND ingested_files.ingested_in = raw.ingested_in
"""
MOST_NAMED: Final = 1_000

Connection = duckdb.DuckDBPyConnection


@dataclass(slots=True)
class _Found:
    """Counts of matches by verdict; clean ones with dice that differ from the seed's are also counted separately."""

    started: datetime
    clean: int = 0
    other_dice: int = 0
    unjudged: int = 0
    departed: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def judged(self) -> int:
        return self.clean + self.unjudged + self.departed


def a_match_waits(warehouse: Warehouse) -> bool:
    """Return whether any match waits to be verified and its rules are installed."""
    with warehouse.reading() as connection:
        return bool(connection.execute("SELECT 1 FROM raw_matches WHERE verdict = 'waiting' LIMIT 1").fetchall())


def how_many_wait(warehouse: Warehouse) -> int:
    """Return the number of matches that wait to be verified and have installed rules."""
    with warehouse.reading() as connection:
        ((matches,),) = connection.execute("SELECT count(*) FROM raw_matches WHERE verdict = 'waiting'").fetchall()
    return int(matches)


def judge_waiting(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Verify waiting matches, and unverified ones if their rules are now installed: the operation `judge`.

    The argument `jobs` is the same as for ingest. Returns the counts `clean`, `other_dice` (clean, but the dice do not
    follow from the seed), `unjudged` and `departed`. Also returns `problems`, the first matches that diverge from the
    rules.
    """
    installed = [f"{game.name} {game.rules_version}" for game in GAMES.values()]
    with warehouse.reading() as connection:
        ids = [number for (number,) in connection.execute(WAITING, {"installed": installed}).fetchall()]
    found = _Found(datetime.now(UTC).replace(tzinfo=None))
    report({"done": 0, "total": len(ids)})
    with ValidationPool(arguments.get("jobs", 0)) as pool:
        for chunk, checked in pool.check(chunks_of(warehouse, ids)):
            warehouse.backpressure.yield_to_readers()
            with warehouse.writing() as connection:
                _record(warehouse, connection, chunk, checked, found)
            report({"done": min(found.judged, len(ids)), "total": len(ids)})
    problems = [asdict(problem) | {"file": str(problem.file), "text": str(problem)} for problem in found.problems]
    counts = {name: getattr(found, name) for name in ("clean", "other_dice", "unjudged", "departed")}
    return counts | {"problems": problems}


def _record(warehouse: Warehouse, connection: Connection, chunk: Chunk, checked: ValidatedChunk, found: _Found) -> None:
    """Write the verdicts on a chunk in one transaction, for logs that are unchanged since they were read."""
    known = _known(connection, checked)
    departed = [each for each in checked.rejections if _key(each) in known]
    removed = [known[_key(each)] for each in departed]
    judged = [(known.get((each.match, each.bytes_sha256)), each.judged) for each in checked.matches]
    rows = [(number, each.verdict, each.dice) for number, each in judged if number is not None]

    def settle(_: Sequence[FileRecord]) -> None:
        for match_id in removed:
            connection.execute(NOT_TAKEN, {"id": match_id})
        _set_batch(connection, removed)
        remove(connection)
        connection.register("judged", table_of(COLUMNS, rows))
        connection.execute(JUDGED)
        connection.unregister("judged")
        _set_batch(connection, [number for number, _, _ in rows])
        refill_tables(connection)

    loader = Loader(connection, "judged", started=found.started, also=settle, backpressure=warehouse.backpressure)
    if departed:
        loader.add([FileRecord(span.path, 0, "") for span in chunk.spans], ValidatedChunk([], {}, departed))
    loader.load()
    found.departed += len(removed)
    found.problems += loader.taken.problems[: MOST_NAMED - len(found.problems)]
    for _, verdict, dice in rows:
        found.clean += verdict is Verdict.CLEAN
        found.unjudged += verdict is Verdict.UNJUDGED
        found.other_dice += dice == DiceVerdict.DIFFERS


def _key(rejection: Rejection) -> tuple[str, str]:
    return rejection.match or "", hashlib.sha256(rejection.text).hexdigest()


def _known(connection: Connection, checked: ValidatedChunk) -> dict[tuple[str, str], int]:
    """Return the current ids of a chunk's matches, by name and digest."""
    names = [match.match for match in checked.matches] + [each.match for each in checked.rejections if each.match]
    return {(match, sha256): number for number, match, sha256 in connection.execute(KNOWN, {"names": names}).fetchall()}


def _set_batch(connection: Connection, ids: Sequence[int]) -> None:
    connection.execute("DELETE FROM batch")
    connection.execute("INSERT INTO batch SELECT unnest($ids)", {"ids": ids})


PAUSE: Final = 5.0
"""Seconds between two checks for waiting matches."""
LONG_PAUSE: Final = 60.0
"""Seconds before failed work is tried again."""
PATIENCE: Final = 10.0
"""Maximum seconds that a review waits for an idle inbox. Without it, a constant stream of logs would block all reviews.
"""
LOOK: Final = 0.2
"""Seconds between two checks whether the inbox is busy."""
ALONE: Final = {"jobs": 1}
"""Arguments of the operations `judge` and `review`: use a single process."""

log = logging.getLogger(__name__)


class BackgroundWork:
    """Verifies and reviews waiting matches while a server runs; unfinished work is continued in the next run.

    Verifying has priority over reviewing. While `is_busy` returns true, because new logs are being loaded, at most one
    match is reviewed every `PATIENCE` seconds.
    """

    def __init__(self, warehouse: Warehouse, is_busy: Callable[[], bool] = lambda: False) -> None:
        self._warehouse = warehouse
        self._is_busy = is_busy
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def __enter__(self) -> Self:
        if not self._warehouse.read_only:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(PAUSE):
            try:
                with suppress(_Stopped):
                    self._judge()
                    self._review()
            except WarehouseStopped:
                return
            except Exception:
                log.exception("waiting matches could not be judged or reviewed; trying again")
                self._stopping.wait(LONG_PAUSE)

    def _judge(self) -> None:
        if a_match_waits(self._warehouse):
            judge_waiting(self._warehouse, ALONE, self._go_on)

    def _review(self) -> None:
        if not reviews.a_match_waits(self._warehouse):
            return
        self._let_intake_go_first()
        for problem in reviews.review_waiting(self._warehouse, ALONE, self._go_on_reviewing)["problems"]:
            log.warning("%s", problem)

    def _go_on(self, _: Mapping[str, Any]) -> None:
        if self._stopping.is_set():
            raise _Stopped

    def _go_on_reviewing(self, at: Mapping[str, Any]) -> None:
        self._let_intake_go_first()
        self._go_on(at)
        if a_match_waits(self._warehouse):
            raise _Stopped

    def _let_intake_go_first(self) -> None:
        until = time.monotonic() + PATIENCE
        while self._is_busy() and time.monotonic() < until and not self._stopping.wait(LOOK):
            pass


class _Stopped(Exception):
    """The server stops, or other work takes priority; unfinished work is continued later."""
