"""What a report says of its players, asked again: for each match a letter for each seat, as data.

Asked about are only seats under the filter; the others have a dot. A match of which nobody was asked is left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from dashboards.warehouse.provenance import NOBODY_ASKED
from himalaya_core.arena.asking import PlayersVerdict

__all__ = ["Claims", "claims_of", "contradicted", "counts_of", "unchecked"]

Claims = Mapping[str, str]
"""The letters of each match."""

LETTERS: Final = {
    PlayersVerdict.REPEATS.value: "r",
    PlayersVerdict.DIFFERS.value: "d",
    PlayersVerdict.NOT_ASKED.value: "n",
    NOBODY_ASKED: "-",
}
VERDICTS: Final = {letter: verdict for verdict, letter in LETTERS.items()}
LEFT_OUT: Final = "."
SAID: Final = {"r": "repeated its choices", "d": "chose differently"}
"""Letters that say something of what a player chose."""


def claims_of(players: pl.DataFrame) -> dict[str, str]:
    """Return the letters of `match, seat, verdict`, which is in order."""
    seats: dict[str, str] = {}
    for match, seat, verdict in players.select("match", "seat", "verdict").iter_rows():
        seats[match] = seats.get(match, "").ljust(seat, LEFT_OUT) + LETTERS[verdict]
    return {match: letters for match, letters in seats.items() if set(letters) - {LEFT_OUT, LETTERS[NOBODY_ASKED]}}


def counts_of(claims: Claims, players: pl.DataFrame) -> dict[str, int]:
    """Return how many seats there are of each verdict if claims hold; nobody was asked of those that they leave out."""
    found = Counter[str]()
    for match, seat in players.select("match", "seat").iter_rows():
        found[VERDICTS.get(claims.get(match, "")[seat : seat + 1], NOBODY_ASKED)] += 1
    return dict(found)


def contradicted(said: Claims, found: Claims) -> Iterator[str]:
    """Yield in a sentence each seat of which a report says something else of the player than asking it again does."""
    for match, seat, letter, other in _pairs(said, found):
        if letter in SAID and other in SAID and letter != other:
            yield f"{match}, seat {seat + 1}: the player {SAID[letter]} in the report, it {SAID[other]} in the data"


def unchecked(said: Claims, found: Claims) -> int:
    """Return of how many seats a report says what the player chooses, which could not be asked here."""
    return sum(letter in SAID and other not in SAID for _, _, letter, other in _pairs(said, found))


def _pairs(said: Claims, found: Claims) -> Iterator[tuple[Any, ...]]:
    """Yield match, seat, and the letters of it."""
    for match, letters in said.items():
        others = found.get(match, "").ljust(len(letters), LETTERS[NOBODY_ASKED])
        for seat, pair in enumerate(zip(letters, others, strict=False)):
            yield match, seat, *pair
