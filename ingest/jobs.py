"""Jobs that a server runs for clients, one at a time, with limits on waiting and finished jobs.

The worker is a thread of the server. A job reports its progress and can be cancelled at each report. A job that takes
too long fails. If no client polls a job for a while, it is cancelled.
"""

import logging
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from himalaya_core.errors import HimalayaError

__all__ = ["Busy", "Cancelled", "Job", "JobError", "Jobs", "Progress", "Status", "Work"]

log = logging.getLogger(__name__)

MOST_WAITING: Final = 8
MOST_KEPT: Final = 16
MOST_BYTES: Final = 96 << 20
LONGEST: Final = 900.0
"""Maximum seconds that a job may run."""
UNSEEN: Final = 180.0
"""Seconds without a poll after which a job is cancelled.

A visible page polls every second, a hidden page every minute.
"""
JOIN: Final = 5.0
"""Seconds that a running job has to stop when the server stops."""
Progress = Callable[[int, int, str], None]
"""Called with the steps done, the total, and the name of the next step; an exception from it stops the job."""
Work = Callable[[Progress], bytes | None]
"""Function that does the work of a job; its return value is kept as the result for the client."""


class JobError(HimalayaError):
    """A job that failed; the message is one line with the reason."""


class Status(StrEnum):
    """State of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Busy(Exception):
    """No further job is accepted because too many are waiting."""


class Cancelled(Exception):
    """The job was cancelled by its client."""


@dataclass(slots=True)
class Job:
    """A requested job: `done` of `total` steps, now at `step`; `problem` is the reason for a failure.

    Jobs with the same `key` would do the same work. `owners` counts, for each client, its requests minus its
    cancellations.
    """

    key: Hashable
    work: Work | None
    """`None` once the job is over, because the work may hold much memory."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    status: Status = Status.WAITING
    done: int = 0
    total: int = 0
    step: str = ""
    problem: str | None = None
    content: bytes | None = None
    owners: Counter[str] = field(default_factory=Counter)
    seen: float = field(default_factory=time.monotonic)
    """Monotonic time of the last poll, in seconds."""

    @property
    def is_over(self) -> bool:
        """Return whether the job is done, failed or cancelled."""
        return self.status not in {Status.WAITING, Status.RUNNING}


class Jobs:
    """The jobs of one kind in a server; safe to use from several threads."""

    def __init__(
        self,
        what: str,
        *,
        waiting: int = MOST_WAITING,
        kept: int = MOST_KEPT,
        size: int = MOST_BYTES,
        longest: float = LONGEST,
        unseen: float = UNSEEN,
        hint: str = "",
    ) -> None:
        """Set the limits; `what` names the product of the jobs in messages, and `longest` and `unseen` are seconds.

        `hint` is appended to the problem of a job that takes too long.
        """
        self._what, self._hint = what, hint
        self._waiting, self._kept, self._size = waiting, kept, size
        self._longest, self._unseen = longest, unseen
        self._jobs: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None
        self._closed = False

    def ask(self, key: Hashable, work: Work, owner: str = "", *, shares: bool = True) -> Job:
        """Queue a job for an owner. With `shares`, join a job with the same key that has not failed or been cancelled.

        Raises `Busy` if too many jobs are waiting.
        """
        with self._changed:
            same = self._latest(key)
            if shares and same and not self._closed and same.status not in {Status.FAILED, Status.CANCELLED}:
                same.owners[owner] += 1
                same.seen = time.monotonic()
                return same
            if self._closed or len(self._queue) >= self._waiting:
                raise Busy(f"{len(self._queue)} {self._what}s are queued; try again later")
            job = Job(key, work, owners=Counter([owner]))
            self._jobs[job.id] = job
            self._queue.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name=f"{self._what}s", daemon=True)
                self._worker.start()
            self._changed.notify_all()
            return job

    def latest(self, key: Hashable) -> Job | None:
        """Return the latest job with this key, if it is still kept."""
        with self._changed:
            return self._latest(key)

    def find(self, name: str) -> Job | None:
        """Return a job by its id; `None` if it never existed or is no longer kept. This counts as a poll."""
        job = self._jobs.get(name)
        if job is not None:
            job.seen = time.monotonic()
        return job

    def cancel(self, name: str, owner: str | None = "") -> Job | None:
        """Cancel a job for one owner, or for all owners if `owner` is `None`; return the job.

        The job stops, or its result is dropped, once no owner is left.
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
        """Return the number of waiting and of running jobs."""
        with self._changed:
            return len(self._queue), sum(job.status is Status.RUNNING for job in self._jobs.values())

    def close(self) -> None:
        """Cancel all jobs, and wait until the worker has stopped."""
        with self._changed:
            self._closed = True
            for job in self._jobs.values():
                if not job.is_over:
                    job.status = Status.CANCELLED
            self._queue.clear()
            self._changed.notify_all()
        if self._worker is not None:
            self._worker.join(timeout=JOIN)

    def wait(self, job: Job, timeout: float | None = None) -> bool:
        """Wait until a job is over, and return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: job.is_over, timeout)

    def _latest(self, key: Hashable) -> Job | None:
        return next((job for job in reversed(self._jobs.values()) if job.key == key), None)

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
            if now - job.seen > self._unseen:
                self._settle(job, Status.CANCELLED)
            if job.status is Status.CANCELLED:
                raise Cancelled
            if now - began > self._longest:
                raise JobError(f"it took longer than {self._longest:.0f} seconds{self._hint}")
            job.done, job.total, job.step = done, total, step

        assert job.work is not None, "a job is done once"
        try:
            content = job.work(progress)
        except Cancelled:
            return
        except HimalayaError as error:
            self._settle(job, Status.FAILED, problem=str(error))
        except Exception:
            if job.status is Status.CANCELLED:
                return  # the server is stopping, which interrupted the job's query
            log.exception("a %s failed", self._what)
            problem = f"The server could not make the {self._what}; see the server's log."
            self._settle(job, Status.FAILED, problem=problem)
        else:
            self._settle(job, Status.DONE, content=content)
        finally:
            job.work = None

    def _settle(self, job: Job, status: Status, *, content: bytes | None = None, problem: str | None = None) -> None:
        with self._changed:
            if job.status is Status.RUNNING:  # if not, the job was cancelled in the meantime
                job.status, job.content, job.problem = status, content, problem

    def _drop_old(self) -> None:
        """Drop the oldest finished jobs until the rest are within the limits."""
        over = [job for job in self._jobs.values() if job.is_over]
        size = sum(len(job.content or b"") for job in over)
        while over[1:] and (len(over) > self._kept or size > self._size):
            oldest = over.pop(0)
            size -= len(oldest.content or b"")
            del self._jobs[oldest.id]
