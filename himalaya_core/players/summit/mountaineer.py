"""What the players of summit share: the position after an action, what it is worth, and when to throw anew."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import inf
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.summit.actions import Action, MoveByDie, Reroll, SeatAction
from himalaya_core.summit.flow import advance
from himalaya_core.summit.fold import apply
from himalaya_core.summit.legal import legal_actions
from himalaya_core.summit.pieces import FACES, Phase
from himalaya_core.summit.rules import decide
from himalaya_core.summit.state import State, evolve

__all__ = ["WIN", "Mountaineer", "after"]

WIN: Final = 10_000.0
"""The worth of a match that is won; lost, it is as much below zero."""


def after(state: State, action: Action) -> State:
    """Return the position at the end of the turn, or where the seat has another choice to make."""
    for event in decide(state, action):
        state = apply(state, event)
    while state.phase in (Phase.RESOLVE, Phase.CLOSE):
        following = advance(state)
        if following is None:
            break
        state = apply(state, following)
    return state


class Mountaineer(ABC):
    """A player that looks at the position after each of its actions and takes the best."""

    name: str
    version: str
    params: Mapping[str, Any]
    least: Mapping[str, int] = MappingProxyType({})
    """The least value of a param, where that is not 0."""

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take over settings for some of the params; `ValueError` for one that is too small, or no number at all."""
        for key, value in settings.items():
            least = self.least.get(key, 0)
            if not least <= value < inf:
                raise ValueError(f"setting {key}: expected at least {least}, found {value}")
        self.seed = seed
        self.params = {**self.params, **settings}

    @abstractmethod
    def worth(self, state: State, seat: int, /) -> float:
        """Return what a position is worth to a seat, in fields of the route or the like."""

    def choose(self, view: State, seat: int, /) -> SeatAction:
        """Return the action that leads to the best position; of equal ones the first listed."""
        return self.ranked(view, seat)[0][1]

    def ranked(self, view: State, seat: int) -> list[tuple[float, SeatAction]]:
        """Return every legal action with its worth, the best first."""
        appraised = [(self._action_worth(view, seat, action), action) for action in legal_actions(view, seat)]
        return sorted(appraised, key=lambda found: -found[0])

    def _action_worth(self, view: State, seat: int, action: Any) -> float:
        if isinstance(action, Reroll):
            return self.fresh_worth(view, seat)
        return self._reached(after(view, action), seat)

    def _reached(self, state: State, seat: int) -> float:
        """Return what a position is worth; whatever else a player wants, the summit is the goal."""
        return WIN if state.climbers[seat] == state.board.summit else self.worth(state, seat)

    def fresh_worth(self, view: State, seat: int) -> float:
        """Return what a new throw is worth: the best die that can be expected, less the price of a throw.

        The best face is there with a chance of 1 - (5/6)^n among n dice, the best two of all six with 1 - (4/6)^n, …
        """
        dice = view.board.dice[len(view.seats)]
        best = sorted((self._best_by_die(view, seat, face) for face in range(1, FACES + 1)), reverse=True)
        expected, missed = 0.0, 1.0
        for rank, worth in enumerate(best, start=1):
            still_missed = ((FACES - rank) / FACES) ** dice
            expected += (missed - still_missed) * worth
            missed = still_missed
        return expected - float(self.params["throw"])

    def _best_by_die(self, view: State, seat: int, face: int) -> float:
        thrown = evolve(view, pool=(face,), rerolled=True)
        moves = [action for action in legal_actions(thrown, seat) if isinstance(action, MoveByDie)]
        return max((self._reached(after(thrown, move), seat) for move in moves), default=self.worth(view, seat))
