"""The search of climbers as it was in version 1, kept as the one to beat."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.climbers.actions import MoveBlock, PlaceDisc
from himalaya_core.climbers.climbing import ground
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.state import State
from himalaya_core.players.climbers.alpinist import Alpinist
from himalaya_core.players.climbers.blocker import with_disc
from himalaya_core.players.climbers.prospects import (
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

__all__ = ["FormerSearch"]


class FormerSearch(Alpinist):
    """Looks two plies ahead over the folded list: its own moves, and those after which each rival gets highest.

    `width` is how many of its own gains it thinks of, `takes` how many blocks of the best rival it might take, and
    `samples` how many of all other moves it thinks of when none leads it on. `next` is how much what it could get to
    in its next turn counts beside what it has, `rival` how much the best rival's levels count, `disc` what the disc
    must be worth to be laid; `short`, `long`, `places` and `tries` are as with greedy.
    """

    name = "search"
    order = 3
    version = "1"
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
        """Return the move after whose answers it is best off."""
        prices, params = self.prices(state), self.params
        rival = self._best_rival(state, seat)
        moves: list[tuple[MoveBlock | None, State]] = [(None, state)]
        moves += candidates(state, seat, prices, params["width"], params["tries"])
        if len(moves) == 1:
            moves += sampled(state, params["samples"])
        moves += hindrances(state, seat, rival, prices, params["takes"])
        ranked = [(self._outlook(position, seat), move) for move, position in moves]
        return max(ranked, key=lambda found: found[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the block on which the disc is worth most, of those useful to the best rival."""
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
        """Return what a position is worth once every rival has answered, clockwise, each with its own best move."""
        prices, params = self.prices(state), self.params
        state = moved_to(state, seat, goals(state, seat, prices)[0])
        for turn in range(1, len(state.seats)):
            state = self._answered(state, (seat + turn) % len(state.seats))
        rivals = [worth_now(state, rival, prices) for rival in state.seats if rival != seat]
        now, coming = worth_now(state, seat, prices), best_move(state, seat, prices, 1)[0]
        return float(now + params["next"] * (coming - now) - params["rival"] * max(rivals))

    def _answered(self, state: State, rival: int) -> State:
        """Return the position after a rival's best move and climb, as far as its own climber is concerned."""
        prices, state = self.prices(state), at_its_turn(state, rival)
        _, move = best_move(state, rival, prices, 1)
        state = state if move is None else after(state, move)
        return moved_to(state, rival, goals(state, rival, prices)[0])


def sampled(state: State, count: int) -> Iterator[tuple[MoveBlock, State]]:
    """Yield a few of all moves there are, spread evenly over the list, and the position after each."""
    listed = BlockMoves(state)
    apart = max(1, len(listed) // count) if count else len(listed)
    for number in range(apart // 2, len(listed) if count else 0, apart):
        move = listed[number]
        if isinstance(move, MoveBlock):
            yield move, after(state, move)
