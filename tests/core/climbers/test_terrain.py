"""Consequences of the blocks' poses: heights, places, movable blocks, possible poses and reachable squares."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.climbers.blocks import Cell, Colour, Pose, Shape
from himalaya_core.climbers.climbing import Reach, enterable, reach, steps
from himalaya_core.climbers.listing import lifts
from himalaya_core.climbers.pieces import BOTH, Ladder, Ladders, put
from himalaya_core.climbers.state import State, evolve
from himalaya_core.climbers.terrain import Terrain, obstacle_to_lifting, placed_pose, terrain_of
from tests.core.climbers.naive import ground
from tests.core.climbers.structures import built, peopled, put_on, shuffled

FEW = settings(max_examples=max(8, settings().max_examples // 12))
SEEDS = st.text("abc", max_size=5)
MOVES = st.integers(0, 60)
SMALL = 14
LYING, UPRIGHT = Shape(2, 2, 1, Colour.PINK), Shape(2, 1, 2, Colour.RED)
CUBE = Shape(2, 2, 2, Colour.RED)
TEAL, PURPLE, YELLOW, RED = range(4)


def terrain(state: State) -> Terrain:
    return terrain_of(state.poses, state.board.side)


def test_the_cuboid_is_seven_high_on_48_squares() -> None:
    """Case K18: all blocks together fill 336 half cubes (L-1.blocks)."""
    heights = terrain(shuffled("", 0)).heights
    assert (heights.count(7), heights.count(0), sum(heights)) == (48, 32 * 32 - 48, 336)


@FEW
@given(seed=SEEDS, moves=MOVES)
def test_heights_and_tops_match_each_column(seed: str, moves: int) -> None:
    state = shuffled(seed, moves, SMALL)
    found, (heights, tops) = terrain(state), ground(state.poses)
    squares = [(x, y) for y in range(SMALL) for x in range(SMALL)]
    assert list(found.heights) == [heights.get(square, 0) for square in squares]
    assert [found.height_at(Cell(*square)) for square in squares] == list(found.heights)
    assert [found.block_at(Cell(*square)) for square in squares] == [tops.get(square) for square in squares]


@FEW
@given(seed=SEEDS, moves=MOVES)
def test_patched_ground_equals_rebuilt_ground(seed: str, moves: int) -> None:
    """After a block move, the updated ground equals the ground derived from all poses."""
    state = shuffled(seed, moves, SMALL)
    for lift in lifts(state):
        assert_alike(lift.terrain, Terrain.of(put(state.poses, lift.block, None), SMALL))
        pose = state.poses[lift.block]
        assert pose is not None
        shape = Shape(pose.dx, pose.dy, pose.dz, pose.top)
        corner = next(lift.terrain.grid.cells(lift.corners[pose.dx, pose.dy]))
        elsewhere = placed_pose(lift.terrain, corner, shape)
        assert isinstance(elsewhere, Pose)
        moved = Terrain.of(put(state.poses, lift.block, elsewhere), SMALL)
        assert_alike(lift.terrain.placed(lift.block, elsewhere), moved)


def assert_alike(one: Terrain, other: Terrain) -> None:
    assert (one.poses, one.footprints, one.exposed, one.levels) == (
        other.poses,
        other.footprints,
        other.exposed,
        other.levels,
    )


def test_a_top_cut_by_a_block_is_two_places() -> None:
    """Case K17 (L-4.region)."""
    found = terrain(built("Dyr@8,8,0:4x2x2:neutral; C@9,8,2:2x2x2:red"))
    places = [(place.block, place.height, place.capacity) for place in found.regions]
    assert places == [(12, 4, 4), (27, 2, 2), (27, 2, 2)]
    assert found.region_at(Cell(8, 9)) == found.regions[1]
    assert found.region_at(Cell(11, 8)) == found.regions[2]


def test_bare_ground_enclosed_by_blocks_is_not_a_place() -> None:
    """Such ground can't be reached; a gap at a corner is no way in (L-4.table)."""
    yard = "C@8,8,0:2x2x2:red; C@10,7,0:2x2x2:red; C@12,8,0:2x2x2:red; Dyr@8,10,0:4x2x2:red"
    found = terrain(built(yard))
    hole = [Cell(10, 9), Cell(11, 9)]
    assert [found.region_at(cell) for cell in hole] == [None, None]
    assert found.region_at(Cell(12, 10)) == found.region_at(None) == found.outside
    assert found.outside.capacity == 20 * 20 - 12 - 8 - 2


def test_ground_behind_a_gap_belongs_to_the_outside() -> None:
    found = terrain(built("C@8,8,0:2x2x2:red; C@8,10,0:2x2x2:red; C@11,8,0:2x2x2:red"))
    assert found.region_at(Cell(10, 9)) == found.outside


@pytest.mark.parametrize(
    ("at", "height"), [((2, 1), 0), ((2, 2), None), ((3, 0), None), ((1, 0), None), ((0, 0), 2)], ids=str
)
def test_one_shared_square_counts_as_contact(at: tuple[int, int], height: int | None) -> None:
    """Case K4: next to or on a cube; not at its corner, apart from it, or half on it (L-3.contact)."""
    placed = placed_pose(terrain(built("C@0,0,0:2x2x2:red")), Cell(*at), LYING)
    assert (placed.z if isinstance(placed, Pose) else None) == height


def test_a_block_needs_even_ground() -> None:
    """Case K13 (L-3.support)."""
    found = terrain(built("C@0,0,0:2x2x2:red; Htp@2,0,0:2x2x1:teal"))
    assert isinstance(placed_pose(found, Cell(1, 0), CUBE), str)
    assert placed_pose(found, Cell(2, 0), CUBE) == Pose(2, 0, 1, 2, 2, 2, Colour.RED)


@pytest.mark.parametrize(
    ("climbers", "whole", "half"), [(0, True, True), (1, False, True), (2, False, True), (3, False, False)]
)
def test_climbers_keep_their_room(climbers: int, whole: bool, half: bool) -> None:
    """Case K5: a neutral cube has four squares; as many stay free as climbers are on it (L-3.room)."""
    state = built("C@8,8,0:2x2x2:neutral")
    standing = [Cell(8, 8), Cell(9, 8), Cell(8, 9)][:climbers]
    for shape, allowed in ((LYING, whole), (UPRIGHT, half)):
        placed = placed_pose(terrain(state), Cell(8, 8), shape, standing)
        assert isinstance(placed, Pose) == allowed, shape


@pytest.mark.parametrize("at", [(-1, 8), (19, 8), (8, 19), (63, 63)], ids=str)
def test_a_block_must_be_entirely_on_the_table(at: tuple[int, int]) -> None:
    found = terrain(built("C@18,8,0:2x2x2:red; C@0,8,0:2x2x2:red; C@8,18,0:2x2x2:red"))
    assert isinstance(placed_pose(found, Cell(*at), LYING), str)


PAIR = "C@8,8,0:2x2x2:red; C@10,8,0:2x2x2:neutral; Hyr@8,9,2:2x1x2:teal"


def test_covered_occupied_and_just_moved_blocks_cannot_be_lifted() -> None:
    """Case K12: partly covered, under a climber or disc, moved in the previous turn, or not there (L-3.removable)."""
    found, neutral = terrain(built(PAIR)), 13
    assert obstacle_to_lifting(found, 12, [], (), None) == "another block is on block 12"
    assert obstacle_to_lifting(found, neutral, [None, Cell(11, 9)], (), None) == f"a climber is on block {neutral}"
    assert obstacle_to_lifting(found, neutral, [], (4, neutral), None) == f"a disc is on block {neutral}"
    assert obstacle_to_lifting(found, neutral, [], (), neutral) == f"block {neutral} was moved in the turn before"
    assert obstacle_to_lifting(found, 0, [], (), None) == "block 0 lies nowhere"
    assert obstacle_to_lifting(found, neutral, [Cell(8, 8)], (12,), 4) == ""


def test_no_block_is_placed_on_a_disc() -> None:
    found = terrain(built("C@8,8,0:2x2x2:neutral; C@10,8,0:2x2x2:neutral"))
    assert placed_pose(found, Cell(9, 8), CUBE, discs=(13,)) == "a disc is on block 13"
    assert isinstance(placed_pose(found, Cell(9, 8), CUBE), Pose)


def heights(state: State, seat: int, ladders: Ladders = BOTH) -> dict[Ladders, int]:
    """Return the greatest height a climber can reach, by the ladders it then has left."""
    found = far(evolve(state, ladders=put(state.ladders, seat, ladders)), seat)
    return {left: max(squares) for left, squares in found.by_ladders.items()}


def far(state: State, seat: int) -> Reach:
    others = [cell for other, cell in enumerate(state.climbers) if other != seat]
    entry = enterable(terrain(state), state.colours[seat], others, state.disc_blocks)
    return reach(terrain(state), state.climbers[seat], state.ladders[seat], entry)


NONE, LONG, SHORT = Ladders(short=False, long=False), BOTH.without(Ladder.SHORT), BOTH.without(Ladder.LONG)
WALLS = {
    1: "Hyr@8,8,0:2x2x1:red",
    2: "C@8,8,0:2x2x2:red",
    3: "C@8,8,0:2x2x2:red; Hyr@8,8,2:2x2x1:red",
    4: "C@8,8,0:2x2x2:red; C@8,8,2:2x2x2:red",
    5: "C@8,8,0:2x2x2:red; C@8,8,2:2x2x2:red; Hyr@8,8,4:2x2x1:red",
}
OVER = {
    1: {BOTH: 1},
    2: {BOTH: 0, LONG: 2, SHORT: 2},
    3: {BOTH: 0, SHORT: 3},
    4: {BOTH: 0, SHORT: 4},
    5: {BOTH: 0},
}


@pytest.mark.parametrize("wall", WALLS)
def test_ladders_lead_two_to_four_up(wall: int) -> None:
    """Case K6: the short ladder leads 2 up, the long one 2 to 4; unused ladders stay (L-4.ladder)."""
    assert heights(built(WALLS[wall]), RED) == OVER[wall]


def test_ladders_are_not_combined() -> None:
    """Case K7: a wall of height 6 needs both ladders and a top between them (L-4.ladder)."""
    wall = "Dpn@8,8,0:2x2x4:neutral; C@8,8,4:2x2x2:red"
    assert heights(built(wall), RED) == {BOTH: 0}
    with_step = built(f"{wall}; C@10,8,0:2x2x2:neutral")
    assert heights(with_step, RED)[NONE] == 6
    assert heights(with_step, RED, SHORT) == {SHORT: 0, NONE: 2}


def test_a_climber_walks_on_its_own_and_neutral_tops() -> None:
    """Cases K1 and K2: red climbs two steps with no ladder, yellow none; no step at a corner (L-4.step, L-4.colour)."""
    stairs = built("Hyr@8,8,0:2x2x1:red; Htp@10,8,0:2x2x1:teal; Hyr@10,8,1:2x2x1:red")
    assert heights(stairs, RED, NONE) == {NONE: 2}
    assert heights(stairs, YELLOW, NONE) == {NONE: 0}
    corner = put_on(built("Htp@8,8,0:2x2x1:purple; Htp@10,10,0:2x2x1:purple; C@10,8,0:2x2x2:red"), [None, Cell(9, 9)])
    assert far(corner, PURPLE).at(1) == terrain(corner).grid.box(8, 8, 2, 2)


def test_climbers_do_not_go_down_over_a_disc_or_to_a_full_place() -> None:
    """Cases K8, K9 and K10."""
    ledge = "Hpn@8,8,0:2x2x1:neutral; Hyr@10,8,0:2x1x2:neutral; C@12,8,0:2x2x2:red"
    state = put_on(built(ledge), [Cell(10, 8)])
    assert list(far(state, TEAL).by_ladders[BOTH]) == [2]
    assert max(heights(state, RED, SHORT).values()) == 2
    assert heights(put_on(state, [Cell(10, 8), Cell(11, 8)]), RED, SHORT)[SHORT] == 1
    full = put_on(state, [Cell(10, 8), Cell(11, 8), None, Cell(9, 8)])
    assert far(full, RED).at(2) == 0
    assert far(full, PURPLE).at(2) == terrain(full).grid.box(10, 8, 2, 1)
    assert far(put_on(state, [], discs=(8,)), RED).at(1) == 0


@FEW
@given(seed=SEEDS, moves=MOVES, spent=st.integers(0, 3))
def test_reachable_places_match_single_steps_by_the_rules(seed: str, moves: int, spent: int) -> None:
    """The fast search over squares finds the same places as single steps by the rules, with the same ladders left."""
    state = evolve(peopled(seed, shuffled(seed, moves, SMALL)), ladders=((BOTH, LONG, SHORT, NONE)[spent],) * 5)
    for seat in state.seats:
        cell = state.climbers[seat]
        top = terrain(state).region_at(cell)
        assert top is not None
        if top.top in (state.colours[seat], Colour.NEUTRAL) and top.block not in state.disc_blocks:
            assert by_steps(state, seat) == {
                (left, height): squares
                for left, levels in far(state, seat).by_ladders.items()
                for height, squares in levels.items()
            }


def by_steps(state: State, seat: int) -> dict[tuple[Ladders, int], int]:
    """Return the squares that a climber can reach by single steps, by ladders left and by height."""
    found: dict[tuple[Ladders, int], int] = {}
    waiting = [state]
    while waiting:
        now = waiting.pop()
        place = terrain(now).region_at(now.climbers[seat])
        assert place is not None
        key = now.ladders[seat], place.height
        if place.squares & ~found.get(key, 0):
            found[key] = found.get(key, 0) | place.squares
            for step in steps(now, seat):
                left = now.ladders[seat]
                left = left if step.ladder is Ladder.NONE else left.without(step.ladder)
                climbers, ladders = put(now.climbers, seat, step.to_cell), put(now.ladders, seat, left)
                waiting.append(evolve(now, climbers=climbers, ladders=ladders))
    return found
