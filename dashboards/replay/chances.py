"""Each seat's chances of winning after every decision of a match, from the warehouse or from its log."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from dashboards.replay.scenes import folded
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.values import values_of
from himalaya_core.games import GAMES
from himalaya_core.review.course import course, rounded
from himalaya_core.review.model import Model, not_valued, shipped

__all__ = ["Chances", "ModelInUse", "Valued", "chances_of"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """The model behind chances; their expected error is its `calibration_error`."""

    name: str
    sha256: str
    calibration_error: float

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return the public facts about a model."""
        return cls(model.name, model.sha256, model.calibration_error)


@dataclass(frozen=True, slots=True)
class Valued:
    """The chances after a decision, by seat; they sum to one. `seq` is the place in the log of its last event."""

    seq: int
    chances: list[float]


@dataclass(frozen=True, slots=True)
class Chances:
    """The course of a match in chances of winning, or the reason for missing ones in `not_valued`.

    The last chances of a finished match are its outcome; in a match in progress they end at its latest event. They use
    only facts known to the whole table, in every view.
    """

    model: ModelInUse | None
    not_valued: str | None
    chances: list[Valued]


def chances_of(reader: Reader, match: str, lines: Callable[[], bytes]) -> Chances:
    """Return the chances by the model of the game: stored ones, else computed from the `lines` of the log.

    `ReplayError` for a log that cannot be folded, and any error of `lines`.
    """
    stored = values_of(reader, match)
    model = _shipped(stored.game) if stored else None
    if stored and model and stored.model == model.sha256:
        chances = [Valued(seq, list(by_seat)) for seq, by_seat in stored.chances]
        return Chances(ModelInUse.of(model), stored.not_valued, chances)
    return _counted(lines())


def _counted(lines: bytes) -> Chances:
    replay = folded(lines)
    model = _shipped(replay.game.name)
    if model is None:
        return Chances(None, f"there is no model of {replay.game.name}", [])
    reason = not_valued(model, replay.header)
    if reason:
        return Chances(ModelInUse.of(model), reason, [])
    try:
        found = [Valued(each.seq, list(rounded(each.chances))) for each in course(model, replay)]
    except Exception as error:
        log.exception("a match of %s cannot be valued", replay.game.name)
        return Chances(ModelInUse.of(model), f"valuing it fails ({type(error).__name__})", [])
    return Chances(ModelInUse.of(model), None, found)


def _shipped(game: str) -> Model | None:
    """Return the model of a game; `None` if it is not installed or cannot be used."""
    try:
        return shipped(GAMES[game])
    except (KeyError, ValueError):
        return None
