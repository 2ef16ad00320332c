"""The paths up of a climber on a fixed structure: what it may enter, and what it can reach from there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from himalaya_core.climbers.listing import meeting
from himalaya_core.climbers.pieces import LADDERS_FOR, Ladder, Ladders
from himalaya_core.climbers.terrain import Grid

__all__ = ["LEADS", "Way", "Ways", "ways_of"]

BITS: Final = {Ladder.NONE: 0, Ladder.SHORT: 1, Ladder.LONG: 2}
LEADS: Final = {rise: tuple(BITS[ladder] for ladder in ladders) for rise, ladders in LADDERS_FOR.items()}
"""The ladders that climb so many levels, each as a bit of a set of ladders."""
HIGHEST: Final = max(LEADS)
KEPT: Final = 512
"""Cache size; most blocks that are lifted, and many that are placed, do not change a climber's paths."""


@dataclass(frozen=True, slots=True)
class Way:
    """Connected squares of one level that a climber may enter."""

    height: int
    squares: int
    edge: int
    """The squares around them."""
    got: set[int]
    """The sets of ladders it can have left on arrival; empty if it cannot get here."""
    up: list[float]
    """The best value reachable from here, by the set of ladders left."""


class Ways:
    """The areas a climber may enter, from its own level upwards; its current area is first."""

    def __init__(self, grid: Grid, every: list[Way], extra: Sequence[float]) -> None:
        self.every, self.extra = every, extra
        self.best = max(every[0].up[left] for left in every[0].got)
        """The best value it can reach."""
        self._grid = grid
        self._near: dict[tuple[int, int], list[int]] = {}

    def near(self, dx: int, dy: int) -> list[int]:
        """Return, for each area, the corners of blocks with these edges that would be next to it."""
        if (dx, dy) not in self._near:
            self._near[dx, dy] = [meeting(self._grid, way.edge, dx, dy) for way in self.every]
        return self._near[dx, dy]


@lru_cache(maxsize=KEPT)
def ways_of(
    grid: Grid,
    place: tuple[int, int],
    ladders: Ladders,
    enterable: tuple[tuple[int, int], ...],
    extra: tuple[float, ...],
) -> Ways:
    """Return the paths of a climber in an area, given the squares it may enter by level.

    Steps only lead upwards, so one pass up finds how it may arrive, and one pass down what follows. `extra` is the
    value of unused ladders, by their bits.
    """
    entry, (level, squares) = dict(enterable), place
    start = grid.connected(squares, entry.get(level, 0) | squares)
    parts = [(level, start)]
    for height in sorted(entry):
        if height >= level:
            parts += [(height, part) for part in grid.parts(entry[height] & ~start)]
    edges = [grid.around(squares) for _, squares in parts]
    got: list[set[int]] = [set() for _ in parts]
    up = [[height + more for more in extra] for height, _ in parts]
    got[0].add(BITS[Ladder.SHORT] * ladders.short | BITS[Ladder.LONG] * ladders.long)
    steps = [
        (low, high, LEADS[rise])
        for low, (height, _) in enumerate(parts)
        for high, (other, part) in enumerate(parts)
        if 0 < (rise := other - height) <= HIGHEST and edges[low] & part
    ]
    for low, high, leading in steps:
        got[high].update(left ^ ladder for left in got[low] for ladder in leading if left & ladder == ladder)
    for low, high, leading in reversed(steps):
        for left in range(4):
            beyond = [up[high][left ^ ladder] for ladder in leading if left & ladder == ladder]
            up[low][left] = max([up[low][left], *beyond])
    columns = zip(parts, edges, got, up, strict=True)
    every = [Way(height, part, edge, lefts, worths) for (height, part), edge, lefts, worths in columns]
    return Ways(grid, every, extra)
