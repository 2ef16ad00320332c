"""Legal steps of a climber, and the squares it can reach without moving blocks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from himalaya_core.climbers.actions import ClimbStep
from himalaya_core.climbers.blocks import Cell, Colour
from himalaya_core.climbers.pieces import LADDERS_FOR, Ladder, Ladders
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Region, Terrain, terrain_of

__all__ = [
    "Reach",
    "Squares",
    "enterable",
    "free_squares",
    "ground",
    "level",
    "may_climb",
    "obstacle_to_entering",
    "reach",
    "steps",
]


def ground(state: State) -> Terrain:
    """Return the terrain that the blocks form now."""
    return terrain_of(state.poses, state.board.side)


def level(state: State, seat: int) -> int:
    """Return the height of a climber (L-4.level)."""
    cell = state.climbers[seat]
    return 0 if cell is None else ground(state).height_at(cell)


def steps(state: State, seat: int) -> Iterator[ClimbStep]:
    """Yield the legal steps of a climber, one per adjacent place and usable ladder (L-4.step).

    Each step names the first free square of its place, row by row (L-8.square).
    """
    terrain = ground(state)
    here = terrain.region_at(state.climbers[seat])
    assert here is not None, "a climber is on a place"
    near = terrain.grid.around(here.squares) & ~here.squares
    for block in terrain.below(near):
        for place in terrain.regions_of(block):
            if place.squares & near and not obstacle_to_entering(state, seat, place):
                for ladder in LADDERS_FOR.get(place.height - here.height, ()):
                    if state.ladders[seat].has(ladder):
                        first = next(terrain.grid.cells(free_squares(state, place)))
                        yield ClimbStep(seat, first, ladder)


def may_climb(state: State, seat: int) -> bool:
    """Return whether a climber has any legal step."""
    return next(steps(state, seat), None) is not None


def obstacle_to_entering(state: State, seat: int, place: Region) -> str:
    """Return why a climber may not enter a place, apart from height differences; empty if it may."""
    if place.block is None:
        return "no climber goes back to the table"
    if place.top not in (state.colours[seat], Colour.NEUTRAL):
        return f"a climber enters tops of its colour {state.colours[seat]} and neutral ones, not a {place.top} one"
    if place.block in state.disc_blocks:
        return f"a disc is on block {place.block}"
    return "" if free_squares(state, place) else f"no square of block {place.block} is free there"


def free_squares(state: State, place: Region) -> int:
    """Return the number of squares of a place without a climber (L-4.capacity)."""
    free, grid = place.squares, ground(state).grid
    for cell in state.climbers:
        if isinstance(cell, Cell):
            free &= ~grid.square(cell)
    return free


Squares: TypeAlias = Mapping[int, int]
"""Bit sets of squares, by height."""
RISES: Final = {
    ladder: tuple(rise for rise, ladders in LADDERS_FOR.items() if ladder in ladders)
    for ladder in (Ladder.SHORT, Ladder.LONG)
}
"""For each ladder, the level differences it can overcome."""
EVERY: Final = tuple(Ladders(short, long) for short, long in product((True, False), repeat=2))
"""All sets of unused ladders. Using a ladder always leads to a set later in this list."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The squares a climber can reach, grouped by the unused ladders it has left on arrival."""

    by_ladders: Mapping[Ladders, Squares]

    def at(self, height: int) -> int:
        """Return all reachable squares of a level, regardless of the ladders left."""
        found = 0
        for squares in self.by_ladders.values():
            found |= squares.get(height, 0)
        return found


def enterable(
    terrain: Terrain, colour: Colour, others: Sequence[Cell | None] = (), discs: Collection[int] = ()
) -> dict[int, int]:
    """Return the squares that a climber of this colour may enter, by height: its own and neutral tops (L-4.colour).

    Tops with a disc (L-4.disc) and places full of other climbers (L-4.capacity) are excluded.
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
    """Yield the height and the squares of each place that is full of climbers."""
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
    """Return what a climber can reach from a square, or from the table (`None`), with the ladders it has left.

    `entry` gives the squares it may enter, by height. States with more ladders left are visited first.
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
    """Add the squares of one level that a climber can enter from `edge`, the neighbouring squares."""
    squares = edge & entry.get(height, 0)
    if squares:
        found[height] = found.get(height, 0) | squares
