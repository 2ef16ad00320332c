"""Base of all climbers players: parameters, climbing before and after the block move, and the end of a turn."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Any, Final, TypeVar

from himalaya_core.climbers.actions import ClimbStep, EndClimb, MoveBlock, PlaceDisc, SeatAction, SkipBlock, SkipDisc
from himalaya_core.climbers.climbing import level, steps
from himalaya_core.climbers.pieces import Ladder, Phase, put
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.blocking import FREE
from himalaya_core.players.climbers.reachability import Goal, Prices, at_its_turn, goals, is_at, moved_to

__all__ = [
    "LOOKED_AT",
    "Alpinist",
    "Course",
    "Turns",
    "apart",
    "position_of",
    "raised_to",
    "recalled",
    "step_to",
    "turn_of",
    "walked_to",
]


LOOKED_AT: Final = 60
"""Maximum number of landings considered. A landing is the set of squares that a helpful block would cover."""


@dataclass(frozen=True, slots=True)
class Turns:
    """A position between turns, the number of turns played to reach it, and whether the match is over."""

    state: State
    played: int
    over: bool


def raised_to(state: State, seat: int, goal: Goal, moved: Callable[[State, int, Goal], State] = moved_to) -> State:
    """Return the position with a climber at a goal. If the climber rose, update the tie-break (L-9.tie)."""
    if is_at(state, seat, goal):
        return state
    risen = goal.height > level(state, seat)
    state = moved(state, seat, goal)
    if not risen:
        return state
    rises = state.rises + 1
    return evolve(state, rises=rises, reached=put(state.reached, seat, rises), climbed=True)


def apart(boxes: Sequence[int]) -> int:
    """Return the size of a set of landings that do not overlap. One block can cover only a few such landings."""
    taken = count = 0
    for box in boxes:
        if not box & taken:
            taken, count = taken | box, count + 1
    return count


def turn_of(state: State, seat: int) -> State:
    """Return a position between turns, changed to the beginning of this seat's turn."""
    return evolve(at_its_turn(state, seat), acting=seat, climbed=False)


@dataclass(frozen=True, slots=True)
class Course:
    """How every seat is expected to climb: ladders have these prices, or none in a turn that may be the last."""

    prices: Prices

    def last_prices(self, state: State) -> Prices:
        """Return the prices of ladders this turn. Ladders are free if the match ends unless a climber rises."""
        return FREE if not state.climbed and state.streak == len(state.seats) - 1 else self.prices

    def ended(self, state: State) -> Turns:
        """Return the position after this turn. Seats that may still climb do so, as far as ladder prices permit.

        The next seat waits for its own turn, unless the match ends first.
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


Found = TypeVar("Found")
KNOWN: Final = 64
"""Number of positions with cached results."""


class Alpinist(ABC):
    """Base of players that look one block move ahead, and climb to the place from which they can reach most.

    Using a ladder has a price, so that ladders are saved for high walls. In a turn that may be the last, they are free.
    """

    name: str
    version: str
    params: Mapping[str, Any]
    least: Mapping[str, int] = MappingProxyType({})
    """Minimum values of parameters; 0 for those not listed."""

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Create a player; `settings` override `params`. Raises `ValueError` if one is too small or not finite."""
        for key, value in settings.items():
            least = self.least.get(key, 0)
            if not least <= value < inf:
                raise ValueError(f"setting {key}: expected at least {least}, found {value}")
        self.seed = seed
        self.params = {**self.params, **settings}
        self._known: dict[tuple[object, ...], tuple[float, MoveBlock | None]] = {}

    @abstractmethod
    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the value of the best block move for a seat, and that move; `None` if moving no block is best."""

    def known_best(self, state: State, seat: int) -> tuple[float, MoveBlock | None]:
        """Return the best block move from a cache, because `goal_before` evaluates the same positions again."""
        return recalled(self._known, (seat, state.turn, *position_of(state)), lambda: self.best(state, seat))

    def disc(self, _state: State, _seat: int, /) -> PlaceDisc | None:
        """Return where to place the disc now, or `None` to keep it. By default, keep it."""
        return None

    def choose(self, view: State, seat: int, /) -> SeatAction:
        """Return an action for the current phase, which depends only on the view."""
        match view.phase:
            case Phase.BLOCK:
                return self.known_best(view, seat)[1] or SkipBlock(seat)
            case Phase.DISC:
                return self.disc(view, seat) or SkipDisc(seat)
            case Phase.CLIMB:
                return step_to(view, seat, self.goal_before(view, seat))
            case _:
                return step_to(view, seat, self.goal(view, seat))

    def prices(self, state: State) -> Prices:
        """Return the prices of ladders. Ladders are free if the match ends after this turn unless a climber rises."""
        if not state.climbed and state.streak == len(state.seats) - 1:
            return FREE
        return Prices(self.params["short"], self.params["long"])

    def goal(self, state: State, seat: int) -> Goal:
        """Return where to climb after the block move: the current place unless another is better."""
        found = goals(state, seat, self.prices(state))
        here = _here(state, seat, found)
        return found[0] if found[0].worth > here.worth else here

    def goal_before(self, state: State, seat: int) -> Goal:
        """Return where to climb before the block move: the place with the most valuable block move.

        A climber blocks the block below it and cannot step back down. It therefore stays unless climbing improves the
        result.
        """
        found = goals(state, seat, self.prices(state))
        best = here = _here(state, seat, found)
        worth = self.known_best(state, seat)[0]
        for goal in [goal for goal in found if goal != here][: self.params["places"]]:
            there = self.known_best(moved_to(state, seat, goal), seat)[0]
            if there > worth:
                worth, best = there, goal
        return best


def position_of(state: State) -> tuple[object, ...]:
    """Return a cache key for a position that does not depend on the phase."""
    pieces = state.poses, state.climbers, state.reached, state.ladders, state.discs
    return state.active, state.acting, state.moved, state.last_moved, state.climbed, state.streak, *pieces


def recalled(known: dict[tuple[object, ...], Found], key: tuple[object, ...], find: Callable[[], Found]) -> Found:
    """Return the cached result for a key, or compute and cache it."""
    if key not in known:
        if len(known) == KNOWN:
            known.clear()
        known[key] = find()
    return known[key]


def _here(state: State, seat: int, found: list[Goal]) -> Goal:
    return next(goal for goal in found if is_at(state, seat, goal))


def step_to(state: State, seat: int, goal: Goal) -> ClimbStep | EndClimb:
    """Return the first step of the shortest path to a goal; `EndClimb` if the climber is already there."""
    if is_at(state, seat, goal):
        return EndClimb(seat)
    waiting = deque((_stepped(state, step), step) for step in steps(state, seat))
    seen = set()
    while waiting:
        position, first = waiting.popleft()
        if is_at(position, seat, goal):
            return first
        place = position.climbers[seat], position.ladders[seat]
        if place not in seen:
            seen.add(place)
            waiting.extend((_stepped(position, step), first) for step in steps(position, seat))
    raise ValueError(f"no step of seat {seat} leads to {goal}")


def walked_to(state: State, seat: int, goal: Goal) -> State:
    """Return the position with a climber at a goal, on the square where its steps would end."""
    while not is_at(state, seat, goal):
        step = step_to(state, seat, goal)
        assert isinstance(step, ClimbStep), "a climber that is not there has a way"
        state = _stepped(state, step)
    return state


def _stepped(state: State, step: ClimbStep) -> State:
    ladders = state.ladders[step.seat]
    left = ladders if step.ladder is Ladder.NONE else ladders.without(step.ladder)
    climbers = put(state.climbers, step.seat, step.to_cell)
    return evolve(state, climbers=climbers, ladders=put(state.ladders, step.seat, left))
