"""Two fast players: greedy climbs as high as one block move allows; blocker takes blocks from the leader."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from himalaya_core.climbers.actions import MoveBlock, PlaceDisc
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import Disc, DiscPlace, put
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.base import Alpinist
from himalaya_core.players.climbers.reachability import best_move, candidates, hindrances, useful_to, worth_now

__all__ = ["Blocker", "Greedy", "with_disc"]


class Greedy(Alpinist):
    """Considers only its own climber and the current turn. It never places its disc.

    `places` limits how many places it considers climbing to before the block move. `tries` limits how many equally good
    corners it tries. `short` and `long` are the levels that a ladder must gain to be used.
    """

    name = "greedy"
    order = 1
    version = "1"
    params: Mapping[str, Any] = MappingProxyType({"short": 1.4, "long": 2.4, "places": 2, "tries": 3})
    least = MappingProxyType({"tries": 1})

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the block move that leads highest; unused ladders count too."""
        return best_move(state, seat, self.prices(state), self.params["tries"])


class Blocker(Alpinist):
    """Compares the level it can reach with the level that the leader could reach with its best move.

    `hinder` is the weight of the leader's levels. `width` limits how many gains, and how many of the leader's useful
    blocks, are tried. The disc is placed if it costs the leader at least `disc` levels. `short`, `long`, `places` and
    `tries` are as for greedy.
    """

    name = "blocker"
    order = 2
    version = "1"
    params: Mapping[str, Any] = MappingProxyType(
        {"short": 1.4, "long": 2.4, "places": 1, "tries": 3, "width": 4, "hinder": 0.8, "disc": 1.0}
    )
    least = MappingProxyType({"tries": 1, "width": 1})

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the best option: a gain, a move that takes a block from the leader, or no move."""
        leader, prices, width = self.leader(state, seat), self.prices(state), self.params["width"]
        moves: list[tuple[MoveBlock | None, State]] = [(None, state)]
        moves += candidates(state, seat, prices, width, self.params["tries"])
        moves += hindrances(state, seat, leader, prices, width)
        ranked = [(self._balance(position, seat, leader), move) for move, position in moves]
        return max(ranked, key=lambda found: found[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the placement of the disc that costs the leader most; `None` if the cost is too low."""
        leader, terrain = self.leader(state, seat), ground(state)
        most = self.outlook(state, leader)
        costs = {
            block: most - self.outlook(with_disc(state, seat, block), leader)
            for block in useful_to(state, leader, self.prices(state))[: 2 * self.params["width"]]
            if not obstacle_to_disc(state, block)
        }
        best = max(costs, key=costs.__getitem__, default=None)
        if best is None or costs[best] < self.params["disc"]:
            return None
        return PlaceDisc(seat, best, next(terrain.grid.cells(terrain.exposed[best])))

    @staticmethod
    def leader(state: State, seat: int) -> int:
        """Return the opponent that would win now: the highest one; ties: the first to reach the level."""
        rivals = [rival for rival in state.seats if rival != seat]
        return min(rivals, key=lambda rival: (-level(state, rival), state.reached[rival]))

    def outlook(self, state: State, seat: int) -> float:
        """Return the value of what a seat can reach with one block move; unused ladders count too."""
        return best_move(state, seat, self.prices(state), 1)[0]

    def _balance(self, state: State, seat: int, leader: int) -> float:
        hindered = float(self.params["hinder"]) * self.outlook(state, leader)
        return worth_now(state, seat, self.prices(state)) - hindered


def with_disc(state: State, seat: int, block: int) -> State:
    """Return the position with a seat's disc on the first uncovered square of a block."""
    terrain = ground(state)
    disc = Disc(DiscPlace.ON, block, next(terrain.grid.cells(terrain.exposed[block])))
    return evolve(state, discs=put(state.discs, seat, disc))
