"""Verification: check that a log follows from the rules, and its dice from the seed.

The fast path encodes the match again from its actions and compares the bytes. If the bytes of a ply differ, because of
extra keys, other spacing or a fault, the rest of the log is checked entry by entry. A match may grow while it is being
verified; no event is checked twice.
"""

import hashlib
import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from himalaya_core.engine import settle, step
from himalaya_core.game import CHANCE, Game, IllegalAction
from himalaya_core.log.codec import (
    AFTER_SEQ,
    BEFORE_SEQ,
    MATCH_ENDED,
    Ended,
    Entry,
    Header,
    Reason,
    as_logged,
    decode_written_action,
    differing,
    head,
    last_payload,
    payload,
    state_digest,
)
from himalaya_core.replay import NotInstalled, ReplayError, after_end, begin, read_entry
from himalaya_core.seed import Seed

__all__ = ["LINES_UNCHANGED", "DiceVerdict", "Divergence", "Judge", "Verification", "judge"]

TYPE: Final = b',"type":'
DATA: Final = b',"data":'
SEAT: Final = b'"seat":'
ACTION: Final = b',"action":'
ENDED: Final = f'"type":"{MATCH_ENDED}"{DATA.decode()}'.encode()
LINES_UNCHANGED: Final = "lines_sha256 of these lines"
"""Expected value in the error message for a match with a line that was changed later."""
DIGESTS: Final = {"lines_sha256": LINES_UNCHANGED, "state_sha256": "state_sha256 of this position"}
KEPT: Final = 1 << 16
"""Maximum number of payloads cached per game."""
LONG: Final = 400
"""Payloads longer than this many bytes are not cached, because they rarely recur (e.g. an opening of climbers)."""
GAMES_KEPT: Final = 8


@dataclass(frozen=True)
class Divergence:
    """The first event that does not follow from the rules or the seed; `line` counts from 1 within the match.

    If the rules forbid the logged action, `expected` gives the reason.
    """

    line: int
    seq: int
    expected: str
    found: str
    is_refused: bool = False

    def __str__(self) -> str:
        if self.is_refused:
            return f"{self.found} is not allowed: {self.expected}"
        return f"expected {self.expected}, found {self.found}"


class DiceVerdict(StrEnum):
    """Result of comparing a match's dice with the seed in its header."""

    FOLLOWS = "follows"
    DIFFERS = "differs"
    NONE = "none"
    """The header names no seed, for example because the match was recorded at a table."""


@dataclass(frozen=True)
class Verification:
    """Result of verifying a match: the first divergence from the rules, and the check of its dice.

    The dice are checked only if the rules find no divergence. In a branch, only dice after the branch point are
    checked. `other_dice` is the first roll that the seed does not give.
    """

    header: Header
    departure: Divergence | None
    dice: DiceVerdict | None
    other_dice: Divergence | None


class Draw(NamedTuple):
    """A chance action with its line (from 0) and the position before it."""

    line: int
    state: Any
    action: Any


def judge(lines: Sequence[bytes], board: Any | None = None) -> Verification:
    """Verify a whole match: check every action against the rules, and every roll against the seed in the header.

    Raises `ReplayError` for lines with an invalid format, and `NotInstalled` if the match's version of the rules is not
    installed.
    """
    with closing(Judge(lines, board)) as found:
        return found.judgement()


class Judge:
    """Verifies a match that may still grow: `lines` may have more lines at each call of `judgement`.

    Raises `ReplayError` if the first line is invalid, and `NotInstalled` if its game, board or rules version is
    missing. Close it after use: it is part of a reference cycle, and callers that verify many matches turn the cycle
    collector off.
    """

    def __init__(self, lines: Sequence[bytes], board: Any | None = None) -> None:
        beginning = begin(next(iter(lines), b""), board)
        self.header: Header = beginning.entry.event
        if self.header.rules_version != beginning.game.rules_version:
            raise NotInstalled(
                1,
                f"rules_version: {beginning.game.name} {beginning.game.rules_version} is installed, "
                f"found {self.header.rules_version}",
            )
        self._game, self._lines, self._first = beginning.game, lines, beginning.entry
        self._at, self._ply, self._state = 1, -1, beginning.state
        """The line where the next ply begins (from 0), the last verified ply's number, and the position after it."""
        self._draws: list[Draw] = []
        self._departure: Divergence | None = None
        self._other_dice: Divergence | None = None
        self._unreadable: ReplayError | None = None
        self._course = self._decided()

    def judgement(self) -> Verification:
        """Verify the new lines; return the result for all lines so far.

        Raises `ReplayError` for a line with an invalid format.
        """
        if self._unreadable is None:
            try:
                next(self._course, None)
            except ReplayError as error:
                self._unreadable = error
        if self._unreadable is not None:
            raise self._unreadable
        if self._departure is not None:
            return Verification(self.header, self._departure, None, None)
        branch = self.header.branch
        luck, after = (self.header.luck, 0) if branch is None else (branch.luck, branch.seq)
        if luck is None:
            return Verification(self.header, None, DiceVerdict.NONE, None)
        draws = [draw for draw in self._draws if draw.line > after]
        self._other_dice = self._other_dice or _other_dice(self._game, Seed(luck), draws)
        self._draws.clear()
        dice = DiceVerdict.FOLLOWS if self._other_dice is None else DiceVerdict.DIFFERS
        return Verification(self.header, None, dice, self._other_dice)

    def close(self) -> None:
        """Release the positions, which use much memory."""
        self._course.close()

    def _decided(self) -> Generator[None, None, None]:
        """Verify ply by ply until one diverges. Yield when no lines are left, because more may follow."""
        yield from self._byte_for_byte()
        yield from self._entry_by_entry()

    # --- Logs written by this package

    def _byte_for_byte(self) -> Iterator[None]:
        """Compare the lines with our own encoding until they differ. From there on, continue entry by entry."""
        game, lines, round_of = self._game, self._lines, self._game.round_of
        match = BEFORE_SEQ % self._first.match.encode()
        state, at, known = self._state, self._at, _known_payloads(game)
        action = None
        try:
            transitions = settle(game, state)
            while True:
                ply = self._ply + 1
                place = AFTER_SEQ % ply
                for event, state in transitions:
                    while at == len(lines):
                        yield
                    line, start = lines[at], b"%b%d%b%d" % (match, at, place, round_of(state))
                    if not line.startswith(start) or not known.are_of(line[len(start) :], event, action):
                        return
                    action = None
                    at += 1
                self._at, self._ply, self._state = at, ply, state
                while at == len(lines):
                    yield
                line = lines[at]
                if ENDED in line and self._is_our_end(line):
                    while at + 1 == len(lines):
                        yield
                    return
                action = known.action(line)
                if action is None:
                    return
                transitions = step(game, state, action)
                if not transitions:
                    return
                if getattr(action, "seat", None) is None:
                    self._draws.append(Draw(at, state, action))
        except (AssertionError, LookupError, ValueError):
            return

    def _is_our_end(self, line: bytes) -> bool:
        game, state, at = self._game, self._state, self._at
        digest = hashlib.sha256(b"".join(self._lines[:at])).hexdigest()
        start = head(self._first.match, at, self._ply, game.round_of(state))
        return line == start + last_payload(game, state, game.outcome(state), digest)

    # --- Logs written by other programs

    def _entry_by_entry(self) -> Iterator[None]:
        """Compare every entry with the events that follow from the actions, until one diverges."""
        while self._departure is None:
            first = None
            if self._ply >= 0:
                while self._at == len(self._lines):
                    yield
                first = self._entry(self._at)
            if first and isinstance(first.event, Ended):
                yield from self._last(first)
                return
            transitions, state = self._follows(first), self._state
            for at, (event, state) in enumerate(transitions, start=self._at):
                while at == len(self._lines):
                    yield
                entry = first if first and at == self._at else self._entry(at)
                self._departure = self._unlike(entry, event, state, by_itself=entry is not first)
                if self._departure is not None:
                    return
            self._at, self._ply, self._state = self._at + len(transitions), self._ply + 1, state

    def _entry(self, at: int) -> Entry:
        return read_entry(self._lines[at], self._game, self._first.match, at)

    def _follows(self, entry: Entry | None) -> Sequence[tuple[Any, Any]]:
        """Return the events that an entry's action causes, each with the position after it, or record a divergence.

        If `entry` is `None`, return the automatic events before the first decision.
        """
        game, state = self._game, self._state
        if entry is None:
            return settle(game, state)
        expected, found, is_refused = "the action that this ply follows from", entry.type, False
        if entry.action is not None:
            found = f"the action {as_logged(game, entry.action)}"
            try:
                if transitions := step(game, state, entry.action):
                    if CHANCE in game.actors(state):
                        self._draws.append(Draw(self._at, state, entry.action))
                    return transitions
                expected = "an action that something follows from"
            except IllegalAction as error:
                expected, is_refused = str(error), True
            except (AssertionError, LookupError, ValueError):
                expected = "an action that can be carried out here"
        self._departure = Divergence(self._at + 1, self._at, expected, found, is_refused)
        return ()

    def _unlike(self, entry: Entry, event: Any, state: Any, *, by_itself: bool) -> Divergence | None:
        """Compare an entry with the event and position that the rules give. Return the difference, if any."""
        game, ply = self._game, self._ply + 1
        expected = found = ""
        if entry.event != event:
            if isinstance(entry.event, Ended):
                expected, found = as_logged(game, event), entry.type
            else:
                expected, found = differing(game, event, entry.event)
        elif (entry.ply, entry.round) != (ply, game.round_of(state)):
            expected, found = f"ply {ply}, round {game.round_of(state)}", f"ply {entry.ply}, round {entry.round}"
        elif by_itself and entry.action is not None:
            expected = "no action: the event follows by itself"
            found = f"the action {as_logged(game, entry.action)}"
        return Divergence(entry.seq + 1, entry.seq, expected, found) if expected else None

    def _last(self, entry: Entry) -> Iterator[None]:
        """Check `match_ended`, and that no line follows it."""
        self._departure = self._unlike_the_end(entry)
        if self._departure is None:
            while entry.seq + 1 == len(self._lines):
                yield
            raise after_end(self._lines[entry.seq + 1], self._game, entry.seq + 2)

    def _unlike_the_end(self, entry: Entry) -> Divergence | None:
        """Check the contents of `match_ended`: reason, ranking, scores and both digests."""
        ended, state, game = entry.event, self._state, self._game
        outcome = game.outcome(state)
        if ended.reason is Reason.FINISHED and outcome is None:
            return Divergence(entry.seq + 1, entry.seq, "more events: the match is not over", entry.type)
        claims: list[tuple[str, object, object]] = [
            ("ply", self._ply, entry.ply),
            ("round", game.round_of(state), entry.round),
            ("reason", Reason.ABANDONED if outcome is None else Reason.FINISHED, ended.reason),
            ("lines_sha256", hashlib.sha256(b"".join(self._lines[: entry.seq])).hexdigest(), ended.lines_sha256),
            ("state_sha256", state_digest(game, state), ended.state_sha256),
            ("ranking", () if outcome is None else outcome.ranking, ended.ranking),
            ("scores", () if outcome is None else tuple(map(dict, outcome.scores)), ended.scores),
        ]
        for name, expected, found in claims:
            if expected != found and name in DIGESTS:
                return Divergence(entry.seq + 1, entry.seq, DIGESTS[name], "that of another")
            if expected != found:
                return Divergence(entry.seq + 1, entry.seq, f"{name} {_plain(expected)}", f"{name} {_plain(found)}")
        return None


def _other_dice(game: Game[Any, Any, Any], seed: Seed, draws: Iterable[Draw]) -> Divergence | None:
    for line, state, action in draws:
        drawn = game.sample_chance(state, seed)
        if drawn != action:
            expected = f"the dice of the seed {seed.name}: {as_logged(game, drawn)}"
            return Divergence(line + 1, line, expected, as_logged(game, action))
    return None


class _Payloads:
    """Cache of payloads (a line's text from its type on), each with the event and the action that it encodes."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game
        self._known: dict[bytes, tuple[Any, Any]] = {}

    def are_of(self, found: bytes, event: Any, action: Any) -> bool:
        """Return whether `found` is exactly what this package writes for the event and its action."""
        known = self._known.get(found)
        if known is not None:
            return (known[0] is event or bool(known[0] == event)) and (known[1] is None) is (action is None)
        if found != payload(self._game, event, action):
            return False
        if len(found) <= LONG:
            if len(self._known) == KEPT:
                self._known.clear()
            self._known[found] = event, action
        return True

    def action(self, line: bytes) -> Any:
        """Return the action on a line, or `None`. The line's exact encoding is not checked."""
        behind = line.find(TYPE)
        known = self._known.get(line[behind:])
        if known is not None:
            return known[1]
        data, start = line.find(DATA), line.rfind(ACTION)
        if data < 0 or start < 0:
            return None
        seat = line[data - 1 : data] if line[: data - 1].endswith(SEAT) else b""
        return decode_written_action(self._game, line[start + len(ACTION) : -2], seat)


@lru_cache(maxsize=GAMES_KEPT)
def _known_payloads(game: Game[Any, Any, Any]) -> _Payloads:
    return _Payloads(game)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
