"""Blocking: for each placement of a block, estimates how many of an opponent's ways to rise would remain.

A gain is a block move that lets a climber rise. An opponent's gain is blocked if its block becomes unusable: a block
just moved may not be moved again, and a covered block cannot be lifted. A gain is also blocked if every place for its
block is covered.

For each gain, a bit set holds the corners where a block would block it. The remaining gains are counted per corner. A
block can also open a new path, so moves must be tried before use.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.climbers.blocks import Colour, Shape, poses_of
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.listing import corners_for, lifts, meeting
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import numbers
from himalaya_core.players.climbers.reachability import Gain, Prices, at_its_turn, gains_of, tried, worth_now

__all__ = ["FREE", "Stifled", "Stifling", "can_climb", "can_rise", "smothers"]

FREE: Final = Prices(0.0, 0.0)
MANY: Final = 24
"""A gain with more possible corners than this counts as not blockable by covering its places."""
KINDS: Final = 30
"""Maximum number of different own gains considered."""
CORNERS: Final = 2
"""Maximum number of corners considered per block and shape."""


class Stifled(NamedTuple):
    """A block placed on one corner (`gain`), and the number of gains that this leaves to the opponent."""

    left: int
    gain: Gain


def can_climb(state: State, seat: int) -> bool:
    """Return whether a climber can rise without a block move, if ladders are free."""
    return worth_now(state, seat, FREE) > level(state, seat)


def can_rise(state: State, seat: int) -> bool:
    """Return whether a climber can rise with at most one block move, if ladders are free."""
    return can_climb(state, seat) or any(
        True for lift in lifts(state) for _ in gains_of(state, seat, FREE, lift, level(state, seat))
    )


def smothers(state: State, seat: int, victim: int) -> Iterator[tuple[MoveBlock, State]]:
    """Yield block moves onto or next to the opponent's place after which it cannot rise in its next turn.

    One block is tried per shape. A climber on the table has too many paths to be blocked.
    """
    cell, terrain = state.climbers[victim], ground(state)
    if cell is None:
        return
    grid = terrain.grid
    here = grid.connected(grid.square(cell), terrain.levels[level(state, victim)])
    spot = here | grid.around(here)
    seen = set()
    for lift in lifts(state):
        shapes = poses_of(state.board.blocks[lift.block])
        for edges in dict.fromkeys([(shape.dx, shape.dy, shape.dz) for shape in shapes]):
            if edges in seen:
                continue
            ways = [shape for shape in shapes if (shape.dx, shape.dy, shape.dz) == edges]
            foreign = [shape for shape in ways if shape.top not in (state.colours[victim], Colour.NEUTRAL)]
            shape = (foreign or ways)[0]
            if foreign:
                seen.add(edges)
            corners = corners_for(state, lift, shape) & meeting(grid, spot, shape.dx, shape.dy)
            for corner in numbers(corners):
                for move, position in tried(state, seat, Gain(0.0, lift, shape, 1 << corner), 1):
                    if not can_rise(at_its_turn(position, victim), victim):
                        yield move, position


class Stifling:
    """The gains of an opponent, and how many remain after each block move of a seat."""

    def __init__(self, state: State, seat: int, rival: int, own: Sequence[Gain], theirs: Iterable[Gain]) -> None:
        """Group the opponent's gains by the block moved and its edge lengths."""
        self._state, self._seat, self._rival = state, seat, rival
        self._terrain, self._own = ground(state), own
        ways: dict[tuple[int, int, int], int] = {}
        for gain in theirs:
            way = gain.lift.block, gain.shape.dx, gain.shape.dy
            ways[way] = ways.get(way, 0) | gain.corners
        self._ways = ways
        self._stifled = cache(self._corners_that_stifle)

    @property
    def ways(self) -> int:
        """Number of groups of the opponent's gains; a group has the same block and edge lengths."""
        return len(self._ways)

    def worst(self, most: int) -> list[Stifled]:
        """Return the moves, among those of all movable blocks, that leave the opponent the fewest gains."""
        found: list[Stifled] = []
        seen = set()
        for lift in lifts(self._state):
            block = self._state.board.blocks[lift.block]
            shapes = poses_of(block)
            for edges in dict.fromkeys([(shape.dx, shape.dy, shape.dz) for shape in shapes]):
                kind = (lift.block,) if self._is_used(lift.block) else (block.size, block.variant)
                if (*kind, edges) in seen:
                    continue
                seen.add((*kind, edges))
                shape = self._shown([shape for shape in shapes if (shape.dx, shape.dy, shape.dz) == edges])
                found += self._best(Gain(0.0, lift, shape, corners_for(self._state, lift, shape)))
        return sorted(found, key=lambda each: each.left)[:most]

    def gains(self, most: int) -> list[Stifled]:
        """Return the seat's own gains: valuable gains that leave the opponent few gains are listed first."""
        found: list[Stifled] = []
        seen = set()
        for gain in self._own:
            block = self._state.board.blocks[gain.lift.block]
            kind = (gain.lift.block,) if self._is_used(gain.lift.block) else (block.size, block.variant)
            if (gain.worth, gain.shape, *kind) in seen:
                continue
            seen.add((gain.worth, gain.shape, *kind))
            found += self._best(gain)
            if len(seen) == KINDS:
                break
        return sorted(found, key=lambda each: min(each.left, 5) / 2 - each.gain.worth)[:most]

    def _best(self, gain: Gain) -> Iterator[Stifled]:
        """Yield the gain reduced to one corner each: the corners that leave the opponent the fewest gains."""
        gone, stifled = 0, dict[int, int]()
        for block, corners in self._stifled(gain.shape.dx, gain.shape.dy):
            if block == gain.lift.block:
                gone += 1
                continue
            for corner in numbers(corners & gain.corners):
                stifled[corner] = stifled.get(corner, 0) + 1
        others = [corner for corner in numbers(gain.corners) if corner not in stifled]
        best = sorted(stifled, key=lambda corner: -stifled[corner])[:CORNERS]
        best += others[len(others) // (2 * CORNERS) :: max(1, len(others) // CORNERS)][: CORNERS - len(best)]
        for corner in best:
            left = self.ways - gone - stifled.get(corner, 0)
            yield Stifled(left, Gain(gain.worth, gain.lift, gain.shape, 1 << corner))

    def _corners_that_stifle(self, dx: int, dy: int) -> list[tuple[int, int]]:
        """Return each of the opponent's gains as its block and the corners where a block of this size blocks it."""
        grid = self._terrain.grid
        found: list[tuple[int, int]] = []
        for (block, its_dx, its_dy), landings in self._ways.items():
            corners = 0 if landings.bit_count() > MANY else -1
            for landing in numbers(landings) if corners else ():
                corners &= meeting(
                    grid, grid.box(landing % grid.stride, landing // grid.stride, its_dx, its_dy), dx, dy
                )
                if not corners:
                    break
            found.append((block, corners | meeting(grid, self._terrain.exposed[block], dx, dy)))
        return found

    def _is_used(self, block: int) -> bool:
        return any(block == used for used, _, _ in self._ways)

    def _shown(self, shapes: list[Shape]) -> Shape:
        """Return an orientation with a top that the opponent may not enter, if possible one that the seat may enter."""
        others = [shape for shape in shapes if shape.top not in (self._state.colours[self._rival], Colour.NEUTRAL)]
        mine = [shape for shape in others if shape.top == self._state.colours[self._seat]]
        return (mine or others or shapes)[0]
