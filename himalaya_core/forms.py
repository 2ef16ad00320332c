"""Forms for writing a game's actions by hand: a word for each kind of action, and how its values follow.

A form works on the data of an action as a log has it, so it does not depend on a game's types.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Field", "Form", "as_json", "counts", "letters", "marked", "number", "numbers", "seat", "word"]

NONE: Final = "-"
"""Stands for an empty list, or for no cubes."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value of an action: its key in the log, how it is written and read, and the expected text.

    `read` raises `ValueError` for an invalid text. A part with a `mark` may be left out: then its value is `absent`.
    """

    key: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    hint: str
    mark: str = ""
    absent: Any = None


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of action is written: its word (none: its values alone), its parts in their order, and a hint."""

    word: str
    parts: tuple[Field, ...] = ()
    hint: str = ""


def number(key: str, hint: str) -> Field:
    """Return a field for a whole number."""
    return Field(key, str, int, hint)


def seat(key: str, hint: str) -> Field:
    """Return a field for a seat; by hand they count from 1."""
    return Field(key, lambda value: str(value + 1), lambda text: int(text) - 1, hint)


def word(key: str, hint: str, values: Mapping[str, str] | None = None) -> Field:
    """Return a field for a text in small letters, as the log has it, or by its written form."""
    if values is None:
        return Field(key, str, str.lower, hint)
    written = {value: text for text, value in values.items()}
    return Field(key, lambda value: written[value], lambda text: _known(values, text.lower()), hint)


def letters(key: str, hint: str, values: Mapping[str, str]) -> Field:
    """Return a field for a list of texts, a letter for each."""
    written = {value: letter for letter, value in values.items()}
    return Field(
        key,
        lambda listed: "".join(written[value] for value in listed) or NONE,
        lambda text: [] if text == NONE else [_known(values, letter) for letter in text.lower()],
        hint,
    )


def counts(key: str, hint: str, values: Mapping[str, str]) -> Field:
    """Return a field for counts of things, a letter for each one."""
    written = {value: letter for letter, value in values.items()}

    def read(text: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for letter in "" if text == NONE else text.lower():
            name = _known(values, letter)
            found[name] = found.get(name, 0) + 1
        return found

    return Field(
        key, lambda counted: "".join(written[name] * many for name, many in counted.items()) or NONE, read, hint
    )


def numbers(key: str, hint: str, between: str = "-") -> Field:
    """Return a field for a list of whole numbers."""
    return Field(
        key,
        lambda listed: between.join(map(str, listed)),
        lambda text: [int(each) for each in text.split(between)],
        hint,
    )


def as_json(key: str, hint: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> Field:
    """Return a field for any other value, by two functions."""
    return Field(key, write, read, hint)


def marked(mark: str, part: Field, absent: Any = None) -> Field:
    """Return a part that is left out if its value is `absent`, and otherwise shown by a mark before it."""
    return Field(part.key, part.write, part.read, f"{mark}{part.hint}", mark, absent)


def _known(values: Mapping[str, str], text: str) -> str:
    if text not in values:
        raise ValueError(text)
    return values[text]
