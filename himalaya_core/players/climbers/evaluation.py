"""Evaluation of a position between turns for one seat: who is ahead, and who can still rise.

A lead that no opponent can answer is a win. In the last turn of a round without a rise, the leader wins unless another
climber can rise without a block move, because the match then ends (L-9.end). Other positions are estimated in levels.
The weights are close to those fitted to the winners from 376 such positions.
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
"""Value of a certain win, in levels."""
SURE: Final = WON / 2
"""Values above this are wins; values below its negative are losses."""
LATER: Final = 0.9
"""Discount per turn until a decided match ends."""
DECIDED: Final = 0.6
"""Weight of the ordinary estimate (at most `FAR` levels) in a decided match: opponents can still make mistakes."""
FAR: Final = 12.0
KEPT: Final = Prices(0.9, 1.6)
"""Prices of ladders. They are lower than the value of any rise, so using a ladder to rise is always a gain."""
FIRST: Final = 0.3
"""Value of leading. On equal levels, the climber that arrived first leads."""
MOVER: Final = 0.5
"""Value of moving next, in addition to the gain of that turn."""
WAYS: Final = 2.0
"""Value, to a seat that is not next to move, of more ways to rise than the next seat can block."""
LAST: Final = 4.0
"""Value of moving, for the leader, in a turn after which it wins unless a climber rises."""
MOST: Final = 4.0
"""Maximum value of the next rise."""


class Side:
    """A seat's climber at the beginning of its turn: what it can reach, and with which block moves."""

    def __init__(self, state: State, seat: int, lifted: list[Lift]) -> None:
        """Find the climber's gains with the blocks that can be moved now."""
        self.seat, self._state = seat, state
        self.gains = gains(state, seat, KEPT, lifted)
        self.now = worth_now(state, seat, KEPT)
        self.climbs = self.now > level(state, seat) + KEPT.of(state.ladders[seat])
        """True if the climber can rise without a block move."""

    @property
    def can_rise(self) -> bool:
        """True if the climber can rise with at most one block move."""
        return self.climbs or bool(self.gains)

    @property
    def rise(self) -> float:
        """Value that the best block move adds to what the climber can reach without one; at most `MOST`."""
        return min(MOST, self.gains[0].worth - self.now) if self.gains else 0.0

    @cached_property
    def landings(self) -> list[int]:
        """The landings of the climber's gains. A landing is the set of squares that the helpful block would cover."""
        return landings(ground(self._state).grid, self.gains, LOOKED_AT)

    @cached_property
    def ways(self) -> float:
        """How well the climber's ways to rise survive the next block move, from 0 (none does) to nearly 1."""
        return float(1 - 0.5 ** (apart(self.landings) + 2 * self.climbs))


class Outlook:
    """A position some turns ahead, and the seat that moves next."""

    def __init__(self, turn: Turns, mover: int) -> None:
        """Set up the position at the beginning of the turn of `mover`."""
        self.played, self.over, self.mover = turn.played, turn.over, mover
        self.state = turn_of(turn.state, mover)
        self._sides: dict[int, Side] = {}

    def side(self, seat: int) -> Side:
        """Return a seat's climber, as it would be at the beginning of that seat's turn."""
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
        """The seats that would win if the match ended now."""
        return standing(self.state).winners

    @property
    def is_last(self) -> bool:
        """True if the match ends after this turn unless a climber rises."""
        return self.state.streak == len(self.state.seats) - 1

    def rival(self, seat: int) -> int:
        """Return the strongest opponent of a seat."""
        rivals = [rival for rival in self.state.seats if rival != seat]
        return max(rivals, key=lambda rival: (level(self.state, rival), worth_now(self.state, rival, KEPT)))

    def stifling(self) -> Stifling:
        """Return an object that estimates how the mover's block moves would block its strongest opponent."""
        rival = self.rival(self.mover)
        return Stifling(self.state, self.mover, rival, self.side(self.mover).gains, self.side(rival).gains)

    def worth(self, seat: int) -> float:
        """Return the value of the position for a seat: at most `WON`, and closer to 0 the later the match ends."""
        if not self.over and not self._is_decided:
            return self._estimate(seat)
        won = -WON if seat not in self.leaders else WON if len(self.leaders) == 1 else 0.0
        if self.over:
            return won * LATER**self.played
        return won * LATER ** (self.played + 1) + DECIDED * max(-FAR, min(FAR, self._estimate(seat)))

    @cached_property
    def _is_decided(self) -> bool:
        """True if the leader has effectively won, because no other seat can rise in time."""
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
