"""How a turn ends: which seats climb in it, and whether the match is over.

The match is over after as many turns in a row without a rise as there are players (L-9.end). In a position between
turns `streak` is up to date and `climbed` is false.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.pieces import put
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.prospects import Goal, Prices, at_its_turn, goals, is_at, moved_to
from himalaya_core.players.climbers.stifling import FREE

__all__ = ["LOOKED_AT", "Course", "Turns", "apart", "raised_to", "turn_of"]

LOOKED_AT: Final = 60
"""Maximum number of landings considered."""


@dataclass(frozen=True, slots=True)
class Turns:
    """A position between turns, the number of turns played to get there, and whether the match is over."""

    state: State
    played: int
    over: bool


def raised_to(state: State, seat: int, goal: Goal, moved: Callable[[State, int, Goal], State] = moved_to) -> State:
    """Return the position with a climber at a goal; a rise is counted as in the rules (L-9.tie)."""
    if is_at(state, seat, goal):
        return state
    risen = goal.height > level(state, seat)
    state = moved(state, seat, goal)
    if not risen:
        return state
    rises = state.rises + 1
    return evolve(state, rises=rises, reached=put(state.reached, seat, rises), climbed=True)


def apart(boxes: Sequence[int]) -> int:
    """Return the size of a set of disjoint landings; one block can cover few of them."""
    taken = count = 0
    for box in boxes:
        if not box & taken:
            taken, count = taken | box, count + 1
    return count


def turn_of(state: State, seat: int) -> State:
    """Return a position between turns as the turn of a seat begins."""
    return evolve(at_its_turn(state, seat), acting=seat, climbed=False)


@dataclass(frozen=True, slots=True)
class Course:
    """How every seat is expected to climb: with ladders at these prices, or free if the match may end."""

    prices: Prices

    def last_prices(self, state: State) -> Prices:
        """Return the prices of ladders in a turn: free if the match ends after it unless a climber rises."""
        return FREE if not state.climbed and state.streak == len(state.seats) - 1 else self.prices

    def ended(self, state: State) -> Turns:
        """Return the position after this turn; each seat still to climb does so clockwise as far as it pays.

        The next seat waits for it, unless the match ends before.
        """
        count = len(state.seats)
        prices = self.last_prices(state)
        waiting = (state.active - state.acting - 1) % count
        for seat in [(state.acting + turn) % count for turn in range(1, waiting + 1)]:
            is_next = seat == (state.active + 1) % count
            if is_next and (state.climbed or state.streak < count - 1):
                continue
            best = goals(state, seat, prices)[0]
            if best.worth > level(state, seat) + prices.of(state.ladders[seat]):
                state = raised_to(state, seat, best)
        streak = 0 if state.climbed else state.streak + 1
        return Turns(evolve(state, streak=streak, climbed=False), 1, streak >= count)
