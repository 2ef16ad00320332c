"""How fast an inbox is emptied, and so when there will be room in it."""

from collections import deque
from dataclasses import dataclass
from math import ceil
from typing import Final

from ingest.errors import NotAccepted, Reason
from ingest.receive.inbox import Limits

__all__ = ["Depth", "Pace", "require_room"]

LATELY: Final = 8
"""Groups that say how fast it goes."""
ROOM: Final = 3 / 4
"""Of a limit, down to which the inbox is to get: told of the next free place, all senders would come for it."""
LONGEST: Final = 300
UNKNOWN: Final = 10
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Depth:
    """What waits in an inbox: bodies, their bytes, and for how many seconds the oldest that can be loaded."""

    bodies: int
    size: int
    seconds: float


class Pace:
    """What was loaded lately, and how long it took."""

    def __init__(self) -> None:
        self._groups: deque[Depth] = deque(maxlen=LATELY)

    def add(self, bodies: int, size: int, seconds: float) -> None:
        """Take note of a group that was loaded."""
        self._groups.append(Depth(bodies, size, seconds))

    @property
    def bodies_per_second(self) -> float | None:
        """How many bodies are loaded in a second; `None` if none was yet."""
        seconds = sum(group.seconds for group in self._groups)
        return sum(group.bodies for group in self._groups) / seconds if seconds else None

    def seconds_for(self, bodies: float, size: float) -> float | None:
        """Return how long so many bodies of so many bytes take, by what takes longer; `None` if none was loaded."""
        seconds = sum(group.seconds for group in self._groups)
        loaded = sum(group.bodies for group in self._groups), sum(group.size for group in self._groups)
        if not all(loaded):
            return None
        return max(seconds * part / whole for part, whole in zip((bodies, size), loaded, strict=True))


def require_room(depth: Depth, limits: Limits, pace: Pace) -> None:
    """Raise `NotAccepted` if more waits than may, with the time until three quarters of that will."""
    for limit, found, said in (
        (limits.waiting_bodies, depth.bodies, "less than {} bodies to wait, found {}"),
        (limits.waiting_bytes, depth.size, "less than {} bytes to wait, found {}"),
        (int(limits.waiting_seconds), int(depth.seconds), "nothing to wait for {} seconds, found one that does for {}"),
    ):
        if found >= limit:
            wait = _wait(depth, limits, pace)
            message = f"inbox: expected {said.format(limit, found)}; try again in {wait} s"
            raise NotAccepted(Reason.BUSY, message, limit, found, wait)


def _wait(depth: Depth, limits: Limits, pace: Pace) -> int:
    """Return in how many seconds there will be room, from 1 to `LONGEST`."""
    all_of_it = pace.seconds_for(depth.bodies, depth.size)
    if all_of_it is None:
        return UNKNOWN
    too_many = depth.bodies - ROOM * limits.waiting_bodies, depth.size - ROOM * limits.waiting_bytes
    too_old = all_of_it - ROOM * limits.waiting_seconds
    return min(max(ceil(max(pace.seconds_for(*too_many) or 0, too_old)), 1), LONGEST)
