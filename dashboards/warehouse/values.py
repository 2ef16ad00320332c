"""The chances of winning that the warehouse keeps of a match, and what it knows of their model."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.warehouse.reader import Reader

__all__ = ["Values", "values_of"]


@dataclass(frozen=True, slots=True)
class Values:
    """A match as its reviewing model valued it: by decision the place of its last event, and chances by seat.

    `model` is the SHA-256 of the model; `not_valued` says why there are no chances, if there are none.
    """

    game: str
    model: str
    not_valued: str | None
    chances: Sequence[tuple[int, Sequence[float]]]


def values_of(reader: Reader, match: str) -> Values | None:
    """Return what is kept of a match; `None` if it was not reviewed, or is not known."""
    named = "select match_id from raw_matches where match = $match"  # with its index; the others then read one block
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
