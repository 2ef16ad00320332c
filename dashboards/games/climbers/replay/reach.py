"""Reach of a climber by its own steps alone, with its ladders, in each position of a match.

A position differs little from the one before, so results for equal inputs are computed once.
"""

from functools import partial
from typing import Final

from dashboards.boards.kept import Kept
from dashboards.games.climbers.replay.opens import reach_on
from himalaya_core.climbers.climbing import ground
from himalaya_core.climbers.state import State

__all__ = ["Reaches"]

_kept: Final[Kept[list[int]]] = Kept()


class Reaches:
    """The different reaches of a match, each a list of places, named by the number of their first square."""

    def __init__(self) -> None:
        self.found: list[list[int]] = []
        self._known: dict[object, int] = {}
        self._last: dict[int, tuple[tuple[object, ...], int]] = {}
        """By seat, the last inputs of its reach and its number: mostly the very same objects come again."""

    def of(self, state: State, seat: int) -> int:
        """Return the number of a seat's reach; it is empty before its colour is dealt."""
        key = (seat, state.poses, state.colours, state.climbers, state.ladders[seat], state.disc_blocks)
        last, number = self._last.get(seat, ((), 0))
        if last and all(now is then for now, then in zip(key[1:], last[1:], strict=True)):
            return number
        self._last[seat] = key, self._number(key, state, seat)
        return self._last[seat][1]

    def _number(self, key: object, state: State, seat: int) -> int:
        if key not in self._known:
            places = _kept.of(state, seat, partial(_places, state, seat)) if seat < len(state.colours) else []
            if places not in self.found:
                self.found.append(places)
            self._known[key] = self.found.index(places)
        return self._known[key]


def _places(state: State, seat: int) -> list[int]:
    """Return the places in a climber's reach besides its own (L-4)."""
    terrain = ground(state)
    ways = reach_on(state, seat, terrain)
    here = terrain.region_at(state.climbers[seat])
    found = []
    for region in terrain.regions:
        if region != here and region.squares & ways.at(region.height):
            first = next(terrain.grid.cells(region.squares))
            found.append(first.y * terrain.grid.side + first.x)
    return found
