"""Reading a log back: every entry with the position after it, and the check that each follows from the rules."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from himalaya_core.boards import board_for
from himalaya_core.engine import settle, step
from himalaya_core.errors import RegistryError
from himalaya_core.game import Game, IllegalAction
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, Ended, Entry, Header, LogError, Reason, decode_line, state_digest

__all__ = ["Divergence", "Replay", "ReplayError", "matches", "verify"]

ENVELOPE_BYTES: Final = 1_000
"""How much of a line is searched for its match and type without decoding it."""
NAME: Final = re.compile(rb'"match"\s*:\s*"([^"\\]*)"')
STARTED: Final = re.compile(rb'"type"\s*:\s*"match_started"')


class ReplayError(ValueError):
    """A log that cannot be folded; `line` counts within the match from 1, or within the file that is named."""

    def __init__(self, line: int, reason: str, file: str | None = None) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"{file}:{line}: {reason}" if file else f"line {line}: {reason}")


@dataclass(frozen=True)
class Divergence:
    """The first event of a match that does not follow from the rules; `line` counts within the match from 1."""

    line: int
    seq: int
    expected: str
    found: str


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
        first = _decode(next(rows, b""), 1, None)
        header = first.event
        try:
            game = GAMES.get(header.game)
        except RegistryError as error:
            raise ReplayError(1, str(error)) from None
        if game is None:
            raise ReplayError(1, f"the game {header.game!r} is unknown; there are {', '.join(GAMES)}")
        _check_seats(header)
        try:
            used = board_for(game, header.board.id, header.board.sha256, first.extra, board)
            state = game.initial(game.parse_options(header.options), used)
        except ValueError as error:
            raise ReplayError(1, str(error)) from None
        entries, states = [first], [state]
        ended: Ended | None = None
        for number, line in enumerate(rows, start=2):
            entry = _decode(line, number, game)
            _check_place(entry, entries[-1], ended, number)
            if isinstance(entry.event, Ended):
                ended = entry.event
            else:
                state = _apply(game, state, entry, number)
            entries.append(entry)
            states.append(state)
        return cls(game, used, header, tuple(entries), tuple(states), ended)


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


def _check_place(entry: Entry, before: Entry, ended: Ended | None, number: int) -> None:
    if ended is not None:
        raise ReplayError(number, f"seq {entry.seq} comes after match_ended")
    if (entry.match, entry.seq) != (before.match, before.seq + 1):
        expected = f"{before.match} seq {before.seq + 1}"
        raise ReplayError(number, f"seq: expected {expected}, found {entry.match} seq {entry.seq}")


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
    start, gathered, current = 1, list[bytes](), None
    for number, line in enumerate(lines, start=1):
        found = NAME.search(line, 0, ENVELOPE_BYTES)
        name = found and found[1]
        if gathered and (STARTED.search(line, 0, ENVELOPE_BYTES) or (name and current and name != current)):
            yield start, gathered
            start, gathered, current = number, [], None
        gathered.append(line)
        current = current or name
    if gathered:
        yield start, gathered


def verify(lines: Sequence[bytes], board: Any | None = None) -> Divergence | None:
    """Decide every action of a match anew; return the first event that does not follow, or `None`.

    Raises `ReplayError` for lines that are not of the format.
    """
    replay = Replay.read(lines, board)
    game, entries = replay.game, replay.entries
    automatic = settle(game, replay.states[0])
    difference = _compare(replay, 1, 0, automatic)
    if difference is not None:
        return difference
    position = 1 + len(automatic)
    while position < len(entries) and not isinstance(entries[position].event, Ended):
        before, entry = replay.states[position - 1], entries[position]
        if entry.action is None:
            return Divergence(position + 1, entry.seq, "the action that this ply follows from", entry.type)
        try:
            expected = step(game, before, entry.action)
        except IllegalAction as error:
            return Divergence(position + 1, entry.seq, str(error), f"action {entry.action}")
        difference = _compare(replay, position, entries[position - 1].ply + 1, expected)
        if difference is not None:
            return difference
        position += len(expected)
    return _check_end(replay, lines)


def _compare(replay: Replay, position: int, ply: int, expected: Sequence[tuple[Any, Any]]) -> Divergence | None:
    """Compare the events of one ply with what the log has; a log may stop anywhere if the match is unfinished.

    Ply 0 is what happens by itself before the first decision.
    """
    for offset, (event, state) in enumerate(expected):
        at = position + offset
        if at == len(replay.entries):
            return None
        entry = replay.entries[at]
        if entry.event != event:
            return Divergence(at + 1, entry.seq, repr(event), repr(entry.event))
        place = (ply, replay.game.round_of(state))
        if (entry.ply, entry.round) != place:
            found = f"ply {entry.ply}, round {entry.round}"
            return Divergence(at + 1, entry.seq, f"ply {place[0]}, round {place[1]}", found)
        if (offset or not ply) and entry.action is not None:
            return Divergence(at + 1, entry.seq, "no action: the event follows by itself", repr(entry.action))
    return None


def _check_end(replay: Replay, lines: Sequence[bytes]) -> Divergence | None:
    """Check what `match_ended` claims: reason, ranking, scores and both digests."""
    ended = replay.ended
    if ended is None:
        return None
    entry, state = replay.entries[-1], replay.states[-1]
    assert entry.type == MATCH_ENDED, "nothing comes after the end"
    outcome = replay.game.outcome(state)
    if ended.reason is Reason.FINISHED and outcome is None:
        return Divergence(len(lines), entry.seq, "more events: the match is not over", entry.type)
    before = replay.entries[-2]
    claims: list[tuple[str, object, object]] = [
        ("ply", before.ply, entry.ply),
        ("round", replay.game.round_of(state), entry.round),
        ("reason", Reason.ABANDONED if outcome is None else Reason.FINISHED, ended.reason),
        ("lines_sha256", hashlib.sha256(b"".join(lines[:-1])).hexdigest(), ended.lines_sha256),
        ("state_sha256", state_digest(replay.game, state), ended.state_sha256),
    ]
    claims += [
        ("ranking", () if outcome is None else outcome.ranking, ended.ranking),
        ("scores", () if outcome is None else tuple(map(dict, outcome.scores)), ended.scores),
    ]
    for name, expected, found in claims:
        if expected != found:
            return Divergence(len(lines), entry.seq, f"{name} {expected}", f"{name} {found}")
    return None
