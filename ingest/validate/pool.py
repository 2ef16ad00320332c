"""Validation in several processes: results come back in the order of the pieces."""

import gc
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from traceback import format_exc
from types import TracebackType
from typing import Final, Self

from ingest.errors import WarehouseError
from ingest.read.lines import Piece
from ingest.validate.validation import Checked, check

__all__ = ["ValidationPool", "serve"]

AHEAD: Final = 12
"""Pieces under way per process, unless they are longer than usual."""
AHEAD_BYTES: Final = 64 << 20
"""Bytes of text under way in all."""
WORTHWHILE: Final = 32 << 20
"""Bytes to validate from which on starting processes pays."""
NICE: Final = 10
"""Niceness of these processes in a server. The loading thread has none: paused with a lock, it would stop readers."""


class ValidationPool:
    """Processes that validate pieces, started once there is enough to do.

    Each has a pipe of its own, so it ends by itself if this process is killed, and a session of its own, so that Ctrl-C
    reaches only this process. A command validates too while it waits; in a server they give way to all others.
    """

    def __init__(self, processes: int, *, judges: bool = True) -> None:
        """Without `judges` matches wait for the judgement of the rules."""
        self._processes = processes
        self._judges = judges
        self._threads = ThreadPoolExecutor(max(processes, 1))
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        self._pipes: list[Connection] = []
        self._workers: list[subprocess.Popen[bytes]] = []
        self._helps = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(cancel_futures=True)
        for pipe in self._pipes:
            pipe.close()
        for worker in self._workers:
            worker.wait()

    def check(self, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Checked]]:
        """Yield each piece, without its text, with its validated matches, in order."""
        pieces = iter(pieces)
        first: deque[Piece] = deque()
        size = 0
        while size < WORTHWHILE and (piece := next(pieces, None)):
            first.append(piece)
            size += len(piece.data)
        if size < WORTHWHILE or self._processes == 0:
            for piece in chain(_emptied(first), pieces):
                yield piece.without_text(), self._checked_here(piece)
            return
        self._start()
        waiting: deque[_Waiting] = deque()
        size = 0
        for piece in chain(_emptied(first), pieces):
            waiting.append(_Waiting(piece, self._threads.submit(self._ask, piece)))
            size += piece.size
            while len(waiting) > AHEAD * self._processes or (size > AHEAD_BYTES and len(waiting) > 1):
                size -= waiting[0].piece.size
                yield self._oldest(waiting)
        while waiting:
            yield self._oldest(waiting)

    def _oldest(self, waiting: "deque[_Waiting]") -> tuple[Piece, Checked]:
        """Return the result of the oldest piece; while it is not ready, validate the latest ones here."""
        while self._helps and not waiting[0].answer.done() and (latest := _not_begun(waiting)):
            latest.answer = Future()
            latest.answer.set_result(self._checked_here(latest.piece))
        oldest = waiting.popleft()
        return oldest.piece.without_text(), oldest.answer.result()

    def _checked_here(self, piece: Piece) -> Checked:
        collects = gc.isenabled()
        gc.disable()  # as in `serve`
        try:
            return check(piece, judges=self._judges)
        finally:
            if collects:
                gc.enable()

    def _start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "POLARS_MAX_THREADS": "1"}
        for _ in range(self._processes):
            ours, theirs = Pipe()
            command = [
                sys.executable,
                "-P",  # nothing is imported from the folder at hand: it may be one of somebody's logs
                "-c",
                f"from ingest.validate.pool import serve; serve({theirs.fileno()}, {not self._helps}, {self._judges})",
            ]
            self._workers.append(
                subprocess.Popen(  # noqa: S603  ourselves, once more
                    command, env=environment, pass_fds=[theirs.fileno()], start_new_session=True
                )
            )
            theirs.close()
            self._pipes.append(ours)
            self._idle.put(ours)

    def _ask(self, piece: Piece) -> Checked:
        if not piece.data:
            return check(piece, judges=self._judges)
        pipe = self._idle.get()
        try:
            pipe.send(piece)
            answer: Checked | str = pipe.recv()
        except (EOFError, OSError):
            raise WarehouseError("a process that checks logs was ended from outside; run the same again") from None
        finally:
            self._idle.put(pipe)
        match answer:
            case str():
                raise RuntimeError(f"a fault of the program, in a process that checks logs:\n{answer}")
            case Checked():
                return answer


@dataclass(slots=True)
class _Waiting:
    """A piece under way, and its result to come."""

    piece: Piece
    answer: "Future[Checked]"


def _not_begun(waiting: "deque[_Waiting]") -> _Waiting | None:
    """Return the latest piece that no process has begun with, taken back."""
    return next((each for each in reversed(waiting) if each.answer.cancel()), None)


def serve(descriptor: int, gives_way: bool, judges: bool) -> None:  # noqa: FBT001  said on a command line
    """Validate pieces from a pipe until it is closed, because the run is over or was killed."""
    if gives_way:
        os.nice(NICE)
    gc.disable()  # decoded lines hold no cycles, and looking for some takes a third of the time
    pipe: Connection = Connection(descriptor)
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send(_answer(pipe.recv(), judges=judges))
    os._exit(0)  # freeing all known payloads, one by one, would take as long as validating ten pieces


def _answer(piece: Piece, *, judges: bool) -> Checked | str:
    """Validate a piece; a fault of the program is returned as its traceback, to be raised in the main process."""
    try:
        return check(piece, judges=judges)
    except Exception:  # noqa: BLE001  raised again by whoever asked
        return format_exc()


def _emptied(pieces: deque[Piece]) -> Iterator[Piece]:
    """Yield the pieces and drop them, so that their text can be freed."""
    while pieces:
        yield pieces.popleft()
