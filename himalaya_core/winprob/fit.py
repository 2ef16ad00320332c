"""Fits a win-probability model: samples positions from logs, then minimises the log-loss by Newton's method."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import exp
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from himalaya_core.errors import HimalayaError
from himalaya_core.files import read_lines
from himalaya_core.game import Features, Game
from himalaya_core.log.envelope import Header, Reason
from himalaya_core.log.matches import matches
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.winprob.key_moments import decisions

__all__ = [
    "Numbers",
    "Position",
    "Sampled",
    "Table",
    "TrainingError",
    "digest_of",
    "fit",
    "folds",
    "log_losses",
    "parts",
    "predicted",
    "sampled",
    "table_of",
    "temperature_of",
]


POSITIONS: Final = 32
"""Maximum number of positions sampled per match, evenly spread, because neighbouring positions are nearly equal."""


class TrainingError(HimalayaError, ValueError):
    """Logs from which no model can be trained; the message names the file and line, or what is missing."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match: its round, the match's progress, and the ranking if the match were scored now.

    `groups` lists the seats that share each place, best place first.
    """

    round: int
    progress: float
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Sampled:
    """A finished match with sampled positions. `rows` are the features, one row per position and seat.

    `won` is each seat's share of the win.
    """

    name: str
    header: Header
    lines_sha256: str
    won: tuple[float, ...]
    positions: Sequence[Position]
    rows: "array[float]"

    @property
    def seed(self) -> str:
        """The seed of its dice. Matches with the same seed are never split between training and held-out data."""
        return self.header.luck or self.name


def sampled(game: Game[Any, Any, Any], files: Iterable[Path], board: Any | None = None) -> Iterator[Sampled | None]:
    """Yield the matches in logs; `None` for a branch or a match without an outcome.

    Raises `TrainingError`, with file, line and field, for unreadable data or another game or version of its rules.
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
        return None  # a branch does not show how its players usually play
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
    """Return evenly spread decisions made before the match was over, including the first and the last of them."""
    before = [index for index in decisions(replay) if replay.game.outcome(replay.states[index]) is None]
    if len(before) <= POSITIONS:
        return before
    return [before[place * (len(before) - 1) // (POSITIONS - 1)] for place in range(POSITIONS)]


def digest_of(found: Sequence[Sampled]) -> str:
    """Return a digest of a set of matches that is independent of their order."""
    lines = sorted(match.lines_sha256 for match in found)
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


Numbers: TypeAlias = npt.NDArray[np.float64]

PENALTY: Final = 1e-3
"""Penalty on squared weights, relative to a match's log-loss. Features are first divided by their spread."""
MOST_STEPS: Final = 50
CLOSE: Final = 1e-8
MOST_HALVINGS: Final = 50
TINY: Final = 1e-12
"""Lower limit on chances, which keeps every log-loss finite."""
TEMPERATURES: Final = (0.2, 20.0)
FEWEST: Final = 10
"""Minimum number of training matches, and also of held-out matches."""
FOLDS: Final = 4


@dataclass(frozen=True)
class Table:
    """Positions of matches as columns, with one row per seat. The rows of a position are adjacent.

    `start` is the first row of each position. `position` and `match` give the index of the position and of the match
    each row belongs to. `progress` is the match's progress at the position, `won` the seat's share of the win, and
    `weight` the position's weight. The weights of a match's positions sum to 1.
    """

    features: Numbers
    progress: Numbers
    won: Numbers
    weight: Numbers
    start: npt.NDArray[np.int64]
    position: npt.NDArray[np.int64]
    match: npt.NDArray[np.int64]


def table_of(game: Game[Any, Any, Any], found: Sequence[Sampled]) -> Table:
    """Return the sampled positions of matches as columns."""
    assert game.features is not None, "only a game with features has samples"
    seats = np.repeat([len(match.won) for match in found], [len(match.positions) for match in found])
    start = np.concatenate([[0], np.cumsum(seats)[:-1]]).astype(np.int64)
    position = np.repeat(np.arange(len(seats)), seats)
    match = np.repeat(np.arange(len(found)), [len(each.won) * len(each.positions) for each in found])
    return Table(
        features=np.concatenate([np.array(each.rows) for each in found]).reshape(-1, len(game.features.names)),
        progress=np.repeat([place.progress for each in found for place in each.positions], seats),
        won=np.concatenate([np.tile(each.won, len(each.positions)) for each in found]),
        weight=np.repeat([1 / len(each.positions) for each in found for _ in each.positions], seats),
        start=start,
        position=position,
        match=match,
    )


def predicted(table: Table, first: Numbers, last: Numbers) -> Numbers:
    """Return the chance that the weights give each row; computes `model.chances` for all rows together."""
    late = table.progress
    return _softmax(table, (table.features @ first) * (1 - late) + (table.features @ last) * late)


def _softmax(table: Table, sums: Numbers) -> Numbers:
    parts = np.exp(sums - np.maximum.reduceat(sums, table.start)[table.position])
    chances: Numbers = parts / np.add.reduceat(parts, table.start)[table.position]
    return chances


def fit(table: Table) -> tuple[Numbers, Numbers]:
    """Return each feature's weights at the beginning and at the end of a match, before the temperature is applied.

    Features are divided by their spread but not centred: a constant cancels out among the seats of a table.
    """
    spread = table.features.std(axis=0)
    spread[spread < CLOSE] = np.inf
    scaled, late = table.features / spread, table.progress[:, None]
    columns = np.hstack([scaled * (1 - late), scaled * late])
    weights = _newton(table, columns)
    first, last = np.split(weights, 2)
    return first / spread, last / spread


def _newton(table: Table, columns: Numbers) -> Numbers:
    count = float(table.match[-1] + 1)

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        chances = _softmax(table, columns @ weights)
        return float(log_losses(table, chances).sum()) / count + PENALTY / 2 * float(weights @ weights), chances

    weights: Numbers = np.zeros(columns.shape[1])
    least, chances = loss(weights)
    for _ in range(MOST_STEPS):
        slope = columns.T @ (table.weight * (chances - table.won)) / count + PENALTY * weights
        step = np.linalg.solve(_curvature(table, columns, chances) / count + PENALTY * np.eye(len(weights)), slope)
        found, chances = loss(weights - step)
        for _ in range(MOST_HALVINGS):
            if found <= least + CLOSE:
                break
            step /= 2
            found, chances = loss(weights - step)
        weights, least = weights - step, found
        if float(np.abs(step).max()) < CLOSE:
            break
    return weights


def _curvature(table: Table, columns: Numbers, chances: Numbers) -> Numbers:
    """Return the second derivatives of the log-loss, which are covariances of features within positions."""
    expected = np.add.reduceat(columns * chances[:, None], table.start)
    whole = columns.T @ (columns * (table.weight * chances)[:, None])
    curvature: Numbers = whole - expected.T @ (expected * table.weight[table.start][:, None])
    return curvature


def log_losses(table: Table, chances: Numbers) -> Numbers:
    """Return the weighted log-loss of each row, in nats."""
    losses: Numbers = -table.weight * table.won * np.log(np.maximum(chances, TINY))
    return losses


def temperature_of(predictions: Sequence[tuple[Table, Numbers, Numbers]]) -> float:
    """Return the best temperature: the divisor of the sums that minimises log-loss on matches not used for the fit.

    A temperature above 1 means that the fit was overconfident. Each prediction consists of positions and of the weights
    applied to them. The log-loss has one minimum in the logarithm of the temperature, found by golden-section search.
    """
    low, high = (float(np.log(end)) for end in TEMPERATURES)
    golden = (5**0.5 - 1) / 2

    def loss(logarithm: float) -> float:
        by = exp(logarithm)
        return sum([float(log_losses(table, predicted(table, a / by, b / by)).sum()) for table, a, b in predictions])

    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = loss(left), loss(right)
    while high - low > 1e-4:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = loss(right)
    return exp((low + high) / 2)


def parts(found: Sequence[Sampled], tournament: str) -> tuple[list[Sampled], list[Sampled]]:
    """Return the training matches and the held-out matches. The held-out matches are those of `tournament`.

    Raises `TrainingError` if there are too few, or if the held-out tournament shares a seed with the others.
    """
    training = [match for match in found if match.header.tournament != tournament]
    held = [match for match in found if match.header.tournament == tournament]
    shared = {match.seed for match in held} & {match.seed for match in training}
    if shared:
        raise TrainingError(f"seed {min(shared)} is in {tournament}, which is held out, and in the training")
    for part, those in (("training", training), ("held out", held)):
        if len(those) < FEWEST:
            raise TrainingError(f"expected at least {FEWEST} finished matches for {part}, found {len(those)}")
    seeds = len({match.seed for match in training})
    if seeds < FOLDS:
        raise TrainingError(f"expected training matches of at least {FOLDS} seeds, found {seeds}")
    return training, held


def folds(training: Sequence[Sampled]) -> list[tuple[list[Sampled], list[Sampled]]]:
    """Return four splits of the matches. Each leaves out a different quarter and trains on the other three.

    Matches with the same seed are in the same quarter. Seeds are assigned to quarters in the order of their digests.
    """
    seeds = sorted({match.seed for match in training}, key=lambda seed: sha256(seed.encode()).digest())
    fold = {seed: place % FOLDS for place, seed in enumerate(seeds)}
    return [
        (
            [match for match in training if fold[match.seed] != out],
            [match for match in training if fold[match.seed] == out],
        )
        for out in range(FOLDS)
    ]
