"""Splits a log into the lines of each match, for every command and for the warehouse.

A match begins at `match_started`. Lines with its name belong to it, wherever they are, until a line after its
`match_ended`. Several matches may therefore be written line by line into one file.

A line without a readable name belongs to the match before it, if that match has not ended. Otherwise it belongs to the
match after it, if that match lacks its first line. In all other cases the line counts as a separate match.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic_core import from_json

from himalaya_core.errors import LogFileError
from himalaya_core.log.envelope import MATCH_ENDED, MATCH_NAME, MATCH_STARTED

__all__ = ["HELD_BYTES", "Found", "matches", "name_on"]

HELD_BYTES: Final = 16 << 20
"""Maximum bytes held for incomplete matches. Beyond it, the matches that have been inactive longest are closed."""
LOOSELY: Final = 1_000
"""Number of bytes searched for the match name and the event type if a line is not JSON."""
PLAIN: Final = re.compile(
    rb'\{"match":"(%b)","seq":\d+,"ply":\d+,"round":\d+,"type":"(\w+)"' % MATCH_NAME.strip("^$").encode()
)
NAME: Final = re.compile(rb'"match"\s*:\s*"(%b)"' % MATCH_NAME.strip("^$").encode())
IS_NAME: Final = re.compile(MATCH_NAME.strip("^$").encode()).fullmatch
TYPE: Final = re.compile(rb'"type"\s*:\s*"(\w+)"')
STARTED, ENDED = MATCH_STARTED.encode(), MATCH_ENDED.encode()
START_OR_END: Final = b'"match_'
"""A substring of every line that starts or ends a match. A few other lines contain it too."""

Found = tuple[Sequence[int], list[bytes]]
"""The line numbers of a match within the file, and its lines."""


def matches(lines: Iterable[bytes]) -> Iterator[Found]:
    """Yield the lines of each match, ordered by first line as long as memory (`HELD_BYTES`) permits.

    If reading the file fails, the complete matches are yielded before `LogFileError` is raised.
    """
    split = _Split()
    same, append = b"", list[bytes]().append
    try:
        for number, line in enumerate(lines, start=1):
            if same and line.startswith(same) and START_OR_END not in line:  # fast path for nearly all lines
                append(line)
                continue
            match = split.place(number, line)
            same, append = match.prefix, match.lines.append
            yield from split.ready()
    except LogFileError:
        yield from split.rest(broken=True)
        raise
    yield from split.rest()


def name_on(line: bytes) -> str | None:
    """Return the name of a line's match; `None` if it cannot be read."""
    name, _ = _envelope(line)
    return name.decode() if name else None


@dataclass(slots=True, eq=False)
class _Match:
    """A match that is still being collected, line by line.

    A run is a series of consecutive lines. `runs` has, for each run, the index in `lines` and the line number in the
    file at which it begins.
    """

    name: bytes | None
    lines: list[bytes] = field(default_factory=list)
    runs: list[tuple[int, int]] = field(default_factory=list)
    counted: int = 0
    size: int = 0
    """Total bytes of the first `counted` lines."""
    has_ended: bool = False
    is_over: bool = False

    @property
    def prefix(self) -> bytes:
        return b'{"match":"%b",' % self.name if self.name else b""

    def found(self) -> Found:
        ends = [*(start for start, _ in self.runs[1:]), len(self.lines)]
        runs = [range(line, line + end - at) for (at, line), end in zip(self.runs, ends, strict=True)]
        return runs[0] if len(runs) == 1 else [number for run in runs for number in run], self.lines


class _Split:
    """The matches that may still get lines, and finished ones that must wait for an earlier match."""

    def __init__(self) -> None:
        self._current: _Match | None = None
        self._open: OrderedDict[bytes, _Match] = OrderedDict()
        """Open matches by name, most recently used last."""
        self._held: OrderedDict[_Match, None] = OrderedDict()
        """All matches not yet yielded, in the order of their first lines."""
        self._size = 0

    def place(self, number: int, line: bytes) -> _Match:
        """Add a line to its match and return that match."""
        name, kind = _envelope(line)
        match = self._match_of(name, kind)
        if match is not self._current:
            self._leave()
            self._current = match
            match.runs.append((len(match.lines), number))
        match.lines.append(line)
        match.has_ended = match.has_ended or kind == ENDED
        return match

    def _match_of(self, name: bytes | None, kind: bytes | None) -> _Match:
        current = self._current
        if kind != STARTED and name is None:
            return current if current and not current.has_ended else self._begin(None)
        if kind != STARTED and name:
            if current and current.name == name:
                return current
            if name in self._open:
                return self._open[name]
            if current and current.name is None:  # earlier lines had no name: they belong to this match
                current.name = name
                self._open[name] = current
                return current
        return self._begin(name)

    def _begin(self, name: bytes | None) -> _Match:
        match = _Match(name)
        if name is not None:
            if before := self._open.pop(name, None):
                before.is_over = True
            self._open[name] = match
        self._held[match] = None
        return match

    def _leave(self) -> None:
        """Update the byte count of the current match. Close the match if it has ended or has no name."""
        match = self._current
        if match is None:
            return
        added = sum(map(len, match.lines[match.counted :]))
        match.counted, match.size = len(match.lines), match.size + added
        self._size += added
        if match.has_ended or match.name is None:
            match.is_over = True
        if match.name is not None and self._open.get(match.name) is match:
            del self._open[match.name]
            if not match.is_over:
                self._open[match.name] = match  # keep the most recently used match last

    def ready(self) -> Iterator[Found]:
        """Yield finished matches in order. Above the memory limit, yield waiting matches too."""
        while self._held and (first := next(iter(self._held))).is_over:
            yield self._take(first)
        if self._size <= HELD_BYTES:
            return
        for match in [match for match in self._held if match.is_over]:
            yield self._take(match)
        for match in [match for match in self._open.values() if match is not self._current]:
            if self._size <= HELD_BYTES // 2:
                return
            assert match.name is not None, "matches without a name are not kept open"
            del self._open[match.name]
            yield self._take(match)

    def _take(self, match: _Match) -> Found:
        del self._held[match]
        self._size -= match.size
        return match.found()

    def rest(self, *, broken: bool = False) -> Iterator[Found]:
        """Yield all remaining matches. If reading the file failed (`broken`), skip the match that was cut off."""
        for match in self._held:
            if not (broken and match is self._current and not match.has_ended):
                yield match.found()


def _envelope(line: bytes) -> tuple[bytes | None, bytes | None]:
    plain = PLAIN.match(line)
    if plain:
        return plain[1], plain[2]
    try:
        found = from_json(line)
    except ValueError:
        loose = (pattern.search(line, 0, LOOSELY) for pattern in (NAME, TYPE))
        name, kind = (found and found[1] for found in loose)
        return name, kind
    if not isinstance(found, dict):
        return None, None
    values = (found.get(key) for key in ("match", "type"))
    name, kind = (value.encode(errors="replace") if isinstance(value, str) else None for value in values)
    return name if name and IS_NAME(name) else None, kind
