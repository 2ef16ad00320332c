"""Names of tournaments, players and people: validation, comparison and spelling suggestions."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

__all__ = [
    "CONTROLS",
    "MOST_OF_NAME",
    "SEED_HINT",
    "SEED_NAME",
    "TOURNAMENT_NAME",
    "did_you_mean",
    "entered_names",
    "normalize_name",
    "one_player",
    "shown_name",
    "visible",
]

TOURNAMENT_NAME: Final = r"[A-Za-z0-9._-]{1,57}"
"""Pattern of a tournament name. It is shorter than a match name, which adds a number."""
SEED_NAME: Final = rf"{TOURNAMENT_NAME}(?:/[0-9]{{1,6}})?"
"""Pattern of a seed: a name, or the name and number of a tournament's seed."""
SEED_HINT: Final = "1 to 57 of A-Z a-z 0-9 . _ -, or a seed of a tournament like cup/3"
NEAREST: Final = 3
LONGEST: Final = 100
"""Maximum letters compared when suggesting a name."""
MOST_OF_NAME: Final = 60
"""Maximum length of an entered name. A longer name in a log is displayed shortened to this length."""
CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters not allowed in names: control characters, line ends, text direction marks, lone surrogates."""
HIDDEN: Final = re.compile(
    rf"{CONTROLS.pattern}|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2060-\u206f"
    r"\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    r"|(?<![^\x00-\x7f])[\u200c\u200d]"
)
"""Invisible characters. Joiners are allowed after anything but ASCII, because Persian names and emoji need them."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'spring'?` with the most similar known names; empty if none is similar."""
    folded = {each.casefold(): each for each in known}
    near = [repr(folded[each]) for each in get_close_matches(name[:LONGEST].casefold(), folded, NEAREST)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def one_player(spellings: Iterable[str]) -> str:
    """Return a sentence, without its full stop, saying that the spellings are one player. Lookalikes are escaped."""
    shown = [repr(name) if name == unicodedata.normalize("NFC", name) else ascii(name) for name in spellings]
    return f"{' and '.join(shown)} count as one player"


def normalize_name(name: str) -> str:
    """Return a name in the form used for comparison: NFC, no outer white space, single spaces inside.

    Logs keep the spelling that was entered. Two names belong to the same player if their normal forms are equal.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def visible(text: str) -> str:
    """Return a text in which characters that are invisible or change text direction appear as codes, like ⟨U+202E⟩."""
    return HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def shown_name(name: str) -> str:
    """Return a name for display: escaped by `visible` and shortened to 60 letters."""
    text = visible(name)
    return text if len(text) <= MOST_OF_NAME else f"{text[: MOST_OF_NAME - 1]}…"


def entered_names(names: Sequence[str]) -> dict[str, str]:
    """Map each entered name to one spelling: that of the first name with the same normal form.

    Raises `ValueError` for a name that is empty, too long or contains control characters.
    """
    spelt: dict[str, str] = {}
    for name in names:
        if not normalize_name(name) or len(name) > MOST_OF_NAME:
            raise ValueError(f"expected names of 1 to {MOST_OF_NAME} letters, found {shown_name(name)!r}")
        if found := CONTROLS.search(name):
            raise ValueError(f"expected names without control characters, found U+{ord(found[0]):04X} in one")
        spelt.setdefault(normalize_name(name), name)
    return {name: spelt[normalize_name(name)] for name in names}
