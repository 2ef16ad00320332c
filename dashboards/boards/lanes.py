"""Rows of marks on the timeline, shared by the scenes of all games."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from dashboards.boards.scene import NOBODY, Lane
from himalaya_core.log.codec import Entry

__all__ = ["EventLane", "lanes_of", "lead_changes"]

EventLane: TypeAlias = tuple[str, str, Callable[[Any], bool]]
"""Name of a lane, its icon, and a test whether an event has a mark on it."""


def lanes_of(entries: Sequence[Entry], lanes: Iterable[EventLane], winners: Sequence[Sequence[int]]) -> list[Lane]:
    """Return the lanes with marks of seats' events, then one with a mark at each change of the provisional winners.

    `winners` has the provisional winners by frame.
    """
    marked = [Lane(name=name, icon=icon, marks=_marks(entries, belongs)) for name, icon, belongs in lanes]
    return [*marked, lead_changes(winners)]


def _marks(entries: Sequence[Entry], belongs: Callable[[Any], bool]) -> list[tuple[int, int]]:
    return [(at, entry.seat) for at, entry in enumerate(entries) if entry.seat is not None and belongs(entry.event)]


def lead_changes(winners: Sequence[Sequence[int]]) -> Lane:
    """Return a mark at each frame in which the provisional winners change; `winners` has them by frame."""
    changes = [at for at in range(1, len(winners)) if winners[at] != winners[at - 1]]
    marks = [(at, winners[at][0] if len(winners[at]) == 1 else NOBODY) for at in changes]
    return Lane(name="Lead changes", icon="crown", marks=marks)
