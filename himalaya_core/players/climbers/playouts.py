"""Playouts: plays matches to the end with a fast player, to judge choices by their results.

A player that plays out each choice with a base player and takes the best is at least as strong as the base player (G.
Tesauro and G. R. Galperin, "On-line Policy Improvement using Monte-Carlo Search", NIPS 9, 1996).
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from himalaya_core.climbers.actions import MoveBlock, PlaceDisc
from himalaya_core.climbers.climbing import ground
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.pieces import DiscPlace
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.base import Alpinist, Turns, position_of, raised_to, recalled, turn_of, walked_to
from himalaya_core.players.climbers.quick_players import with_disc
from himalaya_core.players.climbers.reachability import (
    Goal,
    after,
    at_its_turn,
    best_move,
    candidates,
    goals,
    hindrances,
    moved_to,
    useful_to,
    worth_now,
)

__all__ = ["Option", "Playouts", "Quick", "climbed", "played_out"]

Choice = TypeVar("Choice")
Option: TypeAlias = tuple[MoveBlock | None, State, Goal]
"""A block move, the position after it, and the goal to climb to next."""


class Quick(Alpinist):
    """The fast player used in playouts. It considers its own block moves and each opponent's best reply.

    `width` limits its own gains, `takes` the blocks taken from the strongest opponent, and `samples` the other moves
    tried if there is no gain. `next` is the weight of what it could reach next turn, `rival` that of the strongest
    opponent's levels. `disc` is the minimum gain for placing the disc. `short`, `long`, `places` and `tries` are as for
    greedy.
    """

    params: Mapping[str, Any] = MappingProxyType(
        {
            "short": 1.4,
            "long": 2.4,
            "places": 2,
            "tries": 3,
            "width": 4,
            "takes": 2,
            "samples": 12,
            "next": 0.6,
            "rival": 0.6,
            "disc": 0.8,
        }
    )
    least = MappingProxyType({"tries": 1, "width": 1})

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the block move with the best position after the replies."""
        prices, params = self.prices(state), self.params
        rival = self._best_rival(state, seat)
        moves: list[tuple[MoveBlock | None, State]] = [(None, state)]
        moves += candidates(state, seat, prices, params["width"], params["tries"])
        if len(moves) == 1:
            moves += _sampled(state, params["samples"])
        moves += hindrances(state, seat, rival, prices, params["takes"])
        ranked = [(self._outlook(position, seat), move) for move, position in moves]
        return max(ranked, key=lambda found: found[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the best disc placement on a block useful to the strongest opponent; `None` if it gains too little."""
        terrain, rival = ground(state), self._best_rival(state, seat)
        without = self._outlook(state, seat)
        gained = {
            block: self._outlook(with_disc(state, seat, block), seat) - without
            for block in useful_to(state, rival, self.prices(state))[: 2 * self.params["width"]]
            if not obstacle_to_disc(state, block)
        }
        best = max(gained, key=gained.__getitem__, default=None)
        if best is None or gained[best] < self.params["disc"]:
            return None
        return PlaceDisc(seat, best, next(terrain.grid.cells(terrain.exposed[best])))

    def _best_rival(self, state: State, seat: int) -> int:
        rivals = [rival for rival in state.seats if rival != seat]
        return max(rivals, key=lambda rival: worth_now(state, rival, self.prices(state)))

    def _outlook(self, state: State, seat: int) -> float:
        """Return the value of a position after each opponent, in clockwise order, has made its best move."""
        prices, params = self.prices(state), self.params
        state = moved_to(state, seat, goals(state, seat, prices)[0])
        for turn in range(1, len(state.seats)):
            state = self._answered(state, (seat + turn) % len(state.seats))
        rivals = [worth_now(state, rival, prices) for rival in state.seats if rival != seat]
        now, coming = worth_now(state, seat, prices), best_move(state, seat, prices, 1)[0]
        return float(now + params["next"] * (coming - now) - params["rival"] * max(rivals))

    def _answered(self, state: State, rival: int) -> State:
        """Return the position after the block move and climb that lift this opponent's climber most."""
        prices, state = self.prices(state), at_its_turn(state, rival)
        _, move = best_move(state, rival, prices, 1)
        state = state if move is None else after(state, move)
        return moved_to(state, rival, goals(state, rival, prices)[0])


def _sampled(state: State, count: int) -> Iterator[tuple[MoveBlock, State]]:
    """Yield some block moves, evenly spaced in the list of legal moves, with the position after each."""
    listed = BlockMoves(state)
    apart = max(1, len(listed) // count) if count else len(listed)
    for number in range(apart // 2, len(listed) if count else 0, apart):
        move = listed[number]
        if isinstance(move, MoveBlock):
            yield move, after(state, move)


def climbed(state: State, seat: int, goal: Goal) -> State:
    """Return the position with a climber at a goal, on the square that its steps lead to."""
    return raised_to(state, seat, goal, walked_to)


def _disc_laid(player: Alpinist, state: State, seat: int) -> State:
    if state.acting != state.active or state.discs[seat].place is not DiscPlace.IN_HAND:
        return state
    disc = player.disc(state, seat)
    return with_disc(state, seat, disc.block) if disc else state


def _turn_ended(player: Alpinist, state: State) -> Turns:
    """Return the position after this turn. Only the seats after the acting seat can still climb in it."""
    count = len(state.seats)
    waiting = (state.active - state.acting - 1) % count
    for seat in [(state.acting + step) % count for step in range(1, waiting + 1)]:
        state = evolve(state, acting=seat)
        state = climbed(state, seat, player.goal(state, seat))
    streak = 0 if state.climbed else state.streak + 1
    return Turns(evolve(state, streak=streak, climbed=False), 1, streak >= count)


def played_out(player: Alpinist, turns: Turns) -> Turns:
    """Return the end of a match from a position between turns, with `player` in every seat."""
    while not turns.over:
        after_turn = _next_turn(player, turns.state)
        turns = Turns(after_turn.state, turns.played + 1, after_turn.over)
    return turns


def _next_turn(player: Alpinist, state: State) -> Turns:
    """Return the position after one more turn: climb, block, climb, disc, then other seats (L-6.phases, L-6.others)."""
    seat = (state.active + 1) % len(state.seats)
    state = turn_of(state, seat)
    state = climbed(state, seat, player.goal_before(state, seat))
    if move := player.known_best(state, seat)[1]:
        state = after(state, move)
    state = climbed(state, seat, player.goal(state, seat))
    return _turn_ended(player, _disc_laid(player, state, seat))


class Playouts:
    """Tests choices in two-player matches by playing them out, with the fast player in both seats."""

    def __init__(self, turns: int) -> None:
        """Set the maximum number of turns, over all playouts, for one decision."""
        self.quick = Quick()
        self._turns = turns
        self._ends: dict[tuple[object, ...], Turns] = {}

    def first_to_win(self, choices: Iterable[tuple[Choice, State]], seat: int) -> tuple[Choice, bool]:
        """Return the first choice that wins its playout, and `True`; if none wins, the first choice and `False`.

        `choices` pairs each choice with the position after all of the seat's actions this turn.
        """
        left, first = self._turns, list[Choice]()
        for choice, position in choices:
            end = self._end(position)
            if standing(end.state).winners == (seat,):
                return choice, True
            first = first or [choice]
            left -= end.played
            if left <= 0:
                break
        return first[0], False

    def done(self, state: State, seat: int, goal: Goal) -> State:
        """Return the position after a climb and, if the fast player would place it, the disc."""
        return _disc_laid(self.quick, climbed(state, seat, goal), seat)

    def option(self, state: State, seat: int) -> Iterator[Option]:
        """Yield the fast player's own choice, so that a win by that player is never missed."""
        move = self.quick.known_best(state, seat)[1]
        position = after(state, move) if move else state
        yield move, position, self.quick.goal(position, seat)

    def _end(self, state: State) -> Turns:
        return recalled(self._ends, position_of(state), lambda: played_out(self.quick, _turn_ended(self.quick, state)))
