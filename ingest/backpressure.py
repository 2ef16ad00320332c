"""Taking turns: work that takes long goes on in small steps, and between two of them whoever reads goes first."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Turns"]

LATELY: Final = 2.0
"""Seconds for which somebody who read is taken to read on: thinking about one page, about to ask for the next."""
PATIENCE: Final = 4
"""So many times as long as its last step took does the work wait, at most: then it goes on, whoever reads."""
LONGEST: Final = 0.5
"""Seconds that it waits at most, however long the step was."""


class Turns:
    """Who reads at this moment, or did lately, and who works beside them; safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, changed: threading.Condition | None = None) -> None:
        self._clock = clock
        self._changed = changed or threading.Condition()
        self._inside = 0
        self._last = float("-inf")
        self._step_began = clock()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Go first while the block runs."""
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
    def are_taken(self) -> bool:
        """Say whether somebody reads, or did lately, so that work had better be done in small portions."""
        return self._inside > 0 or self._clock() - self._last < LATELY

    def after_you(self) -> None:
        """Wait, between two steps of work, until nobody is reading; not for ever."""
        with self._changed:
            took = self._clock() - self._step_began
            self._changed.wait_for(lambda: self._inside == 0, min(PATIENCE * took, LONGEST))
            self._step_began = self._clock()
