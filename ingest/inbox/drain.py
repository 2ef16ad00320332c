"""Loads the bodies in an inbox into the warehouse, many per transaction, in a thread that also measures its speed."""

import logging
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from typing import Final

import duckdb

from ingest.errors import NotAccepted, Reason, WarehouseError
from ingest.inbox.inbox import Arrival, Inbox, Limits
from ingest.inbox.loading import Body, drop_old, load_bodies, recorded, shown, write_down
from ingest.validate import PROCESSES
from ingest.validate.pool import ValidationPool
from ingest.warehouse import Warehouse

__all__ = ["Depth", "Drain", "Pace", "WhenQuiet", "require_room"]


LATELY: Final = 8
"""Number of recently loaded groups from which the speed is computed."""
ROOM: Final = 3 / 4
"""Fraction of its limit to which the inbox must shrink before senders are invited to retry.

If senders were invited as soon as one place is free, all would return together.
"""
LONGEST: Final = 300
UNKNOWN: Final = 10
"""Seconds until a retry if the loading speed is not known yet."""


@dataclass(frozen=True, slots=True)
class Depth:
    """Queue of an inbox: number of waiting bodies, their bytes, and the seconds that the oldest one has waited.

    Bodies that could not be loaded do not count as oldest.
    """

    bodies: int
    size: int
    seconds: float


class Pace:
    """Loading speed, measured on recently loaded groups of bodies."""

    def __init__(self) -> None:
        self.bodies = 0
        """Number of bodies loaded since the start."""
        self._groups: deque[Depth] = deque(maxlen=LATELY)

    def add(self, bodies: int, size: int, seconds: float) -> None:
        """Record a loaded group: its number of bodies, its bytes, and the seconds it took."""
        self.bodies += bodies
        self._groups.append(Depth(bodies, size, seconds))

    @property
    def bodies_per_second(self) -> float | None:
        """Return the bodies loaded per second; `None` before the first load."""
        seconds = sum(group.seconds for group in self._groups)
        return sum(group.bodies for group in self._groups) / seconds if seconds else None

    def seconds_for(self, bodies: float, size: float) -> float | None:
        """Return the estimated seconds to load this many bodies of this total size; `None` before the first load.

        The estimates by number and by size differ; the larger one is returned.
        """
        seconds = sum(group.seconds for group in self._groups)
        loaded = sum(group.bodies for group in self._groups), sum(group.size for group in self._groups)
        if not all(loaded):
            return None
        return max(seconds * part / whole for part, whole in zip((bodies, size), loaded, strict=True))


def require_room(depth: Depth, limits: Limits, pace: Pace) -> None:
    """Raise `NotAccepted` if the queue exceeds a limit.

    The error has the seconds until the queue is down to three quarters of that limit.
    """
    for limit, found, what in (
        (limits.waiting_bodies, depth.bodies, "{} bodies are waiting to be loaded, the limit is {}"),
        (limits.waiting_bytes, depth.size, "{} bytes are waiting to be loaded, the limit is {}"),
        (int(limits.waiting_seconds), int(depth.seconds), "a body has been waiting for {} s, the limit is {} s"),
    ):
        if found >= limit:
            wait = _wait(depth, limits, pace)
            message = f"the server is busy: {what.format(found, limit)}; try again in {wait} s"
            raise NotAccepted(Reason.BUSY, message, limit, found, wait)


def _wait(depth: Depth, limits: Limits, pace: Pace) -> int:
    """Return the estimated seconds until the queue has shrunk enough, from 1 to `LONGEST`."""
    all_of_it = pace.seconds_for(depth.bodies, depth.size)
    if all_of_it is None:
        return UNKNOWN
    too_many = depth.bodies - ROOM * limits.waiting_bodies, depth.size - ROOM * limits.waiting_bytes
    too_old = all_of_it - ROOM * limits.waiting_seconds
    return min(max(ceil(max(pace.seconds_for(*too_many) or 0, too_old)), 1), LONGEST)


MOST_BODIES: Final = 1_000
MOST_BYTES: Final = 64 << 20
"""Maximum total size in bytes, as sent, of the bodies in one group."""
LONGEST_DELAY: Final = 300.0
ALL_WAIT: Final = 5.0
"""Seconds to pause if no body can be loaded."""
OFTEN: Final = 600.0
"""Seconds between two removals of old receipts."""
QUIET: Final = 30.0
"""Seconds without a new body after which the validating processes end and the database file is compacted."""
OURS: Final = "it could not be loaded; see the server's log"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Delay:
    """Reason why a body could not be loaded, and when to try again.

    With 0 `tries`, the body was not tried on its own: its whole group failed, and so the group waits.
    """

    problem: str
    tries: int = 0
    until: float = field(default=0.0)

    def wait(self) -> None:
        self.until = time.monotonic() + min(2.0**self.tries, LONGEST_DELAY)
        self.tries += 1


class _Stopped(Exception):
    """The server is stopping; a partly loaded body stays in the inbox."""


WhenQuiet = Callable[[Callable[[], None]], None]
"""Function that runs while no new bodies arrive. It must call its argument regularly; that call raises an exception to
stop it.
"""


class Drain:
    """Loads the bodies in an inbox after `start`; `pace` measures the speed."""

    def __init__(self, warehouse: Warehouse, inbox: Inbox, when_quiet: WhenQuiet) -> None:
        self.pace = Pace()
        self._warehouse = warehouse
        self._inbox = inbox
        self._delays: dict[str, _Delay] = {}
        self._something = threading.Event()
        self._stopping = threading.Event()
        self._pools = ExitStack()
        self._pool: ValidationPool | None = None
        self._when_quiet = when_quiet
        self._looked = float("-inf")
        self._is_kept_up = True
        """True if `when_quiet` has already run since the last body was loaded."""
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)

    def start(self) -> None:
        """Start the thread that loads waiting and new bodies."""
        self._thread.start()

    def stop(self) -> None:
        """Stop at the next safe point; waiting bodies are loaded at the next start."""
        self._stopping.set()
        self._something.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_running(self) -> bool:
        """Return whether the loading thread is alive."""
        return self._thread.is_alive()

    def wake(self) -> None:
        """Wake the thread because a new body has arrived."""
        self._something.set()

    def problem(self, receipt: str) -> str | None:
        """Return why a body could not be loaded yet; `None` if it is only queued."""
        delay = self._delays.get(receipt)
        return delay.problem if delay else None

    @property
    def depth(self) -> Depth:
        """Return the state of the queue.

        The age excludes bodies that could not be loaded, because they do not delay the bodies after them.
        """
        waiting = self._inbox.waiting()
        oldest = next((each.received_at for each in waiting if not self._was_tried(each)), None)
        age = (datetime.now(UTC).replace(tzinfo=None) - oldest).total_seconds() if oldest else 0.0
        return Depth(len(waiting), self._inbox.size, age)

    # --- The loading thread

    def _run(self) -> None:
        with self._pools:
            while not self._stopping.is_set():
                self._something.clear()
                try:
                    self._take_due()
                except Exception:
                    log.exception("received logs could not be loaded; trying again")
                    self._stopping.wait(ALL_WAIT)
                pause = self._pause()
                if self._is_kept_up or pause < QUIET:
                    self._something.wait(pause)
                elif not self._something.wait(QUIET):
                    self._keep_up()

    def _keep_up(self) -> None:
        """End the validating processes and run `when_quiet`, which stops early if a new body arrives."""
        self._end_pool()
        self._is_kept_up = True
        try:
            with suppress(_Stopped):
                self._when_quiet(self._stay_quiet)
        except Exception:
            log.exception("the database could not be compacted")

    def _drop_old(self) -> None:
        """Remove old receipts, at most every `OFTEN` seconds."""
        if time.monotonic() - self._looked >= OFTEN:
            self._looked = time.monotonic()
            with self._warehouse.writing() as connection:
                drop_old(connection)

    def _stay_quiet(self) -> None:
        if self._something.is_set() or self._stopping.is_set():
            raise _Stopped

    def _pause(self) -> float:
        """Return the seconds until a failed body is due to be tried again."""
        left = (max(delay.until - time.monotonic(), 0.0) for delay in self._delays.values())
        return min(left, default=threading.TIMEOUT_MAX)

    def _take_due(self) -> None:
        while not self._stopping.is_set():
            due = [each for each in self._inbox.waiting() if self._is_due(each)]
            group = _group(each for each in due if not self._was_tried(each))
            again = next((each for each in due if self._was_tried(each)), None)
            if group:
                self._take(group)
            if again:
                self._take([again])
            if not group and not again:
                return

    def _is_due(self, arrival: Arrival) -> bool:
        delay = self._delays.get(arrival.receipt)
        return delay is None or delay.until <= time.monotonic()

    def _was_tried(self, arrival: Arrival) -> bool:
        delay = self._delays.get(arrival.receipt)
        return delay is not None and delay.tries > 0

    def _take(self, group: Sequence[Arrival]) -> None:
        """Load a group and remove it from the inbox. Bodies that cannot be loaded stay and are tried again later."""
        if self._stopping.is_set():
            return
        problem = self._tried(group)
        if problem is None:
            return
        if len(group) == 1:
            self._put_off(group[0], problem)
        elif problem is not OURS and self._tried([random.choice(group)]) is not None:
            for arrival in group:
                self._delays[arrival.receipt] = _Delay(problem, until=time.monotonic() + ALL_WAIT)
        else:
            middle = len(group) // 2
            self._take(group[:middle])
            self._take(group[middle:])

    def _tried(self, group: Sequence[Arrival]) -> str | None:
        """Load a group, except for bodies already loaded; return the reason if loading fails."""
        problem = None
        try:
            left = self._without_recorded(group)
            if left:
                with suppress(_Stopped):
                    self._load(left)
        except WarehouseError as error:
            problem = str(error)
            log.warning("received %s: %s", _named(group), error)
        except Exception:
            problem = OURS
            log.exception("received %s: %s", _named(group), problem)
        finally:
            if problem:
                self._end_pool()
        with suppress(duckdb.Error, WarehouseError):
            self._without_recorded(group)
        return problem

    def _without_recorded(self, group: Sequence[Arrival]) -> list[Arrival]:
        """Remove bodies that are already loaded from the inbox, and return the remaining ones."""
        with self._warehouse.reading() as connection:
            done = recorded(connection, [arrival.receipt for arrival in group])
        for receipt in done:
            self._inbox.remove(receipt)
            self._delays.pop(receipt, None)
        return [arrival for arrival in group if arrival.receipt not in done]

    def _load(self, group: Sequence[Arrival]) -> None:
        """Load bodies. The receipt of each is written in the transaction that loads its last lines."""
        arrivals = {arrival.receipt: arrival for arrival in group}
        bodies = [Body(self._inbox.path(each.receipt), each.receipt, each.tournament) for each in group]
        if self._pool is None:
            self._pool = self._pools.enter_context(ValidationPool(PROCESSES))
        self._is_kept_up = False
        began = time.monotonic()
        failed = load_bodies(
            self._warehouse,
            bodies,
            self._pool,
            lambda connection, summaries: write_down(connection, arrivals, summaries),
            self._go_on,
        )
        for receipt, reason in failed.items():
            self._put_off(arrivals.pop(receipt), reason)
        size = sum(arrival.size for arrival in arrivals.values())
        self.pace.add(len(arrivals), size, time.monotonic() - began)
        self._drop_old()

    def _go_on(self) -> None:
        if self._stopping.is_set():
            raise _Stopped

    def _put_off(self, arrival: Arrival, problem: str) -> None:
        delay = self._delays.setdefault(arrival.receipt, _Delay(problem))
        delay.problem = problem
        delay.wait()

    def _end_pool(self) -> None:
        self._pool = None
        self._pools.close()


def _group(arrivals: Iterator[Arrival]) -> list[Arrival]:
    """Return the first bodies, up to the limits of one load. No two of them share a display name."""
    group: dict[object, Arrival] = {}
    size = 0
    for arrival in arrivals:
        size += arrival.size
        if group and (size > MOST_BYTES or len(group) == MOST_BODIES):
            break
        group.setdefault(shown(arrival.receipt), arrival)
    return list(group.values())


def _named(group: Sequence[Arrival]) -> str:
    return group[0].receipt if len(group) == 1 else f"{len(group):,} bodies"
