"""The outlines of what is drawn on a tower, as assets/replay/tower/shapes.js has them; a test compares both."""

from collections.abc import Mapping
from typing import Final

from dashboards.boards.map.shapes import seat_path

__all__ = ["HEAD", "HEAD_RADIUS", "STAND", "STROKES", "UNIT", "disc_path"]

STROKES: Final[Mapping[str, tuple[tuple[float, float, float, float], ...]]] = {
    "T": ((0.32, 0.72, 0.68, 0.72), (0.5, 0.72, 0.5, 0.28)),
    "U": (
        (0.34, 0.72, 0.34, 0.4),
        (0.34, 0.4, 0.44, 0.28),
        (0.44, 0.28, 0.56, 0.28),
        (0.56, 0.28, 0.66, 0.4),
        (0.66, 0.4, 0.66, 0.72),
    ),
    "Y": ((0.32, 0.72, 0.5, 0.5), (0.68, 0.72, 0.5, 0.5), (0.5, 0.5, 0.5, 0.28)),
    "R": (
        (0.36, 0.28, 0.36, 0.72),
        (0.36, 0.72, 0.58, 0.72),
        (0.58, 0.72, 0.66, 0.62),
        (0.66, 0.62, 0.58, 0.5),
        (0.58, 0.5, 0.36, 0.5),
        (0.5, 0.5, 0.66, 0.28),
    ),
    "I": ((0.5, 0.28, 0.5, 0.72), (0.4, 0.72, 0.6, 0.72), (0.4, 0.28, 0.6, 0.28)),
    "N": ((0.35, 0.28, 0.35, 0.72), (0.35, 0.72, 0.65, 0.28), (0.65, 0.28, 0.65, 0.72)),
}
"""Letters as strokes on a square of 1, from its lower left corner: each two ends."""
STAND: Final = "M-7.500 0H7.500L3-11H-3Z"
HEAD: Final = -17
HEAD_RADIUS: Final = 8
UNIT: Final = 24
"""How wide a square is where climbers and discs have the sizes given here."""


def disc_path(seat: int) -> str:
    """Return the outline of a disc with the shape of its seat as a hole: it goes round the other way."""
    return f"M-10 0A10 10 0 1 0 10 0A10 10 0 1 0 -10 0Z{seat_path(seat, 5)}"
