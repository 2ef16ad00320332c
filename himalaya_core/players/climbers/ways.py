"""The ways up of a climber on ground that stays as it is: what it may enter, and what it gets to from there."""

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
"""The ladders that lead so many levels up, each as a bit of a set of ladders."""
HIGHEST: Final = max(LEADS)
KEPT: Final = 512
"""How many of them are kept: most blocks that are lifted, and many that are laid, change nothing of them."""


@dataclass(frozen=True, slots=True)
class Way:
    """Connected squares of one level that a climber may enter."""

    height: int
    squares: int
    edge: int
    """Those around them."""
    got: set[int]
    """The ladders that it can have left when it gets here; none if it does not get here."""
    up: list[float]
    """What it can get to from here, by the ladders that it has."""


class Ways:
    """What a climber may enter, level by level from its own up; where it stands comes first."""

    def __init__(self, grid: Grid, every: list[Way], extra: Sequence[float]) -> None:
        self.every, self.extra = every, extra
        self.best = max(every[0].up[left] for left in every[0].got)
        """The most that it can get to."""
        self._grid = grid
        self._near: dict[tuple[int, int], list[int]] = {}

    def near(self, dx: int, dy: int) -> list[int]:
        """Return for each of them the corners of blocks with these edges that would lie beside it."""
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
    """Return the ways of a climber that stands on squares of one level and may enter others, by level.

    Levels rise along each step between two of them, so that one pass up says how it may arrive, one down what follows.
    `extra` is what the ladders that are left are worth, by their bits.
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
