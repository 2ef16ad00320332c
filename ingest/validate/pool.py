"""Processes that work on pieces of logs, validation above all: answers come in the order of the pieces."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import chain
from operator import attrgetter
from types import TracebackType
from typing import Final, Self, TypeVar

from himalaya_core.pool import Pool, WorkerLost, start_fork_server
from ingest.errors import ReadError, WarehouseError
from ingest.read.lines import Piece, pieces
from ingest.read.small_files import SmallFiles
from ingest.validate import WORTHWHILE
from ingest.validate.files import CheckedFiles, check_any
from ingest.validate.validation import Checked
from ingest.validate.values import drop_copies

__all__ = ["ValidationPool", "answered"]

Asked = TypeVar("Asked", Piece, Piece | SmallFiles)
Answer = TypeVar("Answer")

AHEAD_BYTES: Final = 64 << 20
"""Bytes of text under way in all, or as much of answers to it."""
NICE: Final = 10
"""Niceness of these processes in a server. The loading thread has none: paused with a lock, it would stop readers."""


def answered(
    function: Callable[[Piece], Answer], pieces: Iterable[Piece], processes: int
) -> Generator[Answer, None, None]:
    """Yield a function's answer to each piece, in order; without processes it is called here. Close it to stop."""
    with _pool(function, processes) as pool:
        yield from _answers(pool, pieces)


class ValidationPool:
    """Processes that validate pieces, started once there is enough to do.

    Once started they stay until the end of the `with` statement, for whatever is to be validated next. `failed` are
    the small files that could not be read.
    """

    def __init__(self, processes: int, *, judges: bool = True) -> None:
        """Without processes pieces are validated here, without `judges` they wait for the judgement of the rules."""
        self.failed: list[ReadError] = []
        self._check = partial(check_any, judges=judges)
        self._pool = _pool(self._check, processes)

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.__exit__(kind, error, trace)
        drop_copies()

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
        asked = chain(_emptied(first), pieces)
        is_little = size < WORTHWHILE and not self._pool.is_started
        for answer in map(self._check, asked) if is_little else _answers(self._pool, asked):
            yield from self._all_of(answer)

    def _all_of(self, answer: CheckedFiles) -> Iterator[tuple[Piece, Checked]]:
        """Yield the pieces of an answer with what is valid of them; files that are left are read and validated here."""
        yield from answer.pieces
        self.failed += answer.failed
        for path, shown in answer.left:
            try:
                for piece in pieces(path, shown=shown):
                    yield from self._check(piece).pieces
            except ReadError as error:
                self.failed.append(error)


def _pool(function: Callable[[Asked], Answer], processes: int) -> Pool[Asked, Answer]:
    """Return a pool for pieces: a command's is started fast, a server's gives way to its readers and leaves no more."""
    is_command = threading.current_thread() is threading.main_thread()
    if is_command and processes:
        start_fork_server(check_any.__module__)
    nice, size = 0 if is_command else NICE, attrgetter("size")
    return Pool(function, processes, ahead=AHEAD_BYTES, cost=size, niceness=nice, called=_called)


def _answers(pool: Pool[Asked, Answer], pieces: Iterable[Asked]) -> Iterator[Answer]:
    try:
        yield from pool.answers(pieces)
    except WorkerLost as error:
        raise WarehouseError(str(error)) from None


def _called(asked: Piece | SmallFiles) -> str:
    if isinstance(asked, SmallFiles):
        return str(asked.files[0][1])
    return f"{asked.parts[0].path}, line {asked.parts[0].first_line}"


def _emptied(pieces: "deque[Piece | SmallFiles]") -> "Iterator[Piece | SmallFiles]":
    """Yield the pieces and drop them, so that their text can be freed."""
    while pieces:
        yield pieces.popleft()
