"""Shortest routes, compared with brute force: every sequence of moves, played by the rules (C-III.move, C-Ib)."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.boards import shipped_boards
from himalaya_core.caravan.board import Board
from himalaya_core.caravan.flow import advance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act, Options, Token
from himalaya_core.caravan.state import PlacedToken, State, evolve, initial
from himalaya_core.players.caravan.base import routes

FEW = settings(max_examples=max(10, settings().max_examples // 10))
MOVES = (Act.SOIL, Act.STONE, Act.ICE)
BOARDS = sorted(shipped_boards("caravan"))
SITE = st.one_of(st.none(), st.integers(0, 26))
"""Site of an event token: none, or the number of a road."""
PROGRAMS = [moves for length in range(PLAN_LENGTH + 1) for moves in product(MOVES, repeat=length)]


def reveal(board: Board, starts: Sequence[int], yeti: int | None, storm: int | None) -> State:
    """Return the start of a round's actions, with tokens on these roads and three caravans in these villages."""
    sites = [(Token.YETI, yeti), (Token.SNOWSTORM, storm)]
    tokens = [
        PlacedToken(token, 0, board.roads[site].between, None)
        for token, site in sites
        if site is not None and (token is Token.YETI or site != yeti)
    ]
    start = initial(Options(3, tokens=True), board)
    return evolve(start, caravans=tuple(starts), round=1, step=1, token_turn=3, tokens=tuple(tokens))


def carried_out(state: State, moves: Sequence[Act]) -> State:
    """Return the position after six actions of every seat: these moves, then rests."""
    plan = (*moves, *(Act.REST,) * (PLAN_LENGTH - len(moves)))
    state = evolve(state, plans=(plan,) * 3)
    while state.step <= PLAN_LENGTH:
        event: Any = advance(state)
        state = apply(state, event)
    return state


def reached(state: State) -> list[dict[int, int]]:
    """Return, for each seat, the reachable villages and the fewest actions needed for each."""
    found: list[dict[int, int]] = [{}, {}, {}]
    for moves in PROGRAMS:
        after = carried_out(state, moves)
        assert after.storms == (0, 0, 0)
        for seat, village in enumerate(after.caravans):
            found[seat].setdefault(village, len(moves))
    return found


@cache
def villages_of(name: str) -> list[int]:
    return [village.number for village in shipped_boards("caravan")[name].villages]


@pytest.mark.slow("brute force")
@FEW
@given(
    name=st.sampled_from(BOARDS),
    starts=st.lists(st.integers(1, 20), min_size=3, max_size=3, unique=True),
    yeti=SITE,
    storm=SITE,
)
def test_the_quickest_routes_match_brute_force(
    name: str, starts: Sequence[int], yeti: int | None, storm: int | None
) -> None:
    """Rules C-Ib.yeti and C-Ib.snowstorm."""
    state = reveal(shipped_boards("caravan")[name], starts, yeti, storm)
    ways = routes(state)
    for start, found in zip(starts, reached(state), strict=True):
        distances = {village: ways.distance(start, village) for village in villages_of(name)}
        assert {village: n for village, n in distances.items() if n <= PLAN_LENGTH} == found


@pytest.mark.parametrize("name", BOARDS)
def test_a_route_around_a_yeti_and_through_a_storm_reaches_its_goal(name: str) -> None:
    """Rules C-Ib.yeti and C-Ib.snowstorm: all sequences of up to six actions, with a token on each road in turn."""
    board = shipped_boards("caravan")[name]
    for number in range(0, len(board.roads), 3):
        state = reveal(board, (1, 2, 3), number, (number + 1) % len(board.roads))
        for start in (1, 2, 3):
            for end, way in routes(state).ways[start].items():
                if len(way) <= PLAN_LENGTH:
                    assert carried_out(state, way).caravans[start - 1] == end


def test_a_storm_is_entered_only_if_a_later_action_leaves_it() -> None:
    """Rule C-Ib.snowstorm: the storm on 3-4 is crossed with two soil actions, not with one."""
    board = shipped_boards("caravan")[BOARDS[-1]]
    storm = next(number for number, road in enumerate(board.roads) if road.between == (3, 4))
    state = reveal(board, (3, 10, 20), None, storm)
    assert board.neighbours[3] == {**board.neighbours[3], board.roads[storm].type: 4}
    act = Act(board.roads[storm].type.value)
    ends = [carried_out(state, (act,) * count).caravans[0] for count in range(5)]
    assert ends == [3, 3, 4, 4, 3]
