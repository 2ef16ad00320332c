"""Reports made in the background: one at a time, in order; some wait, some finished ones are kept, all within bounds.

The worker is a thread of the server. Between two steps it lets readers go first, and there a job can be cancelled. One
that takes too long fails, and one that nobody asks after any more is given up: who asked for it has left.
"""

import logging
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from dashboards.report.errors import Progress, ReportError
from dashboards.report.render import MIMETYPES, Format, make
from dashboards.warehouse.filters import Filter
from ingest.warehouse import Warehouse

__all__ = ["Busy", "Cancelled", "Job", "Jobs", "Status", "making"]

log = logging.getLogger(__name__)

MOST_WAITING: Final = 8
MOST_KEPT: Final = 16
MOST_BYTES: Final = 96 << 20
LONGEST: Final = 900.0
"""Seconds that a report may take."""
UNSEEN: Final = 180.0
"""Seconds after which one that nobody asks after is given up; a page asks every second, unseen every minute."""
Make = Callable[[Filter, Format, Progress], bytes]


class Status(StrEnum):
    """How a report stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Busy(Exception):
    """So many reports wait that no other is accepted."""


class Cancelled(Exception):
    """Who asked for the report does not want it any more."""


@dataclass(slots=True)
class Job:
    """A report that was asked for: `done` of `total` steps, at present `step`; `problem` says why it failed.

    `stamp` says what the database held, `owners` who asked for it, and how often more than gave it up.
    """

    where: Filter
    format: Format
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    status: Status = Status.WAITING
    done: int = 0
    total: int = 0
    step: str = ""
    problem: str | None = None
    content: bytes | None = None
    stamp: str = ""
    owners: Counter[str] = field(default_factory=Counter)
    seen: float = field(default_factory=time.monotonic)
    """When somebody asked after it last."""

    @property
    def is_over(self) -> bool:
        """Say whether nothing more will become of it."""
        return self.status not in {Status.WAITING, Status.RUNNING}

    @property
    def type(self) -> str:
        """Return the type of the file."""
        return MIMETYPES[self.format]


class Jobs:
    """The reports of a server; safe to use from several threads."""

    def __init__(self, make: Make, waiting: int = MOST_WAITING, kept: int = MOST_KEPT, size: int = MOST_BYTES) -> None:
        self._make = make
        self._most = waiting, kept, size
        self._jobs: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None
        self._closed = False

    def ask(self, where: Filter, kind: Format, stamp: str = "", owner: str = "") -> Job:
        """Have a report made for its owner, who may share that of the same filter, format and stamp with others.

        `Busy` if too many wait. Without a stamp, which changes with the data, none is shared.
        """
        with self._changed:
            if not self._closed and (same := self._shared(where, kind, stamp)):
                same.owners[owner] += 1
                same.seen = time.monotonic()
                return same
            if self._closed or len(self._queue) >= self._most[0]:
                raise Busy(f"{len(self._queue)} reports are queued; try again later")
            job = Job(where, kind, stamp=stamp, owners=Counter([owner]))
            self._jobs[job.id] = job
            self._queue.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="reports", daemon=True)
                self._worker.start()
            self._changed.notify_all()
            return job

    def find(self, name: str) -> Job | None:
        """Return a report by its id; none for one that was never asked for, or is not kept any more."""
        job = self._jobs.get(name)
        if job is not None:
            job.seen = time.monotonic()
        return job

    def cancel(self, name: str, owner: str | None = "") -> Job | None:
        """Have an owner give a report up, whatever has become of it, or all of them with `None`; return it.

        Once nobody wants it any more its file goes.
        """
        with self._changed:
            job = self._jobs.get(name)
            if job is not None:
                for each in list(job.owners) if owner is None else [owner]:
                    job.owners[each] = 0 if owner is None else max(job.owners[each] - 1, 0)
            if job is not None and not any(job.owners.values()) and job.status is not Status.FAILED:
                job.status, job.content = Status.CANCELLED, None
                if job in self._queue:
                    self._queue.remove(job)
            self._changed.notify_all()
            return job

    def at_work(self) -> tuple[int, int]:
        """Return how many reports wait, and how many are being made."""
        with self._changed:
            return len(self._queue), sum(job.status is Status.RUNNING for job in self._jobs.values())

    def close(self) -> None:
        """Give everything up, and wait until the worker has noticed."""
        with self._changed:
            self._closed = True
            for job in self._jobs.values():
                if not job.is_over:
                    job.status = Status.CANCELLED
            self._queue.clear()
            self._changed.notify_all()
        if self._worker is not None:
            self._worker.join(timeout=5)

    def wait(self, job: Job, timeout: float | None = None) -> bool:
        """Wait until nothing more will become of a report, and say whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: job.is_over, timeout)

    def _shared(self, where: Filter, kind: Format, stamp: str) -> Job | None:
        wanted = where, kind, stamp
        lost = {Status.FAILED, Status.CANCELLED}
        alike = (job for job in self._jobs.values() if (job.where, job.format, job.stamp) == wanted)
        return next((job for job in alike if stamp and job.status not in lost), None)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._queue)
                if self._closed:
                    return
                job = self._queue.popleft()
                job.status = Status.RUNNING
            self._do(job)
            with self._changed:
                self._drop_old()
                self._changed.notify_all()

    def _do(self, job: Job) -> None:
        began = time.monotonic()

        def progress(done: int, total: int, step: str) -> None:
            now = time.monotonic()
            if now - job.seen > UNSEEN:
                self._settle(job, Status.CANCELLED)
            if job.status is Status.CANCELLED:
                raise Cancelled
            if now - began > LONGEST:
                raise ReportError(f"it takes longer than {LONGEST:.0f} seconds; choose fewer matches")
            job.done, job.total, job.step = done, total, step

        try:
            content = self._make(job.where, job.format, progress)
        except Cancelled:
            return
        except ReportError as error:
            self._settle(job, Status.FAILED, problem=str(error))
        except Exception:
            if job.status is Status.CANCELLED:
                return  # the server stops, and what it read was interrupted
            log.exception("a report failed")
            self._settle(job, Status.FAILED, problem="The server could not make the report; its log says why.")
        else:
            self._settle(job, Status.DONE, content=content)

    def _settle(self, job: Job, status: Status, *, content: bytes | None = None, problem: str | None = None) -> None:
        with self._changed:
            if job.status is Status.RUNNING:  # it may have been cancelled meanwhile
                job.status, job.content, job.problem = status, content, problem

    def _drop_old(self) -> None:
        """Forget the oldest of those that are over, until the rest is within bounds."""
        over = [job for job in self._jobs.values() if job.is_over]
        size = sum(len(job.content or b"") for job in over)
        while over[1:] and (len(over) > self._most[1] or size > self._most[2]):
            oldest = over.pop(0)
            size -= len(oldest.content or b"")
            del self._jobs[oldest.id]


def making(warehouse: Warehouse) -> Make:
    """Return what makes a report of a warehouse, and lets readers go first."""

    def made(where: Filter, kind: Format, progress: Progress) -> bytes:
        def told(done: int, total: int, step: str) -> None:
            warehouse.backpressure.yield_to_readers()
            progress(done, total, step)

        with warehouse.of_one_file():
            return make(warehouse, where, kind, told)

    return made
