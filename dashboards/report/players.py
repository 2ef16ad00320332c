"""Reproducibility checks of a report's players: for each match a letter for each seat, as data.

Only seats under the filter are checked; the others have a dot. A match without any checked seat is left out.
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
"""Letters that make a claim about a player's choices."""


def claims_of(players: pl.DataFrame) -> dict[str, str]:
    """Return the letters of `match, seat, verdict`, which is in order."""
    seats: dict[str, str] = {}
    for match, seat, verdict in players.select("match", "seat", "verdict").iter_rows():
        seats[match] = seats.get(match, "").ljust(seat, LEFT_OUT) + LETTERS[verdict]
    return {match: letters for match, letters in seats.items() if set(letters) - {LEFT_OUT, LETTERS[NOBODY_ASKED]}}


def counts_of(claims: Claims, players: pl.DataFrame) -> dict[str, int]:
    """Return the number of seats of each verdict if claims hold; seats that they leave out count as unchecked."""
    found = Counter[str]()
    for match, seat in players.select("match", "seat").iter_rows():
        found[VERDICTS.get(claims.get(match, "")[seat : seat + 1], NOBODY_ASKED)] += 1
    return dict(found)


def contradicted(reported: Claims, found: Claims) -> Iterator[str]:
    """Yield a sentence for each seat for which a report and a new check of the player disagree."""
    for match, seat, letter, other in _pairs(reported, found):
        if letter in SAID and other in SAID and letter != other:
            yield f"{match}, seat {seat + 1}: the player {SAID[letter]} in the report, it {SAID[other]} in the data"


def unchecked(reported: Claims, found: Claims) -> int:
    """Return the number of seats with a claim on the player's choices that could not be checked here."""
    return sum(letter in SAID and other not in SAID for _, _, letter, other in _pairs(reported, found))


def _pairs(reported: Claims, found: Claims) -> Iterator[tuple[Any, ...]]:
    """Yield match, seat, and its letters in both claims."""
    for match, letters in reported.items():
        others = found.get(match, "").ljust(len(letters), LETTERS[NOBODY_ASKED])
        for seat, pair in enumerate(zip(letters, others, strict=False)):
            yield match, seat, *pair
