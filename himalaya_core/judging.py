"""Whether a log follows from the rules, and its dice from their seed: every action is decided anew.

A log as we write it is written again from its actions and compared byte for byte, which is the quick way to say that
nothing departs. Any other log (with keys of its own, other spacing, or a fault) is read entry by entry.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from himalaya_core.engine import settle, step
from himalaya_core.game import CHANCE, Game, IllegalAction, Step
from himalaya_core.log.codec import (
    MATCH_ENDED,
    Ended,
    Header,
    LogEncoder,
    Reason,
    as_logged,
    decode_action,
    state_digest,
)
from himalaya_core.replay import Beginning, Replay, begin
from himalaya_core.seed import Seed

__all__ = ["DiceVerdict", "Divergence", "Judgement", "judge"]

BEFORE_DATA: Final = b',"data":'
SEAT: Final = b'"seat":'
ACTION: Final = b',"action":'
ENDED: Final = f'"type":"{MATCH_ENDED}"{BEFORE_DATA.decode()}'.encode()
KEPT: Final = 1 << 12
"""How many decoded actions are kept; the opening of a match of climbers takes kilobytes."""


@dataclass(frozen=True)
class Divergence:
    """The first event of a match that does not follow; `line` counts within the match from 1."""

    line: int
    seq: int
    expected: str
    found: str


class DiceVerdict(StrEnum):
    """Whether the dice of a match are those of the seed that its header names."""

    FOLLOWS = "follows"
    DIFFERS = "differs"
    NONE = "none"
    """The header names no seed, as that of a match recorded at a table."""


@dataclass(frozen=True)
class Judgement:
    """What the rules say of a match: where it first departs from them, and whether its dice follow from their seed.

    Dice are told only of a match that does not depart. `other_dice` is the first draw that the seed does not give.
    """

    header: Header
    departure: Divergence | None
    dice: DiceVerdict | None
    other_dice: Divergence | None


class Draw(NamedTuple):
    """An action of chance: the line it stands on (from 0), and the position it was made in."""

    line: int
    state: Any
    action: Any


def judge(lines: Sequence[bytes], board: Any | None = None) -> Judgement:
    """Decide every action of a match anew, and draw all dice again from the seed that its header names.

    Raises `ReplayError` for lines that are not of the format.
    """
    draws: list[Draw] = []
    beginning = begin(next(iter(lines), b""), board)
    game, header = beginning.game, beginning.entry.event
    if not _comes_out_again(lines, beginning, draws):
        draws.clear()
        departure = _first_departure(Replay.read(lines, board), lines, draws)
        if departure is not None:
            return Judgement(header, departure, None, None)
    if header.luck is None:
        return Judgement(header, None, DiceVerdict.NONE, None)
    other = _other_dice(game, Seed(header.luck), draws)
    return Judgement(header, None, DiceVerdict.FOLLOWS if other is None else DiceVerdict.DIFFERS, other)


def _other_dice(game: Game[Any, Any, Any], seed: Seed, draws: Iterable[Draw]) -> Divergence | None:
    """Return the first draw that is not the one of the seed."""
    for line, state, action in draws:
        drawn = game.sample_chance(state, seed)
        if drawn != action:
            expected = f"the dice of the seed {seed.name}: {as_logged(game, drawn)}"
            return Divergence(line + 1, line, expected, as_logged(game, action))
    return None


# A log as we write it


def _comes_out_again(lines: Sequence[bytes], beginning: Beginning, draws: list[Draw]) -> bool:
    """Return whether the actions of a log, carried out again, give its lines byte for byte; collect those of chance."""
    try:
        return _is_written_so(lines, beginning, draws)
    except (AssertionError, LookupError, ValueError):  # entry by entry it is told what is wrong
        return False


def _is_written_so(lines: Sequence[bytes], beginning: Beginning, draws: list[Draw]) -> bool:
    first, game, state = beginning.entry, beginning.game, beginning.state
    encoder = LogEncoder(game, first.match)
    if encoder.start(first.event, first.extra.get("board")) != lines[0]:
        return False
    action, transitions, ply, at = None, settle(game, state), 0, 1
    while True:
        for event, state in transitions:
            if at == len(lines):
                return True  # a log may stop anywhere if the match is unfinished
            if encoder.step(Step(ply, event, state, action)) != lines[at]:
                return False
            action = None
            at += 1
        if at == len(lines):
            return True
        if ENDED in lines[at]:
            return at + 1 == len(lines) and encoder.end(ply, state, game.outcome(state)) == lines[at]
        action = _action(lines[at], game)
        if action is None:
            return False
        if CHANCE in game.actors(state):
            draws.append(Draw(at, state, action))
        transitions = step(game, state, action)
        ply += 1
        if not transitions:
            return False


def _action(line: bytes, game: Game[Any, Any, Any]) -> Any:
    """Return the action on a line, `None` if there is none; whether it is written as we do is not looked at."""
    data, start = line.find(BEFORE_DATA), line.rfind(ACTION)
    if data < 0 or start < 0:
        return None
    seat, text = line[data - 1 : data] if line[: data - 1].endswith(SEAT) else b"", line[start + len(ACTION) : -2]
    return _decoded(game, seat, text)


@lru_cache(maxsize=KEPT)
def _decoded(game: Game[Any, Any, Any], seat: bytes, text: bytes) -> Any:
    intent = json.loads(text)
    return decode_action(game, intent, int(seat) if seat else None) if isinstance(intent, dict) else None


# Any other log


def _first_departure(replay: Replay, lines: Sequence[bytes], draws: list[Draw]) -> Divergence | None:
    """Return the first event that does not follow; collect the actions of chance before it."""
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
            return Divergence(position + 1, entry.seq, str(error), f"the action {as_logged(game, entry.action)}")
        if CHANCE in game.actors(before):
            draws.append(Draw(position, before, entry.action))
        difference = _compare(replay, position, entries[position - 1].ply + 1, expected)
        if difference is not None:
            return difference
        position += len(expected)
    return _check_end(replay, lines)


def _compare(replay: Replay, position: int, ply: int, expected: Sequence[tuple[Any, Any]]) -> Divergence | None:
    """Compare the events of one ply with what the log has; a log may stop anywhere if the match is unfinished.

    Ply 0 is what happens by itself before the first decision.
    """
    game = replay.game
    for offset, (event, state) in enumerate(expected):
        at = position + offset
        if at == len(replay.entries):
            return None
        entry = replay.entries[at]
        if entry.event != event:
            found = entry.type if isinstance(entry.event, Ended) else as_logged(game, entry.event)
            return Divergence(at + 1, entry.seq, as_logged(game, event), found)
        place = (ply, game.round_of(state))
        if (entry.ply, entry.round) != place:
            found = f"ply {entry.ply}, round {entry.round}"
            return Divergence(at + 1, entry.seq, f"ply {place[0]}, round {place[1]}", found)
        if (offset or not ply) and entry.action is not None:
            found = f"the action {as_logged(game, entry.action)}"
            return Divergence(at + 1, entry.seq, "no action: the event follows by itself", found)
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
            return Divergence(len(lines), entry.seq, f"{name} {_plain(expected)}", f"{name} {_plain(found)}")
    return None


def _plain(value: object) -> str:
    """Return a value of the last line as it stands there, a word without quotes."""
    return value if isinstance(value, str) else json.dumps(value)
