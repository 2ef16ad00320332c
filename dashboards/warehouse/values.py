"""Stored chances of winning of a match, and facts about their model."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.warehouse.reader import Reader
from himalaya_core.arena.playouts import standard_error

__all__ = ["KeptConfirmation", "KeptPlayouts", "Values", "confirmation_of", "playouts_of", "values_of"]


@dataclass(frozen=True, slots=True)
class Values:
    """Evaluation of a match by its model: the place of the last event of each decision, and chances by seat.

    `model` is the SHA-256 of the model; `not_valued` is the reason if there are no chances.
    """

    game: str
    model: str
    not_valued: str | None
    chances: Sequence[tuple[int, Sequence[float]]]


@dataclass(frozen=True, slots=True)
class KeptPlayouts:
    """The last rounds of a match, played out `samples` times; `error` is the largest standard error of a share."""

    samples: int
    error: float
    chances: Sequence[tuple[int, Sequence[float]]]


@dataclass(frozen=True, slots=True)
class KeptConfirmation:
    """Result of playing out a better decision; `gain` has the ends of its 95 % interval."""

    is_confirmed: bool
    pairs: int
    gain: tuple[float, float, float] | None
    text: str


def values_of(reader: Reader, match: str) -> Values | None:
    """Return the stored evaluation of a match; `None` if it is unknown or was not reviewed."""
    named = "select match_id from raw_matches where match = $match"  # uses its index; the others then read one block
    reviewed = """select game, model, not_valued from dim_reviews join dim_matches using (match_id)
                  where match_id = $match_id"""
    chances = """select seq, list(chance order by seat) from fct_values where match_id = $match_id
                 group by seq order by seq"""
    with reader.cursor() as cursor:
        for (match_id,) in cursor.execute(named, {"match": match}).fetchall():
            of_match = {"match_id": match_id}
            for game, model, not_valued in cursor.execute(reviewed, of_match).fetchall():
                return Values(game, model, not_valued, cursor.execute(chances, of_match).fetchall())
    return None


def playouts_of(reader: Reader, match: str) -> KeptPlayouts | None:
    """Return the stored playouts of a match; `None` without any."""
    rows = reader.rows(
        """select seq, any_value(samples), list(chance order by seat) from fct_playouts
           where match_id = (select match_id from raw_matches where match = $match) group by seq order by seq""",
        {"match": match},
    )
    if not rows:
        return None
    samples = rows[0][1]
    error = max(standard_error(chance, samples) for _, _, chances in rows for chance in chances)
    return KeptPlayouts(samples, error, [(seq, chances) for seq, _, chances in rows])


def confirmation_of(reader: Reader, match: str, digest: str) -> KeptConfirmation | None:
    """Return the stored playouts of a decision; `None` without any."""
    rows = reader.rows(
        """select is_confirmed, pairs, gain, low, high, text from fct_confirmations where digest = $digest
           and match_id = (select match_id from raw_matches where match = $match)""",
        {"match": match, "digest": digest},
    )
    for is_confirmed, pairs, gain, low, high, text in rows:
        return KeptConfirmation(is_confirmed, pairs, None if gain is None else (gain, low, high), text)
    return None
