"""Into the warehouse: checked matches collect to a batch, and a batch goes in whole or not at all."""

import hashlib
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from ingest.places import FileRecord, Place, Places
from ingest.tables import event_tables, fill_tables, sql_tables
from ingest.validate import Aside, Checked

__all__ = ["Loader", "Problem", "Taken"]

BATCH_EVENTS: Final = 250_000
BATCH_BYTES: Final = 64 << 20
"""Of text that is put aside."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was put aside, and why."""

    file: Path
    line: int
    match: str | None
    reason: str
    message: str

    def __str__(self) -> str:
        about = f" (match {self.match})" if self.match else ""
        return f"{self.file}:{self.line}: {self.message}{about}"


@dataclass(slots=True)
class Taken:
    """What a run took in and what it did not; `known` counts what was put aside in an earlier run already."""

    matches: int = 0
    completed: int = 0
    events: int = 0
    skipped: int = 0
    known: int = 0
    quarantined: list[Problem] = field(default_factory=list)


class Loader:
    """Collects what the gate let through and loads it batch by batch."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.taken = Taken()
        self._connection = connection
        runs = "SELECT ingested_in FROM ingested_files UNION ALL SELECT ingested_in FROM quarantine"
        self._run = self._next(f"SELECT max(ingested_in) FROM ({runs})")  # noqa: S608
        self._waiting: list[tuple[FileRecord, Checked]] = []
        self._done: list[FileRecord] = []
        self._events = self._bytes = 0
        connection.execute("CREATE TEMP TABLE batch (match_id INTEGER)")

    def skip(self, sha256: str) -> bool:
        """Say whether a file with these bytes was read to its end before; if so, count what is known from it."""
        sql = "SELECT matches + skipped, quarantined FROM ingested_files WHERE sha256 = $sha256"
        for skipped, known in self._connection.execute(sql, {"sha256": sha256}).fetchall():
            self.taken.skipped += skipped
            self.taken.known += known
            return True
        return False

    def add(self, file: FileRecord, checked: Checked, *, last: bool) -> None:
        """Add what a piece of a file came to, the last of it or not; a full batch is loaded."""
        self._waiting.append((file, checked))
        if last:
            self._done.append(file)
        self._events += sum(match.events for match in checked.matches)
        self._bytes += sum(len(aside.text) for aside in checked.asides)
        if self._events >= BATCH_EVENTS or self._bytes >= BATCH_BYTES:
            self.load()

    def load(self) -> None:
        """Load what has come together, in one transaction."""
        with _undisturbed():
            self._connection.begin()
            try:
                self._load()
            except BaseException:
                with suppress(duckdb.Error):  # after a full disk there may be nothing left to roll back
                    self._connection.rollback()
                raise
            self._connection.commit()
        self._waiting, self._done = [], []
        self._events = self._bytes = 0

    def _load(self) -> None:
        names = [match.match for _, checked in self._waiting for match in checked.matches]
        places = Places(self._connection, names, self._next("SELECT max(match_id) FROM raw_matches"))
        placed = [[places.place(file, match) for match in checked.matches] for file, checked in self._waiting]
        self._insert(placed, places.continued)
        asides = [(file, aside) for file, checked in self._waiting for aside in checked.asides]
        self._put_aside(asides + places.conflicts)
        self._keep_records()
        self.taken.matches += places.new
        self.taken.skipped += places.skipped
        self.taken.completed += len(places.continued)

    def _insert(self, places: list[list[Place]], continued: set[int]) -> None:
        """Insert the matches that have an id, and all that follows from them."""
        taken = [place for group in places for place in group if place.match_id is not None]
        batch = pl.DataFrame({"match_id": pl.Series([place.match_id for place in taken], dtype=pl.Int32)})
        self._connection.execute("DELETE FROM batch")
        self._append("batch", batch)
        if continued:
            self._forget(continued)
        self._append("raw_matches", pl.DataFrame([_raw(place) for place in taken], infer_schema_length=None))
        events = self._insert_events(places)
        expected = sum(place.match.events for place in taken)
        if events != expected:
            raise AssertionError(f"{events} events reached their tables, {expected} passed the gate")
        fill_tables(self._connection)
        self.taken.events += events

    def _insert_events(self, places: list[list[Place]]) -> int:
        """Insert the events by type, in order of match and seq, and return how many."""
        frames: dict[str, list[pl.DataFrame]] = {}
        for (_, checked), group in zip(self._waiting, places, strict=True):
            ids = pl.Series("match_id", [place.match_id for place in group], dtype=pl.Int32)
            for event, frame in checked.events.items():
                numbered = frame.with_columns(match_id=ids.gather(frame["match"])).drop("match")
                frames.setdefault(event, []).append(numbered.drop_nulls("match_id") if ids.null_count() else numbered)
        return sum(
            self._append(table.name, pl.concat(frames[table.event], rechunk=False))
            for table in event_tables()
            if table.event in frames
        )

    def _append(self, table: str, rows: pl.DataFrame) -> int:
        if rows.is_empty():
            return 0
        self._connection.register("rows", rows)
        ((inserted,),) = self._connection.execute(f"INSERT INTO {table} BY NAME FROM rows").fetchall()
        self._connection.unregister("rows")
        return int(inserted)

    def _forget(self, match_ids: set[int]) -> None:
        """Delete all rows of matches that come again with more lines."""
        names = [table.name for table in event_tables()]
        names += [table.name for table in sql_tables() if "match_id" in table.grain and not table.is_view]
        for name in names:
            sql = f"DELETE FROM {name} WHERE list_contains($ids, match_id)"  # noqa: S608
            self._connection.execute(sql, {"ids": sorted(match_ids)})

    def _put_aside(self, asides: list[tuple[FileRecord, Aside]]) -> None:
        """Keep what was put aside, unless an earlier run kept the same from the same file."""
        files = sorted({str(file.path) for file, _ in asides})
        earlier = "quarantine WHERE ingested_in < $run AND list_contains($files, file)"
        sql = f"SELECT file, line, reason, sha256 FROM {earlier}"  # noqa: S608
        kept = set(self._connection.execute(sql, {"run": self._run, "files": files}).fetchall())
        number = self._next("SELECT max(quarantine_id) FROM quarantine")
        rows: list[dict[str, Any]] = []
        for file, aside in asides:
            file.quarantined += 1
            sha256 = hashlib.sha256(aside.text).hexdigest()
            key = (str(file.path), aside.line, aside.reason, sha256)
            if key in kept:
                self.taken.known += 1
                continue
            problem = Problem(file.path, aside.line, aside.match, aside.reason, aside.message)
            self.taken.quarantined.append(problem)
            row = {"quarantine_id": number + len(rows), "file": key[0], "line": aside.line, "match": aside.match}
            row |= {"reason": aside.reason, "message": aside.message, "text": aside.text, "sha256": sha256}
            rows.append(row | {"ingested_in": self._run})
        self._append("quarantine", pl.DataFrame(rows, infer_schema_length=None))

    def _keep_records(self) -> None:
        rows = [
            {
                "file": str(file.path),
                "size": file.size,
                "sha256": file.sha256,
                "matches": file.matches,
                "skipped": file.skipped,
                "quarantined": file.quarantined,
                "ingested_in": self._run,
            }
            for file in self._done
        ]
        self._append("ingested_files", pl.DataFrame(rows))

    def _next(self, highest: str) -> int:
        """Return the number after the highest one, from 1."""
        ((number,),) = self._connection.execute(highest).fetchall()
        return 1 + (number or 0)


def _raw(place: Place) -> dict[str, Any]:
    match = place.match
    return {
        "match_id": place.match_id,
        "match": match.match,
        "lines": match.lines,
        "bytes_sha256": match.bytes_sha256,
        "size": match.size,
        "file": str(place.file.path),
        "first_line": match.first_line,
        "events": match.events,
        "plies": match.plies,
        "rounds": match.rounds,
    }


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off Ctrl-C until the block is done: in the middle of a statement it would come out as an error of DuckDB."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C goes to the main thread
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
