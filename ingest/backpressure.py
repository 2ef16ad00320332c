"""Backpressure: long work is done in small steps and pauses between them while anybody reads."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Backpressure"]

LATELY: Final = 2.0
"""Seconds after a read in which another is expected: somebody looks at one page and is about to open the next."""
PATIENCE: Final = 4
"""A pause lasts at most so many times as long as the step before it, whoever still reads."""
LONGEST: Final = 0.5
"""Seconds that a pause lasts at most, however long the step was."""


class Backpressure:
    """Lets readers go before one writer that works in steps; safe to use from several threads."""

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
        """Whether somebody reads, or did within `LATELY`: then steps should be small."""
        return self._inside > 0 or self._clock() - self._last < LATELY

    def yield_to_readers(self) -> None:
        """Wait between two steps until nobody reads: at most `PATIENCE` times the last step, and `LONGEST` seconds."""
        with self._changed:
            took = self._clock() - self._step_began
            self._changed.wait_for(lambda: self._inside == 0, min(PATIENCE * took, LONGEST))
            self._step_began = self._clock()
