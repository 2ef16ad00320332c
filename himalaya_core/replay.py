"""Reading a log back: every entry with the position after it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from himalaya_core.boards import board_for
from himalaya_core.errors import BoardError, RegistryError
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, Ended, Entry, Header, LogError, decode_line

__all__ = ["Beginning", "BoardNotFound", "Replay", "ReplayError", "begin", "matches", "read_entry"]

ENVELOPE_BYTES: Final = 1_000
"""How much of a line is searched for its match and type without decoding it."""
NAME: Final = re.compile(rb'"match"\s*:\s*"([^"\\]*)"')
MATCH_STARTED_TEXT: Final = MATCH_STARTED.encode()
STARTED: Final = re.compile(rb'"type"\s*:\s*"match_started"')


class ReplayError(ValueError):
    """A log that cannot be folded; `line` counts within the match from 1, or within the file that is named."""

    def __init__(self, line: int, reason: str, file: str | None = None) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"{file}:{line}: {reason}" if file else f"line {line}: {reason}")


class BoardNotFound(ReplayError):
    """A log whose board is neither carried by its first line, nor given, nor installed."""


@dataclass(frozen=True)
class Beginning:
    """The first line of a match, its game and board, and the position before anything happened."""

    entry: Entry
    game: Game[Any, Any, Any]
    board: Any
    state: Any


def begin(line: bytes, board: Any | None = None) -> Beginning:
    """Set up the match of a first line; `ReplayError` says why it cannot be."""
    first = _decode(line, 1, None)
    header = first.event
    if first.seq:
        raise ReplayError(1, f"seq: expected 0, found {first.seq}")
    try:
        game = GAMES.get(header.game)
    except RegistryError as error:
        raise ReplayError(1, str(error)) from None
    if game is None:
        raise ReplayError(1, f"the game {header.game!r} is unknown; there are {', '.join(GAMES)}")
    _check_seats(header)
    try:
        used = board_for(game, header.board.id, header.board.sha256, first.extra, board)
    except BoardError as error:
        raise BoardNotFound(1, str(error)) from None
    try:
        state = game.initial(game.parse_options(header.options), used)
    except ValueError as error:
        raise ReplayError(1, str(error)) from None
    return Beginning(first, game, used, state)


@dataclass(frozen=True)
class Replay:
    """A match folded from its lines: `states[i]` is the position after `entries[i]`; entry 0 is `match_started`."""

    game: Game[Any, Any, Any]
    board: Any
    header: Header
    entries: tuple[Entry, ...]
    states: tuple[Any, ...]
    ended: Ended | None

    @classmethod
    def read(cls, lines: Iterable[bytes], board: Any | None = None) -> "Replay":
        """Fold the lines of one match; `ReplayError` names the line that cannot be read or applied."""
        rows = iter(lines)
        beginning = begin(next(rows, b""), board)
        first, game, state = beginning.entry, beginning.game, beginning.state
        entries, states = [first], [state]
        ended: Ended | None = None
        for number, line in enumerate(rows, start=2):
            entry = read_entry(line, game, first.match, number - 1)
            if ended is not None:
                raise ReplayError(number, f"seq {entry.seq} comes after {MATCH_ENDED}")
            if isinstance(entry.event, Ended):
                ended = entry.event
            else:
                state = _apply(game, state, entry, number)
            entries.append(entry)
            states.append(state)
        return cls(game, beginning.board, first.event, tuple(entries), tuple(states), ended)


def _decode(line: bytes, number: int, game: Game[Any, Any, Any] | None) -> Entry:
    try:
        entry = decode_line(line, game)
    except LogError as error:
        raise ReplayError(number, str(error)) from None
    if isinstance(entry.event, Header) != (number == 1):
        raise ReplayError(number, "match_started stands on the first line of a match and nowhere else")
    return entry


def _check_seats(header: Header) -> None:
    seats = [info.seat for info in header.seats]
    players = header.options.get("players", len(seats))
    if seats != list(range(len(seats))) or players != len(seats):
        raise ReplayError(1, f"data.seats: expected one for each of {players} players, in order from 0, found {seats}")


def read_entry(line: bytes, game: Game[Any, Any, Any], match: str, seq: int) -> Entry:
    """Read the line of a match that has the number `seq`, from 1; `ReplayError` says why it is not that line."""
    entry = _decode(line, seq + 1, game)
    if (entry.match, entry.seq) != (match, seq):
        raise ReplayError(seq + 1, f"seq: expected {match} seq {seq}, found {entry.match} seq {entry.seq}")
    return entry


def _apply(game: Game[Any, Any, Any], state: Any, entry: Entry, number: int) -> Any:
    try:
        return game.apply(state, entry.event)
    except (AssertionError, IndexError, KeyError, ValueError) as error:
        raise ReplayError(number, f"seq {entry.seq}: {entry.type} cannot happen here ({error})") from None


def matches(lines: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Split a log of many matches; yield each match's lines and the number of its first line in the file.

    A match begins at `match_started` or where the match's name changes; a line without a readable name belongs to the
    match before it.
    """
    start, gathered, current, same = 1, list[bytes](), None, b""
    for number, line in enumerate(lines, start=1):
        if same and line.startswith(same) and MATCH_STARTED_TEXT not in line:  # a line as we write it, most often
            gathered.append(line)
            continue
        found = NAME.search(line, 0, ENVELOPE_BYTES)
        name = found and found[1]
        if gathered and (STARTED.search(line, 0, ENVELOPE_BYTES) or (name and current and name != current)):
            yield start, gathered
            start, gathered, current = number, [], None
        gathered.append(line)
        current = current or name
        same = b'{"match":"%b",' % current if current else b""
    if gathered:
        yield start, gathered
