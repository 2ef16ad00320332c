"""Names of tournaments, players and people: which are allowed, which are equal, what a misspelt one meant."""

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

__all__ = ["TOURNAMENT_NAME", "did_you_mean", "normalize_name"]

TOURNAMENT_NAME: Final = r"[A-Za-z0-9._-]{1,57}"
"""With the number of a match behind it, it is still the name of a match."""
NEAREST: Final = 3
LONGEST: Final = 100
"""Longer names are compared by their beginning."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'spring'?` with the nearest names, to end a refusal; nothing if none is near."""
    folded = {each.casefold(): each for each in known}
    near = [repr(folded[each]) for each in get_close_matches(name[:LONGEST].casefold(), folded, NEAREST)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def normalize_name(name: str) -> str:
    """Return a name as it is compared: in NFC, without outer white space, inner white space as single spaces.

    Logs keep a name as it was written. Two names are the same player or person if their normal forms are equal.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())
