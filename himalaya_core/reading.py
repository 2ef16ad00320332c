"""Logs read and checked from Python: a file, a folder of files, or the lines themselves."""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from himalaya_core.arena.verification import verdict_on, verdicts
from himalaya_core.files import log_files, read_lines
from himalaya_core.replay import Replay, ReplayError, matches

__all__ = ["Log", "read_log", "verify"]

Log: TypeAlias = str | Path | bytes | Iterable[bytes]
"""A path, or the contents of a log: all of it, or its lines."""


def read_log(log: Log, board: Any | None = None) -> Iterator[Replay]:
    """Yield each match of a log, folded; plain, `.gz` and `.zst` files, or all those in a folder.

    Raises `ReplayError` for a match that cannot be folded, with file and line; `LogFileError` for a file that cannot be
    read. `board` is one that the log names but does not carry.
    """
    for path in _files(log):
        for numbers, lines in matches(read_lines(path) if path else _lines(log)):
            try:
                replay = Replay.read(lines, board)
            except ReplayError as error:
                file = str(path) if path else None
                raise ReplayError(numbers[error.line - 1], error.reason, file) from None
            yield replay


def verify(log: Log, board: Any | None = None, *, players: bool | Sequence[str] = False) -> list[str]:
    """Decide every action of a log again, and draw all dice again; return the departures, none if it is clean.

    For each match this is the first event that departs from the rules, or else the first draw that its seed does not
    give. With `players` those that can be replayed are replayed too, and the first differing decision of each is
    reported; a list gives the source of players that are not installed (`"bots.py:Careful"`). Each text gives file
    and line, the expected value and the one found; lines that cannot be read are named too. Raises `ValueError` if
    there is no match at all, `LogFileError` if there is no file, `UnknownPlayer` for a text that names none.
    """
    outside = None if players is False else () if players is True else tuple(players)
    if isinstance(log, str | Path):
        found = list(verdicts(log_files([Path(log)]), board, 1, outside))
    else:
        found = [verdict_on(numbers, lines, board, outside) for numbers, lines in matches(_lines(log))]
    if not found:
        raise ValueError("there is no match in this log")
    return [text for verdict in found for text in verdict.problems]


def _files(log: Log) -> list[Path] | list[None]:
    return log_files([Path(log)]) if isinstance(log, str | Path) else [None]


def _lines(log: Log) -> Iterable[bytes]:
    assert not isinstance(log, str | Path), "a path has been opened before"
    return BytesIO(log) if isinstance(log, bytes) else log
