"""Logs received over HTTP: accepted once they are safe in the inbox, then loaded by a thread.

A receipt is the SHA-256 of the body. So a body sent twice, even at the same time, has one receipt and is loaded once.
If the server is killed in between, accepted bodies are loaded when the warehouse is served again.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from ingest.errors import NotAccepted, Reason
from ingest.inbox.drain import Depth, Drain, WhenQuiet, require_room
from ingest.inbox.inbox import Arrival, Body, Encoding, Inbox, Limits, is_receipt
from ingest.inbox.loading import Receipt, Status, receipt_of
from ingest.warehouse import Warehouse

__all__ = ["LOCAL", "Intake", "Receipt", "Status", "inbox_folder"]

LOCAL: Final = "local"
"""Sender of a body without a token."""


def inbox_folder(database: Path) -> Path:
    """Return the inbox of a warehouse."""
    file = database.resolve()
    return file.with_name(f"{file.name}.inbox")


class Intake:
    """Receives bodies for a warehouse, from several threads, and loads them once it is started.

    `when_quiet` is called some time after the last of them was loaded.
    """

    def __init__(
        self, warehouse: Warehouse, limits: Limits | None = None, when_quiet: WhenQuiet = lambda _: None
    ) -> None:
        self.limits = limits or Limits()
        self._warehouse = warehouse
        self._inbox = Inbox(inbox_folder(warehouse.database), self.limits)
        self._drain = Drain(warehouse, self._inbox, when_quiet)

    def __enter__(self) -> Self:
        """Start to load, beginning with bodies accepted earlier."""
        if not self._warehouse.read_only:
            self._inbox.open()
            self._drain.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop at the next safe point; waiting bodies are loaded at the next start."""
        self._drain.stop()

    @property
    def depth(self) -> Depth:
        """Return the bodies waiting to be loaded."""
        return self._drain.depth

    @property
    def is_running(self) -> bool:
        """Return whether received bodies will be loaded."""
        return self._drain.is_running

    @property
    def bodies_loaded(self) -> int:
        """Return the number of bodies loaded since this was made."""
        return self._drain.pace.bodies

    @property
    def bodies_per_second(self) -> float | None:
        """Return the bodies loaded per second; `None` if none was loaded yet."""
        return self._drain.pace.bodies_per_second

    def require_room(self) -> None:
        """Raise `NotAccepted` if the queue is full; worth checking before a body is read."""
        require_room(self.depth, self.limits, self._drain.pace)

    def receive(
        self, body: Body, *, source: str = LOCAL, tournament: str | None = None, encoding: Encoding | None = None
    ) -> Receipt:
        """Accept a body: on return it is safe on the disk. Raises `NotAccepted` if it is not kept."""
        if self._warehouse.read_only:
            message = f"{self._warehouse.database.name} is served for reading only; it accepts no logs"
            raise NotAccepted(Reason.READ_ONLY, message)
        with self._inbox.written(body) as written:
            known = self.receipt(written.receipt)
            if known:
                return known
            self._inbox.check(written, encoding)
            arrival = Arrival(written.receipt, written.size, _now(), source, tournament)
            if not self._inbox.keep(written, arrival):
                return self._pending(self._inbox.arrival(written.receipt) or arrival)  # it arrived a moment before
            self._drain.wake()
            return Receipt(arrival.receipt, Status.ACCEPTED, arrival.size, arrival.received_at)

    def receipt(self, receipt: str) -> Receipt | None:
        """Return the state of a body, `None` if it was never accepted."""
        if not is_receipt(receipt):
            return None
        waiting = self._inbox.arrival(receipt)  # first, as it leaves the inbox only once it is recorded
        with self._warehouse.reading() as connection:
            found = receipt_of(connection, receipt)
        return self._pending(waiting) if waiting and not found else found

    def _pending(self, waiting: Arrival) -> Receipt:
        problem = self._drain.problem(waiting.receipt)
        return Receipt(waiting.receipt, Status.PENDING, waiting.size, waiting.received_at, problem=problem)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
