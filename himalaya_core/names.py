"""Names of tournaments, players and people: which are allowed, which are equal, what a misspelt one meant."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

__all__ = [
    "CONTROLS",
    "MOST_OF_NAME",
    "TOURNAMENT_NAME",
    "did_you_mean",
    "entered_names",
    "normalize_name",
    "one_player",
    "shown_name",
    "visible",
]

TOURNAMENT_NAME: Final = r"[A-Za-z0-9._-]{1,57}"
"""With the number of a match behind it, it is still the name of a match."""
NEAREST: Final = 3
LONGEST: Final = 100
"""Longer names are compared by their beginning."""
MOST_OF_NAME: Final = 60
"""Letters of a name that is entered; of a longer one in a log, so many are shown."""
CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that nothing entered may have: controls, ends of lines, changes of direction, halves of characters."""
HIDDEN: Final = re.compile(
    rf"{CONTROLS.pattern}|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2060-\u206f"
    r"\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    r"|(?<![^\x00-\x7f])[\u200c\u200d]"
)
"""Characters that cannot be seen; a joiner may follow anything but ASCII, as in Persian names and emoji."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'spring'?` with the nearest names, to end a refusal; nothing if none is near."""
    folded = {each.casefold(): each for each in known}
    near = [repr(folded[each]) for each in get_close_matches(name[:LONGEST].casefold(), folded, NEAREST)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def one_player(spellings: Iterable[str]) -> str:
    """Say that these are spellings of one name, in a sentence without its end; what looks alike is escaped."""
    shown = [repr(name) if name == unicodedata.normalize("NFC", name) else ascii(name) for name in spellings]
    return f"{' and '.join(shown)} count as one player"


def normalize_name(name: str) -> str:
    """Return a name as it is compared: in NFC, without outer white space, inner white space as single spaces.

    Logs keep a name as it was written. Two names are the same player or person if their normal forms are equal.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def visible(text: str) -> str:
    """Return a text with each character that cannot be seen, or turns others round, written as ⟨U+202E⟩."""
    return HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def shown_name(name: str) -> str:
    """Return a name as it is shown: visible, and cut after 60 letters."""
    text = visible(name)
    return text if len(text) <= MOST_OF_NAME else f"{text[: MOST_OF_NAME - 1]}…"


def entered_names(names: Sequence[str]) -> dict[str, str]:
    """Return how each of the names that are entered together is spelt: as the first that is equal to it.

    Raises `ValueError` for a name that is empty, too long or has control characters.
    """
    spelt: dict[str, str] = {}
    for name in names:
        if not normalize_name(name) or len(name) > MOST_OF_NAME:
            raise ValueError(f"expected names of 1 to {MOST_OF_NAME} letters, found {shown_name(name)!r}")
        if found := CONTROLS.search(name):
            raise ValueError(f"expected names without control characters, found U+{ord(found[0]):04X} in one")
        spelt.setdefault(normalize_name(name), name)
    return {name: spelt[normalize_name(name)] for name in names}
