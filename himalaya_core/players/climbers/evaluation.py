"""Evaluation of a position between turns for a seat: who is ahead, and who can still rise.

A lead that no rival can answer has won. In the last turn of a round without a rise, so has the leader, unless another
climber can rise without a block move: the match is then over (L-9.end). Other positions are estimated in levels. The
weights follow the size of a fit to the winners from 376 such positions.
"""

from functools import cached_property
from typing import Final

from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.listing import Lift, lifts
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.base import LOOKED_AT, Turns, apart, turn_of
from himalaya_core.players.climbers.blocking import Stifling
from himalaya_core.players.climbers.reachability import Prices, at_its_turn, gains, landings, worth_now

__all__ = ["SURE", "WON", "Outlook", "Side"]

WON: Final = 100.0
"""Value, in levels, of a certain win."""
SURE: Final = WON / 2
"""Values above this are won, values below its negative are lost."""
LATER: Final = 0.9
"""Discount per turn on a decided match."""
DECIDED: Final = 0.6
"""Weight of the estimate, limited to `FAR` levels, in a decided match, as rivals make mistakes."""
FAR: Final = 12.0
KEPT: Final = Prices(0.9, 1.6)
"""Prices of ladders: less than any rise that needs them, so every path up is a gain."""
FIRST: Final = 0.3
"""Value of having reached the level first."""
MOVER: Final = 0.5
"""Value of moving next, apart from what is gained in that turn."""
WAYS: Final = 2.0
"""Value to a seat that does not move next of having more paths up than the mover can block."""
LAST: Final = 4.0
"""Cost of a mover that leads and wins unless a climber rises in its turn."""
MOST: Final = 4.0
"""Upper limit on the value of a rise."""


class Side:
    """A climber at the beginning of its turn: what it can reach, and by which moves."""

    def __init__(self, state: State, seat: int, lifted: list[Lift]) -> None:
        """Find its gains with the blocks that can be moved now."""
        self.seat, self._state = seat, state
        self.gains = gains(state, seat, KEPT, lifted)
        self.now = worth_now(state, seat, KEPT)
        self.climbs = self.now > level(state, seat) + KEPT.of(state.ladders[seat])
        """Whether it can rise without a block move."""

    @property
    def can_rise(self) -> bool:
        """Whether it can rise with at most one block move."""
        return self.climbs or bool(self.gains)

    @property
    def rise(self) -> float:
        """How much its best block move adds to what it can reach without one, at most `MOST`."""
        return min(MOST, self.gains[0].worth - self.now) if self.gains else 0.0

    @cached_property
    def landings(self) -> list[int]:
        """Squares that would be covered by a block that helps it rise."""
        return landings(ground(self._state).grid, self.gains, LOOKED_AT)

    @cached_property
    def ways(self) -> float:
        """How safe its paths up are from the next block move: from 0 for none to almost 1 for many."""
        return float(1 - 0.5 ** (apart(self.landings) + 2 * self.climbs))


class Outlook:
    """A position after some turns, with the seat that moves next."""

    def __init__(self, turn: Turns, mover: int) -> None:
        """Set up the position at the beginning of the turn of `mover`."""
        self.played, self.over, self.mover = turn.played, turn.over, mover
        self.state = turn_of(turn.state, mover)
        self._sides: dict[int, Side] = {}

    def side(self, seat: int) -> Side:
        """Return a seat's climber at the beginning of its turn."""
        if seat not in self._sides:
            state = at_its_turn(self.state, seat)
            lifted = list(lifts(state)) if state.disc_blocks else self._lifted
            self._sides[seat] = Side(state, seat, [lift for lift in lifted if lift.block != state.last_moved])
        return self._sides[seat]

    @cached_property
    def _lifted(self) -> list[Lift]:
        """The movable blocks, including the one moved last."""
        return list(lifts(evolve(self.state, last_moved=None)))

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """The seats that would win now."""
        return standing(self.state).winners

    @property
    def is_last(self) -> bool:
        """Whether the match ends after this turn unless a climber rises."""
        return self.state.streak == len(self.state.seats) - 1

    def rival(self, seat: int) -> int:
        """Return the best rival of a seat."""
        rivals = [rival for rival in self.state.seats if rival != seat]
        return max(rivals, key=lambda rival: (level(self.state, rival), worth_now(self.state, rival, KEPT)))

    def stifling(self) -> Stifling:
        """Return how the mover's block moves would block its best rival."""
        rival = self.rival(self.mover)
        return Stifling(self.state, self.mover, rival, self.side(self.mover).gains, self.side(rival).gains)

    def worth(self, seat: int) -> float:
        """Return the value of the position for a seat, at most `WON` and less the later the match ends."""
        if not self.over and not self._is_decided:
            return self._estimate(seat)
        won = -WON if seat not in self.leaders else WON if len(self.leaders) == 1 else 0.0
        if self.over:
            return won * LATER**self.played
        return won * LATER ** (self.played + 1) + DECIDED * max(-FAR, min(FAR, self._estimate(seat)))

    @cached_property
    def _is_decided(self) -> bool:
        """Whether the leader has won, as no other seat can rise in time."""
        if len(self.leaders) > 1:
            return False
        others = [self.side(other) for other in self.state.seats if other not in self.leaders]
        if self.is_last and self.mover in self.leaders and not any(other.climbs for other in others):
            return True
        return not any(other.can_rise for other in others)

    def _estimate(self, seat: int) -> float:
        mine, theirs = self.side(seat), self.side(self.rival(seat))
        found = mine.now - theirs.now + FIRST * ((seat in self.leaders) - (theirs.seat in self.leaders))
        for side, sign in ((mine, 1), (theirs, -1)):
            moves = side.seat == self.mover
            found += sign * (side.rise + MOVER if moves else WAYS * side.ways)
        if self.is_last and self.mover in self.leaders:
            found += LAST if seat == self.mover else -LAST
        return found
