"""The listing of block moves: complete, without duplicates, and the same by index."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.climbers.actions import MoveBlock, SeatAction, Shift, SkipBlock
from himalaya_core.climbers.blocks import Cell
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.rules import decide
from himalaya_core.climbers.state import State, evolve
from himalaya_core.climbers.terrain import terrain_of
from tests.core.climbers.naive import Placing, naive_moves
from tests.core.climbers.structures import built, peopled, put_on, shuffled

FEW = settings(max_examples=max(4, settings().max_examples // 12))
SMALL = 14
"""Side of the smallest table: structures meet its edge, and the naive listing is five times as fast."""


def placings(moves: Iterable[SeatAction]) -> list[Placing]:
    return [(move.block, move.x, move.y, move.dx, move.dy, move.top) for move in moves if isinstance(move, MoveBlock)]


def differing(state: State) -> list[Placing]:
    """Return the first few moves that are in only one of the two listings."""
    blocks, discs = state.board.blocks, state.disc_blocks
    naive = naive_moves(blocks, state.poses, state.climbers, discs, state.last_moved, state.board.side)
    return sorted(set(placings(BlockMoves(state))) ^ set(naive))[:5]


@FEW
@given(seed=st.text("abc", max_size=5), moves=st.integers(0, 60))
def test_the_listing_matches_a_naive_one(seed: str, moves: int) -> None:
    state = peopled(seed, shuffled(seed, moves, SMALL))
    listed = placings(BlockMoves(state))
    assert len(listed) == len(set(listed))
    assert differing(state) == []


@pytest.mark.slow("lists a whole table")
def test_the_listing_of_a_whole_table_matches_a_naive_one() -> None:
    state = peopled("whole", shuffled("whole", 25))
    assert differing(state) == []


@FEW
@given(seed=st.text("abc", max_size=5), moves=st.integers(0, 60))
def test_a_move_by_number_is_the_listed_move(seed: str, moves: int) -> None:
    state = peopled(seed, shuffled(seed, moves, SMALL))
    listed = BlockMoves(state)
    all_of_them = list(listed)
    assert len(listed) == len(all_of_them)
    some = random.Random(seed).choices(range(-len(listed), len(listed)), k=50)
    assert [listed[number] for number in some] == [all_of_them[number] for number in some]
    assert listed[3:40:7] == all_of_them[3:40:7]
    assert all_of_them[-1] == SkipBlock(state.active)
    with pytest.raises(IndexError):
        listed[len(listed)]


@FEW
@given(seed=st.text("abc", max_size=5), moves=st.integers(20, 60))
def test_a_climber_in_the_way_is_shifted_to_the_nearest_square_of_its_top(seed: str, moves: int) -> None:
    """The rules accept the listed move (L-3.shift)."""
    state = peopled(seed, shuffled(seed, moves, SMALL))
    for number, move in enumerate(BlockMoves(state)):
        if isinstance(move, MoveBlock) and (move.shifts or number % 50 == 0):
            _check_shifts(state, move)
            assert decide(state, move)


def _check_shifts(state: State, move: MoveBlock) -> None:
    ground = terrain_of(state.poses, state.board.side).lifted(move.block)
    box = ground.grid.box(move.x, move.y, move.dx, move.dy)
    covered = [seat for seat, cell in enumerate(state.climbers) if cell and ground.grid.square(cell) & box]
    assert [shift.player for shift in move.shifts] == covered
    standing = [cell for seat, cell in enumerate(state.climbers) if cell and seat not in covered]
    for shift in move.shifts:
        here = state.climbers[shift.player]
        assert here is not None
        top = ground.exposed[ground.below(ground.grid.square(here))[0]] & ~box
        free = [cell for cell in ground.grid.cells(top) if cell not in standing]
        taken = [other.to_cell for other in move.shifts if other.player < shift.player]
        nearest = min(distance(here, cell) for cell in free if cell not in taken)
        assert shift.to_cell in free
        assert shift.to_cell not in taken
        assert distance(here, shift.to_cell) == nearest


def distance(one: Cell, other: Cell) -> int:
    return abs(one.x - other.x) + abs(one.y - other.y)


STEP = "Dyr@8,8,0:4x2x2:neutral; C@12,8,0:2x2x2:red; C@12,8,2:2x2x2:purple; Htp@8,10,0:2x2x1:red"


def test_the_lowest_row_and_column_wins_among_equally_near_squares() -> None:
    """Purple at (10, 8) on the neutral double is in the way of a half cube placed on its last two columns (K3)."""
    state = put_on(built(STEP), [None, Cell(10, 8), None, None, Cell(9, 9)])
    move = next(move for move in BlockMoves(state) if isinstance(move, MoveBlock) and (move.x, move.y) == (10, 8))
    assert move.shifts == (Shift(1, Cell(9, 8)),)
    state = put_on(built(STEP), [Cell(9, 8), Cell(10, 8), None, None, Cell(11, 8)])
    move = next(move for move in BlockMoves(state) if isinstance(move, MoveBlock) and (move.x, move.y) == (10, 8))
    assert move.shifts == (Shift(1, Cell(8, 8)), Shift(4, Cell(9, 9)))


def test_a_block_moved_in_the_previous_turn_cannot_move() -> None:
    state = built(STEP)
    assert {placing[0] for placing in placings(BlockMoves(state))} == {0, 13, 27}
    assert {placing[0] for placing in placings(BlockMoves(evolve(state, last_moved=13)))} == {0, 27}


def test_a_lone_block_cannot_move() -> None:
    """A lone block touches no other block in any pose, so the only legal action is to move none (L-3.contact)."""
    assert list(BlockMoves(built("C@8,8,0:2x2x2:red"))) == [SkipBlock(0)]
