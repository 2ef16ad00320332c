"""The eighteen numbered cases of the specification: tiny structures, and the opening of 35 blocks."""

import pytest

from himalaya_core.boards import shipped_boards
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import EndClimb, SkipBlock, SkipDisc
from himalaya_core.climbers.blocks import Pose
from himalaya_core.climbers.events import (
    BlockMoved,
    ClimberShifted,
    ClimberStepped,
    DiscRemoved,
    LadderSpent,
    LevelReached,
    TurnEnded,
)
from himalaya_core.climbers.opening import hides_core
from himalaya_core.climbers.pieces import GONE, Ladder, Ladders, Options, Phase
from himalaya_core.climbers.state import evolve, initial
from himalaya_core.climbers.terrain import terrain_of
from tests.core.climbers.positions import (
    AT,
    LONG,
    NONE,
    PINK,
    PURPLE,
    RED,
    SHORT,
    TEAL,
    WITHOUT,
    YELLOW,
    cell,
    climb,
    do,
    fewer,
    kinds,
    legal,
    move,
    refusal,
    settled,
    structure,
)

TOO_STEEP = "no ladder leads"
STAIRS = "Hyr@0,0,0:2x2x1:red; Htp@2,0,0:2x2x1:teal; Hyr@2,0,1:2x2x1:red"


def test_k1_red_climbs_two_steps_in_one_phase() -> None:
    """Rules L-4.step, L-4.free and L-4.colour."""
    state = structure(STAIRS, RED)
    events, state = do(state, climb(RED, 0, 0), climb(RED, 2, 0))
    assert [event.level for event in kinds(events, LevelReached)] == [1, 2]
    assert not kinds(events, LadderSpent)
    assert state.climbers[RED] == cell(2, 0)
    yellow = structure(STAIRS, YELLOW)
    assert refusal(yellow, climb(YELLOW, 0, 0)).startswith("a climber enters tops of its colour yellow")
    assert legal(yellow, YELLOW) == []


def test_k2_purple_does_not_climb_diagonally() -> None:
    """Rule L-4.edge."""
    blocks = "Htp@0,0,0:2x2x1:purple; Htp@2,2,0:2x2x1:purple; C@2,0,0:2x2x2:red"
    state = structure(blocks, PURPLE, climbers={PURPLE: (1, 1)})
    assert refusal(state, climb(PURPLE, 2, 2)) == "a climber goes only to a surface that shares an edge with its own"
    beside = blocks.replace("Htp@2,2,0", "Htp@1,2,0")
    assert not refusal(structure(beside, PURPLE, climbers={PURPLE: (1, 1)}), climb(PURPLE, 2, 2))


def test_k3_a_climber_is_shifted_and_has_a_new_step() -> None:
    """Rule L-3.shift."""
    blocks = "Dyr@0,0,0:4x2x2:neutral; C@4,0,0:2x2x2:teal; C@4,0,2:2x2x2:purple; Htp@0,2,0:2x2x1:teal"
    state = structure(blocks, RED, Phase.BLOCK, climbers={PURPLE: (2, 0)}, ladders={PURPLE: WITHOUT})
    purples = evolve(state, active=PURPLE, acting=PURPLE, phase=Phase.CLIMB)
    assert refusal(purples, climb(PURPLE, 4, 0)) == "for a step 2 up: short or long ladder, not none"
    assert refusal(state, move(0, 2, 0, 2, 2, "purple")) == "the climber of seat 2 is there and must be shifted"
    events, state = do(state, move(0, 2, 0, 2, 2, "purple", {PURPLE: (0, 0)}))
    assert kinds(events, ClimberShifted) == [ClimberShifted(RED, PURPLE, 27, cell(2, 0), cell(0, 0))]
    purples = evolve(state, active=PURPLE, acting=PURPLE, phase=Phase.CLIMB)
    events, _ = do(purples, climb(PURPLE, 2, 0), climb(PURPLE, 4, 0))
    assert [event.level for event in kinds(events, LevelReached)] == [3, 4]


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        (2, 1, ""),
        (2, 2, "a block touches another with at least one square"),
        (3, 0, "a block touches another with at least one square"),
        (1, 0, "the ground below a block is even, with no gap and nothing that hangs over"),
        (0, 0, ""),
    ],
)
def test_k4_one_square_is_enough_contact(x: int, y: int, why: str) -> None:
    """Rules L-3.contact and L-3.support."""
    state = structure("C@0,0,0:2x2x2:teal; Hyr@0,-2,0:2x2x1:red", RED, Phase.BLOCK)
    assert refusal(state, move(4, x, y, 2, 2, "red")) == why


def test_k5_climbers_keep_their_room() -> None:
    """Rule L-3.room."""
    blocks = "C@0,0,0:2x2x2:neutral; Htp@2,0,0:2x2x1:teal"
    two = structure(blocks, RED, Phase.BLOCK, climbers={TEAL: (0, 0), PURPLE: (1, 0)})
    too_little = "too little room would be left for the climbers on block 12"
    assert refusal(two, move(0, 0, 0, 2, 2, "teal")) == too_little
    assert not refusal(two, move(0, 0, 0, 2, 1, "red", {TEAL: (0, 1), PURPLE: (1, 1)}))
    assert not refusal(two, move(0, 0, 1, 2, 1, "red"))
    three = structure(blocks, RED, Phase.BLOCK, climbers={TEAL: (0, 0), PURPLE: (1, 0), PINK: (0, 1)})
    assert refusal(three, move(0, 0, 1, 2, 1, "red")) == too_little


WALLS = {
    1: "Htp@0,0,0:2x2x1:purple",
    2: "C@0,0,0:2x2x2:purple",
    3: "C@0,0,0:2x2x2:red; Htp@0,0,2:2x2x1:purple",
    4: "C@0,0,0:2x2x2:red; C@0,0,2:2x2x2:purple",
    5: "C@0,0,0:2x2x2:red; C@0,0,2:2x2x2:red; Htp@0,0,4:2x2x1:purple",
}
LADDERS = {1: {NONE}, 2: {SHORT, LONG}, 3: {LONG}, 4: {LONG}, 5: set[Ladder]()}


@pytest.mark.parametrize(("height", "blocks"), WALLS.items())
def test_k6_a_ladder_fits_walls_of_its_length(height: int, blocks: str) -> None:
    """Rule L-4.ladder."""
    state = structure(blocks, PURPLE)
    assert {ladder for ladder in Ladder if not refusal(state, climb(PURPLE, 0, 0, ladder))} == LADDERS[height]
    assert {action.ladder for action in legal(state, PURPLE) if hasattr(action, "ladder")} == LADDERS[height]
    for ladder in LADDERS[height] - {NONE}:
        _, after = do(state, climb(PURPLE, 0, 0, ladder))
        assert after.ladders[PURPLE] == state.ladders[PURPLE].without(ladder)
    only_short = evolve(state, ladders=(Ladders(short=True, long=False),) * 5)
    if height > 2:
        assert refusal(only_short, climb(PURPLE, 0, 0, LONG))
        assert not legal(only_short, PURPLE)


def test_k7_ladders_are_not_joined() -> None:
    """Rule L-4.ladder."""
    wall = "T@0,0,0:2x2x6:neutral"
    assert all(refusal(structure(wall), climb(RED, 0, 0, ladder)) == f"{TOO_STEEP} 6 up" for ladder in Ladder)
    state = structure(f"{wall}; C@2,0,0:2x2x2:neutral")
    events, after = do(state, climb(RED, 2, 0, SHORT), climb(RED, 0, 0, LONG))
    assert [(spent.kind, spent.diff) for spent in kinds(events, LadderSpent)] == [(SHORT, 2), (LONG, 4)]
    assert after.ladders[RED] == WITHOUT


CAPACITIES = {
    "lying half": ("Hpn@0,0,0:2x2x1:neutral", 4, NONE),
    "standing half": ("Htp@0,0,0:1x2x2:neutral", 2, SHORT),
    "cube": ("C@0,0,0:2x2x2:neutral", 4, SHORT),
    "standing double": ("Dpn@0,0,0:2x2x4:neutral", 4, LONG),
    "lying double": ("Dyr@0,0,0:4x2x2:neutral", 8, SHORT),
}


@pytest.mark.parametrize(("blocks", "capacity", "ladder"), CAPACITIES.values(), ids=CAPACITIES)
def test_k8_a_place_has_room_for_a_limited_number_of_climbers(blocks: str, capacity: int, ladder: Ladder) -> None:
    """Rule L-4.capacity."""
    state = structure(blocks, PINK)
    places = list(terrain_of(state.poses, state.board.side).grid.cells(terrain_of(state.poses, 20).regions[0].squares))
    assert len(places) == capacity
    others = places[: min(capacity, 4)]
    for count in range(len(others) + 1):
        crowd = evolve(state, climbers=(*others[:count], *(None,) * (5 - count)))
        target = climb(PINK, places[-1].x - AT, places[-1].y - AT, ladder)
        refused = "no square of block" if count == capacity else ""
        assert refusal(crowd, target).startswith(refused)
        assert bool(refusal(crowd, target)) == (count == capacity)


def test_k9_a_climber_moves_level_only_to_its_own_colour_and_never_down() -> None:
    """Rule L-4.level."""
    down = structure("C@0,0,0:2x2x2:neutral; Hpn@2,0,0:2x2x1:neutral", RED, climbers={RED: (1, 0)})
    assert refusal(down, climb(RED, 2, 0)) == "a climber never goes down"
    level = structure("C@0,0,0:2x2x2:neutral; C@2,0,0:2x2x2:red", RED, climbers={RED: (1, 0), PINK: (1, 1)})
    events, _ = do(level, climb(RED, 2, 0))
    assert kinds(events, ClimberStepped)
    assert not kinds(events, LevelReached)
    assert "not a red one" in refusal(evolve(level, active=PINK, acting=PINK), climb(PINK, 2, 0))


def test_k10_a_disc_blocks_until_the_owners_next_turn() -> None:
    """Rules L-4.disc and L-6.disc."""
    blocks = "Hpn@0,0,0:2x2x1:neutral; C@2,0,0:2x2x2:red; Htp@0,2,0:2x2x1:teal"
    state = structure(blocks, RED, discs={PURPLE: (8, (0, 0))}, ladders={RED: WITHOUT})
    choices = (
        (Phase.CLIMB, climb(RED, 0, 0)),
        (Phase.BLOCK, move(8, 0, 4, 2, 2, "neutral")),
        (Phase.BLOCK, move(0, 0, 0, 2, 2, "teal")),
    )
    for phase, choice in choices:
        assert refusal(evolve(state, phase=phase), choice) == "a disc is on block 8"
    assert legal(state) == []
    events, state = settled(evolve(state, active=TEAL, acting=TEAL, phase=Phase.TURN, turn=1))
    assert kinds(events, DiscRemoved) == [DiscRemoved(PURPLE, 8)]
    assert state.discs[PURPLE] == GONE
    state = evolve(state, active=RED, acting=RED)
    assert all(not refusal(evolve(state, phase=phase), choice) for phase, choice in choices)
    _, across = do(evolve(state, phase=Phase.CLIMB), climb(RED, 0, 0), climb(RED, 2, 0))
    assert across.climbers[RED] == cell(2, 0)


def test_k11_the_block_of_the_previous_turn_stays() -> None:
    """Rule L-3.last."""
    blocks = "C@0,0,0:2x2x2:teal; C@2,0,0:2x2x2:red"
    state = fewer(structure(blocks, TEAL, Phase.BLOCK, ladders=dict.fromkeys(range(5), WITHOUT)), 3)
    _, state = do(state, move(12, 0, 0, 2, 2, "pink", seat=TEAL), SkipDisc(TEAL))
    assert (state.active, state.phase) == (PURPLE, Phase.BLOCK)
    turned = "block 12 was moved in the turn before"
    assert refusal(state, move(12, 0, 0, 2, 2, "teal", seat=PURPLE)) == turned
    _, state = do(state, SkipBlock(PURPLE), SkipDisc(PURPLE))
    assert not refusal(state, move(12, 0, 0, 2, 2, "teal", seat=YELLOW))


def test_k12_a_covered_block_stays() -> None:
    """Rule L-3.removable."""
    blocks = "Dyr@0,0,0:4x2x2:neutral; C@4,0,0:2x2x2:teal; Htp@0,0,2:1x2x2:red"
    state = structure(blocks, RED, Phase.BLOCK)
    assert refusal(state, move(27, 0, 2, 4, 2, "neutral")) == "another block is on block 27"
    assert not refusal(structure(blocks.partition("; Htp")[0], RED, Phase.BLOCK), move(27, 2, 2, 4, 2, "neutral"))


def test_k13_a_block_needs_even_ground() -> None:
    """Rules L-3.support and L-3.placeable."""
    blocks = "C@0,0,0:2x2x2:teal; Hyr@2,0,0:2x2x1:red; C@0,2,0:2x2x2:teal"
    state = structure(blocks, RED, Phase.BLOCK)
    assert refusal(state, move(13, 1, 0, 2, 2, "teal")).startswith("the ground below a block is even")
    events, _ = do(state, move(13, 2, 0, 2, 2, "teal"))
    (moved,) = kinds(events, BlockMoved)
    assert (moved.to_pose.z, moved.to_pose.dz) == (1, 2)


def test_k14_turning_a_block_in_place_is_a_move() -> None:
    """Rule L-3.unturned."""
    state = structure("C@0,0,0:2x2x2:red; C@2,0,0:2x2x2:teal", RED, Phase.BLOCK)
    assert "only looked under" in refusal(state, move(12, 0, 0, 2, 2, "red"))
    _, state = do(state, move(12, 0, 0, 2, 2, "teal"))
    assert (state.moved, state.phase) == (12, Phase.DISC)


LEVELS = (
    "Dpn@0,0,0:2x2x4:neutral; C@0,0,4:2x2x2:neutral; Hpn@0,0,6:2x2x1:neutral;"
    "Dpn@2,0,0:2x2x4:neutral; Hpn@2,0,4:2x2x1:neutral"
)


def test_k15_the_match_ends_after_a_round_without_a_rise() -> None:
    """Rules L-9.end and L-9.tie."""
    standing = {TEAL: (0, 0), PURPLE: (1, 0), YELLOW: (2, 0)}
    state = fewer(
        structure(LEVELS, TEAL, Phase.DISC, climbers=standing, ladders=dict.fromkeys(range(5), WITHOUT), turn=9), 3
    )
    state = evolve(state, reached=(4, 2, 5), rises=5)
    for seat in (TEAL, PURPLE, YELLOW):
        assert CLIMBERS.outcome(state) is None
        skips = (SkipDisc(seat),) if state.phase is Phase.DISC else (SkipBlock(seat), SkipDisc(seat))
        _, state = do(state, *skips)
    outcome = CLIMBERS.outcome(state)
    assert outcome is not None
    assert outcome.ranking == ((PURPLE,), (TEAL,), (YELLOW,))
    assert [figures["level"] for figures in outcome.scores] == [7, 7, 5]
    assert CLIMBERS.actors(state) == ()


def test_k16_another_player_climbs_after_the_turn() -> None:
    """Rule L-6.others."""
    blocks = "C@0,0,0:2x2x2:red; C@2,0,0:2x2x2:teal; Hyr@4,0,0:2x2x1:yellow"
    state = structure(blocks, TEAL, Phase.BLOCK, ladders=dict.fromkeys(range(5), WITHOUT), streak=3)
    _, state = do(state, move(4, 0, 2, 2, 2, "red", seat=TEAL), SkipDisc(TEAL))
    assert (CLIMBERS.actors(state), state.phase) == ((RED,), Phase.OTHERS)
    events, state = do(state, climb(RED, 0, 2), climb(RED, 0, 0))
    assert [event.level for event in kinds(events, LevelReached)] == [1, 2]
    assert kinds(events, TurnEnded) == [TurnEnded(TEAL, climbed=True, streak=0)]
    assert (state.active, state.streak) == (PURPLE, 0)


def test_k17_a_surface_cut_in_two_is_two_places() -> None:
    """Rule L-4.region."""
    blocks = "Dyr@0,0,0:4x2x2:neutral; C@1,0,2:2x2x2:teal"
    state = structure(blocks, RED, climbers={RED: (0, 0)})
    assert refusal(state, climb(RED, 3, 0)) == "a climber goes only to a surface that shares an edge with its own"
    uncut = structure(blocks.partition(";")[0], RED, climbers={RED: (0, 0)})
    assert refusal(uncut, climb(RED, 3, 0)) == "to move within a surface is no step"
    beside = structure(f"{blocks}; C@-2,0,0:2x2x2:red", RED, climbers={RED: (-1, 0)})
    assert legal(beside) == [climb(RED, 0, 0), EndClimb(RED)]


def test_k18_the_fixture_is_a_solid_cuboid() -> None:
    """Rules L-2.heights and L-5.hidden."""
    board = shipped_boards("climbers")["solid-cuboid"]
    events, state = settled(initial(Options(2), board))
    assert len(events) == 36
    poses = [pose for pose in state.poses if isinstance(pose, Pose)]
    terrain = terrain_of(state.poses, board.side)
    heights = [height for height in terrain.heights if height]
    assert heights == [7] * 48
    assert sum(heights) == sum(pose.dx * pose.dy * pose.dz for pose in poses) == 336
    assert hides_core(board.blocks, terrain)
