"""Scenes of any game's match: made from its log, complete or in the view of one seat, and cached."""

import gzip
import hashlib
import json
import logging
from functools import lru_cache
from typing import Any, Final

from dashboards.boards.picture import AnyScene
from dashboards.boards.scene import Reviewed
from dashboards.games.analytics import analytics_of
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.review.swings import review_of

__all__ = [
    "ViewError",
    "as_bytes",
    "fold",
    "folded",
    "pack",
    "packed_scene",
    "scene_of",
    "seat_of",
    "seen_scene",
]

log = logging.getLogger(__name__)

MOST_KEPT: Final = 32
MOST_FOLDED: Final = 4
"""Limit of the cache: positions of a whole match take some megabytes."""


class ViewError(ValueError):
    """Error for a view of a seat that does not exist in this match."""


def seat_of(view: str | None, players: int) -> int | None:
    """Return the seat, from 0, of a view, which counts from 1; `None` sees all."""
    if view is None:
        return None
    if view not in map(str, range(1, players + 1)):
        raise ViewError(f"view: expected the number of a seat, from 1 to {players}, found {view!r}.")
    return int(view) - 1


def fold(log: bytes) -> Replay:
    """Return the replay of a log; `ReplayError` for one that cannot be folded."""
    return Replay.read(log.splitlines(keepends=True))


@lru_cache(maxsize=MOST_FOLDED)
def folded(log: bytes) -> Replay:
    """Return the cached replay of a log; `ReplayError` as `fold`."""
    return fold(log)


def scene_of(replay: Replay, view: str | None, *, is_live: bool = False) -> AnyScene:
    """Return the scene of a match in a view, the seat's number from 1; `ViewError` for a missing seat.

    `ReplayError` for a match that cannot be shown: a log that was not verified may have impossible events.
    """
    return seen_scene(replay, seat_of(view, len(replay.header.seats)), is_live=is_live)


def seen_scene(replay: Replay, seat: int | None, *, is_live: bool = False) -> AnyScene:
    """Return the scene of a match for a seat from 0, `NOBODY` for public facts, or `None` for everything.

    `ReplayError` as `scene_of`.
    """
    game = replay.game.name
    try:
        scene = analytics_of(game).scene(replay, seat)
    except Exception as error:
        log.exception("a match of %s cannot be shown", game)
        reason = f"expected a match by the rules of {game}, found one that cannot be shown ({type(error).__name__})"
        raise ReplayError(len(replay.entries), reason) from error
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
