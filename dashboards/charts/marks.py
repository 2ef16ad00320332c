"""The marks of players in print: the shapes that Plotly draws on pages, as SVG. All look about equally large."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final

from dashboards.charts.players import SHAPES
from dashboards.charts.svg import Value, element, number
from dashboards.charts.theme import Palette

__all__ = ["mark"]

Points = Sequence[tuple[float, float]]


def _corners(count: int, radius: float, turned: float = 0, inner: float | None = None) -> Points:
    """Return a regular polygon, its first corner upwards; with an `inner` radius a star."""
    radii = (radius,) if inner is None else (radius, inner)
    steps = count * len(radii)
    angles = ((place / steps * 2 + turned / 180 - 0.5) * pi for place in range(steps))
    return [
        (radii[place % len(radii)] * cos(angle), radii[place % len(radii)] * sin(angle))
        for place, angle in enumerate(angles)
    ]


def _plus(turned: float) -> Points:
    """Return a cross of equal arms."""
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
    """Return a mark around a point, with an outline that sets it off from what lies under it.

    `filled` is one of `SHAPES` with one of `FILLS` behind it.
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
