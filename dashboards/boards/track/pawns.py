"""Where the pawns on a track stand: the same as assets/replay/track/standing.js; a test compares what both draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dashboards.boards.track.scene import Field, TrackFrame
from dashboards.boards.track.shapes import OUTLINES, PLAIN_TOP

__all__ = ["Spot", "standing"]

CLIMBER: Final = 27
SHERPA: Final = 19
FAN: Final = 4
ROWS: Final = (22, 31)
"""How far above a row of Sherpas, and above one with a climber, the next row is."""
BROAD: Final = 94
BESIDE: Final = 17


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a pawn stands: a field and how far from its middle; of Sherpas that lie on each other, how many they are.

    `top`: it lies on the others, so its letter is seen.
    """

    field: int
    x: float
    y: float
    count: int
    top: bool


def standing(nodes: Sequence[Field], frame: TrackFrame, aside: Sequence[int]) -> list[list[Spot]]:
    """Return the places of each seat's climber and four Sherpas.

    On a field the climbers come first, then the Sherpas of each seat in a heap, side by side and in rows; above the
    field, or left (-1) or right (1) of it where `aside` says so.
    """
    found = [[Spot(0, 0, 0, 1, top=True)] * 5 for _ in frame["c"]]
    here: dict[int, list[tuple[int, list[int]]]] = {}
    for seat, field in enumerate(frame["c"]):
        here.setdefault(field, []).append((seat, [0]))
    for seat, row in enumerate(frame["s"]):
        for field in dict.fromkeys(row):
            heap = [pawn for pawn, at in enumerate(row, start=1) if at == field]
            here.setdefault(field, []).append((seat, heap))
    for field, heaps in here.items():
        outline = OUTLINES.get(nodes[field]["kind"])
        top = outline.top if outline else PLAIN_TOP
        up = 0.0
        for row_of in _rows(heaps):
            broad = sum(_width(heap) for _, heap in row_of)
            x = aside[field] * (BESIDE + broad / 2) - broad / 2
            y = (0 if aside[field] else top - 9) - up
            up += ROWS[any(heap == [0] for _, heap in row_of)]
            for seat, heap in row_of:
                first = x + (_width(heap) - FAN * (len(heap) - 1)) / 2
                for place, pawn in enumerate(heap):
                    last = place == len(heap) - 1
                    found[seat][pawn] = Spot(field, first + place * FAN, y, len(heap), last)
                x += _width(heap)
    return found


def _width(heap: Sequence[int]) -> float:
    return CLIMBER if heap == [0] else SHERPA + FAN * (len(heap) - 1)


def _rows(heaps: Sequence[tuple[int, list[int]]]) -> list[list[tuple[int, list[int]]]]:
    rows: list[list[tuple[int, list[int]]]] = [[]]
    for seat, heap in heaps:
        if rows[-1] and sum(_width(each) for _, each in rows[-1]) + _width(heap) > BROAD:
            rows.append([])
        rows[-1].append((seat, heap))
    return rows
