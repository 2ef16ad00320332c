"""A chunk of log files: lines of one game that are validated together, grouped by match.

If several matches were written into one file at the same time, their lines are interleaved. `himalaya_core.log.matches`
then assigns each line to its match.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, Final

from himalaya_core.errors import RegistryError
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_NAME, MATCH_STARTED
from himalaya_core.log.matches import matches
from ingest.read.source import Ending

__all__ = ["NEWLINE", "STARTED", "Chunk", "Cut", "FileSpan", "Rejection", "by_game", "by_match", "game_of"]

PREFIX: Final = re.compile(rb'\{"match":"%b",' % MATCH_NAME.strip("^$").encode())
"""Pattern for the beginning of a line in the format that himalaya writes."""
GAME: Final = re.compile(rb'"game"\s*:\s*"([a-z][a-z0-9_-]{0,31})"')
TYPE: Final = re.compile(rb'"type"\s*:\s*"([a-z][a-z0-9_]*)"')
TOLD_APART: Final = 64
"""Maximum number of events to examine to recognise their game; few event types occur in several games."""
NEWLINE: Final = ord("\n")
STARTED: Final = b'"' + MATCH_STARTED.encode() + b'"'


@dataclass(frozen=True, slots=True)
class Cut:
    """Reason why the last match of a span may lack lines, and the line of the file at which it was cut."""

    reason: str
    message: str
    line: int


@dataclass(frozen=True, slots=True)
class FileSpan:
    """Lines of one file in a chunk, grouped by match; with an `end` if the file ends here.

    `read` counts the bytes of the file up to the end of the span, as stored on the disk. `sizes` has the number of
    lines of each match. `numbers` has the line numbers in the file, if they are not consecutive from `first_line`.
    """

    path: Path
    first_line: int
    lines: int
    read: int
    cut: Cut | None = None
    end: Ending | None = None
    sizes: tuple[int, ...] = ()
    numbers: Sequence[int] | None = None

    def number(self, at: int) -> int:
        """Return the line number in the file of the line at index `at` of the span; the index may be past its end."""
        if not self.numbers:
            return self.first_line + at
        behind = max(at - len(self.numbers) + 1, 0)
        return self.numbers[at - behind] + behind

    def are_together(self, start: int, stop: int) -> bool:
        """Return whether these lines are consecutive in the file."""
        return self.number(stop - 1) - self.number(start) == stop - 1 - start


@dataclass(frozen=True, slots=True)
class Rejection:
    """Rejected lines, unchanged; `line` is the number of the first bad line, `span` the index of their span."""

    line: int
    match: str | None
    reason: str
    message: str
    text: bytes
    span: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines to be validated together: of one file, or of several whole files.

    `rejections` were rejected during reading.

    `unsorted` has the lines in the order of the file, if `data` has them in another order.
    """

    spans: tuple[FileSpan, ...]
    data: bytes
    rejections: tuple[Rejection, ...] = ()
    unsorted: bytes | None = None

    @property
    def size(self) -> int:
        """Size of all text in bytes, including rejected text."""
        return len(self.data) + sum(len(rejection.text) for rejection in self.rejections)

    def without_text(self) -> "Chunk":
        """Return the chunk without its text, which is not needed after validation."""
        return Chunk(self.spans, b"")

    @property
    def as_read(self) -> bytes:
        """Return all text in the order of the file."""
        text = self.data if self.unsorted is None else self.unsorted
        return text or b"".join(rejection.text for rejection in self.rejections)

    @property
    def is_whole(self) -> bool:
        """Return whether this is a complete file without rejections so far."""
        span = self.spans[0]
        is_sound = span.end is not None and span.cut is None and not span.end.changed and not self.rejections
        return is_sound and span.first_line == 1 and (not self.data or self.data.endswith(b"\n"))


def by_match(chunk: Chunk) -> tuple[Chunk, Sequence[int]]:
    """Return the lines of a file grouped by match, and the offset of each match."""
    (span,) = chunk.spans
    simple = _simple(chunk.data)
    if simple is not None:
        sizes, starts = simple
        return replace(chunk, spans=(replace(span, sizes=sizes),)), starts
    # The match with the file's last line goes last, as that line may lack a line end.
    found = sorted(matches(BytesIO(chunk.data)), key=lambda each: each[0][-1] == span.lines)
    sizes = tuple(len(lines) for _, lines in found)
    starts = list(accumulate((sum(map(len, lines)) for _, lines in found), initial=0))[:-1]
    numbers = [span.first_line + number - 1 for number in chain.from_iterable(numbers for numbers, _ in found)]
    if all(after == number + 1 for number, after in pairwise(numbers)):
        return replace(chunk, spans=(replace(span, sizes=sizes),)), starts
    data = b"".join(chain.from_iterable(lines for _, lines in found))
    span = replace(span, sizes=sizes, numbers=numbers)
    return replace(chunk, spans=(span,), data=data, unsorted=chunk.data), starts


def _simple(data: bytes) -> tuple[tuple[int, ...], Sequence[int]] | None:
    """Return the number of lines and the start of each match, for a file in himalaya's own format.

    Returns `None` if a line is in another format, or if the lines of a match are not consecutive. The result equals
    that of `matches`, in a fraction of the time.
    """
    sizes: list[int] = []
    starts: list[int] = []
    names: set[bytes] = set()
    start = 0
    while start < len(data):
        prefix = PREFIX.match(data, start)
        if prefix is None or prefix[0] in names:
            return None
        names.add(prefix[0])
        line_end = data.find(b"\n", start)
        found = data.find(STARTED, line_end) if line_end >= 0 else -1
        stop = len(data) if found < 0 else data.rfind(b"\n", start, found) + 1
        lines = data.count(b"\n", start, stop) + (data[stop - 1] != NEWLINE)
        if data.count(b"\n" + prefix[0], start, stop) != lines - 1:
            return None
        sizes.append(lines)
        starts.append(start)
        start = stop
    return tuple(sizes), starts


def by_game(chunk: Chunk, starts: Sequence[int]) -> Iterator[Chunk]:
    """Yield the lines of a file, cut wherever a match of another game starts."""
    (span,) = chunk.spans
    data, game, cuts = chunk.data, game_of(chunk.data), [(0, 0, 0)]
    line = 0
    for nth, start in enumerate(starts if GAMES.has_several else ()):
        other = game_of(data, start)
        if other is not game and (other or data.find(STARTED, start, data.find(b"\n", start)) >= 0):
            cuts.append((nth, line, start))
            game = other
        line += span.sizes[nth]
    for (nth, line, start), (until, stop, end) in pairwise([*cuts, (len(span.sizes), span.lines, len(data))]):
        is_last = until == len(span.sizes)
        some = replace(
            span,
            first_line=span.first_line if span.numbers else span.first_line + line,
            lines=stop - line,
            cut=span.cut if is_last else None,
            end=span.end if is_last else None,
            sizes=span.sizes[nth:until],
            numbers=span.numbers and span.numbers[line:stop],
        )
        unsorted = chunk.unsorted if is_last or chunk.unsorted is None else b""
        yield replace(chunk, spans=(some,), data=data[start:end], unsorted=unsorted)


def game_of(data: bytes, start: int = 0) -> Game[Any, Any, Any] | None:
    """Return the game that the line at `start` names; `None` if it names no installed game.

    If the start of the match is missing, no line names the game; then the game is recognised by its events.
    """
    end = data.find(b"\n", start)
    named = GAME.search(data, start, len(data) if end < 0 else end)
    if named is None:
        return _game_by_events(data, start) if GAMES.has_several else None
    try:
        return GAMES.get(named[1].decode())
    except RegistryError:
        return None  # validating the first line reports the reason


def _game_by_events(data: bytes, start: int) -> Game[Any, Any, Any] | None:
    """Return the only game that has the events of the first lines; `None` if none or several have them."""
    games = list(GAMES.values())
    for _, found in zip(range(TOLD_APART), TYPE.finditer(data, start), strict=False):
        some = [game for game in games if found[1].decode() in game.event_types]
        if len(some) == 1:
            return some[0]
        games = some or games
    return None
