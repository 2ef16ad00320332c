"""Base of all summit players: the position after an action, and its value to a seat."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from math import inf
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.summit.actions import Action, MoveByDie, Reroll, SeatAction
from himalaya_core.summit.board import Board
from himalaya_core.summit.flow import advance, bad_weather_is_in
from himalaya_core.summit.fold import apply
from himalaya_core.summit.pieces import FACES, Phase, values_of
from himalaya_core.summit.rules import decide, legal_actions
from himalaya_core.summit.state import State, evolve

__all__ = ["WIN", "Mountaineer", "after", "cards_to_come", "danger", "next_site", "supplies"]


def next_site(state: State, seat: int) -> int:
    """Return the highest field that the climber could reach with one die; its own field if none is reachable."""
    climber, row = state.climbers[seat], state.sherpas[seat]
    if climber + FACES >= state.board.summit:
        return state.board.summit
    for field in range(climber + FACES, climber, -1):
        if row.count(field) > 1 and field != state.yeti and field not in state.climbers:
            return field
    return climber


def danger(state: State, seat: int) -> float:
    """Return the expected number of fields that a seat's Sherpas lose through the next Yeti card."""
    cards = cards_to_come(state)
    exposed = _exposed(state.board, state.yeti, cards)
    climber, below = state.climbers[seat], state.board.camp_below
    lost = [exposed.count(field) * (field - below[field]) for field in state.sherpas[seat] if field != climber]
    return sum(lost) / len(cards) if cards else 0.0


def cards_to_come(state: State) -> tuple[int, ...]:
    """Return the cards that may come next: all of them if the deck is about to be shuffled again."""
    return state.deck or (() if bad_weather_is_in(state) else tuple(sorted(state.board.yeti_cards)))


@lru_cache(maxsize=4096)
def _exposed(board: Board, yeti: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([min(max(yeti + card, 0), board.summit - 1) for card in cards])


def supplies(state: State, seat: int) -> int:
    """Return the sum of the higher values of the cards in a seat's hand."""
    return sum([max(values_of(card)) for card in state.hands[seat]])


WIN: Final = 10_000.0
"""Value of a won match. A lost match has the negative of this value."""


def after(state: State, action: Action) -> State:
    """Return the position after an action, at the end of the turn or at the seat's next choice."""
    for event in decide(state, action):
        state = apply(state, event)
    while state.phase in (Phase.RESOLVE, Phase.CLOSE):
        following = advance(state)
        if following is None:
            break
        state = apply(state, following)
    return state


class Mountaineer(ABC):
    """Base of players that evaluate the position after each of their actions and take the best."""

    name: str
    version: str
    params: Mapping[str, Any]
    least: Mapping[str, int] = MappingProxyType({})
    """Minimum values of parameters; the minimum of any other parameter is 0."""

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Create a player; `settings` override `params`. Raises `ValueError` if one is too small or not finite."""
        for key, value in settings.items():
            least = self.least.get(key, 0)
            if not least <= value < inf:
                raise ValueError(f"setting {key}: expected at least {least}, found {value}")
        self.seed = seed
        self.params = {**self.params, **settings}

    @abstractmethod
    def worth(self, state: State, seat: int, /) -> float:
        """Return the value of a position for a seat, roughly in fields of the route."""

    def choose(self, view: State, seat: int, /) -> SeatAction:
        """Return the action that leads to the best position; ties go to the first action."""
        return self.ranked(view, seat)[0][1]

    def ranked(self, view: State, seat: int) -> list[tuple[float, SeatAction]]:
        """Return all legal actions with their values, best first."""
        appraised = [(self._action_worth(view, seat, action), action) for action in legal_actions(view, seat)]
        return sorted(appraised, key=lambda found: -found[0])

    def _action_worth(self, view: State, seat: int, action: Any) -> float:
        if isinstance(action, Reroll):
            return self.fresh_worth(view, seat)
        return self._reached(after(view, action), seat)

    def _reached(self, state: State, seat: int) -> float:
        """Return the value of a position; a climber on the summit counts as a win."""
        return WIN if state.climbers[seat] == state.board.summit else self.worth(state, seat)

    def fresh_worth(self, view: State, seat: int) -> float:
        """Return the value of a new throw: the expected value of its best die, minus a price for throwing.

        With n dice, the probability of the best face is 1 - (5/6)^n, that of one of the best two faces 1 - (4/6)^n,
        etc.
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
