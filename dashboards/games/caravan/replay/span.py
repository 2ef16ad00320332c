"""A round as a part of a match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.boards.map.scene import MapFrame
from himalaya_core.caravan.state import State
from himalaya_core.log.codec import Entry

__all__ = ["Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """The entries of a round with the position and the frame after each; `start` is the number of the first frame."""

    entries: Sequence[Entry]
    states: Sequence[State]
    frames: Sequence[MapFrame]
    names: Sequence[str]
    start: int

    def events(self) -> Iterator[tuple[int, Any]]:
        """Yield each event with its place in the round."""
        for at, entry in enumerate(self.entries):
            yield at, entry.event
