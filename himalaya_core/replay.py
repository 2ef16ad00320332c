"""Replays a log: reads every entry and computes the position after it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from himalaya_core.boards import board_for
from himalaya_core.errors import BoardError, RegistryError
from himalaya_core.game import Game, Step
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, Ended, Entry, Header, LogError, decode_line
from himalaya_core.log.matches import matches
from himalaya_core.match import Match

__all__ = ["Beginning", "NotInstalled", "Replay", "ReplayError", "after_end", "begin", "matches", "read_entry"]


class ReplayError(ValueError):
    """A log that cannot be replayed; `line` counts from 1, within the match or, if a file is named, within the file."""

    def __init__(self, line: int, reason: str, file: str | None = None) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"{file}:{line}: {reason}" if file else f"line {line}: {reason}")


class NotInstalled(ReplayError):
    """A log that cannot be checked because its game, rules version or board is not installed."""


@dataclass(frozen=True)
class Beginning:
    """The start of a match: its first line, game and board, and the initial position."""

    entry: Entry
    game: Game[Any, Any, Any]
    board: Any
    state: Any


def begin(line: bytes, board: Any | None = None) -> Beginning:
    """Set up the match described by a log's first line. `ReplayError` gives the reason if that fails."""
    first = _decode(line, 1, None)
    header = first.event
    for name, number in (("seq", first.seq), ("ply", first.ply), ("round", first.round)):
        if number:
            raise ReplayError(1, f"{name}: expected 0, found {number}")
    try:
        game = GAMES.get(header.game)
    except RegistryError as error:
        raise ReplayError(1, str(error)) from None
    if game is None:
        raise NotInstalled(1, f"the game {header.game!r} is unknown; there are {', '.join(GAMES)}")
    try:
        options = game.parse_options(header.options)
    except ValueError as error:
        note = " (in a log they count from 0)" if "seat" in str(error) else ""
        raise ReplayError(1, f"data.options: {error}{note}") from None
    _check_seats(header, options.players)
    _check_carried(game, header, first.extra)
    try:
        used = board_for(game, header.board.id, header.board.sha256, first.extra, board)
    except BoardError as error:
        raise NotInstalled(1, str(error)) from None
    if used.id != header.board.id:
        raise ReplayError(1, f"data.board.id: expected {used.id}, as in the board, found {header.board.id}")
    try:
        state = game.initial(options, used)
    except ValueError as error:
        raise ReplayError(1, str(error)) from None
    return Beginning(first, game, used, state)


@dataclass(frozen=True)
class Replay:
    """A replayed match: `states[i]` is the position after `entries[i]`. Entry 0 is `match_started`."""

    game: Game[Any, Any, Any]
    board: Any
    header: Header
    entries: tuple[Entry, ...]
    states: tuple[Any, ...]
    ended: Ended | None

    @classmethod
    def read(cls, lines: Iterable[bytes], board: Any | None = None) -> "Replay":
        """Replay the lines of one match. `ReplayError` names a line that cannot be read or applied."""
        rows = iter(lines)
        beginning = begin(next(rows, b""), board)
        first, game, state = beginning.entry, beginning.game, beginning.state
        entries, states = [first], [state]
        ended: Ended | None = None
        for number, line in enumerate(rows, start=2):
            if ended is not None:
                raise after_end(line, game, number)
            entry = read_entry(line, game, first.match, number - 1)
            if isinstance(entry.event, Ended):
                ended = entry.event
            else:
                state = _apply(game, state, entry, number)
            entries.append(entry)
            states.append(state)
        return cls(game, beginning.board, first.event, tuple(entries), tuple(states), ended)

    def match_at(self, seq: int) -> Match[Any, Any, Any]:
        """Return a match in play from the position after entry `seq` (0: the start), with the history up to there.

        Raises `IndexError` for an entry that there is not, and `ValueError` for one inside a decision.

        >>> import himalaya_core as hm
        >>> replay = hm.play("summit", ["porter", "racer"], seed="monday").replay
        >>> match = replay.match_at(40)
        >>> match.state == replay.states[40], match.actors == replay.game.actors(replay.states[40])
        (True, True)
        """
        match = Match(self.game, self.board, self.header.options)
        last = len(self.entries) - (self.ended is not None)
        rows = zip(self.entries[1:last], self.states[1:last], strict=True)
        match.history = [Step(entry.ply, entry.event, state, entry.action) for entry, state in rows]
        return match.branch(seq)


def _decode(line: bytes, number: int, game: Game[Any, Any, Any] | None) -> Entry:
    try:
        entry = decode_line(line, game)
    except LogError as error:
        raise ReplayError(number, str(error)) from None
    if isinstance(entry.event, Header) != (number == 1):
        expected = f"{MATCH_STARTED} on the first line and nowhere else"
        raise ReplayError(number, f"type: expected {expected}, found {entry.type}")
    return entry


def _check_seats(header: Header, players: int) -> None:
    seats = [info.seat for info in header.seats]
    if seats != list(range(players)):
        raise ReplayError(1, f"data.seats: expected one for each of {players} players, in order from 0, found {seats}")


def _check_carried(game: Game[Any, Any, Any], header: Header, extra: Mapping[str, Any]) -> None:
    """Check that a board included in the first line has the id and digest given there."""
    if "board" not in extra:
        return
    document = extra["board"]
    if not isinstance(document, Mapping):
        raise ReplayError(1, "board: expected an object, the whole board")
    try:
        found = game.parse_board(document).sha256
    except BoardError as error:
        raise ReplayError(1, str(error)) from None
    if found != header.board.sha256:
        raise ReplayError(1, "board: expected the board that data.board.sha256 names, found another one")


def read_entry(line: bytes, game: Game[Any, Any, Any], match: str, seq: int) -> Entry:
    """Parse line number `seq` (from 1) of a match. `ReplayError` gives the reason if the line is not valid there."""
    entry = _decode(line, seq + 1, game)
    if entry.match != match:
        raise ReplayError(seq + 1, f"match: expected {match}, found {entry.match}")
    if entry.seq != seq:
        raise ReplayError(seq + 1, f"seq: expected {seq}, found {entry.seq}")
    return entry


def after_end(line: bytes, game: Game[Any, Any, Any], number: int) -> ReplayError:
    """Return the error for a line that follows `match_ended`."""
    found = _decode(line, number, game).type
    return ReplayError(number, f"type: expected nothing after {MATCH_ENDED}, found {found}")


def _apply(game: Game[Any, Any, Any], state: Any, entry: Entry, number: int) -> Any:
    try:
        return game.apply(state, entry.event)
    except (AssertionError, IndexError, KeyError, ValueError):
        raise ReplayError(number, f"seq {entry.seq}: {entry.type} cannot happen here") from None
