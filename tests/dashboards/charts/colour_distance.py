"""How different colours look to normal and colour-blind vision: CIEDE2000 after Machado's simulations.

Sharma, Wu, Dalal: The CIEDE2000 color-difference formula (2005). Machado, Oliveira, Fernandes: A physiologically-based
model for simulation of color vision deficiency (2009), severity 1.
"""

from collections.abc import Sequence
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Final

__all__ = ["VISIONS", "difference", "lab", "nearest"]

Triple = tuple[float, float, float]
VISIONS: Final[dict[str, tuple[Triple, Triple, Triple]]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""For each kind of vision, the matrix of its simulation in linear red, green and blue."""
SRGB: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Final = (0.95047, 1.0, 1.08883)


def lab(colour: str, vision: str = "normal") -> Triple:
    """Return L*, a*, b* of #rrggbb under D65, as seen with a kind of vision."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    seen = [min(max(_dot(row, linear), 0.0), 1.0) for row in VISIONS[vision]]
    x, y, z = (_cube_root(_dot(row, seen) / white) for row, white in zip(SRGB, WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _dot(row: Sequence[float], values: Sequence[float]) -> float:
    return sum(factor * value for factor, value in zip(row, values, strict=True))


def _cube_root(part: float) -> float:
    return part ** (1 / 3) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29


def difference(one: Triple, other: Triple) -> float:
    """Return the CIEDE2000 difference of two colours in L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(chroma**7 / (chroma**7 + 25**7)))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = (degrees(atan2(b, stretch * a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    middle = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    bright, c = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        *(1 - 0.17 * cos(radians(middle - 30)), 0.24 * cos(radians(2 * middle))),
        *(0.32 * cos(radians(3 * middle + 6)), -0.20 * cos(radians(4 * middle - 63))),
    )
    lightness = (l2 - l1) / (1 + 0.015 * (bright - 50) ** 2 / sqrt(20 + (bright - 50) ** 2))
    colourful = (c2 - c1) / (1 + 0.045 * c)
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * c * sum(weight))
    rotated = -sin(radians(60 * exp(-(((middle - 275) / 25) ** 2)))) * 2 * sqrt(c**7 / (c**7 + 25**7))
    return sqrt(lightness**2 + colourful**2 + hue**2 + rotated * colourful * hue)


def nearest(some: Sequence[str], others: Sequence[str], vision: str) -> float:
    """Return the smallest difference between different colours of two groups."""
    seen = {colour: lab(colour, vision) for colour in (*some, *others)}
    return min(difference(seen[one], seen[other]) for one in some for other in others if one != other)
