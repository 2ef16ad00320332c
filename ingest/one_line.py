"""One-line texts that people write, as a label or a title: allowed characters, and the form in which they are kept."""

from typing import Any, Final

from himalaya_core.names import CONTROLS, normalize_name
from ingest.errors import Unfit

__all__ = ["one_line", "shown"]

MOST_SHOWN: Final = 40
"""Letters of a value in a message."""


def one_line(value: Any, name: str, most: int) -> str:
    """Return a text in the form that is kept; raises `Unfit` if it is not one line, or has more than `most` letters."""
    if not isinstance(value, str):
        raise Unfit(f"{name}: expected a text, found {shown(value)}")
    if found := CONTROLS.search(value):
        raise Unfit(f"{name}: expected no control characters, found U+{ord(found[0]):04X}")
    text = normalize_name(value)
    if not 1 <= len(text) <= most:
        raise Unfit(f"{name}: expected 1 to {most} letters, found {len(text)}", most, len(text))
    return text


def shown(value: Any) -> str:
    """Return a value as a message shows it, shortened if it is long."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
