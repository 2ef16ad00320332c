"""What a position between turns is worth to a seat: who is ahead, and who can still rise.

A lead that nobody can answer has won. So has whoever is ahead in the last turn of a round without a rise, unless
another climber gets up by itself: it need not rise any more, and the match is over (L-9.end). All else is estimated,
in levels, with weights of the size that a fit to who won from 376 such positions gave.
"""

from functools import cached_property
from typing import Final

from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.listing import Lift, lifts
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.prospects import Prices, at_its_turn, gains, landings, worth_now
from himalaya_core.players.climbers.rounds import LOOKED_AT, Turns, apart, turn_of
from himalaya_core.players.climbers.stifling import Stifling

__all__ = ["SURE", "WON", "Outlook", "Side"]

WON: Final = 100.0
"""The worth, in levels, of a match that is won for sure."""
SURE: Final = WON / 2
"""What is worth more than this is won, what is worth less than its negative lost."""
LATER: Final = 0.9
"""What is left of it a turn later."""
DECIDED: Final = 0.6
"""What an estimate counts where a match is decided, if it is not more than so many levels (`FAR`): rivals err."""
FAR: Final = 12.0
KEPT: Final = Prices(0.9, 1.6)
"""What ladders are worth: less than any rise that they are needed for, so that each way up is a gain."""
FIRST: Final = 0.3
"""The worth of having been first on the level."""
MOVER: Final = 0.5
"""The worth of having the next turn, beside what is gained in it."""
WAYS: Final = 2.0
"""The worth to who has not the next turn of so many ways up that the mover can't take them all."""
LAST: Final = 4.0
"""What it costs that the mover leads and wins unless somebody rises in its turn."""
MOST: Final = 4.0
"""No rise counts for more than this."""


class Side:
    """A climber at the beginning of its turn: what it gets to, and by which moves."""

    def __init__(self, state: State, seat: int, lifted: list[Lift]) -> None:
        """Find its gains, with blocks that may be lifted now."""
        self.seat, self._state = seat, state
        self.gains = gains(state, seat, KEPT, lifted)
        self.now = worth_now(state, seat, KEPT)
        self.climbs = self.now > level(state, seat) + KEPT.of(state.ladders[seat])
        """Whether it rises with no block moved."""

    @property
    def can_rise(self) -> bool:
        """Whether it rises with one block moved, or with none."""
        return self.climbs or bool(self.gains)

    @property
    def rise(self) -> float:
        """By how much its best move betters what it gets to with no block moved."""
        return min(MOST, self.gains[0].worth - self.now) if self.gains else 0.0

    @cached_property
    def landings(self) -> list[int]:
        """Where blocks lead it on."""
        return landings(ground(self._state).grid, self.gains, LOOKED_AT)

    @cached_property
    def ways(self) -> float:
        """How sure it is that the next block leaves it a way up: 0 without any, nearly 1 with many."""
        return float(1 - 0.5 ** (apart(self.landings) + 2 * self.climbs))


class Outlook:
    """A position after some turns, and what comes next."""

    def __init__(self, turn: Turns, mover: int) -> None:
        """Take over the position at the beginning of the turn of `mover`."""
        self.played, self.over, self.mover = turn.played, turn.over, mover
        self.state = turn_of(turn.state, mover)
        self._sides: dict[int, Side] = {}

    def side(self, seat: int) -> Side:
        """Return a climber, at the beginning of its own turn."""
        if seat not in self._sides:
            state = at_its_turn(self.state, seat)
            lifted = list(lifts(state)) if state.disc_blocks else self._lifted
            self._sides[seat] = Side(state, seat, [lift for lift in lifted if lift.block != state.last_moved])
        return self._sides[seat]

    @cached_property
    def _lifted(self) -> list[Lift]:
        """The blocks that anybody may move, the last one moved among them."""
        return list(lifts(evolve(self.state, last_moved=None)))

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """Who would win now."""
        return standing(self.state).winners

    @property
    def is_last(self) -> bool:
        """Whether the match is over unless somebody rises in this turn."""
        return self.state.streak == len(self.state.seats) - 1

    def rival(self, seat: int) -> int:
        """Return the best rival of a seat."""
        rivals = [rival for rival in self.state.seats if rival != seat]
        return max(rivals, key=lambda rival: (level(self.state, rival), worth_now(self.state, rival, KEPT)))

    def stifling(self) -> Stifling:
        """Return what the mover's blocks would leave its best rival."""
        rival = self.rival(self.mover)
        return Stifling(self.state, self.mover, rival, self.side(self.mover).gains, self.side(rival).gains)

    def worth(self, seat: int) -> float:
        """Return what is left to a seat: `WON` at most, less the longer it takes."""
        if not self.over and not self._is_decided:
            return self._estimate(seat)
        won = -WON if seat not in self.leaders else WON if len(self.leaders) == 1 else 0.0
        if self.over:
            return won * LATER**self.played
        return won * LATER ** (self.played + 1) + DECIDED * max(-FAR, min(FAR, self._estimate(seat)))

    @cached_property
    def _is_decided(self) -> bool:
        """Whether the leader has won: nobody else can rise in time."""
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
