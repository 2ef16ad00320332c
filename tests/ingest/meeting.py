"""Synchronizes a test with its readers, on fast and slow machines alike."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Generic, Self, TypeVar

__all__ = ["Readers"]

PATIENCE: Final = 120.0
"""Seconds after which a reader is considered stuck."""
THINKING: Final = 2.0
"""Seconds that a reader pauses between two queries unless the test waits for it."""

Answer = TypeVar("Answer")


class Readers(Generic[Answer]):
    """Readers that repeatedly call `ask(number)` while the block runs, each in its own thread."""

    def __init__(self, readers: int, ask: Callable[[int], Answer]) -> None:
        self._ask = ask
        self._rounds: dict[int, float] = dict.fromkeys(range(readers), 0)
        self._awaited = dict(self._rounds)
        self._is_over = False
        self._changed = threading.Condition()
        self._threads = ThreadPoolExecutor(readers)
        self._reading: list[Future[list[Answer]]] = []

    def __enter__(self) -> Self:
        self._reading = [self._threads.submit(self._read, number) for number in self._rounds]
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        self._threads.shutdown()

    def wait_for_all(self) -> None:
        """Wait until every reader has completed a round; a failed reader does not block, and raises its error later."""
        with self._changed:
            for number, rounds in self._rounds.items():
                self._awaited[number] = rounds + 2  # two, as the next round may have started before this call
            self._changed.notify_all()
            met = self._changed.wait_for(lambda: not any(map(self._is_awaited, self._rounds)), PATIENCE)
            assert met, f"readers are held up; rounds ended: {sorted(self._rounds.values())}"

    def answers(self) -> list[list[Answer]]:
        """Return each reader's answers; the last one may be from after the block. Raises a reader's exception."""
        return [each.result() for each in self._reading]

    def _read(self, number: int) -> list[Answer]:
        answers: list[Answer] = []
        try:
            while not self._is_over:
                answers.append(self._ask(number))
                self._end_round(number)
            answers.append(self._ask(number))
        finally:
            self._end_round(number, float("inf"))
        return answers

    def _end_round(self, number: int, rounds: float = 1) -> None:
        with self._changed:
            self._rounds[number] += rounds
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_over or self._is_awaited(number), THINKING)

    def _is_awaited(self, number: int) -> bool:
        return self._rounds[number] < self._awaited[number]
