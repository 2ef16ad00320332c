"""Scenes of any game's match, complete or in the view of one seat; growing matches; choices in a position."""

import gzip
import hashlib
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from dashboards.boards.picture import AnyScene
from dashboards.boards.scene import Reviewed
from dashboards.games.analytics import Choice, ForeseenStep, Way, analytics_of
from dashboards.replay.branch_document import write_action
from himalaya_core.game import Game, IllegalAction, Outcome, Step
from himalaya_core.games import title_of
from himalaya_core.log.codec import Entry, state_digest
from himalaya_core.log.envelope import MATCH_ENDED, Ended, Reason
from himalaya_core.notation import expected, refusal_in_words, write
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.winprob.key_moments import review_of

__all__ = [
    "Checked",
    "Choices",
    "ListedAction",
    "Problem",
    "ViewError",
    "as_bytes",
    "checked",
    "choices_of",
    "cut",
    "fold",
    "folded",
    "grown",
    "listed",
    "pack",
    "packed_scene",
    "problem",
    "scene_of",
    "seat_of",
    "seen_scene",
]


SENTENCE: Final = re.compile(r"(?P<field>[^:\s]{1,100}): expected (?P<expected>.*?), found (?P<found>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why ingest rejects a line of a log, as a sentence and in parts.

    `line` is the number of the first invalid line, in `file` if known. `message` is the sentence that `himalaya ingest`
    prints; `field`, `expected` and `found` are its parts, if it has them.
    """

    file: str | None
    line: int
    match: str | None
    reason: str
    field: str | None
    expected: str | None
    found: str | None
    message: str


def problem(line: int, match: str | None, reason: str, message: str, file: str | None = None) -> Problem:
    """Return a problem with its sentence split into parts."""
    parts = SENTENCE.fullmatch(message)
    field, expected, found = parts.group("field", "expected", "found") if parts else (None, None, None)
    return Problem(file, line, match, reason, field, expected, found, message)


log = logging.getLogger(__name__)

MOST_KEPT: Final = 32
MOST_FOLDED: Final = 4
"""Maximum number of cached replays; the positions of one match take some megabytes."""


class ViewError(ValueError):
    """Error for a view of a seat that does not exist in this match."""


def seat_of(view: str | None, players: int) -> int | None:
    """Convert a view, which is a seat number from 1, to a seat from 0; `None` is the view that shows everything."""
    if view is None:
        return None
    if view not in map(str, range(1, players + 1)):
        raise ViewError(f"view: expected the number of a seat, from 1 to {players}, found {view!r}.")
    return int(view) - 1


def fold(log: bytes) -> Replay:
    """Return the replay of a log; `ReplayError` if it cannot be replayed."""
    return Replay.read(log.splitlines(keepends=True))


@lru_cache(maxsize=MOST_FOLDED)
def folded(log: bytes) -> Replay:
    """Return the cached replay of a log; `ReplayError` if it cannot be replayed."""
    return fold(log)


def scene_of(replay: Replay, view: str | None, *, is_live: bool = False) -> AnyScene:
    """Return the scene of a match; `view` is a seat number from 1, or `None` for everything.

    `ViewError` for a seat that does not exist. `ReplayError` for a match that cannot be shown: a log that was not
    verified may have impossible events.
    """
    return seen_scene(replay, seat_of(view, len(replay.header.seats)), is_live=is_live)


def seen_scene(replay: Replay, seat: int | None, *, is_live: bool = False) -> AnyScene:
    """Return the scene of a match for a seat from 0, `NOBODY` for public facts, or `None` for everything.

    `ReplayError` for a match that cannot be shown.
    """
    game = replay.game.name
    try:
        scene = analytics_of(game).scene(replay, seat)
    except Exception as error:
        log.exception("a match of %s cannot be shown", game)
        reason = f"expected a match by the rules of {title_of(game)}, found one that cannot be shown"
        raise ReplayError(len(replay.entries), f"{reason} ({type(error).__name__})") from error
    scene["title"] = title_of(game)
    if replay.game.features is not None:
        scene["review"] = Reviewed(causes=review_of(game).has_split)
    if is_live and not replay.ended:
        scene["status"] = "live"
    return scene


@lru_cache(maxsize=MOST_KEPT)
def packed_scene(log: bytes, view: str | None, *, is_live: bool = False) -> tuple[str, bytes]:
    """Return a digest of the scene of a log, and its JSON gzipped."""
    return pack(as_bytes(scene_of(folded(log), view, is_live=is_live)))


def as_bytes(document: Any) -> bytes:
    """Return JSON without unnecessary spaces."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def pack(text: bytes) -> tuple[str, bytes]:
    """Return a digest of a text, and the text gzipped."""
    return hashlib.sha256(text).hexdigest()[:32], gzip.compress(text, compresslevel=9, mtime=0)


NO_LINES: Final = sha256().hexdigest()
"""Digest of an empty log, for the end event of a match that was never written as a log."""


def grown(replay: Replay, steps: Sequence[Step[Any, Any, Any]], outcome: Outcome | None) -> Replay:
    """Return a replay extended by steps; if `outcome` is given, the match is over."""
    if not steps:
        return replay
    game, match = replay.game, replay.entries[0].match
    first = len(replay.entries)
    entries = [_entry(game, match, first + number, step) for number, step in enumerate(steps)]
    states = [step.state for step in steps]
    ended = None if outcome is None else _ended(game, states[-1], outcome)
    if ended:
        place = (match, first + len(steps), steps[-1].ply, entries[-1].round)
        entries.append(Entry(*place, MATCH_ENDED, None, ended, None, {}))
        states.append(states[-1])
    return replace(
        replay, entries=(*replay.entries, *entries), states=(*replay.states, *states), ended=ended or replay.ended
    )


def cut(replay: Replay, entries: int) -> Replay:
    """Return a replay cut after its first `entries` entries."""
    ended = replay.ended if entries == len(replay.entries) else None
    return replace(replay, entries=replay.entries[:entries], states=replay.states[:entries], ended=ended)


def _entry(game: Game[Any, Any, Any], match: str, seq: int, step: Step[Any, Any, Any]) -> Entry:
    kind = _kinds(game)[type(step.event)]
    seat = getattr(step.event, "seat", None)
    return Entry(match, seq, step.ply, game.round_of(step.state), kind, seat, step.event, step.action, {})


@lru_cache(maxsize=8)
def _kinds(game: Game[Any, Any, Any]) -> dict[type[Any], str]:
    return {kind: name for name, kind in game.event_types.items()}


def _ended(game: Game[Any, Any, Any], state: Any, outcome: Outcome) -> Ended:
    scores = tuple([dict(scores) for scores in outcome.scores])
    return Ended(Reason.FINISHED, outcome.ranking, scores, NO_LINES, state_digest(game, state))


@dataclass(frozen=True, slots=True)
class ListedAction:
    """An allowed action, in words and in notation; `on` has the ids of its targets in the scene."""

    action: dict[str, Any]
    text: str
    on: list[str]
    written: str


@dataclass(frozen=True, slots=True)
class Choices:
    """A seat's choices: what is expected, how to enter it, and allowed actions (of plans and blocks only some)."""

    seat: int
    expected: str
    input: Way
    actions: list[ListedAction]

    def as_dict(self) -> dict[str, Any]:
        """Return the choices as JSON data, ten times as fast as `asdict`."""
        listed = [
            {"action": each.action, "text": each.text, "on": each.on, "written": each.written} for each in self.actions
        ]
        return {"seat": self.seat, "expected": self.expected, "input": self.input, "actions": listed}


def choices_of(game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str]) -> Choices:
    """Return the choices of a seat that may act in the position; they reveal no more than that seat sees."""
    visible = game.view(state, seat)
    offer = analytics_of(game.name).choices(game, visible, seat, names)
    return Choices(seat, expected(game, visible), offer.way, [listed(game, visible, each) for each in offer.listed])


def listed(game: Game[Any, Any, Any], state: Any, choice: Choice) -> ListedAction:
    """Convert a choice in a position to the form that the API uses."""
    written = write(game, state, choice.action)
    return ListedAction(write_action(game, choice.action), choice.text, list(choice.on), written)


@dataclass(frozen=True, slots=True)
class Checked:
    """Result of checking an action: if not allowed, `message` says why, and `ways` completes an incomplete action.

    `steps` has what an allowed action of several steps would do, as far as its seat may foresee it.
    """

    legal: bool
    message: str | None = None
    ways: list[ListedAction] | None = None
    steps: list[ForeseenStep] | None = None


def checked(game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str]) -> Checked:
    """Return whether an action is allowed in a position; `names` has a name for every seat."""
    try:
        game.decide(state, action)
    except IllegalAction as error:
        ways = [listed(game, state, each) for each in analytics_of(game.name).ways(game, state, action, names)]
        return Checked(legal=False, message=refusal_in_words(str(error), names), ways=ways or None)
    visible = state if getattr(action, "seat", None) is None else game.view(state, action.seat)
    steps = analytics_of(game.name).foresee(game, visible, action, names)
    return Checked(legal=True, steps=steps or None)
