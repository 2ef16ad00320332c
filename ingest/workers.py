"""The gate in several processes: pieces go out, results come back in the order of the pieces."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import TracebackType
from typing import Final, Self

from ingest.read import Piece
from ingest.validate import Checked, check

__all__ = ["Gatekeepers"]

AHEAD: Final = 2
"""Pieces on their way for each process."""
WORTHWHILE: Final = 32 << 20
"""Bytes to check before starting processes pays."""


class Gatekeepers:
    """Processes that check pieces, started once there is enough to do.

    Each process hangs on a pipe of its own, so it ends by itself if this one is killed.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._threads = ThreadPoolExecutor(max(processes, 1))
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        self._pipes: list[Connection] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=kind is None, cancel_futures=True)
        for pipe in self._pipes:
            pipe.close()

    def check(self, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Checked]]:
        """Yield each piece with what it came to, in order."""
        pieces = iter(pieces)
        first: list[Piece] = []
        size = 0
        while size < WORTHWHILE and (piece := next(pieces, None)):
            first.append(piece)
            size += len(piece.data)
        if size < WORTHWHILE or self._processes == 0:
            for piece in chain(first, pieces):
                yield piece, check(piece)
            return
        self._start()
        waiting: deque[tuple[Piece, Future[Checked]]] = deque()
        for piece in chain(first, pieces):
            waiting.append((piece, self._threads.submit(self._ask, piece)))
            if len(waiting) > AHEAD * self._processes:
                oldest, answer = waiting.popleft()
                yield oldest, answer.result()
        for oldest, answer in waiting:
            yield oldest, answer.result()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        for _ in range(self._processes):
            ours, theirs = context.Pipe()
            context.Process(target=_serve, args=(theirs,), daemon=True).start()
            theirs.close()
            self._pipes.append(ours)
            self._idle.put(ours)

    def _ask(self, piece: Piece) -> Checked:
        pipe = self._idle.get()
        pipe.send(piece)
        answer: Checked = pipe.recv()
        self._idle.put(pipe)
        return answer


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            piece = pipe.recv()
        except EOFError:
            return
        pipe.send(check(piece))
