"""Listing the legal actions of a seat: each choice in one canonical form, block moves lazily."""

from collections.abc import Iterator, Sequence
from typing import overload

from himalaya_core.climbers.actions import EndClimb, PlaceDisc, SeatAction, SkipDisc
from himalaya_core.climbers.climbing import ground, steps
from himalaya_core.climbers.flow import actors
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.pieces import Phase
from himalaya_core.climbers.rules import decide, obstacle_to_disc
from himalaya_core.climbers.state import State
from himalaya_core.game import CHANCE, IllegalAction

__all__ = ["legal_actions"]


def legal_actions(state: State, seat: int) -> Sequence[SeatAction]:
    """Return all legal actions of a seat; chance has no list."""
    if seat == CHANCE or seat not in actors(state):
        return ()
    if state.phase is Phase.BLOCK:
        return Choices(state, BlockMoves(state))
    if state.phase is Phase.DISC:
        return Choices(state, [*_discs(state, seat), SkipDisc(seat)])
    return Choices(state, [*steps(state, seat), EndClimb(seat)])


def _discs(state: State, seat: int) -> Iterator[PlaceDisc]:
    """Yield each block the disc may be placed on, with the first visible square of its top (L-8.square)."""
    terrain = ground(state)
    for block, free in enumerate(terrain.exposed):
        if not obstacle_to_disc(state, block):
            yield PlaceDisc(seat, block, next(terrain.grid.cells(free)))


class Choices(Sequence[SeatAction]):
    """The choices of a seat: each is listed once, but `in` accepts every form of it (L-8.square, L-8.shift)."""

    def __init__(self, state: State, listed: Sequence[SeatAction]) -> None:
        self._state = state
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    @overload
    def __getitem__(self, index: int) -> SeatAction: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SeatAction]: ...
    def __getitem__(self, index: int | slice) -> SeatAction | Sequence[SeatAction]:
        return self._listed[index]

    def __iter__(self) -> Iterator[SeatAction]:
        return iter(self._listed)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, SeatAction):
            return False
        try:
            decide(self._state, action)
        except IllegalAction:
            return False
        return True
