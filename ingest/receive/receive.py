"""Logs received over HTTP: accepted once they are safe in the inbox, then loaded one by one by a thread.

A receipt is the SHA-256 of the body, so a body sent twice, even at the same time, has one receipt and is loaded once.
If the server is killed in between, accepted bodies are loaded when the warehouse is served again.
"""

import json
import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

import duckdb

from ingest.errors import NotAccepted, Reason, WarehouseError
from ingest.load.summary import Progress, Summary
from ingest.pipeline import Request, take_in
from ingest.receive.inbox import Arrival, Body, Encoding, Inbox, Limits, is_receipt
from ingest.warehouse import Warehouse

__all__ = ["Intake", "Receipt", "Status", "inbox_folder"]

LOCAL: Final = "local"
"""Who sent a body without a token."""
LONGEST_DELAY: Final = 300.0
UNREADABLE_DELAY: Final = 5.0
"""Seconds."""
FIND: Final = "SELECT size, received_at, result FROM receipts WHERE receipt = $receipt"
RECORD: Final = """
INSERT INTO receipts VALUES ($receipt, $size, $received_at, $source, 'taken', $result)
"""

log = logging.getLogger(__name__)


class Status(StrEnum):
    """The state of a body: just accepted, waiting on the disk, or loaded."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Receipt:
    """An accepted body: `summary` says what was loaded, `problem` why it has to wait. Times are UTC."""

    receipt: str
    status: Status
    size: int
    received_at: datetime
    summary: Summary | None = None
    problem: str | None = None


@dataclass(slots=True)
class _Delay:
    """Why a body could not be loaded, and when it is tried again."""

    problem: str
    tries: int = 0
    until: float = field(default=0.0)

    def wait(self, problem: str) -> None:
        self.problem = problem
        self.until = time.monotonic() + min(2.0**self.tries, LONGEST_DELAY)
        self.tries += 1


class _Stopped(Exception):
    """The server stops; a body that is half loaded stays in the inbox."""


def inbox_folder(database: Path) -> Path:
    """Return the inbox of a warehouse."""
    file = database.resolve()
    return file.with_name(f"{file.name}.inbox")


class Intake:
    """Receives bodies for a warehouse, from several threads, and loads them once it is started."""

    def __init__(self, warehouse: Warehouse, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._warehouse = warehouse
        self._inbox = Inbox(inbox_folder(warehouse.database), self.limits)
        self._accepting = threading.Lock()
        self._something = threading.Event()
        self._stopping = threading.Event()
        self._delays: dict[str, _Delay] = {}
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)

    def __enter__(self) -> Self:
        """Start to load, first what was accepted before."""
        if not self._warehouse.read_only:
            self._inbox.tidy()
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop at the next safe point; what waits is loaded the next time."""
        self._stopping.set()
        self._something.set()
        if self._thread.is_alive():
            self._thread.join()

    def receive(
        self, body: Body, *, source: str = LOCAL, tournament: str | None = None, encoding: Encoding | None = None
    ) -> Receipt:
        """Accept a body: when this returns it is safe on the disk. `NotAccepted` if it is not kept."""
        if self._warehouse.read_only:
            message = f"{self._warehouse.database.name} is served for reading only; nothing can be sent to it"
            raise NotAccepted(Reason.NOT_WRITABLE, message)
        with self._inbox.written(body) as written:
            known = self.receipt(written.receipt)
            if known:
                return known
            self._inbox.check(written, encoding)
            arrival = Arrival(written.receipt, written.size, _now(), source, tournament)
            with self._accepting:
                known = self.receipt(written.receipt)  # the same body may have come a moment before
                if known:
                    return known
                self._inbox.keep(written, arrival)
            self._something.set()
            return Receipt(arrival.receipt, Status.ACCEPTED, arrival.size, arrival.received_at)

    def receipt(self, receipt: str) -> Receipt | None:
        """Return what became of a body, `None` if it was never accepted."""
        if not is_receipt(receipt):
            return None
        waiting = self._inbox.arrival(receipt)  # first, as it leaves the inbox only once it is recorded
        found = self._recorded(receipt)
        if found or waiting is None:
            return found
        delay = self._delays.get(receipt)
        return Receipt(
            receipt, Status.PENDING, waiting.size, waiting.received_at, problem=delay.problem if delay else None
        )

    def _recorded(self, receipt: str) -> Receipt | None:
        with self._warehouse.reading() as connection:
            for size, received_at, result in connection.execute(FIND, {"receipt": receipt}).fetchall():
                return Receipt(receipt, Status.TAKEN, size, received_at, Summary.read(json.loads(result)))
        return None

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._something.clear()
            try:
                pause = self._take_all()
            except Exception:
                log.exception("the inbox cannot be read; it is tried again")
                pause = UNREADABLE_DELAY
            self._something.wait(pause)

    def _take_all(self) -> float | None:
        """Load what waits; return the seconds until one that could not be loaded is tried again, `None` if all were."""
        for arrival in self._inbox.waiting():
            delay = self._delays.get(arrival.receipt)
            if self._stopping.is_set():
                return None
            if delay is None or delay.until <= time.monotonic():
                self._take(arrival)
        return min((max(delay.until - time.monotonic(), 0.0) for delay in self._delays.values()), default=None)

    def _take(self, arrival: Arrival) -> None:
        """Load a body and remove it; if that fails it stays, to be tried again."""
        try:
            if self._recorded(arrival.receipt) is None:
                with suppress(_Stopped):
                    self._take_in(arrival)
            if self._recorded(arrival.receipt):
                self._inbox.remove(arrival.receipt)
                self._delays.pop(arrival.receipt, None)
        except WarehouseError as error:
            log.warning("received %s: %s", arrival.receipt, error)
            self._put_off(arrival, str(error))
        except Exception:
            log.exception("received %s: it could not be loaded", arrival.receipt)
            self._put_off(arrival, "it could not be loaded; the server's log says why")

    def _take_in(self, arrival: Arrival) -> None:
        """Load a body, and write its receipt in the transaction of its last batch."""
        path = self._inbox.path(arrival.receipt)
        request = Request(
            (path,),
            tournament=arrival.tournament,
            source="received",
            names={path: f"received {arrival.receipt[:12]}"},
        )

        def record(connection: duckdb.DuckDBPyConnection, summary: Summary) -> None:
            if summary.failed:
                raise WarehouseError(summary.failed[0].reason)
            values = {
                "receipt": arrival.receipt,
                "size": arrival.size,
                "received_at": arrival.received_at,
                "source": arrival.source,
                "result": json.dumps(summary.as_json()),
            }
            connection.execute(RECORD, values)

        take_in(self._warehouse, request, self._go_on, record)

    def _go_on(self, _: Progress) -> None:
        if self._stopping.is_set():
            raise _Stopped

    def _put_off(self, arrival: Arrival, problem: str) -> None:
        self._delays.setdefault(arrival.receipt, _Delay(problem)).wait(problem)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
