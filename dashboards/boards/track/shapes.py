"""The outlines of what lies on a track, the same as assets/replay/track/shapes.js has; a test compares them."""

from collections.abc import Mapping
from typing import Final

from dashboards.boards.map.shapes import Silhouette

__all__ = ["ARROW", "BOLT", "CLOUD", "FLAG", "FLAKE", "OUTLINES", "PENNANT", "PIPS", "PLAIN_TOP", "YETI", "YETI_FACE"]

PLAIN_TOP: Final = -15
OUTLINES: Final[Mapping[str, Silhouette]] = {
    "base": Silhouette(
        "M-26 15 0-21 26 15ZM15 0 29-13 46 15H26Z", "M-9 15 0 0 9 15M0-21V-30L9-26.5 0-23.5M31 15 34 4 38 15", -20, -6.5
    ),
    "camp": Silhouette("M-26 15 0-21 26 15Z", "M-9 15 0 0 9 15M0-21V-30L9-26.5 0-23.5", -20, -6.5),
    "cave": Silhouette(
        "M-29 15C-31 3-24 1-22-8-18-20-7-22 0-21 9-23 19-18 22-7 25 1 31 4 29 15Z",
        "M-15 15C-16-2-9-12 0-12S16-2 15 15",
        -21,
        5,
    ),
    "summit": Silhouette("M-17 13-9-4-4 1 0-16 5-3 9-7 17 13Z", "", -17, 5),
}
"""Around 0 0: outline, lines on it, how high it reaches, where its number stands."""
FLAKE: Final = (
    "M0-24V24M-20.800-12 20.800 12M-20.800 12 20.800-12M-4.500-22 0-17.500 4.500-22M-4.500 22 0 17.500 4.500 22"
    "M-21.300-7.100-15.200-8.800-16.800-14.900M21.300 7.100 15.200 8.800 16.800 14.900"
    "M-21.300 7.100-15.200 8.800-16.800 14.900M21.300-7.100 15.200-8.800 16.800-14.900"
)
FLAG: Final = "M-1-14V-52H1V-50L24-43.500 1-37V-14Z"
PENNANT: Final = "M-1-10V-25H1V-24L11-20 1-16.500V-10Z"
ARROW: Final = "M3.500 0-7-5.500-4.500 0-7 5.500Z"
YETI: Final = (
    "M-13 17C-14 12-13 9-12 6-16 8-19 4-17 0-15-5-12-8-9-9-9-16-5-20 0-20S9-16 9-9C12-8 15-5 17 0 19 4 16 8 12 6"
    " 13 9 14 12 13 17L9.500 14 6.500 17 3 14 0 17-3 14-6.500 17-9.500 14Z"
)
YETI_FACE: Final = (
    "M-5.500-12.500a1.600 1.800 0 1 1 3.200 0a1.600 1.800 0 1 1-3.200 0Z"
    "M2.300-12.500a1.600 1.800 0 1 1 3.200 0a1.600 1.800 0 1 1-3.200 0ZM-4-7.500H4L2.600-4.800H-2.600Z"
)
CLOUD: Final = "M-6.500 2.500a3.400 3.400 0 0 1 .4-6.700 4.600 4.600 0 0 1 8.800-.9 3.800 3.800 0 0 1 3.600 7.600Z"
BOLT: Final = "M.5 3.500-2.500 8H0L-1.500 12 3 6.800H.6L2.500 3.500Z"
PIPS: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of a face are, from its middle."""
