"""The speed at which an inbox is emptied, and the resulting time until it has room."""

from collections import deque
from dataclasses import dataclass
from math import ceil
from typing import Final

from ingest.errors import NotAccepted, Reason
from ingest.receive.inbox import Limits

__all__ = ["Depth", "Pace", "require_room"]

LATELY: Final = 8
"""Number of recent groups that determine the speed."""
ROOM: Final = 3 / 4
"""Fraction of a limit to which the inbox is to shrink: for a single free place, all senders would return together."""
LONGEST: Final = 300
UNKNOWN: Final = 10
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Depth:
    """The waiting bodies of an inbox: number, bytes, and the seconds that the oldest loadable one has waited."""

    bodies: int
    size: int
    seconds: float


class Pace:
    """The groups loaded lately, and the time they took."""

    def __init__(self) -> None:
        self.bodies = 0
        """All bodies that were ever loaded."""
        self._groups: deque[Depth] = deque(maxlen=LATELY)

    def add(self, bodies: int, size: int, seconds: float) -> None:
        """Record a group that was loaded."""
        self.bodies += bodies
        self._groups.append(Depth(bodies, size, seconds))

    @property
    def bodies_per_second(self) -> float | None:
        """Return the bodies loaded per second; `None` if none was loaded yet."""
        seconds = sum(group.seconds for group in self._groups)
        return sum(group.bodies for group in self._groups) / seconds if seconds else None

    def seconds_for(self, bodies: float, size: float) -> float | None:
        """Return the seconds to load so many bodies of so many bytes, by the slower one; `None` if none was loaded."""
        seconds = sum(group.seconds for group in self._groups)
        loaded = sum(group.bodies for group in self._groups), sum(group.size for group in self._groups)
        if not all(loaded):
            return None
        return max(seconds * part / whole for part, whole in zip((bodies, size), loaded, strict=True))


def require_room(depth: Depth, limits: Limits, pace: Pace) -> None:
    """Raise `NotAccepted` if the queue exceeds a limit, with the time until it is down to three quarters of that."""
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
    """Return the seconds until there is room, from 1 to `LONGEST`."""
    all_of_it = pace.seconds_for(depth.bodies, depth.size)
    if all_of_it is None:
        return UNKNOWN
    too_many = depth.bodies - ROOM * limits.waiting_bodies, depth.size - ROOM * limits.waiting_bytes
    too_old = all_of_it - ROOM * limits.waiting_seconds
    return min(max(ceil(max(pace.seconds_for(*too_many) or 0, too_old)), 1), LONGEST)
