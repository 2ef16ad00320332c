"""Each seat's chances of winning after every decision of a match, as the warehouse keeps them, or out of its log."""

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
    """The model that chances are by; they may be expected to be off by its `calibration_error`."""

    name: str
    sha256: str
    calibration_error: float

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return what is said of a model."""
        return cls(model.name, model.sha256, model.calibration_error)


@dataclass(frozen=True, slots=True)
class Valued:
    """The chances after a decision, by seat; they sum to one. `seq` is the place in the log of its last event."""

    seq: int
    chances: list[float]


@dataclass(frozen=True, slots=True)
class Chances:
    """The course of a match in chances of winning, or in `not_valued` why there is none.

    Of a match that is over the last are its outcome; of one in progress they go as far as it has come. They say nothing
    that not everybody at the table may know, whoever looks.
    """

    model: ModelInUse | None
    not_valued: str | None
    chances: list[Valued]


def chances_of(reader: Reader, match: str, lines: Callable[[], bytes]) -> Chances:
    """Return the chances by the model that ships with the game: as they are kept, else from the `lines` of the log.

    `ReplayError` for a log that cannot be folded, and whatever `lines` raises.
    """
    kept = values_of(reader, match)
    model = _shipped(kept.game) if kept else None
    if kept and model and kept.model == model.sha256:
        chances = [Valued(seq, list(by_seat)) for seq, by_seat in kept.chances]
        return Chances(ModelInUse.of(model), kept.not_valued, chances)
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
    """Return the model of a game; of one that is not installed, or whose model cannot be used, there is none."""
    try:
        return shipped(GAMES[game])
    except (KeyError, ValueError):
        return None
