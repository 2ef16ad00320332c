"""Loads validated matches into the warehouse in batches; each batch is one transaction."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any, Final, Literal

import duckdb
import numpy as np
import pyarrow as pa

from ingest.load.match_ids import Assignment, MatchIds, stitched
from ingest.load.rejected import Quarantine, settles, tombstoned
from ingest.load.summary import FileRecord, Manifests, Taken
from ingest.read.split import Rejection
from ingest.tables.definitions import fill_tables, refill_tables, remove
from ingest.transactions import Backpressure, transaction, undisturbed, written_once
from ingest.validate.decode import Events, by_table
from ingest.validate.line_prefix import Numbers
from ingest.validate.validation import ValidatedChunk
from ingest.values import table_of, unpack
from ingest.warehouse import ROW_GROUP

__all__ = ["Loader", "Source"]

Source = Literal["command", "watch", "received", "retry", "upgrade", "judged"]
"""Cause of a run."""

BATCH_EVENTS: Final = 1 << 20
PORTION_EVENTS: Final = 50_000
"""Maximum events in a batch while readers are active, so that they wait less."""
MATCH_EVENTS: Final = 20
"""Cost of a match in addition to its events, as a number of events. It limits batches of very short matches."""
BATCH_BYTES: Final = 64 << 20
"""Maximum bytes of rejected text in a batch."""
REJECTION_BYTES: Final = 1 << 10
"""Cost of a rejection in addition to its text, in bytes."""
RAW: Final = {
    "match_id": "INTEGER",
    "match": "VARCHAR",
    "lines": "BLOB",
    "bytes_sha256": "VARCHAR",
    "size": "BIGINT",
    "file": "VARCHAR",
    **dict.fromkeys(("first_line", "events", "plies", "rounds"), "INTEGER"),
    **dict.fromkeys(("verdict", "luck_verdict", "tournament"), "VARCHAR"),
    "ingested_in": "INTEGER",
}
FILES: Final = {
    "file": "VARCHAR",
    "size": "BIGINT",
    "sha256": "VARCHAR",
    **dict.fromkeys(("matches", "skipped", "quarantined", "ingested_in"), "INTEGER"),
}
"""Columns of the tables `raw_matches` and `ingested_files`."""
STAYS_OUT: Final = -1
"""Placeholder id that marks matches as not to be inserted."""
RUNS: Final = {
    "ingest_runs": "run",
    "ingested_files": "ingested_in",
    "raw_matches": "ingested_in",
    "quarantine": "ingested_in",
}
"""Column that holds the run number, by table."""
READ_BEFORE: Final = """
SELECT matches + skipped, least(quarantined, (
    SELECT count(*) FROM quarantine WHERE quarantine.file = ingested_files.file AND resolved_in IS NULL
)), greatest(0, quarantined - (SELECT count(*) FROM quarantine WHERE quarantine.file = ingested_files.file))
FROM ingested_files WHERE sha256 = $sha256
"""


NAMELESS: Final = """
SELECT 1 FROM dim_matches JOIN raw_matches USING (match_id)
WHERE dim_matches.tournament IS NULL
    AND raw_matches.file IN (SELECT file FROM ingested_files WHERE sha256 = $sha256)
LIMIT 1
"""
NAMED: Final = "UPDATE raw_matches SET tournament = name FROM named WHERE raw_matches.match_id = named.match_id"
BEGUN_IN_RUN: Final = """
SELECT count(*), coalesce(sum(events), 0)::BIGINT FROM raw_matches
WHERE list_contains($ids, match_id) AND ingested_in = $run
"""
READ_FIRST: Final = """
INSERT INTO ingested_files BY NAME FROM rows ANTI JOIN ingested_files USING (file, sha256)
"""
"""The anti-join is needed because a followed compressed file may be read twice."""
SAME_RUN: Final = """
SELECT run, files, matches, events, skipped, quarantined FROM ingest_runs
WHERE source = $source AND started_at = $started
"""


class Loader:
    """Collects validated chunks and loads them batch by batch.

    Each batch is one transaction; if `within` is set, all batches belong to the caller's transaction. `tournament` is
    for logs that name none, in any file. `also` is called in every batch with the files that are complete by then. Logs
    with `wanted` digests replace the logs that they conflict with. New matches get ids from `first_id`, or after the
    existing ones. Calls with the same source and the same `started` (UTC) are one run. Between batches, the loader
    yields to readers.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        source: Source = "command",
        tournament: str | None = None,
        *,
        within: bool = False,
        also: Callable[[Sequence[FileRecord]], None] = lambda _: None,
        wanted: Collection[str] = (),
        started: datetime | None = None,
        backpressure: Backpressure | None = None,
        first_id: int = 1,
    ) -> None:
        self.taken = Taken()
        self.manifests = Manifests()
        self._connection = connection
        self._started = started or datetime.now(UTC).replace(tzinfo=None)
        self._source = source
        self._tournament = tournament
        self._within = within
        self._also = also
        self._wanted = wanted
        self._first_id = first_id
        self._turns = backpressure or Backpressure()
        runs = " UNION ALL ".join(f"SELECT max({run}) AS run FROM {table}" for table, run in RUNS.items())
        self._run = _next(connection, f"SELECT max(run) FROM ({runs})")
        self._before = (0, 0, 0, 0, 0)
        for run, *before in connection.execute(SAME_RUN, {"source": source, "started": self._started}).fetchall():
            self._run, self._before = run, tuple(before)
        self._quarantine = Quarantine(connection, self._run)
        self._files = self._known = self._forgotten = self._twice = self._events_twice = 0
        self._left_out = self._quarantine.left_out
        self._waiting: list[tuple[Sequence[FileRecord], ValidatedChunk]] = []
        self._done: list[FileRecord] = []
        self._passed: list[FileRecord] = []
        """Files skipped since the last batch."""
        self._events = self._bytes = 0
        connection.execute("CREATE OR REPLACE TEMP TABLE batch (match_id INTEGER)")

    @property
    def run(self) -> int:
        """Number of the run."""
        return self._run

    @property
    def left_out(self) -> Collection[str]:
        """Return the names of matches that were skipped because they were forgotten earlier."""
        return self._left_out

    def skip(self, file: FileRecord) -> bool:
        """Return whether a file was completely read before; if so, count its matches as known.

        Return `False`, so that the file is read again, if matches without a tournament would now get one.
        """
        values = {"sha256": file.sha256}
        with undisturbed():
            if self._tournament_of(file) and self._connection.execute(NAMELESS, values).fetchall():
                return False
            before = self._connection.execute(READ_BEFORE, values).fetchall()
        for skipped, known, dropped in before:
            self._known += known
            for taken in (self.taken, file.taken):
                taken.skipped += skipped
                taken.dropped += dropped
                taken.known += known
            self._passed.append(file)
            return True
        return False

    def _tournament_of(self, file: FileRecord) -> str | None:
        return file.tournament or self._tournament

    def add(self, files: Sequence[FileRecord], checked: ValidatedChunk, *, done: Iterable[FileRecord] = ()) -> None:
        """Add a validated chunk, and load the batch if it is full.

        `files` has the record of each span of the chunk, in order. `done` has the records of files that end with this
        chunk.
        """
        self._waiting.append((files, checked))
        self._done += done
        self._events += sum(match.events + MATCH_EVENTS for match in checked.matches)
        self._bytes += sum(len(rejection.text) + REJECTION_BYTES for rejection in checked.rejections)
        most = min(PORTION_EVENTS, BATCH_EVENTS) if self._turns.has_readers else BATCH_EVENTS
        if self._events >= most or self._bytes >= BATCH_BYTES:
            self.load(goes_on=True)

    def load(self, *, goes_on: bool = False) -> None:
        """Load the current batch in one transaction; `goes_on` is true if another batch follows."""
        is_large = self._events >= PORTION_EVENTS and not self._within
        with (
            undisturbed(),
            written_once(self._connection) if is_large and not goes_on else nullcontext(),
            nullcontext() if self._within else transaction(self._connection),
        ):
            if self._waiting:
                self._load()
            self._also([*self._passed, *self._done])
            self._turns.yield_to_readers()
        self._waiting, self._done, self._passed = [], [], []
        self._events = self._bytes = 0

    def _load(self) -> None:
        self._waiting = stitched(self._connection, self._waiting)
        matches = [match for _, checked in self._waiting for match in checked.matches]
        texts = ((match.bytes_sha256, unpack(match.lines)) for match in matches)
        forgotten = tombstoned(self._connection, texts)
        next_id = max(self._first_id, _next(self._connection, "SELECT max(match_id) FROM raw_matches"))
        names = [match.match for match in matches]
        match_ids = MatchIds(self._connection, names, forgotten, next_id, self._wanted)
        assigned = [self._assigned(match_ids, files, checked) for files, checked in self._waiting]
        self._insert(assigned, match_ids.continued)
        self._name({number: name for number, name in match_ids.named.items() if number not in match_ids.continued})
        self._quarantine.resolve(assignment for group in assigned for assignment in group)
        self._quarantine.keep([*self._rejections(assigned), *((*conflict, None) for conflict in match_ids.conflicts)])
        self._quarantine.complete(self._done)
        taken, quarantine = self.taken, self._quarantine
        taken.matches += match_ids.new
        taken.completed += len(match_ids.continued)
        taken.skipped += match_ids.skipped
        self._forgotten += len(match_ids.forgotten)
        self._left_out.update(match_ids.forgotten)
        taken.forgotten = self._forgotten + quarantine.forgotten
        taken.known = self._known + quarantine.known
        taken.resolved = quarantine.resolved
        taken.quarantined = quarantine.open
        taken.problems = list(quarantine.problems.values())
        self._keep_records()

    def _assigned(self, match_ids: MatchIds, files: Sequence[FileRecord], checked: ValidatedChunk) -> list[Assignment]:
        """Return the ids assigned to a chunk's matches. If a log names no tournament, the match gets the file's."""
        nameless: set[int] = set()
        over = checked.over
        given = [self._tournament_of(file) for file in files]
        if any(given) and checked.matches:
            started = checked.events["stg_match_started"].select(["match", "tournament"]).to_pylist()
            nameless = {row["match"] for row in started if row["tournament"] is None}
        found: list[Assignment] = []
        for number, match in enumerate(checked.matches):
            tournament = given[match.span] if number in nameless else None
            found.append(match_ids.assign(files[match.span], match, tournament))
            found[-1].is_over = number in over
        return found

    def _rejections(
        self, assigned: list[list[Assignment]]
    ) -> Iterator[tuple[FileRecord, Rejection, FileRecord | None]]:
        """Yield each rejection with its file, and the later file that supplied the rejected match, if any."""
        came_in = {
            assignment.match.match: ((chunk, assignment.match.span, assignment.match.first_line), assignment)
            for chunk, group in enumerate(assigned)
            for assignment in group
            if assignment.counted
        }
        for chunk, (files, checked) in enumerate(self._waiting):
            for rejection in checked.rejections:
                behind, assignment = came_in.get(rejection.match or "", ((-1, 0, 0), None))
                is_before = (chunk, rejection.span, rejection.line) < behind
                is_settled = is_before and assignment and settles(assignment, rejection.reason, rejection.text)
                yield files[rejection.span], rejection, assignment.file if assignment and is_settled else None

    def _insert(self, assignments: list[list[Assignment]], continued: set[int]) -> None:
        """Insert the matches that have an id, their events, and all rows derived from them."""
        taken = [assignment for group in assignments for assignment in group if assignment.match_id is not None]
        if continued:
            self._count_once(continued)
            self._forget(continued)
        self._set_batch(assignment.match_id for assignment in taken)
        self._append("raw_matches", table_of(RAW, map(self._raw, taken)))
        events = self._insert_events(assignments)
        expected = sum(assignment.match.events for assignment in taken)
        if events != expected:
            raise AssertionError(f"{events} events reached their tables, {expected} were valid")
        self.manifests.write_down(self._connection)
        fill_tables(self._connection, self._turns.yield_to_readers)
        self.taken.events += events

    def _raw(self, assignment: Assignment) -> tuple[Any, ...]:
        match = assignment.match
        return (
            assignment.match_id,
            match.match,
            match.lines,
            match.bytes_sha256,
            match.size,
            match.found_in or str(assignment.file.path),
            match.first_line,
            match.events,
            match.plies,
            match.rounds,
            match.judged.verdict,
            match.judged.dice,
            assignment.tournament,
            self._run,
        )

    def _insert_events(self, assignments: list[list[Assignment]]) -> int:
        """Insert the events table by table, in order of match and seq, and return their number."""
        numbered: list[tuple[Events, Numbers]] = []
        for (_, checked), group in zip(self._waiting, assignments, strict=True):
            if isinstance(checked.events, Events):
                ids = [STAYS_OUT if assignment.match_id is None else assignment.match_id for assignment in group]
                numbered.append((checked.events, np.array(ids, np.int32)))
        return sum(self._append(table, rows) for table, rows in by_table(numbered))

    def _append(self, table: str, rows: pa.Table) -> int:
        if not rows.num_rows:
            return 0
        self._turns.yield_to_readers()
        rows = pa.Table.from_batches(rows.to_batches(max_chunksize=ROW_GROUP))
        ((inserted,),) = self._connection.execute(f"INSERT INTO {table} BY NAME FROM rows").fetchall()
        return int(inserted)

    def _count_once(self, match_ids: set[int]) -> None:
        """If this run began a match and now continues it, count the match and its lines only once."""
        values = {"ids": sorted(match_ids), "run": self._run}
        for matches, events in self._connection.execute(BEGUN_IN_RUN, values).fetchall():
            self._twice += matches
            self._events_twice += events

    def _set_batch(self, match_ids: Iterable[int | None]) -> None:
        """Fill the table `batch` with the ids of matches to derive rows for, or to remove."""
        self._connection.execute("DELETE FROM batch")
        self._append("batch", table_of({"match_id": "INTEGER"}, zip(match_ids)))

    def _forget(self, match_ids: set[int]) -> None:
        """Delete all rows of matches with a log that is being replaced."""
        self._set_batch(sorted(match_ids))
        remove(self._connection)

    def _name(self, tournaments: Mapping[int, str]) -> None:
        """Set the tournament of matches that were loaded without one."""
        if tournaments:
            named = table_of({"match_id": "INTEGER", "name": "VARCHAR"}, tournaments.items())
            self._connection.register("named", named)
            self._connection.execute(NAMED)
            self._connection.unregister("named")
            self._set_batch(sorted(tournaments))
            refill_tables(self._connection)
            self.taken.named += len(tournaments)

    def _keep_records(self) -> None:
        rows = [
            (str(file.path), file.size, file.sha256, file.matches, file.skipped, file.quarantined, self._run)
            for file in self._done
        ]
        if rows:
            self._connection.register("rows", table_of(FILES, rows))
            self._connection.execute(READ_FIRST)
            self._connection.unregister("rows")
        self._files += len(rows)
        self._connection.execute("DELETE FROM ingest_runs WHERE run = $run", {"run": self._run})
        files, matches, events, skipped, quarantined = self._before
        run = {
            "run": self._run,
            "started_at": self._started,
            "source": self._source,
            "files": files + self._files,
            "matches": matches + self.taken.matches + self.taken.completed - self._twice,
            "events": events + self.taken.events - self._events_twice,
            "skipped": skipped + self.taken.skipped + self.taken.forgotten,
            "quarantined": quarantined + self._quarantine.kept,
        }
        self._connection.execute(f"INSERT INTO ingest_runs ({', '.join(run)}) VALUES (${', $'.join(run)})", run)


def _next(connection: duckdb.DuckDBPyConnection, highest: str) -> int:
    """Return the next free number, starting from 1; `highest` is the query for the highest used one."""
    ((number,),) = connection.execute(highest).fetchall()
    return 1 + (number or 0)
