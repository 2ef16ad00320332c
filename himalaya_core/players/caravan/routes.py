"""Shortest ways between villages, as the road types to program."""

from collections import deque
from functools import lru_cache

from himalaya_core.caravan.board import Board
from himalaya_core.caravan.pieces import Act, RoadType

__all__ = ["Routes", "routes"]

ACTS = {RoadType.SOIL: Act.SOIL, RoadType.STONE: Act.STONE, RoadType.ICE: Act.ICE}


class Routes:
    """`ways[a][b]` are the actions that bring a caravan from a to b; index 0 is unused."""

    def __init__(self, board: Board) -> None:
        numbers = [village.number for village in board.villages]
        self.ways: tuple[dict[int, tuple[Act, ...]], ...] = ({}, *(self._from(board, number) for number in numbers))

    @staticmethod
    def _from(board: Board, start: int) -> dict[int, tuple[Act, ...]]:
        ways: dict[int, tuple[Act, ...]] = {start: ()}
        frontier = deque([start])
        while frontier:
            village = frontier.popleft()
            for road, other in board.neighbours[village].items():
                if other not in ways:
                    ways[other] = (*ways[village], ACTS[road])
                    frontier.append(other)
        return ways

    def distance(self, start: int, end: int) -> int:
        """Return how many actions the way takes."""
        return len(self.ways[start][end])


@lru_cache(maxsize=16)
def routes(board: Board) -> Routes:
    """Return the routes of a board, found once."""
    return Routes(board)
