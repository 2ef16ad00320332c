"""Texts that people write into one line, as a label or a title: what may stand there, and how it is kept."""

import unicodedata
from typing import Any, Final

from ingest.errors import Unfit

__all__ = ["one_line", "plain", "shown"]

UNSEEN: Final = {"Cc", "Cs", "Zl", "Zp"}
"""Categories of characters that are no part of a line: controls, halves of characters, ends of lines."""
TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that make a text look like another one."""
MOST_SHOWN: Final = 40
"""Letters of a value in a message."""


def one_line(value: Any, name: str, most: int) -> str:
    """Return a text as one line is kept; `Unfit` if it is none, or has more than `most` letters."""
    if not isinstance(value, str):
        raise Unfit(f"{name}: expected a text, found {shown(value)}")
    for letter in value:
        if unicodedata.category(letter) in UNSEEN or letter in TURNING:
            raise Unfit(f"{name}: expected no control characters, found U+{ord(letter):04X}")
    text = plain(value)
    if not 1 <= len(text) <= most:
        raise Unfit(f"{name}: expected 1 to {most} letters, found {len(text)}", most, len(text))
    return text


def plain(text: str) -> str:
    """Return a text with one space between words, and letters as one character where there is one."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def shown(value: Any) -> str:
    """Return a value as a message shows it, cut where it is long."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
