"""The outlines of a drawn board, as assets/replay/drawing/shapes.js and map/markers.js have them; a test compares."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["CROWN", "MARKERS", "MARKER_ICONS", "PLACES", "SOLID", "STUPA", "Silhouette", "ink_shift", "seat_path"]


@dataclass(frozen=True, slots=True)
class Silhouette:
    """A kind of place around 0 0: its outline, the lines on it, how high it reaches, where its number stands."""

    path: str
    rim: str
    top: float
    number: float


PLACES: Final[Mapping[str, Silhouette]] = {
    "house": Silhouette("M-12 14V-2H-16L0-16 16-2H12V14Z", "M-12-2H12", -16, 6),
    "temple": Silhouette(
        "M-13 16V1H-19Q-13-2-10-9H-13Q-7-12 0-21 7-12 13-9H10Q13-2 19 1H13V16Z", "M-13 1H13M-10-9H10", -21, 8.5
    ),
    "monastery": Silhouette(
        "M-21 16-18-5H-21L-14.5-13-8-5H-9L-10-8Q-7-13-6-17H-9Q-4-19 0-27 4-19 9-17H6Q7-13 10-8L9-5H8L14.5-13 21-5H18"
        "L21 16Z",
        "M-18-5H-8M8-5H18M-6-17H6M-10-8H10",
        -27,
        6.5,
    ),
}
STUPA: Final = "M-10 0V-4H-8V-7.5H-6.5A6.5 6.5 0 0 1-2-14V-17H2V-14A6.5 6.5 0 0 1 6.5-7.5H8V-4H10V0Z"
CROWN: Final = "M-6.5 0V-6.5L-3.2-3.6 0-8 3.2-3.6 6.5-6.5V0Z"
MARKERS: Final[Mapping[str, str]] = {
    "yeti": "M-9-12H9A12 12 0 0 1 9 12H-9A12 12 0 0 1-9-12Z",
    "snowstorm": "M-13-12H13L21 0 13 12H-13L-21 0Z",
    "market": "M-20-7 -16-13H16L20-7V12H-20Z",
}
MARKER_ICONS: Final[Mapping[str, str]] = {
    "yeti": "M7 17.5c-2 0-3-2-2.4-4.3.5-2 1.9-3.4 5.4-3.4s4.9 1.4 5.4 3.4c.6 2.3-.4 4.3-2.4 4.3-1.4 0-1.8-.8-3-.8s-1.6"
    ".8-3 .8ZM2.6 8.2a1.5 2 0 1 1 3 0a1.5 2 0 1 1-3 0ZM6.3 5a1.5 2.2 0 1 1 3 0a1.5 2.2 0 1 1-3 0Z"
    "M10.7 5a1.5 2.2 0 1 1 3 0a1.5 2.2 0 1 1-3 0ZM14.4 8.2a1.5 2 0 1 1 3 0a1.5 2 0 1 1-3 0Z",
    "snowstorm": "M10 2.5v15M3.5 6.2l13 7.6M16.5 6.2l-13 7.6M7.6 3.6 10 6l2.4-2.4M7.6 16.4 10 14l2.4 2.4",
    "market": "M3.5 8 5 3.5h10L16.5 8a2.2 2.2 0 0 1-4.3 0 2.2 2.2 0 0 1-4.4 0A2.2 2.2 0 0 1 3.5 8ZM5 11v5.5h10V11",
}
SOLID: Final = frozenset({"yeti"})
"""Icons that are filled; the others are lines."""


def seat_path(seat: int, radius: float) -> str:
    """Return the outline of a seat's shape around 0 0: circle, square, diamond, triangle, pentagon, star."""
    r = _short(radius)
    match seat % 6:
        case 0:
            return f"M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1 -{r} 0Z"
        case 1:
            a = _short(radius * 0.88)
            return f"M-{a} -{a}H{a}V{a}H-{a}Z"
        case 2:
            return _star(4, radius * 1.22)
        case 3:
            top, low, half = _short(radius * 1.16), _short(radius * 0.88), _short(radius * 1.18)
            return f"M0 -{top}L{half} {low}H-{half}Z"
        case 4:
            return _star(5, radius * 1.12)
        case _:
            return _star(5, radius * 1.3, radius * 0.62)


def ink_shift(seat: int) -> float:
    """Return how far below the middle a number stands in a seat's shape, as a part of its radius."""
    return 0.22 if seat % 6 == 3 else 0


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _star(corners: int, radius: float, inner: float | None = None) -> str:
    count = corners if inner is None else corners * 2
    points = []
    for corner in range(count):
        angle = corner / count * 2 * math.pi - math.pi / 2
        reach = inner if inner is not None and corner % 2 else radius
        points.append(f"{math.cos(angle) * reach:.2f} {math.sin(angle) * reach:.2f}")
    return f"M{'L'.join(points)}Z"
