"""The player search: looks ahead over the dice in the pool, and averages over the next Yeti card and bad weather."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.players.summit.base import WIN, Mountaineer, after, cards_to_come, danger, next_site, supplies
from himalaya_core.summit.actions import DrawYetiCard, MoveByDie, Reroll, SeatAction
from himalaya_core.summit.flow import advance, bad_weather_is_in, is_over
from himalaya_core.summit.fold import apply
from himalaya_core.summit.pieces import Phase
from himalaya_core.summit.rules import decide, legal_actions
from himalaya_core.summit.scoring import standing
from himalaya_core.summit.state import State, evolve

__all__ = ["Search"]


class Search(Mountaineer):
    """Takes its best few moves, lets each rival answer with the remaining dice, and compares the results.

    If the dice run out, it averages over all cards in the deck; bad weather ends the match. It draws no random numbers,
    so it is deterministic.
    """

    name = "search"
    order = 4
    version = "1"
    params: Mapping[str, Any] = MappingProxyType(
        {
            "width": 5,
            "climber": 16.0,
            "site": 5.0,
            "second": 2.0,
            "sherpas": 0.5,
            "leader": 0.5,
            "danger": 0.7,
            "card": 0.5,
            "rival": 0.6,
            "weather": 800.0,
            "throw": 1.0,
        }
    )
    least = MappingProxyType({"width": 1})

    def worth(self, state: State, seat: int, /) -> float:
        """Return the static value of a position: the sum for climber, next pair of Sherpas, other Sherpas and cards."""
        if is_over(state):
            return self._ended(state, seat)
        climber, row, params = state.climbers[seat], sorted(state.sherpas[seat]), self.params
        worth = params["climber"] * climber + params["site"] * (next_site(state, seat) - climber)
        worth += params["second"] * max(row[2] - climber, 0) + params["leader"] * (row[2] + row[3])
        worth += params["sherpas"] * sum(row) - params["danger"] * danger(state, seat)
        return float(worth + params["card"] * supplies(state, seat))

    @staticmethod
    def _ended(state: State, seat: int) -> float:
        winners = standing(state).winners
        return WIN / len(winners) if seat in winners else -WIN

    def choose(self, view: State, seat: int, /) -> SeatAction:
        """Look ahead from the actions with the best static values, and take the one with the best result."""
        ranked = self.ranked(view, seat)
        if len(ranked) == 1 or ranked[0][0] >= WIN:
            return ranked[0][1]
        candidates = [action for _, action in ranked if not isinstance(action, Reroll)][: self.params["width"]]
        best = max(candidates, key=lambda action: self._outlook(after(view, action), seat))
        return ranked[0][1] if isinstance(ranked[0][1], Reroll) else best

    def _outlook(self, state: State, seat: int) -> float:
        """Return the value of a position after every opponent has replied, or after the dice have run out."""
        while not is_over(state) and state.pool:
            if state.phase is Phase.TURN:
                following = advance(state)
                assert following is not None, "a turn starts by itself"
                state = apply(state, following)
            if state.active == seat:
                return self._next_turn(state, seat)
            state = self._answered(state, state.active)
        if is_over(state):
            return self._ended(state, seat)
        return self._thrown(state, seat)

    def _next_turn(self, state: State, seat: int) -> float:
        """Return the value of the seat's best move, at its next turn, with the remaining dice."""
        moves = [move for move in legal_actions(state, seat) if isinstance(move, MoveByDie)]
        return max((self._balance(after(state, move), seat) for move in moves), default=self._balance(state, seat))

    def _answered(self, state: State, rival: int) -> State:
        """Return the position after the move that an opponent's static evaluation rates best."""
        moves = [move for move in legal_actions(state, rival) if not isinstance(move, Reroll)]
        return max((after(state, move) for move in moves), key=lambda reached: self.worth(reached, rival))

    def _thrown(self, state: State, seat: int) -> float:
        """Return the mean value over all cards that may be drawn next, including bad weather if it is in the deck."""
        cards = cards_to_come(state)
        reached = [self._balance(self._yeti(state, card), seat) for card in cards]
        if bad_weather_is_in(state) or not state.deck:
            reached.append(self._caught(state, seat))
        return sum(reached) / len(reached)

    @staticmethod
    def _yeti(state: State, card: int) -> State:
        """Return the position after a card has moved the Yeti and the Sherpas on its field have been chased."""
        deck = cards_to_come(state)
        state = evolve(state, phase=Phase.DRAW, deck=deck)
        for event in decide(state, DrawYetiCard(card)):
            state = apply(state, event)
        while (following := advance(state)) is not None:
            state = apply(state, following)
        return state

    def _caught(self, state: State, seat: int) -> float:
        """Return the value of bad weather in this position: positive for a winner, negative for others."""
        winners = standing(state).winners
        return float(self.params["weather"] / len(winners) if seat in winners else -self.params["weather"])

    def _balance(self, state: State, seat: int) -> float:
        best = max(self.worth(state, rival) for rival in state.seats if rival != seat)
        return self.worth(state, seat) - float(self.params["rival"]) * best
