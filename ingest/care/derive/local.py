"""Workers on this machine: processes, of which any may die without harm."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Final, Self, TypeVar

from ingest.errors import WarehouseError

__all__ = ["LocalWorkers"]

Given = TypeVar("Given")
Answer = TypeVar("Answer")
ATTEMPTS: Final = 3
"""How often in a row processes may die without any answer in between."""


class LocalWorkers:
    """Processes of this machine, as many as it has cores if no `count` is given. Use it in a `with` statement."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1

    def __enter__(self) -> Self:
        self._pool = self._new()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:  # nobody waits for what they are at
            for process in multiprocessing.active_children():
                process.kill()
        self._pool.shutdown(cancel_futures=True)

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.count, multiprocessing.get_context("spawn"), _end_with_the_parent)

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the place of what was given and the answer, as they come; see `Workers`."""
        left = dict(enumerate(given))
        attempts = 0
        while left:
            try:
                under_way = {self._pool.submit(function, each): place for place, each in left.items()}
                for answer in as_completed(under_way):
                    result = answer.result()
                    del left[under_way[answer]]
                    attempts = 0
                    yield under_way[answer], result
            except BrokenProcessPool:
                attempts += 1
                if attempts == ATTEMPTS:
                    raise WarehouseError(
                        f"processes that derive were ended from outside {ATTEMPTS} times in a row, perhaps for want of "
                        "memory; run the same again, with fewer: what was derived so far is kept"
                    ) from None
                self._pool = self._new()


def _end_with_the_parent() -> None:
    """Have a process leave Ctrl-C to the one that started it, and end when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None, "called in a process that another one started"

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
