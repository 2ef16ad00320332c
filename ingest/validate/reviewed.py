"""The review of a match by the built-in model of its game, as rows of its tables."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, TypeAlias

from himalaya_core.game import CHANCE
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.review.course import Valued, rounded
from himalaya_core.review.model import Model, shipped
from himalaya_core.review.reviewing import Moment, Review, Share, review
from himalaya_core.review.turning import turning
from ingest.read.split import Chunk
from ingest.validate.judged import shortened

__all__ = ["FAILS", "Reviewed", "Row", "reviewed"]

FAILS: Final = "reviewing it fails"
"""Prefix of the reason for an unvalued match if the fault may be here, not in the match."""

Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The stored review of a match: rows by table, without `match_id`, which is first in each.

    `sha256` is the digest of its lines, which identifies the log.
    """

    match: str
    sha256: str
    game: str
    not_valued: str | None
    rows: dict[str, list[Row]]


def reviewed(chunk: Chunk) -> Reviewed:
    """Review the one match in a chunk, which is of a game with a model; on failure, the reason describes it."""
    lines = BytesIO(chunk.data).readlines()
    header = json.loads(lines[0])
    game = header["data"]["game"]
    model = shipped(GAMES[game])
    assert model is not None, "of games with a model alone"
    plies: list[int] = []
    try:
        replay = Replay.read(lines)
        plies = [entry.ply for entry in replay.entries]
        found = review(model, replay, judges=False)
    except Exception as error:  # noqa: BLE001  a fault in a game's own review must not stop those of others
        found = Review(model, shortened(f"{FAILS}: {error}"))
    sha256 = hashlib.sha256(chunk.data).hexdigest()
    return Reviewed(header["match"], sha256, game, found.not_valued, _rows(found, plies))


def _rows(found: Review, plies: Sequence[int]) -> dict[str, list[Row]]:
    model = found.model
    return {
        "dim_reviews": [(model.sha256, model.calibration_error, found.not_valued, *_turning(found))],
        "fct_values": [row for each in found.chances for row in _values(model, each)],
        "fct_moments": [_moment(number, moment, plies) for number, moment in enumerate(found.moments, 1)],
        "fct_causes": [(share.round, share.seat, str(share.cause), share.amount) for share in found.split],
        "fct_seat_causes": _over_rounds(found.split),
    }


def _values(model: Model, after: Valued) -> list[Row]:
    return [(after.seq, seat, chance, model.sha256) for seat, chance in enumerate(rounded(after.chances))]


def _over_rounds(split: Sequence[Share]) -> list[Row]:
    sums: dict[tuple[int, str], float] = {}
    for share in split:
        key = share.seat, str(share.cause)
        sums[key] = sums.get(key, 0.0) + share.amount
    return [(*key, amount) for key, amount in sorted(sums.items())]


def _turning(found: Review) -> Row:
    turned = turning(found.chances) if found.chances else None
    if turned is None:
        return (None,) * 8
    low, high = turned.lowest, turned.rival
    return (
        *(turned.decided_round, low.chance, low.round, low.ply),
        *(high.chance, high.seat, high.round, high.ply),
    )


def _moment(number: int, moment: Moment, plies: Sequence[int]) -> Row:
    swing = moment.swing
    by = None if swing.by == CHANCE else swing.by
    return (
        *(number, swing.since, swing.seq, plies[swing.seq], swing.round, moment.seat),
        *(by, str(moment.cause), moment.change, swing.cost, moment.text),
    )
