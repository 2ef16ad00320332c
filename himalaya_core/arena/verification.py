"""Verifying whole tournaments with several processes: each match of each file gets a verdict, in order."""

import gc
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from himalaya_core.arena.work import ordered
from himalaya_core.files import LogFileError, read_lines
from himalaya_core.judging import DiceVerdict, Divergence, judge
from himalaya_core.replay import ReplayError, matches

__all__ = ["Verdict", "count_matches", "verdict_on", "verdicts"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for one match; a fault names file and line, what was expected there and what was found.

    `fault` departs from the rules. `dice` says whether the dice of a match without one follow from their seed, and
    `other_dice` where they do not. A file that cannot be read to its end adds a verdict that counts no match.
    `tournament` is that of the header, of a match whose lines can be read.
    """

    matches: int
    events: int
    fault: str | None
    dice: DiceVerdict | None = None
    other_dice: str | None = None
    path: Path | None = None
    tournament: str | None = None


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
    collects = gc.isenabled()
    gc.disable()  # positions hold no cycles, and looking for some takes up to a quarter of the time
    try:
        found = judge(case.lines, board)
    except ReplayError as error:
        return Verdict(1, len(case.lines), f"{_place(case, error.line)}: {error.reason}")
    finally:
        if collects:
            gc.enable()
    fault, other_dice = _told(case, found.departure), _told(case, found.other_dice)
    return Verdict(1, len(case.lines), fault, found.dice, other_dice, case.path, found.header.tournament)


def _told(case: _Case, found: Divergence | None) -> str | None:
    if found is None:
        return None
    return f"{_place(case, found.line)}: seq {found.seq}: expected {found.expected}, found {found.found}"


def _place(case: _Case, line: int) -> str:
    number = case.start + line - 1
    return f"line {number}" if case.path is None else f"{case.path}:{number}"
