"""The steps a climber can make: target places and ladders."""

from collections.abc import Iterator

from himalaya_core.climbers.actions import ClimbStep
from himalaya_core.climbers.blocks import Cell, Colour
from himalaya_core.climbers.pieces import LADDERS_FOR
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Region, Terrain, terrain_of

__all__ = ["free_squares", "ground", "level", "may_climb", "obstacle_to_entering", "steps"]


def ground(state: State) -> Terrain:
    """Return the terrain of the current structure."""
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
    """Return whether a climber has a legal step."""
    return next(steps(state, seat), None) is not None


def obstacle_to_entering(state: State, seat: int, place: Region) -> str:
    """Return why a climber may not enter a place, whatever its height; empty if it may."""
    if place.block is None:
        return "no climber goes back to the table"
    if place.top not in (state.colours[seat], Colour.NEUTRAL):
        return f"a climber enters tops of its colour {state.colours[seat]} and neutral ones, not a {place.top} one"
    if place.block in state.disc_blocks:
        return f"a disc is on block {place.block}"
    return "" if free_squares(state, place) else f"no square of block {place.block} is free there"


def free_squares(state: State, place: Region) -> int:
    """Return the squares of a place without a climber (L-4.capacity)."""
    free, grid = place.squares, ground(state).grid
    for cell in state.climbers:
        if isinstance(cell, Cell):
            free &= ~grid.square(cell)
    return free
