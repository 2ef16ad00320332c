"""Building blocks of charts in SVG: the picture, scales, axes, keys. The same input gives the same text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Final

import polars as pl

from dashboards.charts.svg import LETTER, element, plain, wrapped
from dashboards.charts.theme import FONT, Palette

__all__ = [
    "FONT_SIZE",
    "MIDDLE",
    "PAD",
    "WIDTH",
    "About",
    "DrawFrame",
    "Scale",
    "column_of",
    "cut",
    "grid",
    "key_of",
    "line",
    "picture",
    "scale_over",
    "titled",
    "words",
    "written",
]

WIDTH: Final = 560
PAD: Final = 10
FONT_SIZE: Final = 12
MIDDLE: Final = 0.36
"""How far the middle of a line of text is above its base, as a part of the size of the type."""
WIDEST_LABEL: Final = 170


@dataclass(frozen=True, slots=True)
class About:
    """Title and description of a drawing; `name` is its id on the page."""

    name: str
    title: str
    text: str


DrawFrame = Callable[[About, pl.DataFrame, Palette], str]
"""Draws a frame for print."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high` put from `start` to `end` on the paper."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where a number goes; one beyond the ends goes to the end."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Return at most so many round numbers within."""
        step = _step((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def scale_over(values: Sequence[float | None], start: float, end: float, *, zero: bool = False) -> Scale:
    """Return a scale over all finite numbers among the values, with round ends."""
    finite_values = [value for value in values if value is not None and isfinite(value)] + ([0.0] if zero else [])
    low, high = (min(finite_values), max(finite_values)) if finite_values else (0.0, 1.0)
    if low == high:
        low, high = (min(low, 0.0), max(high, 0.0)) if low else (0.0, 1.0)
    step = _step((high - low) / 6)
    return Scale(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, start, end)


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return next(part * power for part in (1, 2, 5, 10) if part * power >= least * (1 - 1e-9))


def picture(about: About, height: float, *parts: str, width: float = WIDTH) -> str:
    """Return a whole drawing with its title and description."""
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
    """Return a text whose middle line is at `y`."""
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
    """Return a text, or as much of it as goes into the room."""
    return wrapped(text.replace(" ", "\N{NO-BREAK SPACE}"), room, size, 1)[0].replace("\N{NO-BREAK SPACE}", " ")


def column_of(labels: Sequence[str]) -> float:
    """Return how wide a column of these labels is."""
    longest = max((len(label) for label in labels), default=0)
    return min(longest * FONT_SIZE * LETTER + 2 * PAD, WIDEST_LABEL)


def written(value: float, ticks: str) -> str:
    """Write a number along an axis (`chart.Chart` says how)."""
    number = int(value) if value == int(value) else value
    return format(number, ticks.replace("d", ".0f") or "g").replace("-", "\N{MINUS SIGN}")


def titled(hover: str, *parts: str) -> str:
    """Return parts with what a browser shows when they are pointed at."""
    return element("g", {}, element("title", {}, plain(hover)), *parts)


def grid(scale: Scale, top: float, bottom: float, ink: Palette, ticks: str, most: int = 6) -> str:
    """Return the upright lines of a scale with their numbers below."""
    return "".join(
        line(scale(tick), top, scale(tick), bottom, ink.grid)
        + words(written(tick, ticks), scale(tick), bottom + 11, ink.muted, anchor="middle", size=11)
        for tick in scale.ticks(most)
    )


def key_of(entries: Sequence[tuple[str, str]], x: float, y: float, ink: Palette, room: float) -> tuple[str, float]:
    """Return the key to colours, broken into lines within the room, and how tall it is."""
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
