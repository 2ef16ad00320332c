"""Samples to fit and check a model on: positions of matches, out of their logs."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from himalaya_core.errors import HimalayaError
from himalaya_core.files import read_lines
from himalaya_core.game import Features, Game
from himalaya_core.log.codec import Header, Reason
from himalaya_core.replay import Replay, ReplayError, matches
from himalaya_core.review.course import decisions

__all__ = ["Position", "Sampled", "TrainingError", "digest_of", "sampled"]

POSITIONS: Final = 32
"""Number of positions taken from a match, evenly spread over its decisions: neighbours say nearly the same."""


class TrainingError(HimalayaError, ValueError):
    """Logs that no model can be made of; the message names the file and line, or what is missing."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match: its round, its progress, and each seat's place if it were scored now.

    `groups` are the seats of each shared place, best first.
    """

    round: int
    progress: float
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Sampled:
    """A finished match: its winner, and positions before its end; `rows` has their features, seat after seat."""

    name: str
    header: Header
    lines_sha256: str
    won: tuple[float, ...]
    positions: Sequence[Position]
    rows: "array[float]"

    @property
    def seed(self) -> str:
        """Seed of its dice; matches that share it stay in one part."""
        return self.header.luck or self.name


def sampled(game: Game[Any, Any, Any], files: Iterable[Path], board: Any | None = None) -> Iterator[Sampled | None]:
    """Yield the matches of logs, `None` for one that has no outcome, or is a branch.

    `TrainingError` names file, line and field of anything that cannot be read, or is of another game or rules version.
    """
    features = game.features
    if features is None:
        raise TrainingError(f"{game.name} has no features to train on")
    for path in files:
        for numbers, lines in matches(read_lines(path)):
            try:
                replay = Replay.read(lines, board)
            except ReplayError as error:
                raise TrainingError(f"{path}:{numbers[error.line - 1]}: {error.reason}") from None
            _check(game, replay.header, f"{path}:{numbers[0]}")
            yield _sampled(features, replay)


def _check(game: Game[Any, Any, Any], header: Header, where: str) -> None:
    for key, expected in (("game", game.name), ("rules_version", game.rules_version)):
        if getattr(header, key) != expected:
            raise TrainingError(f"{where}: data.{key}: expected {expected}, found {getattr(header, key)}")


def _sampled(features: Features[Any], replay: Replay) -> Sampled | None:
    outcome = replay.game.outcome(replay.states[-1])
    if replay.header.branch is not None:
        return None  # a branch shows nothing of how its players play
    if replay.ended is None or replay.ended.reason is not Reason.FINISHED or outcome is None:
        return None
    positions, rows = list[Position](), array("d")
    for index in _spread(replay):
        state, entry = replay.states[index], replay.entries[index]
        positions.append(Position(entry.round, features.progress(state), features.standing(state).ranking))
        for row in features.rows(state):
            rows.extend(row)
    won = outcome.shares
    return Sampled(replay.entries[0].match, replay.header, replay.ended.lines_sha256, won, positions, rows)


def _spread(replay: Replay) -> list[int]:
    """Return some of the decisions before the match was over, the first and the last among them."""
    before = [index for index in decisions(replay) if replay.game.outcome(replay.states[index]) is None]
    if len(before) <= POSITIONS:
        return before
    return [before[place * (len(before) - 1) // (POSITIONS - 1)] for place in range(POSITIONS)]


def digest_of(found: Sequence[Sampled]) -> str:
    """Return the SHA-256 of the digests of matches' lines, sorted: the same for the same matches in any order."""
    lines = sorted(match.lines_sha256 for match in found)
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
