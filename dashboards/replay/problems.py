"""Reasons why lines of a log cannot be replayed, for the page: the integrity check's sentence and its parts."""

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Problem", "problem"]

SENTENCE: Final = re.compile(r"(?P<field>[^:\s]{1,100}): expected (?P<expected>.*?), found (?P<found>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Problem:
    """The fault for which ingest rejects a line, in parts.

    `line` is the first bad one, in `file` if known. `message` is the sentence of `himalaya ingest`; `field`, `expected`
    and `found` are its parts, if it has them.
    """

    file: str | None
    line: int
    match: str | None
    reason: str
    field: str | None
    expected: str | None
    found: str | None
    message: str


def problem(line: int, match: str | None, reason: str, message: str, file: str | None = None) -> Problem:
    """Return a problem with its sentence split into parts."""
    parts = SENTENCE.fullmatch(message)
    field, expected, found = parts.group("field", "expected", "found") if parts else (None, None, None)
    return Problem(file, line, match, reason, field, expected, found, message)
