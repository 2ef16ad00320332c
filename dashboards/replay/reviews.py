"""Reviews of any game's match: its chances, key moments and better decisions."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from threading import Lock
from typing import Any, Final, Self

from dashboards.games.analytics import analytics_of
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import playouts_of, values_of
from dashboards.replay.scenes import as_bytes, folded, pack, seat_of
from himalaya_core.games import GAMES, title_of
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.winprob.key_moments import Evaluation, course, rounded
from himalaya_core.winprob.model import Model, not_valued, shipped
from himalaya_core.winprob.review import Review, as_document, review

__all__ = [
    "Chances",
    "ModelInUse",
    "PlayedOutChances",
    "PlayoutsOfMatch",
    "State",
    "Valued",
    "chances_of",
    "packed_review",
    "played_out",
    "review_document",
]


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """The model that computed the chances; `calibration_error` is their expected error."""

    name: str
    sha256: str
    calibration_error: float

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return the public facts about a model."""
        return cls(model.name, model.sha256, model.calibration_error)


@dataclass(frozen=True, slots=True)
class Valued:
    """The chances after a decision, by seat; they sum to one. `seq` is the number of its last event in the log."""

    seq: int
    chances: list[float]


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of winning over the course of a match; if there are none, `not_valued` says why.

    In a finished match, the last entry is the outcome; in a match in progress, the chances after its latest event. In
    every view, chances use only facts that all seats know.
    """

    model: ModelInUse | None
    not_valued: str | None
    chances: list[Valued]


class State(StrEnum):
    """State of a playout."""

    NOT_ASKED = "not asked"
    WAITING = "waiting"
    DONE = "done"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class PlayedOutChances:
    """Chances of winning by seat, estimated by playouts from one decision on, with the players of the match.

    `seq` is the number of the decision's last event in the log.
    """

    seq: int
    chances: list[float]


@dataclass(frozen=True, slots=True)
class PlayoutsOfMatch:
    """Playouts of the last two rounds of a match.

    `reason` tells why playouts are impossible. `samples` is the number of playouts from each decision, `error` the
    largest standard error of a chance.
    """

    state: State
    reason: str | None = None
    samples: int = 0
    error: float = 0.0
    chances: list[PlayedOutChances] = field(default_factory=list)


def played_out(reader: Reader, match: str) -> PlayoutsOfMatch | None:
    """Return the stored playouts of a match; `None` if there are none."""
    stored = playouts_of(reader, match)
    if stored is None:
        return None
    rows = [PlayedOutChances(seq, list(chances)) for seq, chances in stored.chances]
    return PlayoutsOfMatch(State.DONE, None, stored.samples, round(stored.error, 4), rows)


def chances_of(reader: Reader, match: str, lines: Callable[[], bytes]) -> Chances:
    """Return the stored chances, or compute them from the `lines` of the log with the model of the game.

    Raises `ReplayError` for a log that cannot be replayed, and whatever `lines` raises.
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
        return Chances(None, f"there is no model of {title_of(replay.game.name)}", [])
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


MOST_KEPT: Final = 32
_at_work: Final = Lock()
"""Lock held while a review is made. A review may use a core for seconds, so other requests wait for their turn."""


def review_document(replay: Replay, view: str | None) -> dict[str, Any]:
    """Return the review of a match as JSON data, with its `story`.

    Each better decision has the ids of its targets on the board (`on`).

    All views have the same review; `view` is only checked: `ViewError` for a seat that does not exist. For a game
    without a model, `model` is null and the lists are empty. `ReplayError` for a match that cannot be reviewed.
    """
    seat_of(view, len(replay.header.seats))
    story = analytics_of(replay.game.name).story
    try:
        model = shipped(replay.game)
        if model is None:
            reason = f"there is no model of {title_of(replay.game.name)}"
            nothing = dict[str, Any].fromkeys(("chances", "moments", "split", "judgements", "changes"), ())
            return {"not_valued": reason, "model": None, **nothing, "story": story(replay, (), ())}
        found = _revealed(review(model, replay), len(replay.entries))
        return {**_with_targets(replay, found), "story": story(replay, found.chances, found.all_moments)}
    except Exception as error:
        log.exception("a match of %s cannot be reviewed", replay.game.name)
        reason = f"expected a match by the rules of {title_of(replay.game.name)}, found one that cannot be reviewed"
        raise ReplayError(len(replay.entries), f"{reason} ({type(error).__name__})") from error


def packed_review(log: bytes, view: str | None) -> tuple[str, bytes]:
    """Return a digest and the gzipped JSON of a log's review; it is the same for each view, so it is made once."""
    with _at_work:
        if view is not None:
            seat_of(view, len(folded(log).header.seats))
        return _packed(log)


@lru_cache(maxsize=MOST_KEPT)
def _packed(log: bytes) -> tuple[str, bytes]:
    return pack(as_bytes(review_document(folded(log), None)))


def _revealed(found: Review, entries: int) -> Review:
    """Remove from a review what the first `entries` entries of the log do not reveal."""

    def is_known(judged: Evaluation | None) -> bool:
        return judged is not None and judged.shown < entries

    moments = [
        each if is_known(each.alternative) else replace(each, alternative=None)
        for each in found.moments
        if each.swing.seq < entries
    ]
    return replace(found, moments=moments, judgements=list(filter(is_known, found.judgements)))


def _with_targets(replay: Replay, found: Review) -> dict[str, Any]:
    document = as_document(found)
    _aim(replay, found.judgements, document["judgements"])
    for moment, rows in zip(found.moments, document["moments"], strict=True):
        if moment.alternative:
            _aim(replay, [moment.alternative], [rows["alternative"]])
    return document


def _aim(replay: Replay, judgements: Sequence[Evaluation], rows: Sequence[dict[str, Any]]) -> None:
    """Add to each row the ids of the targets on the board (`on`) of its better decision."""
    find = analytics_of(replay.game.name).alternative_targets
    for judged, row in zip(judgements, rows, strict=True):
        row["on"] = find(replay, judged)
