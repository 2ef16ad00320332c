"""Work on pieces of logs in several processes, validation above all: results come back in the order of the pieces."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from multiprocessing.connection import Connection
from queue import SimpleQueue
from traceback import format_exc
from types import TracebackType
from typing import Final, Generic, Protocol, Self, TypeVar

from ingest.errors import ReadError, WarehouseError
from ingest.read.lines import Piece, pieces
from ingest.read.small_files import SmallFiles
from ingest.validate.files import CheckedFiles, check_any
from ingest.validate.validation import Checked
from ingest.validate.values import drop_copies
from ingest.validate.worker import WORTHWHILE, Worker

__all__ = ["PiecePool", "ValidationPool", "serve"]


class Question(Protocol):
    """What a process may be asked: pieces of logs, or files of them."""

    @property
    def size(self) -> int: ...
    @property
    def is_empty(self) -> bool: ...
    def without_text(self) -> Self: ...


Asked = TypeVar("Asked", bound=Question)
Answer = TypeVar("Answer")

AHEAD: Final = 40
"""Pieces under way per process, if they are shorter than usual."""
AHEAD_BYTES: Final = 64 << 20
"""Bytes of text under way in all, or as much of answers to it."""
NICE: Final = 10
"""Niceness of these processes in a server. The loading thread has none: paused with a lock, it would stop readers."""


class PiecePool(Generic[Asked, Answer]):
    """Processes that answer pieces of logs by one function. In a server they give way to all others."""

    helps: bool = False
    """Whether a command does the same too while it waits."""

    def __init__(self, processes: int, function: Callable[[Asked], Answer], workers: Sequence[Worker] = ()) -> None:
        """Take a function of a module, or a `partial` of one; without processes it is called here.

        `workers` are processes that were started early; there are as many as there are to be, or none.
        """
        self._processes = processes
        self._function = function
        self._ahead = AHEAD_BYTES
        self._threads = ThreadPoolExecutor(max(processes, 1))
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        self._workers = list(workers)
        self._is_started = False
        self._is_command = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._workers if error else ():
            each.process.kill()  # rather than to wait until it has done what nobody wants any more
        self._threads.shutdown(cancel_futures=True)
        for each in self._workers:
            each.end()
            drop_copies(each.process.pid)

    def answers(self, pieces: Iterable[Asked]) -> Iterator[tuple[Asked, Answer]]:
        """Yield each piece, without its text, with what the function returns, in order."""
        if self._processes == 0:
            yield from self._answers_here(pieces)
            return
        self._start()
        waiting: deque[_Waiting[Asked, Answer]] = deque()
        size = 0
        for piece in pieces:
            waiting.append(self._asked(piece))
            size += waiting[-1].size
            while len(waiting) > AHEAD * self._processes or (size > self._ahead and len(waiting) > 1):
                size -= waiting[0].size
                yield self._oldest(waiting)
        while waiting:
            yield self._oldest(waiting)

    def _asked(self, piece: Asked) -> "_Waiting[Asked, Answer]":
        """Have a piece answered as soon as a process is idle."""
        asked: _Waiting[Asked, Answer] = _Waiting(piece, piece.size)
        asked.answer = self._threads.submit(self._ask, asked)
        return asked

    def _oldest(self, waiting: "deque[_Waiting[Asked, Answer]]") -> tuple[Asked, Answer]:
        """Return the answer to the oldest piece; while it is not ready, answer the latest ones here if that helps."""
        while self.helps and self._is_command and not waiting[0].answer.done() and (latest := _not_begun(waiting)):
            latest.answer = Future()
            latest.answer.set_result(self._answer_here(latest.piece))
        oldest = waiting.popleft()
        return oldest.piece.without_text(), oldest.answer.result()

    def _answers_here(self, pieces: Iterable[Asked]) -> Iterator[tuple[Asked, Answer]]:
        for piece in pieces:
            yield piece.without_text(), self._answer_here(piece)

    def _answer_here(self, piece: Asked) -> Answer:
        return self._function(piece)

    def _start(self) -> None:
        if self._is_started:
            return
        self._is_started = True
        for _ in range(self._processes - len(self._workers)):
            self._workers.append(Worker(gives_way=not self._is_command))
        for each in self._workers:
            with suppress(OSError):  # it is gone; whoever asks it will hear of that
                each.pipe.send(self._function)
            self._idle.put(each.pipe)

    def _ask(self, waiting: "_Waiting[Asked, Answer]") -> Answer:
        piece, waiting.piece = waiting.piece, waiting.piece.without_text()
        if piece.is_empty:
            return self._function(piece)
        pipe = self._idle.get()
        try:
            pipe.send(piece)
            answer: Answer | _Fault = pipe.recv()
        except (EOFError, OSError):
            raise WarehouseError("a process that checks logs was ended from outside; run the same again") from None
        finally:
            self._idle.put(pipe)
        match answer:
            case _Fault(traceback):
                raise RuntimeError(f"a fault of the program, in a process that checks logs:\n{traceback}")
            case _:
                return answer


class ValidationPool(PiecePool[Piece | SmallFiles, Checked | CheckedFiles]):
    """Processes that validate pieces, started once there is enough to do, or before; a command validates too meanwhile.

    Once started they stay until the end of the `with` statement, for whatever is to be validated next. `failed` are
    the small files that could not be read.
    """

    helps = True

    def __init__(self, processes: int, *, judges: bool = True, workers: Sequence[Worker] = ()) -> None:
        """Without `judges` matches wait for the judgement of the rules."""
        super().__init__(processes, partial(check_any, judges=judges), workers)
        self._ahead = AHEAD_BYTES if judges else 2 * AHEAD_BYTES  # half is checked while a batch is written
        self._begun: dict[SmallFiles, _Waiting[Piece | SmallFiles, Checked | CheckedFiles]] = {}
        self.failed: list[ReadError] = []

    def begin(self, files: Iterable[SmallFiles]) -> None:
        """Have processes begin with what `check` will be given first."""
        self._start()
        for some in files:
            self._begun[some] = super()._asked(some)

    def check(self, pieces: Iterable[Piece | SmallFiles], *, expected: int = 0) -> Iterator[tuple[Piece, Checked]]:
        """Yield each piece, also those of small files, without its text, with its validated matches, in order.

        There will be at least `expected` bytes.
        """
        pieces = iter(pieces)
        first: deque[Piece | SmallFiles] = deque()
        size = expected
        while size < WORTHWHILE and (piece := next(pieces, None)):
            first.append(piece)
            size += piece.size
        answers = self._answers_here if size < WORTHWHILE and not self._is_started else self.answers
        for asked, answer in answers(chain(_emptied(first), pieces)):
            yield from self._in_pieces(asked, answer)

    def _asked(self, piece: Piece | SmallFiles) -> "_Waiting[Piece | SmallFiles, Checked | CheckedFiles]":
        begun = self._begun.pop(piece, None) if isinstance(piece, SmallFiles) else None
        return begun or super()._asked(piece)

    def _in_pieces(self, asked: Piece | SmallFiles, answer: Checked | CheckedFiles) -> Iterator[tuple[Piece, Checked]]:
        """Yield the pieces of an answer with what is valid of them; files that are left are read and validated here."""
        if isinstance(answer, Checked):
            assert isinstance(asked, Piece)
            yield asked, answer
            return
        yield from answer.pieces
        self.failed += answer.failed
        for path, shown in answer.left:
            try:
                for each, checked in self._answers_here(pieces(path, shown=shown)):
                    yield from self._in_pieces(each, checked)
            except ReadError as error:
                self.failed.append(error)


@dataclass(frozen=True, slots=True)
class _Fault:
    """What a process answers for which the function failed."""

    traceback: str


@dataclass(slots=True)
class _Waiting(Generic[Asked, Answer]):
    """A piece under way, without its text once a process has it, how large it was, and the answer to come."""

    piece: Asked
    size: int
    answer: "Future[Answer]" = field(init=False)


def _not_begun(waiting: "deque[_Waiting[Asked, Answer]]") -> _Waiting[Asked, Answer] | None:
    """Return the latest piece that no process has begun with, taken back."""
    return next((each for each in reversed(waiting) if each.answer.cancel()), None)


def serve(descriptor: int, gives_way: bool) -> None:  # noqa: FBT001  said on a command line
    """Answer pieces from a pipe, on which the function comes first, until it is closed: the run is over, or killed."""
    if gives_way:
        os.nice(NICE)
    pipe: Connection = Connection(descriptor)
    with suppress(EOFError, ConnectionError):
        function = pipe.recv()
        while True:
            pipe.send(_answer(function, pipe.recv()))
    os._exit(0)  # freeing all known payloads, one by one, would take as long as validating ten pieces


def _answer(function: Callable[[Asked], Answer], piece: Asked) -> Answer | _Fault:
    """Answer a piece; a fault of the program is returned as its traceback, to be raised in the main process."""
    try:
        return function(piece)
    except Exception:  # noqa: BLE001  raised again by whoever asked
        return _Fault(format_exc())


def _emptied(pieces: deque[Asked]) -> Iterator[Asked]:
    """Yield the pieces and drop them, so that their text can be freed."""
    while pieces:
        yield pieces.popleft()
