"""Workers on this machine: processes, of which any may die without harm."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from himalaya_core.arena.work import WorkerLost, ordered
from ingest.errors import WarehouseError

__all__ = ["LocalWorkers"]

Given = TypeVar("Given")
Answer = TypeVar("Answer")


class LocalWorkers:
    """Processes of this machine, as many as it has cores if no `count` is given."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the place of what was given and the answer, in order; see `Workers`."""
        try:
            yield from enumerate(ordered(function, given, self.count))
        except WorkerLost:
            raise WarehouseError(
                "a process that derives was killed twice, perhaps for want of memory; run the same again, with fewer: "
                "what was derived so far is kept"
            ) from None
