"""How far a climber can get by itself: all squares of its way up, for each way of using its ladders.

A climber moves freely within a place, so what it can reach is found by flooding squares, level by level: sideways and
one up for free (L-4.free), two to four up with a ladder (L-4.ladder). Places matter in two cases only: a climber may
start from a part of a top that is full, but may not enter one.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from himalaya_core.climbers.blocks import Cell, Colour
from himalaya_core.climbers.pieces import LADDERS_FOR, Ladder, Ladders
from himalaya_core.climbers.terrain import Terrain

__all__ = ["Reach", "Squares", "enterable", "reach"]

Squares: TypeAlias = Mapping[int, int]
"""Sets of squares by height."""
RISES: Final = {
    ladder: tuple(rise for rise, ladders in LADDERS_FOR.items() if ladder in ladders)
    for ladder in (Ladder.SHORT, Ladder.LONG)
}
"""How many levels up a ladder leads."""
EVERY: Final = tuple(Ladders(short, long) for short, long in product((True, False), repeat=2))
"""What a climber may have left; each only from those before it."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a climber can get to, by the ladders that it has left then."""

    by_ladders: Mapping[Ladders, Squares]

    def at(self, height: int) -> int:
        """Return all squares of a level that it can get to, whatever the ladders cost."""
        found = 0
        for squares in self.by_ladders.values():
            found |= squares.get(height, 0)
        return found


def enterable(
    terrain: Terrain, colour: Colour, others: Sequence[Cell | None] = (), discs: Collection[int] = ()
) -> dict[int, int]:
    """Return the squares that a climber of a colour may enter, by height: its own and neutral ones (L-4.colour).

    A top with a disc on it is none of them (L-4.disc), nor is a place that the other climbers fill (L-4.capacity).
    """
    entry = {**terrain.tops(colour)}
    for disc in discs:
        pose = terrain.poses[disc]
        if pose and pose.z + pose.dz in entry:
            entry[pose.z + pose.dz] &= ~terrain.exposed[disc]
    for height, full in _full(terrain, others):
        if height in entry:
            entry[height] &= ~full
    return entry


def _full(terrain: Terrain, others: Sequence[Cell | None]) -> Iterator[tuple[int, int]]:
    """Yield the places with a climber on every square, by height."""
    occupied = 0
    for cell in others:
        if cell is not None:
            occupied |= terrain.grid.square(cell)
    for block in terrain.below(occupied) if occupied else ():
        pose, free = terrain.poses[block], terrain.exposed[block]
        rest = occupied & free
        while rest and pose:
            place = terrain.grid.connected(rest & -rest, free)
            if not place & ~occupied:
                yield pose.z + pose.dz, place
            rest &= ~place


def reach(terrain: Terrain, start: Cell | None, ladders: Ladders, entry: Squares) -> Reach:
    """Return what a climber on a square, or on the table, can get to with the ladders it has.

    `entry` is what it may enter. What it gets to with more ladders left is found first.
    """
    place = terrain.region_at(start)
    if place is None:
        raise ValueError(f"no climber can be on {start}")
    grid, top = terrain.grid, max(entry, default=0)
    height, squares = place.height, place.squares
    ways: dict[Ladders, dict[int, int]] = {ladders: {height: squares}}
    for left in EVERY:
        found = ways.get(left, {})
        for here in range(height, top + 1):
            if here not in found:
                continue
            within = entry.get(here, 0)
            found[here] = grid.connected(found[here], within | squares if here == height else within)
            edge = grid.around(found[here])
            _rise(found, edge, here + 1, entry)
            for ladder, rises in RISES.items():
                if left.has(ladder):
                    after = ways.setdefault(left.without(ladder), {})
                    for rise in rises:
                        _rise(after, edge, here + rise, entry)
    return Reach({left: found for left, found in ways.items() if found})


def _rise(found: dict[int, int], edge: int, height: int, entry: Squares) -> None:
    """Add what may be entered of a level beside what was got to."""
    squares = edge & entry.get(height, 0)
    if squares:
        found[height] = found.get(height, 0) | squares
