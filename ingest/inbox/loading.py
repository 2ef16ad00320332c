"""Loads request bodies, many in one transaction, and stores a receipt for each."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final

import duckdb

from ingest.errors import ReadError
from ingest.inbox.inbox import Arrival
from ingest.load.load import Loader
from ingest.load.summary import FileRecord, Summary
from ingest.read.chunk import Chunk
from ingest.read.split import chunks, joined
from ingest.validate.pool import ValidationPool
from ingest.validate.validation import ValidatedChunk
from ingest.values import table_of
from ingest.warehouse import Warehouse

__all__ = [
    "DAYS",
    "MOST",
    "RECEIVED",
    "Body",
    "Receipt",
    "Status",
    "drop_old",
    "load_bodies",
    "receipt_of",
    "recorded",
    "shown",
    "write_down",
]


DAYS: Final = 30
MOST: Final = 100_000
MORE: Final = 1_000
"""Number of receipts allowed beyond `MOST` before the oldest are deleted, so that deletions are rare."""
FIND: Final = "SELECT size, received_at, result FROM receipts WHERE receipt = $receipt"
FOUND: Final = "SELECT receipt FROM receipts WHERE list_contains($receipts, receipt)"
WRITE_DOWN: Final = "INSERT INTO receipts BY NAME FROM written"
LAST_KEPT: Final = """
SELECT received_at FROM receipts
WHERE (SELECT count(*) FROM receipts) > $most + $more ORDER BY received_at DESC LIMIT 1 OFFSET $most
"""
DROP: Final = "DELETE FROM receipts WHERE received_at <= $since"
COLUMNS: Final = {
    **dict.fromkeys(("receipt", "source", "status", "result"), "VARCHAR"),
    "size": "BIGINT",
    "received_at": "TIMESTAMP",
}

Connection = duckdb.DuckDBPyConnection


class Status(StrEnum):
    """State of a body: just accepted, waiting on the disk, or loaded."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Receipt:
    """An accepted body; times are UTC.

    `summary` is the result of loading; `problem` is the reason why the body cannot be loaded yet.
    """

    receipt: str
    status: Status
    size: int
    received_at: datetime
    summary: Summary | None = None
    problem: str | None = None


def receipt_of(connection: Connection, receipt: str) -> Receipt | None:
    """Return the receipt of a loaded body; `None` if it is not loaded."""
    for size, received_at, result in connection.execute(FIND, {"receipt": receipt}).fetchall():
        return Receipt(receipt, Status.TAKEN, size, received_at, Summary.read(json.loads(result)))
    return None


def recorded(connection: Connection, receipts: Iterable[str]) -> set[str]:
    """Return the given receipts, only those with a loaded body."""
    return {receipt for (receipt,) in connection.execute(FOUND, {"receipts": list(receipts)}).fetchall()}


def write_down(connection: Connection, arrivals: Mapping[str, Arrival], summaries: Mapping[str, Summary]) -> None:
    """Write the receipts of loaded bodies, given by SHA-256, within the caller's transaction."""
    rows = [
        (
            receipt,
            arrivals[receipt].source,
            Status.TAKEN,
            json.dumps(summary.as_json()),
            arrivals[receipt].size,
            arrivals[receipt].received_at,
        )
        for receipt, summary in summaries.items()
    ]
    if rows:
        connection.register("written", table_of(COLUMNS, rows))
        connection.execute(WRITE_DOWN)
        connection.unregister("written")


def drop_old(connection: Connection, now: datetime | None = None) -> None:
    """Remove receipts older than `DAYS` days, and the oldest ones beyond `MOST`."""
    today = now or datetime.now(UTC).replace(tzinfo=None)
    connection.execute(DROP, {"since": today - timedelta(days=DAYS)})
    for (since,) in connection.execute(LAST_KEPT, {"most": MOST, "more": MORE}).fetchall():
        connection.execute(DROP, {"since": since})


RECEIVED: Final = "received "
"""Prefix of a body's display name."""
OF_TODAY: Final = """
SELECT started_at FROM ingest_runs
WHERE source = 'received' AND started_at >= $midnight AND run = (SELECT max(run) FROM ingest_runs)
"""
READ_BEFORE: Final = "SELECT sha256 FROM ingested_files WHERE list_contains($digests, sha256)"
CHANGED: Final = "it changed while it was read"

Settle = Callable[[duckdb.DuckDBPyConnection, Mapping[str, Summary]], None]


@dataclass(frozen=True, slots=True)
class Body:
    """A body on the disk: its path, its SHA-256, and the tournament for logs in it that name none."""

    path: Path
    sha256: str
    tournament: str | None = None


def shown(sha256: str) -> Path:
    """Return the display name of a body, shown in results instead of a file name."""
    return Path(f"{RECEIVED}{sha256[:12]}")


def load_bodies(
    warehouse: Warehouse, bodies: Sequence[Body], pool: ValidationPool, settle: Settle, go_on: Callable[[], None]
) -> dict[str, str]:
    """Load bodies in the given order; return the reasons for bodies that could not be read, by SHA-256.

    `settle` is called in the transaction of each batch with the summaries of the bodies that are complete in it. An
    exception from `go_on` stops the work; batches committed by then stay. Bodies with the same display name cannot be
    loaded together.
    """
    with warehouse.writing() as connection:
        loader = Loader(
            connection,
            "received",
            also=lambda done: settle(connection, {file.sha256: _summary(file) for file in done}),
            started=_started(connection),
            backpressure=warehouse.backpressure,
        )
        reading = _Reading(bodies, loader, connection)
        for chunk, checked in pool.check(joined(reading.chunks())):
            warehouse.backpressure.yield_to_readers()
            reading.add(chunk, checked)
            go_on()
        loader.load()
        return reading.failed


def _started(connection: duckdb.DuckDBPyConnection) -> datetime:
    """Return the start time of the run to which these bodies belong.

    One run covers a day; otherwise there would be a run for each body. Only the latest run is continued, so that no run
    resolves an entry that a later run quarantined.
    """
    now = datetime.now(UTC).replace(tzinfo=None)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    found = connection.execute(OF_TODAY, {"midnight": midnight}).fetchall()
    return found[0][0] if found else now


class _Reading:
    """State of loading a group of bodies. Bodies with bytes that were loaded before are not read again.

    `failed` maps bodies that could not be read to the reason.
    """

    def __init__(self, bodies: Sequence[Body], loader: Loader, connection: duckdb.DuckDBPyConnection) -> None:
        self.failed: dict[str, str] = {}
        self._bodies = bodies
        self._loader = loader
        self._records: dict[Path, FileRecord] = {}
        digests = {"digests": [body.sha256 for body in bodies]}
        self._read_before = {sha256 for (sha256,) in connection.execute(READ_BEFORE, digests).fetchall()}

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks of all bodies that must be read."""
        for body in self._bodies:
            name = shown(body.sha256)
            record = FileRecord(name, 0, body.sha256, tournament=body.tournament)
            if body.sha256 in self._read_before and self._loader.skip(record):
                continue
            self._records[name] = record
            try:
                yield from chunks(body.path, shown=name)
            except ReadError as error:
                self.failed[body.sha256] = error.reason

    def add(self, chunk: Chunk, checked: ValidatedChunk) -> None:
        """Pass a validated chunk to the loader, with the bodies that end in it."""
        records = [self._records[span.path] for span in chunk.spans]
        done: list[FileRecord] = []
        for span, record in zip(chunk.spans, records, strict=True):
            if span.end is None:
                continue
            if span.end.changed or span.end.sha256 != record.sha256:
                self.failed[record.sha256] = CHANGED
            else:
                record.size = span.end.size
                done.append(record)
        self._loader.add(records, checked, done=done)


def _summary(file: FileRecord) -> Summary:
    return Summary.of(file.taken, files=1)
