"""Receives logs over HTTP: each body is accepted once it is safe in the inbox; a thread loads it later.

The receipt of a body is its SHA-256. So a body sent twice, even at the same time, has one receipt and is loaded once.
If the server is killed before an accepted body is loaded, it is loaded at the next start.
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
"""Name of the sender for bodies sent without a token."""


def inbox_folder(database: Path) -> Path:
    """Return the inbox folder of a warehouse."""
    file = database.resolve()
    return file.with_name(f"{file.name}.inbox")


class Intake:
    """Receives bodies for a warehouse, from several threads, and loads them within a `with` statement.

    `when_quiet` is called some time after the last waiting body was loaded.
    """

    def __init__(
        self, warehouse: Warehouse, limits: Limits | None = None, when_quiet: WhenQuiet = lambda _: None
    ) -> None:
        self.limits = limits or Limits()
        self._warehouse = warehouse
        self._inbox = Inbox(inbox_folder(warehouse.database), self.limits)
        self._drain = Drain(warehouse, self._inbox, when_quiet)

    def __enter__(self) -> Self:
        """Start loading, beginning with bodies accepted in an earlier run."""
        if not self._warehouse.read_only:
            self._inbox.open()
            self._drain.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop at the next safe point; waiting bodies are loaded at the next start."""
        self._drain.stop()

    @property
    def depth(self) -> Depth:
        """Return the state of the queue."""
        return self._drain.depth

    @property
    def is_running(self) -> bool:
        """Return whether received bodies will be loaded."""
        return self._drain.is_running

    @property
    def bodies_loaded(self) -> int:
        """Return the number of bodies loaded by this object."""
        return self._drain.pace.bodies

    @property
    def bodies_per_second(self) -> float | None:
        """Return the bodies loaded per second; `None` if none was loaded yet."""
        return self._drain.pace.bodies_per_second

    def require_room(self) -> None:
        """Raise `NotAccepted` if the queue is full. Check this before reading a body, to save the transfer."""
        require_room(self.depth, self.limits, self._drain.pace)

    def receive(
        self, body: Body, *, source: str = LOCAL, tournament: str | None = None, encoding: Encoding | None = None
    ) -> Receipt:
        """Accept a body, which is safe on the disk when this returns. Raises `NotAccepted` if it is refused."""
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
                return self._pending(self._inbox.arrival(written.receipt) or arrival)  # another thread was faster
            self._drain.wake()
            return Receipt(arrival.receipt, Status.ACCEPTED, arrival.size, arrival.received_at)

    def receipt(self, receipt: str) -> Receipt | None:
        """Return the state of a body; `None` if it was never accepted."""
        if not is_receipt(receipt):
            return None
        # Check the inbox first: a body leaves it only after the receipt is recorded.
        waiting = self._inbox.arrival(receipt)
        with self._warehouse.reading() as connection:
            found = receipt_of(connection, receipt)
        return self._pending(waiting) if waiting and not found else found

    def _pending(self, waiting: Arrival) -> Receipt:
        problem = self._drain.problem(waiting.receipt)
        return Receipt(waiting.receipt, Status.PENDING, waiting.size, waiting.received_at, problem=problem)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
