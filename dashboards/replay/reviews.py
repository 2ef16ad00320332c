"""Reviews of any game's match: its chances, key moments and better decisions, with their places on the board.

In the view of a seat, and in a match in progress, a review contains only what was revealed to all.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from dashboards.games.analytics import analytics_of
from dashboards.replay.scenes import as_bytes, folded, pack, seat_of
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.review.document import as_document
from himalaya_core.review.model import shipped
from himalaya_core.review.reviewing import Review, review
from himalaya_core.review.swings import Evaluation

__all__ = ["packed_review", "review_document"]

log = logging.getLogger(__name__)

MOST_KEPT: Final = 32
_at_work: Final = Lock()
"""A review may take a core for seconds: one is made at a time, and requests for the same one wait for it."""


def review_document(replay: Replay, view: str | None) -> dict[str, Any]:
    """Return the review of a match as `as_document` has it, each decision with the ids of its targets (`on`).

    `view` is the number of a seat from 1, `ViewError` for a missing seat; public knowledge is the same for each. A game
    without a model is not evaluated, and its `model` is null. `ReplayError` for a match that cannot be reviewed.
    """
    seat_of(view, len(replay.header.seats))
    try:
        model = shipped(replay.game)
        if model is None:
            reason = f"there is no model of {replay.game.name}"
            return {"not_valued": reason, "model": None, "chances": [], "moments": [], "split": [], "judgements": []}
        found = _revealed(review(model, replay), len(replay.entries))
        return _with_targets(replay, found)
    except Exception as error:
        log.exception("a match of %s cannot be reviewed", replay.game.name)
        reason = f"expected a match by the rules of {replay.game.name}, found one that cannot be reviewed"
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
    """Return a review without anything that the entries of the log have not revealed."""

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
    """Add to each evaluation the targets of its alternative on the board."""
    find = analytics_of(replay.game.name).alternative_targets
    for judged, row in zip(judgements, rows, strict=True):
        row["on"] = find(replay, judged)
