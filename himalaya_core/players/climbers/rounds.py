"""How a match goes on after a turn: who climbs in it, whether it is over, and what follows if everybody rises.

The match is over once as many turns in a row as there are players brought no rise (L-9.end). Between turns a position
has `streak` up to date and `climbed` false.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import put
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.prospects import (
    Goal,
    Prices,
    at_its_turn,
    gains,
    goals,
    is_at,
    landings,
    moved_to,
    tried,
    worth_now,
)
from himalaya_core.players.climbers.stifling import FREE

__all__ = ["LOOKED_AT", "Course", "Turns", "apart", "raised_to", "turn_of", "ways_up"]

LOOKED_AT: Final = 60
"""How many landings are told apart."""


@dataclass(frozen=True, slots=True)
class Turns:
    """A position between turns, how many were played to come there, and whether the match is over."""

    state: State
    played: int
    over: bool


def raised_to(state: State, seat: int, goal: Goal) -> State:
    """Return the position with a climber at a goal; a rise is counted as the rules do (L-9.tie)."""
    if is_at(state, seat, goal):
        return state
    risen = goal.height > level(state, seat)
    state = moved_to(state, seat, goal)
    if not risen:
        return state
    rises = state.rises + 1
    return evolve(state, rises=rises, reached=put(state.reached, seat, rises), climbed=True)


def apart(boxes: Sequence[int]) -> int:
    """Return how many landings have no square in common: one block covers few of them."""
    taken = count = 0
    for box in boxes:
        if not box & taken:
            taken, count = taken | box, count + 1
    return count


def ways_up(state: State, seat: int) -> float:
    """Return how sure it is between turns that a climber may rise in its next: 0 without a way, nearly 1 with many."""
    state = turn_of(state, seat)
    ways = apart(landings(ground(state).grid, gains(state, seat, FREE), LOOKED_AT))
    if worth_now(state, seat, FREE) > level(state, seat):
        ways += 2
    return float(1 - 0.5**ways)


def turn_of(state: State, seat: int) -> State:
    """Return the position between turns when a seat's turn begins."""
    return evolve(at_its_turn(state, seat), acting=seat, climbed=False)


@dataclass(frozen=True, slots=True)
class Course:
    """How everybody is expected to go on: ladders are used at these prices, or for nothing when the match may end."""

    prices: Prices

    def last_prices(self, state: State) -> Prices:
        """Return what ladders are worth in a turn: nothing if the match is over after it unless somebody rises."""
        return FREE if not state.climbed and state.streak == len(state.seats) - 1 else self.prices

    def ended(self, state: State) -> Turns:
        """Return the position after this turn: all who have yet to do so climb as high as pays, clockwise."""
        count = len(state.seats)
        prices = self.last_prices(state)
        waiting = (state.active - state.acting - 1) % count
        for seat in [(state.acting + turn) % count for turn in range(1, waiting + 1)]:
            best = goals(state, seat, prices)[0]
            if best.worth > level(state, seat) + prices.of(state.ladders[seat]):
                state = raised_to(state, seat, best)
        streak = 0 if state.climbed else state.streak + 1
        return Turns(evolve(state, streak=streak, climbed=False), 1, streak >= count)

    def played_on(self, state: State, mover: int, turns: int) -> Turns:
        """Return the position so many turns later, or at the end of the match if that comes first."""
        for played in range(1, turns + 1):
            after = self.ended(self._climbed_highest(turn_of(state, mover), mover))
            if after.over:
                return Turns(after.state, played, over=True)
            state, mover = after.state, (mover + 1) % len(state.seats)
        return Turns(state, turns, over=False)

    def _climbed_highest(self, state: State, seat: int) -> State:
        """Return a turn in which a seat makes the block move that leads it highest; who wins by a pass passes."""
        if state.streak == len(state.seats) - 1 and seat in standing(state).winners:
            others = [other for other in state.seats if other != seat]
            if not any(worth_now(state, other, FREE) > level(state, other) for other in others):
                return state
        prices = self.last_prices(state)
        worth, best = worth_now(state, seat, prices), state
        for gain in gains(state, seat, prices):
            if gain.worth <= worth:
                break
            for _, position in tried(state, seat, gain, 1):
                reached = worth_now(position, seat, prices)
                if reached > worth:
                    worth, best = reached, position
        return raised_to(best, seat, goals(best, seat, prices)[0])
