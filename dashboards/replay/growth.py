"""Replay of a match in progress: new events are added, undone ones are cut off."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from himalaya_core.game import Game, Outcome, Step
from himalaya_core.log.codec import MATCH_ENDED, Ended, Entry, Reason, state_digest
from himalaya_core.replay import Replay

__all__ = ["cut", "grown"]

NO_LINES: Final = sha256().hexdigest()
"""The digest in the end of a match that is only shown: that of no lines, instead of that of its log."""


def grown(replay: Replay, steps: Sequence[Step[Any, Any, Any]], outcome: Outcome | None) -> Replay:
    """Return a replay with the new steps; with an outcome it is over."""
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
    """Return the lines of a replay from its first `entries` entries."""
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
