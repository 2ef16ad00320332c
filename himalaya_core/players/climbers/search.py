"""Search: its best moves and what it may prepare, a round after each, and the next rival in its way."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.climbers.actions import MoveBlock, PlaceDisc
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.state import State
from himalaya_core.players.climbers.alpinist import Alpinist
from himalaya_core.players.climbers.blocker import with_disc
from himalaya_core.players.climbers.prospects import (
    Goal,
    Prices,
    at_its_turn,
    candidates,
    covers,
    gains,
    goals,
    hindrances,
    is_at,
    landings,
    useful_to,
    worth_now,
)
from himalaya_core.players.climbers.rounds import FREE, LOOKED_AT, Weights, apart, at_end, raised_to

__all__ = ["Search"]

SIDES: Final = 4
"""On how many sides of a climber a step is prepared, about."""
KEPT: Final = 16
"""How many positions of a turn are kept: climbing first and moving a block ask about the same ones."""


class Search(Alpinist):
    """Looks two of its own turns ahead: what it does now, what every rival answers, what it gets to then.

    `width` is how many of its own gains it thinks of, `takes` how many blocks of the best rival it might take, and
    `covers` how many ways to lay one where that rival would climb, or where it could go on itself when hardly any
    way is left to it. For the `deep` best it fears that the next rival hinders it. `next` is how much what it gets to
    in its next turn counts beside what it has, `rival` how much the best rival's levels count, `ways` how much it is
    to have several ways up that no single block can take; `disc` is what the disc must be worth to be laid; `short`,
    `long`, `places` and `tries` are as with greedy.
    """

    name = "search"
    order = 3
    version = "2"
    params: Mapping[str, Any] = MappingProxyType(
        {
            "short": 1.4,
            "long": 2.4,
            "places": 2,
            "tries": 2,
            "width": 5,
            "takes": 2,
            "covers": 6,
            "deep": 5,
            "next": 0.6,
            "rival": 0.8,
            "ways": 2.0,
            "disc": 0.8,
        }
    )
    least = MappingProxyType({"tries": 1, "width": 1, "deep": 1})

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take over settings as every player does."""
        super().__init__(seed, settings)
        prices = Prices(self.params["short"], self.params["long"])
        self._weights = Weights(prices, self.params["ways"], self.params["rival"], self.params["next"])
        self._kept: dict[tuple[object, ...], tuple[float, MoveBlock | None]] = {}

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the move that leaves most, be the next rival's answer to climb or to hinder."""
        key = seat, state.turn, state.streak, state.poses, state.climbers, state.ladders, state.discs
        if key not in self._kept:
            if len(self._kept) == KEPT:
                self._kept.clear()
            moves = [*self._moves(state, seat), (None, state)]
            ranked = [(self._climbed(position, seat), move, position) for move, position in moves]
            ranked.sort(key=lambda found: -found[0])
            wary = [(self._climbed(there, seat, wary=True), move) for _, move, there in ranked[: self.params["deep"]]]
            self._kept[key] = max(wary, key=lambda found: found[0])
        return self._kept[key]

    def goal(self, state: State, seat: int) -> Goal:
        """Return where to climb: a ladder is used if more is left with it than without."""

        def worth(goal: Goal) -> float:
            return at_end(raised_to(state, seat, goal), seat, self._weights, wary=True)

        return max(self._goals(state, seat), key=worth)

    def goal_before(self, state: State, seat: int) -> Goal:
        """Return where to be when the block is moved; where it stands, unless the best move elsewhere leaves more."""
        found = self._goals(state, seat)[: 1 + self.params["places"]]
        return max(found, key=lambda goal: self.best(raised_to(state, seat, goal), seat)[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the block on which the disc is worth most, of those useful to the best rival."""
        terrain, rival = ground(state), self._best_rival(state, seat)
        without = at_end(state, seat, self._weights)
        gained = {
            block: at_end(with_disc(state, seat, block), seat, self._weights) - without
            for block in useful_to(state, rival, self.prices(state))[: 2 * self.params["width"]]
            if not obstacle_to_disc(state, block)
        }
        best = max(gained, key=gained.__getitem__, default=None)
        if best is None or gained[best] < self.params["disc"]:
            return None
        return PlaceDisc(seat, best, next(terrain.grid.cells(terrain.exposed[best])))

    def _moves(self, state: State, seat: int) -> Iterator[tuple[MoveBlock, State]]:
        """Yield gains, moves that take a block or a landing from the best rival, and steps for a turn to come."""
        prices, params, grid = self.prices(state), self.params, ground(state).grid
        rival = self._best_rival(state, seat)
        yield from candidates(state, seat, prices, params["width"], params["tries"])
        yield from hindrances(state, seat, rival, prices, params["takes"])
        theirs = landings(grid, gains(at_its_turn(state, rival), rival, FREE), LOOKED_AT)
        yield from covers(state, seat, theirs, None, params["covers"])
        if apart(landings(grid, gains(state, seat, FREE), LOOKED_AT)) < 2:
            yield from self._steps(state, seat)

    def _steps(self, state: State, seat: int) -> Iterator[tuple[MoveBlock, State]]:
        """Yield moves of blocks beside the best place that a climber gets to, at some squares all around it."""
        terrain, here = ground(state), goals(state, seat, FREE)[0]
        inside = here.squares if here.height else terrain.built
        around = list(terrain.grid.cells(terrain.grid.around(inside) & ~inside))
        for cell in around[:: max(1, len(around) // SIDES)]:
            yield from covers(state, seat, [terrain.grid.square(cell)], seat, self.params["covers"])

    def _goals(self, state: State, seat: int) -> list[Goal]:
        """Return where it stands, then the best place by each choice of ladders."""
        found = goals(state, seat, self._weights.prices)
        here = next(goal for goal in found if is_at(state, seat, goal))
        best = {goal.ladders: goal for goal in reversed(found) if goal != here}
        return [here, *sorted(best.values(), key=lambda goal: -goal.worth)]

    def _climbed(self, state: State, seat: int, *, wary: bool = False) -> float:
        """Return what a position is worth once the climber went as high as pays by the prices of ladders."""
        there = raised_to(state, seat, goals(state, seat, self.prices(state))[0])
        return at_end(there, seat, self._weights, wary=wary)

    def _best_rival(self, state: State, seat: int) -> int:
        rivals = [rival for rival in state.seats if rival != seat]
        return max(rivals, key=lambda rival: (level(state, rival), worth_now(state, rival, self.prices(state))))
