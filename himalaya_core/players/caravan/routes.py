"""Shortest routes between villages, as programmed actions; they avoid the Yeti and spend two actions on a snowstorm."""

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count

from himalaya_core.caravan.board import Board
from himalaya_core.caravan.pieces import Act, RoadType, Token
from himalaya_core.caravan.state import State

__all__ = ["Routes", "routes"]

ACTS = {RoadType.SOIL: Act.SOIL, RoadType.STONE: Act.STONE, RoadType.ICE: Act.ICE}

RoadName = tuple[int, int]


class Routes:
    """`ways[a][b]` are the actions from village a to b; index 0 is unused."""

    def __init__(self, board: Board, yeti: RoadName | None, storm: RoadName | None) -> None:
        self._board = board
        self._yeti = yeti
        self._storm = storm
        self.ways = ({}, *(self._from(village.number) for village in board.villages))

    def _from(self, start: int) -> dict[int, tuple[Act, ...]]:
        ways: dict[int, tuple[Act, ...]] = {}
        found = count()
        frontier: list[tuple[int, int, int, tuple[Act, ...]]] = [(0, next(found), start, ())]
        while frontier:
            _, _, village, way = heappop(frontier)
            if village in ways:
                continue
            ways[village] = way
            for road, other in self._board.neighbours[village].items():
                name = (min(village, other), max(village, other))
                if other not in ways and name != self._yeti:
                    longer = (*way, *(ACTS[road],) * (2 if name == self._storm else 1))
                    heappush(frontier, (len(longer), next(found), other, longer))
        return ways

    def distance(self, start: int, end: int) -> int:
        """Return the length of the route in actions; 99 if the Yeti cuts it off."""
        way = self.ways[start].get(end)
        return 99 if way is None else len(way)


@lru_cache(maxsize=4096)
def _routes(board: Board, yeti: RoadName | None, storm: RoadName | None) -> Routes:
    return Routes(board, yeti, storm)


def routes(view: State) -> Routes:
    """Return the routes of this round, cached by the roads of the Yeti and the snowstorm."""
    roads = {placed.token: placed.road for placed in view.tokens}
    return _routes(view.board, roads.get(Token.YETI), roads.get(Token.SNOWSTORM))
