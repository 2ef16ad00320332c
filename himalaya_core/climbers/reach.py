"""How far a climber can get without a block being moved, for each use of its ladders.

A climber moves freely within a place, so reachable squares are flood-filled level by level: sideways and one up for
free (L-4.free), two to four up with a ladder (L-4.ladder). Places matter in two cases only: a climber may start from a
full part of a top, but may not enter one.
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
"""Levels that each ladder can climb."""
EVERY: Final = tuple(Ladders(short, long) for short, long in product((True, False), repeat=2))
"""All sets of ladders left; each can only be reached from earlier ones."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The squares a climber can reach, by the ladders it has left there."""

    by_ladders: Mapping[Ladders, Squares]

    def at(self, height: int) -> int:
        """Return all reachable squares of a level, whatever ladders they need."""
        found = 0
        for squares in self.by_ladders.values():
            found |= squares.get(height, 0)
        return found


def enterable(
    terrain: Terrain, colour: Colour, others: Sequence[Cell | None] = (), discs: Collection[int] = ()
) -> dict[int, int]:
    """Return the squares a climber of a colour may enter, by height: its own colour and neutral (L-4.colour).

    Excluded are tops with a disc (L-4.disc) and places filled by the other climbers (L-4.capacity).
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
    """Yield the height and squares of each place with a climber on every square."""
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
    """Return what a climber can reach from a square, or from the table (`None`), with the ladders it has.

    `entry` are the squares it may enter, by height. States with more ladders left are visited first.
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
    """Add the squares of a level that may be entered from `edge`."""
    squares = edge & entry.get(height, 0)
    if squares:
        found[height] = found.get(height, 0) | squares
