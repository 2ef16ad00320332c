"""What a board is drawn with: SVG elements as their classes look in a theme."""

import re
from collections.abc import Mapping

from dashboards.boards.style import LOOKS
from dashboards.charts.svg import Value, colours, element, number, plain
from dashboards.charts.theme import FONT, Scheme

__all__ = ["Pen"]


def _hyphenated(attributes: Mapping[str, Value]) -> dict[str, Value]:
    return {key.replace("_", "-"): value for key, value in attributes.items()}


class Pen:
    """Draws elements as their classes look in a theme; `scale` enlarges the lines that a map's scale enlarges."""

    def __init__(self, theme: Scheme, scale: float = 1) -> None:
        self.theme: Scheme = theme
        self.colours = colours(theme)
        self.scale = scale

    def draw(self, name: str, look: str, attributes: Mapping[str, Value], *children: str) -> str:
        """Return an element of some classes."""
        return element(name, {"class": look, **self.looks(look), **attributes}, *children)

    def path(self, look: str, outline: str, **attributes: Value) -> str:
        """Return a path of some classes."""
        return self.draw("path", look, {"d": outline, **_hyphenated(attributes)})

    def text(self, look: str, words: str | float, **attributes: Value) -> str:
        """Return a text whose middle is at `x`, `y`, or that starts there if its anchor is said to be `start`."""
        shown = words if isinstance(words, str) else number(words)
        placed: dict[str, Value] = {"x": 0, "y": 0, "dy": "0.36em", "text_anchor": "middle", **attributes}
        return self.draw(
            "text",
            look,
            _hyphenated(placed),
            plain(shown),
        )

    def looks(self, look: str) -> dict[str, Value]:
        """Return the presentation attributes that classes stand for."""
        names = look.split()
        of_seat = next((name.removeprefix("seat-") for name in names if re.fullmatch(r"seat-\d", name)), "")
        found: dict[str, Value] = {}
        for name in names:
            for key, value in LOOKS.get(name, {}).items():
                found[key] = self._value(value, of_seat)
        return found

    def on_cube(self, key: str) -> str:
        """Return the colour of the letter on a cube: the dark kind has a light one, in both themes."""
        return "#ffffff" if key == "tea" else self.colours["--cube-text"]

    def group(self, look: str | None, attributes: Mapping[str, Value], *children: str) -> str:
        """Return a group."""
        return element("g", {"class": look, **attributes}, *children)

    def page(self, attributes: Mapping[str, Value], *children: str) -> str:
        """Return a whole document."""
        root = {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": FONT}
        return element("svg", {**root, **attributes}, *children)

    def _value(self, value: str, of_seat: str) -> str:
        if value.startswith("--"):
            return self.colours[value if value != "--seat" else f"--seat-{of_seat}"]
        if value.endswith("*"):  # numbers that grow with the map
            return " ".join(number(float(part) * self.scale) for part in value[:-1].split())
        return value
