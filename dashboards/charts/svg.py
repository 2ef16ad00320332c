"""SVG parts of charts: elements, whole pictures, scales, axes, keys and marks."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from pathlib import Path
from types import MappingProxyType
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import polars as pl

from dashboards.charts.axes import Scale
from dashboards.charts.theme import FONT, SHAPES, Palette, Scheme
from himalaya_core.names import visible

__all__ = [
    "FONT_SIZE",
    "LETTER",
    "MIDDLE",
    "PAD",
    "WIDTH",
    "About",
    "DrawFrame",
    "Value",
    "colours",
    "column_of",
    "cut",
    "element",
    "grid",
    "key_of",
    "line",
    "mark",
    "number",
    "picture",
    "plain",
    "titled",
    "words",
    "wrapped",
]


Value = str | float | None
ASSETS: Final = Path(__file__).parent.parent / "assets"
NAMES: Final = ("app.css", "replay.css", "replay-track.css", "replay-tower.css")
SHEETS: Final = tuple((ASSETS / name).read_text("utf-8") for name in NAMES)
BLOCK: Final = re.compile(r'^ *:root(\[data-mantine-color-scheme="dark"\])? \{([^}]*)\}', re.MULTILINE)
PROPERTY: Final = re.compile(r"(--[\w-]+):\s*(#[0-9a-f]{6})\b")
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LETTER: Final = 0.6
"""Width of an average letter, as a fraction of the font size."""


@cache
def colours(theme: Scheme) -> Mapping[str, str]:
    """Return the colours among the style sheets' custom properties; the dark scheme overrides the light one."""
    found: dict[str, str] = {}
    for dark in ("", "dark"):
        for sheet in SHEETS if not dark or theme == "dark" else ():
            for scheme, body in BLOCK.findall(sheet):
                if bool(scheme) == bool(dark):
                    found.update(PROPERTY.findall(body))
    return found


def number(value: float) -> str:
    """Return a number with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, attributes: Mapping[str, Value], *children: str) -> str:
    """Return an element; children must be markup already, and attributes that are `None` are left out."""
    written = "".join(f" {key}={_quoted(value)}" for key, value in attributes.items() if value is not None)
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _quoted(value: str | float) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", value) if isinstance(value, str) else number(value))


def plain(text: str) -> str:
    """Return a text escaped for markup, without characters that XML forbids."""
    return escape(NOT_XML.sub("\ufffd", visible(text)))


def wrapped(text: str, width: float, size: float, lines: int) -> list[str]:
    """Break a text into at most `lines` lines of about `width`; a longer text ends in an ellipsis."""
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


WIDTH: Final = 560
PAD: Final = 10
FONT_SIZE: Final = 12
MIDDLE: Final = 0.36
"""Height of the middle of a line of text above its baseline, as a fraction of the font size."""
WIDEST_LABEL: Final = 170


@dataclass(frozen=True, slots=True)
class About:
    """Title and description of a drawing; `name` is its id on the page."""

    name: str
    title: str
    text: str


DrawFrame = Callable[[About, pl.DataFrame, Palette], str]
"""Function that draws a frame for print."""


def picture(about: About, height: float, *parts: str, width: float = WIDTH) -> str:
    """Return a complete drawing with its title and description."""
    name = about.name
    root: dict[str, str | float | None] = {
        "viewBox": f"0 0 {width:g} {height:g}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-desc",
        "font-family": FONT,
        "font-size": FONT_SIZE,
    }
    labels = (
        element("title", {"id": f"{name}-title"}, plain(about.title)),
        element("desc", {"id": f"{name}-desc"}, plain(about.text)),
    )
    return element("svg", root, *labels, *parts)


def words(
    text: str, x: float, y: float, fill: str, *, anchor: str = "start", size: float = FONT_SIZE, weight: int = 400
) -> str:
    """Return a text centred vertically on `y`."""
    places: dict[str, str | float | None] = {
        "x": x,
        "y": y + size * MIDDLE,
        "fill": fill,
        "text-anchor": anchor if anchor != "start" else None,
        "font-size": size if size != FONT_SIZE else None,
        "font-weight": weight if weight != 400 else None,
    }
    return element("text", places, plain(text))


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1, dashes: str | None = None) -> str:
    """Return a straight line."""
    places: dict[str, str | float | None] = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": stroke}
    return element("line", {**places, "stroke-width": width, "stroke-dasharray": dashes})


def cut(text: str, room: float, size: float = FONT_SIZE) -> str:
    """Return a text, shortened if it is wider than `room`."""
    return wrapped(text.replace(" ", "\N{NO-BREAK SPACE}"), room, size, 1)[0].replace("\N{NO-BREAK SPACE}", " ")


def column_of(labels: Sequence[str]) -> float:
    """Return the width of a column that fits these labels."""
    longest = max((len(label) for label in labels), default=0)
    return min(longest * FONT_SIZE * LETTER + 2 * PAD, WIDEST_LABEL)


def titled(hover: str, *parts: str) -> str:
    """Return parts with a tooltip that browsers show on hover."""
    return element("g", {}, element("title", {}, plain(hover)), *parts)


def grid(scale: Scale, top: float, bottom: float, ink: Palette, ticks: str, most: int = 6) -> str:
    """Return the vertical grid lines of a scale with their numbers below."""
    return "".join(
        line(scale(tick), top, scale(tick), bottom, ink.grid)
        + words(text, scale(tick), bottom + 11, ink.muted, anchor="middle", size=11)
        for tick, text in scale.ticks(ticks, most)
    )


def key_of(entries: Sequence[tuple[str, str]], x: float, y: float, ink: Palette, room: float) -> tuple[str, float]:
    """Return the colour key, broken into lines that fit `room`, and the key's height."""
    parts, at, down = [], 0.0, 0.0
    for name, colour in entries:
        wide = 16 + len(name) * FONT_SIZE * LETTER + 14
        if at and at + wide > room:
            at, down = 0.0, down + 18
        box: dict[str, str | float | None] = {"x": x + at, "y": y + down - 5, "width": 10, "height": 10, "rx": 2}
        parts.append(element("rect", {**box, "fill": colour, "stroke": ink.border}))
        parts.append(words(name, x + at + 15, y + down, ink.text))
        at += wide
    return "".join(parts), down + 18


Points = Sequence[tuple[float, float]]


def _corners(count: int, radius: float, turned: float = 0, inner: float | None = None) -> Points:
    """Return a regular polygon with a corner at the top, or a star if an `inner` radius is given."""
    radii = (radius,) if inner is None else (radius, inner)
    steps = count * len(radii)
    angles = ((place / steps * 2 + turned / 180 - 0.5) * pi for place in range(steps))
    return [
        (radii[place % len(radii)] * cos(angle), radii[place % len(radii)] * sin(angle))
        for place, angle in enumerate(angles)
    ]


def _plus(turned: float) -> Points:
    arm, half = 1.15, 0.4
    found = [(half, -arm), (half, -half), (arm, -half)]
    whole = [(x * c - y * s, x * s + y * c) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)) for x, y in found]
    c, s = cos(turned), sin(turned)
    return [(x * c - y * s, x * s + y * c) for x, y in whole]


OUTLINES: Final[Mapping[str, Points]] = MappingProxyType(
    {
        "square": _corners(4, 1.25, 45),
        "diamond": _corners(4, 1.25),
        "triangle-up": _corners(3, 1.35),
        "pentagon": _corners(5, 1.15),
        "star": _corners(5, 1.4, inner=0.62),
        "cross": _plus(0),
        "x": _plus(pi / 4),
        "triangle-down": _corners(3, 1.35, 180),
        "hexagon": _corners(6, 1.12),
        "bowtie": [(-1.1, -0.9), (1.1, 0.9), (1.1, -0.9), (-1.1, 0.9)],
        "hourglass": [(-0.9, -1.1), (0.9, -1.1), (-0.9, 1.1), (0.9, 1.1)],
        "hexagram": _corners(6, 1.35, inner=0.78),
        "triangle-left": _corners(3, 1.35, -90),
        "octagon": _corners(8, 1.08, 22.5),
        "triangle-right": _corners(3, 1.35, 90),
        "star-square": _corners(4, 1.5, 45, inner=0.6),
        "diamond-tall": [(0, -1.5), (0.75, 0), (0, 1.5), (-0.75, 0)],
        "star-diamond": _corners(4, 1.5, inner=0.6),
        "diamond-wide": [(0, -0.75), (1.5, 0), (0, 0.75), (-1.5, 0)],
    }
)
assert {"circle", *OUTLINES} == set(SHAPES), "every shape can be drawn"


def mark(colour: str, filled: str, x: float, y: float, radius: float, ink: Palette) -> str:
    """Return a mark at a point, with an outline that separates it from what lies behind.

    `filled` is one of `SHAPES` followed by one of `FILLS`.
    """
    has_dot, is_open = filled.endswith("-dot"), "-open" in filled
    shape = filled.removesuffix("-dot").removesuffix("-open")
    paint: dict[str, Value] = {
        "fill": ink.card if is_open else colour,
        "stroke": colour if is_open else ink.text,
        "stroke-width": 1.6 if is_open else 1,
    }
    dot = element("circle", {"cx": x, "cy": y, "r": radius * 0.3, "fill": ink.text}) if has_dot else ""
    if shape == "circle":
        return element("circle", {"cx": x, "cy": y, "r": radius, **paint}) + dot
    points = " ".join(f"{number(x + radius * a)},{number(y + radius * b)}" for a, b in OUTLINES[shape])
    return element("polygon", {"points": points, **paint}) + dot
