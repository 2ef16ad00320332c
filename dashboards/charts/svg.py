"""SVG as text: escaped elements, numbers and lines of text, and the colours of the style sheets."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from dashboards.charts.theme import Scheme
from himalaya_core.names import visible

__all__ = ["LETTER", "Value", "colours", "element", "number", "plain", "wrapped"]

Value = str | float | None
ASSETS: Final = Path(__file__).parent.parent / "assets"
NAMES: Final = ("app.css", "replay.css", "replay-track.css", "replay-tower.css")
SHEETS: Final = tuple((ASSETS / name).read_text("utf-8") for name in NAMES)
BLOCK: Final = re.compile(r'^:root(\[data-mantine-color-scheme="dark"\])? \{([^}]*)\}', re.MULTILINE)
PROPERTY: Final = re.compile(r"(--[\w-]+):\s*(#[0-9a-f]{6})\b")
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LETTER: Final = 0.6
"""Width of an average letter, as a part of the size of the type."""


@cache
def colours(theme: Scheme) -> Mapping[str, str]:
    """Return the custom properties of the style sheets that are colours; dark ones lie over the light ones."""
    found: dict[str, str] = {}
    for dark in ("", "dark"):
        for sheet in SHEETS if not dark or theme == "dark" else ():
            for scheme, body in BLOCK.findall(sheet):
                if bool(scheme) == bool(dark):
                    found.update(PROPERTY.findall(body))
    return found


def number(value: float) -> str:
    """Return a number with at most two places and no useless zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, attributes: Mapping[str, Value], *children: str) -> str:
    """Return an element; children are markup already, attributes that are None are left out."""
    written = "".join(f" {key}={_quoted(value)}" for key, value in attributes.items() if value is not None)
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _quoted(value: str | float) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", value) if isinstance(value, str) else number(value))


def plain(text: str) -> str:
    """Return a text as markup, without the characters that no XML may have."""
    return escape(NOT_XML.sub("\ufffd", visible(text)))


def wrapped(text: str, width: float, size: float, lines: int) -> list[str]:
    """Break a text into at most so many lines of about that width; what does not fit ends in an ellipsis."""
    most = max(4, int(width / (size * LETTER)))
    found = [""]
    for word in visible(text).split():
        longer = f"{found[-1]} {word}".strip()
        if len(longer) <= most or not found[-1]:
            found[-1] = longer
        else:
            found.append(word)
    shortened = [line if len(line) <= most else line[: most - 1] + "…" for line in found[:lines]]
    if len(found) > lines and not shortened[-1].endswith("…"):
        shortened[-1] = shortened[-1][: most - 1].rstrip(" .,") + "…"
    return shortened
