"""Runs work on chunks of logs, above all validation, in processes; answers come in the order of the chunks."""

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
from ingest.read.split import Chunk, SmallFiles, chunks
from ingest.validate import WORTHWHILE
from ingest.validate.payload_cache import drop_copies
from ingest.validate.validation import ValidatedChunk, ValidatedChunks, validate_any

__all__ = ["ValidationPool", "answered"]

Asked = TypeVar("Asked", Chunk, Chunk | SmallFiles)
Answer = TypeVar("Answer")

AHEAD_BYTES: Final = 64 << 20
"""Maximum bytes of text in progress, and of answers that wait to be taken."""
NICE: Final = 10
"""Niceness of these processes in a server.

The loading thread keeps normal priority: if it were paused while holding a lock, readers would have to wait.
"""


def answered(
    function: Callable[[Chunk], Answer], chunks: Iterable[Chunk], processes: int
) -> Generator[Answer, None, None]:
    """Yield a function's answer to each chunk, in order; with 0 processes, it runs here. Closing stops the work."""
    with _pool(function, processes) as pool:
        yield from _answers(pool, chunks)


class ValidationPool:
    """Processes that validate chunks, started once there is enough to do.

    Once started, they stay until the end of the `with` statement, ready for further chunks. `failed` lists the small
    files that could not be read.
    """

    def __init__(self, processes: int, *, judges: bool = True) -> None:
        """With 0 processes, validate chunks in this one. Without `judges`, matches are left to be verified later."""
        self.failed: list[ReadError] = []
        self._check = partial(validate_any, judges=judges)
        self._pool = _pool(self._check, processes)

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.__exit__(kind, error, trace)
        drop_copies()

    def check(
        self, chunks: Iterable[Chunk | SmallFiles], *, expected: int = 0
    ) -> Iterator[tuple[Chunk, ValidatedChunk]]:
        """Yield each chunk, without its text, with its validated matches, in order; chunks of small files are included.

        `expected` is a lower bound of the bytes to come, if known.
        """
        chunks = iter(chunks)
        first: deque[Chunk | SmallFiles] = deque()
        size = expected
        while size < WORTHWHILE and (chunk := next(chunks, None)):
            first.append(chunk)
            size += chunk.size
        asked = chain(_emptied(first), chunks)
        is_little = size < WORTHWHILE and not self._pool.is_started
        for answer in map(self._check, asked) if is_little else _answers(self._pool, asked):
            yield from self._all_of(answer)

    def _all_of(self, answer: ValidatedChunks) -> Iterator[tuple[Chunk, ValidatedChunk]]:
        """Yield the chunks of an answer with their matches.

        Files that the process left over are read and validated here.
        """
        yield from answer.chunks
        self.failed += answer.failed
        for path, shown in answer.left:
            try:
                for chunk in chunks(path, shown=shown):
                    yield from self._check(chunk).chunks
            except ReadError as error:
                self.failed.append(error)


def _pool(function: Callable[[Asked], Answer], processes: int) -> Pool[Asked, Answer]:
    """Return a pool for chunks. A command's pool starts fast; a server's has low priority and leaves no processes."""
    is_command = threading.current_thread() is threading.main_thread()
    if is_command and processes:
        start_fork_server(validate_any.__module__)
    nice, size = 0 if is_command else NICE, attrgetter("size")
    return Pool(function, processes, ahead=AHEAD_BYTES, cost=size, niceness=nice, called=_called)


def _answers(pool: Pool[Asked, Answer], chunks: Iterable[Asked]) -> Iterator[Answer]:
    try:
        yield from pool.answers(chunks)
    except WorkerLost as error:
        raise WarehouseError(str(error)) from None


def _called(asked: Chunk | SmallFiles) -> str:
    if isinstance(asked, SmallFiles):
        return str(asked.files[0][1])
    return f"{asked.spans[0].path}, line {asked.spans[0].first_line}"


def _emptied(chunks: "deque[Chunk | SmallFiles]") -> "Iterator[Chunk | SmallFiles]":
    """Yield the chunks, and release each one so that the memory of its text can be freed."""
    while chunks:
        yield chunks.popleft()
