"""Verifying whole tournaments with several processes: each match of each file gets a verdict, in order."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from himalaya_core.arena.work import ordered
from himalaya_core.files import LogFileError, read_lines
from himalaya_core.judging import verify
from himalaya_core.replay import ReplayError, matches

__all__ = ["Verdict", "count_matches", "verdict_on", "verdicts"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for one match; `fault` names file and line, what was expected there and what was found.

    A file that cannot be read to its end adds a verdict that counts no match.
    """

    matches: int
    events: int
    fault: str | None


@dataclass(frozen=True, slots=True)
class _Case:
    path: Path | None
    start: int
    lines: Sequence[bytes]
    unreadable: str | None = None


def count_matches(files: Iterable[Path]) -> int:
    """Return how many verdicts the files will give."""
    return sum(1 for _ in _cases(files))


def verdicts(files: Iterable[Path], board: Any | None, jobs: int) -> Generator[Verdict, None, None]:
    """Yield the verdict on each match."""
    return ordered(partial(_decide, board), _cases(files), jobs)


def verdict_on(start: int, lines: Sequence[bytes], board: Any | None) -> Verdict:
    """Return the verdict on a match that is not from a file; `start` is the number of its first line."""
    return _decide(board, _Case(None, start, lines))


def _cases(files: Iterable[Path]) -> Iterator[_Case]:
    for path in files:
        try:
            for start, lines in matches(read_lines(path)):
                yield _Case(path, start, lines)
        except LogFileError as error:
            yield _Case(path, 1, (), str(error))


def _decide(board: Any | None, case: _Case) -> Verdict:
    if case.unreadable is not None:
        return Verdict(0, 0, case.unreadable)
    return Verdict(1, len(case.lines), _fault(board, case))


def _fault(board: Any | None, case: _Case) -> str | None:
    try:
        divergence = verify(case.lines, board)
    except ReplayError as error:
        return f"{_place(case, error.line)}: {error.reason}"
    if divergence is None:
        return None
    where = f"{_place(case, divergence.line)}: seq {divergence.seq}"
    return f"{where}: expected {divergence.expected}, found {divergence.found}"


def _place(case: _Case, line: int) -> str:
    number = case.start + line - 1
    return f"line {number}" if case.path is None else f"{case.path}:{number}"
