"""Backpressure: long work runs in small steps and pauses between them while there are readers."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Backpressure"]

LATELY: Final = 2.0
"""Seconds after a read in which another is expected, as people often open one page after another."""
PATIENCE: Final = 4
"""Maximum length of a pause, as a multiple of the step before it, even if there are still readers."""
LONGEST: Final = 0.5
"""Maximum length of a pause in seconds, however long the step was."""


class Backpressure:
    """Gives readers priority over one writer that works in steps; safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, changed: threading.Condition | None = None) -> None:
        self._clock = clock
        self._changed = changed or threading.Condition()
        self._inside = 0
        self._last = float("-inf")
        self._step_began = clock()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the writer back while the block runs."""
        with self._changed:
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._last = self._clock()
                self._changed.notify_all()

    @property
    def has_readers(self) -> bool:
        """Return whether there is a reader now or was one within `LATELY`: then steps should be small."""
        return self._inside > 0 or self._clock() - self._last < LATELY

    def yield_to_readers(self) -> None:
        """Pause between steps until there are no readers, at most `PATIENCE` times the last step and `LONGEST` s."""
        with self._changed:
            took = self._clock() - self._step_began
            self._changed.wait_for(lambda: self._inside == 0, min(PATIENCE * took, LONGEST))
            self._step_began = self._clock()
