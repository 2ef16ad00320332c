"""Stricter than JSON: finds a key that occurs twice in an object, and a number beyond the doubles."""

import json
from collections import Counter
from math import isinf
from typing import Any, Final, NamedTuple

__all__ = ["ONCE", "Inexact", "first_inexact", "members"]

ONCE: Final = "each key once"
"""Expectation in the message if a key occurs twice."""
A_DOUBLE: Final = "a number that a double holds"


class Inexact(NamedTuple):
    """A place that JSON parsers read differently: its path, what was expected there, and what was found."""

    field: str
    expected: str
    found: str


class _Members(tuple[tuple[str, Any], ...]):
    """The members of an object as written, including repeated keys."""

    __slots__ = ()


class _Huge(str):
    """The text of a number beyond the doubles."""

    __slots__ = ()


def members(value: Any) -> int:
    """Return how many members the objects in a decoded value have, at any depth."""
    if isinstance(value, dict):
        return len(value) + sum(map(members, value.values()))
    return sum(map(members, value)) if isinstance(value, list) else 0


def first_inexact(text: str) -> Inexact | None:
    """Return the first place where JSON has a key twice or a number that is too big.

    The text must have been parsed before by a parser that limits its depth.
    """
    whole = json.loads(text, object_pairs_hook=_Members, parse_int=str, parse_float=_double)
    return _search("", whole)


def _double(text: str) -> str | None:
    return _Huge(text) if isinf(float(text)) else None


def _search(path: str, value: Any) -> Inexact | None:
    if isinstance(value, _Huge):
        return Inexact(path, A_DOUBLE, value)
    parts: list[tuple[str, Any]] = []
    times: Counter[str] = Counter()
    if isinstance(value, _Members):
        parts = list(value)
        times.update(key for key, _ in parts)
    elif isinstance(value, list):
        parts = [(str(place), inner) for place, inner in enumerate(value)]
    for key, inner in parts:
        place = f"{path}.{key}" if path else key
        if times[key] > 1:
            return Inexact(place, ONCE, "it twice" if times[key] == 2 else f"it {times[key]} times")
        found = _search(place, inner)
        if found is not None:
            return found
    return None
