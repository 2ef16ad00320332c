"""What a misspelt name was meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

__all__ = ["did_you_mean"]

NEAREST: Final = 3
LONGEST: Final = 100
"""Longer names are compared by their beginning."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'spring'?` with the nearest names, to end a refusal; nothing if none is near."""
    folded = {each.casefold(): each for each in known}
    near = [repr(folded[each]) for each in get_close_matches(name[:LONGEST].casefold(), folded, NEAREST)]
    return f"; did you mean {' or '.join(near)}?" if near else ""
