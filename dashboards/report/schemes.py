"""One drawing for both colour schemes: drawn in light colours, with classes that a style sheet recolours in the dark.

A drawing in light colours is complete, in print too; the classes do nothing until the reader prefers the dark.
"""

import re
from collections.abc import Callable
from itertools import zip_longest
from typing import Final

from dashboards.charts.theme import Scheme

__all__ = ["DarkSheet"]

TAG: Final = re.compile(r"<[a-z][^>]*>")
PAINT: Final = re.compile(r' (fill|stroke)="(#[0-9a-f]{6})"')
LEFT_OUT: Final = re.compile(r' (?:class|data-seat|xmlns)="[^"]*"')


class DarkSheet:
    """Colours of drawings in the dark; rules are numbered in order, so that the same drawings give the same rules."""

    def __init__(self) -> None:
        self._rules: dict[str, str] = {}

    def both(self, draw: Callable[[Scheme], str]) -> str:
        """Return a drawing that follows the reader's scheme, given a function that draws it in either."""
        light, dark = draw("light"), draw("dark")
        others = iter(TAG.findall(dark))
        return TAG.sub(lambda found: self._painted(found[0], next(others)), light)

    def text(self) -> str:
        """Return the rules."""
        rules = "".join(f".{name}{{{rule}}}" for rule, name in self._rules.items())
        return f"@media screen and (prefers-color-scheme:dark){{{rules}}}" if rules else ""

    def _painted(self, light: str, dark: str) -> str:
        pairs = zip_longest(PAINT.findall(light), PAINT.findall(dark), fillvalue=("", ""))
        rule = ";".join(f"{name}:{colour}" for (_, before), (name, colour) in pairs if before != colour)
        plain = LEFT_OUT.sub("", light)
        if not rule:
            return plain
        name = self._rules.setdefault(rule, f"d{len(self._rules)}")
        return re.sub(r"^<(\w+)", rf'<\1 class="{name}"', plain)
