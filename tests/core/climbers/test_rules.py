"""Rules without a numbered case: the blocks, space for a block, the parts of a turn, the set-up and the end."""

from collections import Counter
from typing import Any

import pytest

from himalaya_core.boards import shipped_board, shipped_boards
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import (
    BuildOpening,
    ClimbStep,
    DealColours,
    DrawLot,
    EndClimb,
    MoveBlock,
    PlaceDisc,
    Placement,
    SkipBlock,
    SkipDisc,
)
from himalaya_core.climbers.blocks import PARTNERS, Cell, Colour, Size, Variant, poses_of
from himalaya_core.climbers.events import (
    ClimberShifted,
    DiscPlaced,
    OthersSlot,
    PhaseSkipped,
    SetupChecked,
    StartPlayerChosen,
    TurnStarted,
)
from himalaya_core.climbers.opening import spelled
from himalaya_core.climbers.pieces import BOTH, IN_HAND, Ladders, Method, Options, Part, Phase
from himalaya_core.climbers.state import State, evolve, initial
from himalaya_core.errors import OptionsError
from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from tests.core.climbers.positions import (
    LONG,
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

BOARD = shipped_board("climbers")
TWO = "C@0,0,0:2x2x2:teal; C@2,0,0:2x2x2:red"
NOBODY_CLIMBS: dict[int, Ladders] = dict.fromkeys(range(5), WITHOUT)


def test_the_box_has_thirty_five_blocks() -> None:
    """Rule L-1.blocks."""
    counts = Counter(block.size for block in BOARD.blocks)
    assert counts == {Size.HALF: 12, Size.CUBE: 12, Size.DOUBLE: 9, Size.TRIPLE: 2}
    assert [block.id for block in BOARD.blocks] == list(range(35))


def test_opposite_faces_make_pairs() -> None:
    """Rule L-1.pairs."""
    pairs = {frozenset(pair) for pair in PARTNERS.items()}
    assert pairs == {frozenset(pair) for pair in (("teal", "purple"), ("yellow", "red"), ("pink", "neutral"))}


def test_each_pose_of_a_block_has_its_base_and_height() -> None:
    """Rules L-2.unit and L-2.poses: each size has its volume in every pose; the variant decides the upright colour."""
    volumes = {Size.HALF: 4, Size.CUBE: 8, Size.DOUBLE: 16, Size.TRIPLE: 24}
    for block in BOARD.blocks:
        shapes = poses_of(block)
        assert {shape.dx * shape.dy * shape.dz for shape in shapes} == {volumes[block.size]}
        assert len(set(shapes)) == len(shapes) == {"1": 10, "2": 6, "4": 10, "triple": 3}[block.size]
    neutral = {
        (block.size, block.variant): {shape.dz for shape in poses_of(block) if shape.top is Colour.NEUTRAL}
        for block in BOARD.blocks
    }
    assert neutral[Size.HALF, Variant.PINK_NEUTRAL] == {1}
    assert neutral[Size.HALF, Variant.YELLOW_RED] == {2}
    assert neutral[Size.DOUBLE, Variant.PINK_NEUTRAL] == {4}
    assert neutral[Size.DOUBLE, Variant.TEAL_PURPLE] == {2}


REFUSED = {
    "a triple stands or lies": (move(33, 0, 0, 2, 2, "red"), "block 33 can't lie 2 x 2 with red on top"),
    "no such block": (move(34, 0, 0, 2, 2, "neutral"), "there is no block 34"),
    "off the table": (MoveBlock(RED, 12, 19, 6, 2, 2, Colour.TEAL), "part of the block would be off the table"),
    "nobody is there to be shifted": (move(12, 2, 2, 2, 2, "teal", {TEAL: (2, 0)}), "the climber of seat 1 is not in"),
    "no such seat": (move(12, 2, 2, 2, 2, "teal", {9: (2, 0)}), "a climber of the match is shifted, and once"),
}


@pytest.mark.parametrize(("action", "why"), REFUSED.values(), ids=REFUSED)
def test_an_illegal_block_move_is_refused(action: MoveBlock, why: str) -> None:
    """Rules L-2.poses and L-3.placeable."""
    state = structure(f"{TWO}; T@4,0,0:2x2x6:neutral", RED, Phase.BLOCK)
    state = fewer(evolve(state, climbers=(cell(2, 1), *state.climbers[1:])), 4)
    assert refusal(state, action).startswith(why)


def test_a_triple_can_be_moved() -> None:
    """Rule L-3.removable."""
    state = structure(f"{TWO}; T@4,0,0:2x2x6:neutral", RED, Phase.BLOCK)
    assert not refusal(state, move(33, 2, 2, 6, 2, "neutral"))


CROWD = "Dyr@0,0,0:4x2x2:neutral; C@4,0,0:2x2x2:teal"
SHIFTS: dict[str, tuple[dict[int, tuple[int, int]], str]] = {
    "covered and cut off": ({TEAL: (3, 0), PURPLE: (3, 1)}, ""),
    "the other end": ({TEAL: (0, 1)}, ""),
    "not shifted": ({}, "the climber of seat 1 is there"),
    "covered again": ({TEAL: (2, 1)}, "the climber of seat 1 is shifted to another free square of block 27"),
    "onto another": ({TEAL: (0, 0)}, "the climber of seat 1 is shifted to another free square of block 27"),
    "both on one": (
        {TEAL: (3, 1), PURPLE: (3, 1)},
        "the climber of seat 2 is shifted to another free square of block 27",
    ),
    "where it stands": (
        {TEAL: (3, 0), PURPLE: (0, 0)},
        "the climber of seat 2 is shifted to another free square of block 27",
    ),
    "to another block": ({TEAL: (4, 0)}, "the climber of seat 1 is shifted to another free square of block 27"),
    "one on the table": ({TEAL: (3, 0), PINK: (3, 1)}, "the climber of seat 5 is not in the way"),
}


@pytest.mark.parametrize(("shifts", "why"), SHIFTS.values(), ids=SHIFTS)
def test_only_climbers_in_the_way_are_shifted_to_legal_squares(shifts: dict[int, tuple[int, int]], why: str) -> None:
    """Rule L-3.shift: the cube is placed on the middle of the surface."""
    state = structure(CROWD, RED, Phase.BLOCK, climbers={TEAL: (1, 0), PURPLE: (0, 0)})
    action = move(12, 1, 0, 2, 2, "red", shifts)
    assert refusal(state, action).startswith(why)
    assert bool(refusal(state, action)) == bool(why)
    if not why:
        events, after = do(state, action)
        assert [event.player for event in kinds(events, ClimberShifted)] == list(shifts)
        assert all(after.climbers[seat] == cell(*to) for seat, to in shifts.items())


def test_a_climber_not_in_the_way_is_not_shifted() -> None:
    """Rule L-3.shift."""
    state = structure(CROWD, RED, Phase.BLOCK, climbers={PURPLE: (3, 0)})
    assert refusal(state, move(12, 0, 0, 2, 2, "red", {PURPLE: (3, 1)})).endswith("is not in the way")


WALLED = "Dyr@0,0,0:4x2x2:neutral; C@1,0,2:2x2x2:teal; Hyr@4,0,0:2x2x1:red; C@6,0,0:2x2x2:teal"
"""A cube across the middle of a neutral top of 4 x 2 squares; one column stays free at either end."""


def test_a_climber_in_the_way_can_be_set_over_a_wall() -> None:
    """Rule L-3.wall: to any free square of the same block's top, even without a step to it (L-4.region)."""
    state = structure(WALLED, RED, Phase.BLOCK, climbers={TEAL: (3, 0)})
    assert refusal(state, move(4, 3, 0, 1, 2, "teal", {TEAL: (0, 1)})) == ""
    assert refusal(state, move(4, 3, 0, 1, 2, "teal", {TEAL: (1, 0)})).endswith("another free square of block 27")


def test_the_option_allows_shifting_climbers_not_in_the_way() -> None:
    """Rule L-3.whom: on the top that the block is placed on, not on another."""
    state = structure(WALLED, RED, Phase.BLOCK, climbers={TEAL: (0, 0), PURPLE: (6, 0)})
    all_on_top = evolve(state, options=Options(5, shift_all=True))
    bystander = move(4, 3, 0, 1, 2, "teal", {TEAL: (0, 1)})
    assert refusal(state, bystander) == "the climber of seat 1 is not in the way"
    assert refusal(all_on_top, bystander) == ""
    assert bystander in CLIMBERS.legal_actions(all_on_top, RED)
    elsewhere = move(4, 3, 0, 1, 2, "teal", {PURPLE: (6, 1)})
    assert refusal(all_on_top, elsewhere) == "the climber of seat 2 is not in the way"


def test_ground_enclosed_by_blocks_is_not_a_place() -> None:
    """Rule L-4.table."""
    ring = "Dtp@0,0,0:4x2x2:red; Dtp@0,4,0:4x2x2:red; Htp@0,2,0:1x2x2:red; Htp@3,2,0:1x2x2:red; Hyr@4,0,0:2x2x1:red"
    state = structure(ring)
    assert (
        refusal(state, climb(RED, 1, 2)) == refusal(state, climb(RED, 90 - 6, 2)) == "no climber can be on that square"
    )
    assert refusal(state, climb(RED, -1, 0)) == "to move within a surface is no step"
    assert refusal(evolve(state, climbers=(None,) * 3 + (cell(4, 0), None)), climb(RED, -1, 0)) == (
        "no climber goes back to the table"
    )
    sides = [climb(RED, x, y, SHORT) for x, y in ((0, 0), (0, 5), (0, 2), (3, 3))]
    assert [refusal(state, side) for side in sides] == [""] * 4


def test_a_ladder_is_used_only_if_needed() -> None:
    """Rule L-4.ladder."""
    state = structure("Hyr@0,0,0:2x2x1:red; C@2,0,0:2x2x2:red")
    assert refusal(state, climb(RED, 0, 0, LONG)) == "for a step 1 up: none ladder, not long"
    spent = evolve(state, ladders=(*state.ladders[:3], Ladders(short=False, long=True), BOTH))
    assert refusal(spent, climb(RED, 2, 0, SHORT)) == "the short ladder is spent"


def test_any_free_square_can_be_entered_and_the_first_is_listed() -> None:
    """Rules L-8.square and L-4.capacity."""
    state = structure("Hpn@0,0,0:2x2x1:neutral", RED, climbers={TEAL: (0, 0)})
    assert legal(state) == [climb(RED, 1, 0), EndClimb(RED)]
    choices = CLIMBERS.legal_actions(state, RED)
    assert climb(RED, 1, 1) in choices
    assert climb(RED, 0, 0) not in choices
    assert refusal(state, climb(RED, 0, 0)) == "another climber is on that square"


def test_any_way_to_make_room_is_legal_and_the_nearest_is_listed() -> None:
    """Rule L-8.shift."""
    state = structure(CROWD, RED, Phase.BLOCK, climbers={TEAL: (1, 0)})
    choices = CLIMBERS.legal_actions(state, RED)
    listed = [action for action in choices if isinstance(action, MoveBlock) and action.shifts]
    ways = [action for action in listed if (action.block, action.x, action.top) == (12, cell(1, 0).x, "red")]
    assert ways == [move(12, 1, 0, 2, 2, "red", {TEAL: (0, 0)})]
    assert move(12, 1, 0, 2, 2, "red", {TEAL: (3, 1)}) in choices
    assert "a word" not in choices


def test_a_phase_without_a_step_is_skipped() -> None:
    """Rules L-8.skip and L-6.phases."""
    state = structure(TWO, RED, Phase.TURN, ladders=NOBODY_CLIMBS, turn=1)
    events, state = settled(evolve(state, active=YELLOW))
    assert events == [TurnStarted(RED, 2), PhaseSkipped(RED, Part.CLIMB)]
    events, state = do(state, SkipBlock(RED))
    assert events == [PhaseSkipped(RED, Part.BLOCK), PhaseSkipped(RED, Part.CLIMB_AGAIN)]
    events, state = do(state, SkipDisc(RED))
    assert events[:2] == [PhaseSkipped(RED, Part.DISC), OthersSlot(PINK)]
    assert state.discs[RED] == IN_HAND


def test_a_climb_can_be_declined() -> None:
    """Rule L-6.phases."""
    state = structure(TWO, RED)
    _, state = do(state, EndClimb(RED), SkipBlock(RED), climb(RED, 2, 0, SHORT))
    assert (state.phase, state.ladders[RED]) == (Phase.DISC, Ladders(short=False, long=True))


def test_the_other_players_act_once_each_clockwise() -> None:
    """Rules L-6.others and L-6.order."""
    state = structure(TWO, RED, Phase.DISC, ladders=NOBODY_CLIMBS)
    events, after = do(state, SkipDisc(RED))
    assert [event.seat for event in kinds(events, OthersSlot)] == [PINK, TEAL, PURPLE, YELLOW]
    assert (after.active, after.turn) == (PINK, 2)


DISCS = {
    "beside what covers it": (move(4, 0, 0, 2, 1, "teal"), PlaceDisc(RED, 12, cell(0, 1)), ""),
    "on what is covered": (move(4, 0, 0, 2, 1, "teal"), PlaceDisc(RED, 12, cell(0, 0)), "that square is not one of"),
    "on nothing that shows": (move(4, 0, 0, 2, 2, "red"), PlaceDisc(RED, 12, cell(0, 0)), "the top of block 12"),
    "on a climber's block": (SkipBlock(RED), PlaceDisc(RED, 13, cell(2, 0)), "a climber is on block 13"),
    "on another disc": (SkipBlock(RED), PlaceDisc(RED, 14, cell(4, 1)), "a disc is on block 14"),
    "on no block": (SkipBlock(RED), PlaceDisc(RED, 34, cell(9, 9)), "the top of block 34 is covered"),
}


@pytest.mark.parametrize(("before", "disc", "why"), DISCS.values(), ids=DISCS)
def test_a_disc_is_placed_only_on_permitted_blocks(before: MoveBlock | SkipBlock, disc: PlaceDisc, why: str) -> None:
    """Rule L-6.disc."""
    state = structure(
        "C@0,0,0:2x2x2:teal; C@2,0,0:2x2x2:neutral; C@4,0,0:2x2x2:pink; Hyr@0,2,0:2x2x1:yellow",
        RED,
        Phase.BLOCK,
        climbers={TEAL: (3, 1)},
        discs={PINK: (14, (4, 0))},
        ladders=NOBODY_CLIMBS,
    )
    assert refusal(state, before, disc).startswith(why)
    assert bool(refusal(state, before, disc)) == bool(why)
    _, laid = do(state, before)
    assert (disc in legal(laid)) == (not why)


def test_a_disc_is_placed_once() -> None:
    """Rule L-6.disc."""
    state = structure(TWO, RED, Phase.DISC, ladders=NOBODY_CLIMBS)
    events, state = do(state, PlaceDisc(RED, 12, cell(0, 0)))
    assert kinds(events, DiscPlaced) == [DiscPlaced(RED, 12, cell(0, 0))]
    for seat in (PINK, TEAL, PURPLE, YELLOW):
        _, state = do(state, SkipBlock(seat), SkipDisc(seat))
    assert CLIMBERS.outcome(state) is not None
    state = evolve(state, streak=0)
    events, state = settled(state)
    _, state = do(state, SkipBlock(RED))
    assert (state.active, state.phase) == (PINK, Phase.BLOCK)


def test_climbers_on_the_table_share_a_rank() -> None:
    """Rule L-9.table."""
    state = structure("Hpn@0,0,0:2x2x1:neutral", RED, Phase.TURN, climbers={PURPLE: (0, 0)}, streak=5)
    outcome = CLIMBERS.outcome(evolve(state, reached=(0, 1, 0, 0, 0)))
    assert outcome is not None
    assert outcome.ranking == ((PURPLE,), (TEAL, YELLOW, RED, PINK))
    assert outcome.remarks[:2] == ("still on the table", "highest")
    nobody = CLIMBERS.outcome(evolve(state, climbers=(None,) * 5))
    assert nobody is not None
    assert nobody.ranking == ((0, 1, 2, 3, 4),)


def test_a_position_hides_nothing() -> None:
    """Rule L-view."""
    state = structure(TWO)
    assert all(CLIMBERS.view(state, seat) is state for seat in state.seats)


def built_by(seed: str, players: int = 3) -> Match[State, Any, Any]:
    match = Match(CLIMBERS, BOARD, {"players": players})
    while match.actors == (CHANCE,):
        match.play(match.sample_chance(Seed(seed)))
    return match


def test_the_setup_builds_deals_and_draws() -> None:
    """Rules L-5.pieces, L-5.generator, L-5.colours and L-5.start."""
    match = built_by("set-up")
    state = match.state
    assert kinds(match.events, SetupChecked) == [SetupChecked(core_hidden=True)]
    assert len(set(state.colours)) == 3
    assert Colour.NEUTRAL not in state.colours
    assert state.climbers == (None,) * 3
    assert state.ladders == (BOTH,) * 3
    assert state.discs == (IN_HAND,) * 3
    chosen = kinds(match.events, StartPlayerChosen)
    assert chosen == [StartPlayerChosen(state.active, Method.LOT)]


def test_no_seat_builds() -> None:
    """Rule L-5.turns: one action of chance places all blocks."""
    match = Match(CLIMBERS, BOARD, {"players": 3})
    assert match.actors == (CHANCE,)
    assert not any(CLIMBERS.legal_actions(match.state, seat) for seat in match.state.seats)
    match.play(match.sample_chance(Seed("set-up")))
    assert None not in match.state.poses


def test_a_named_seat_starts() -> None:
    """Rule L-5.start."""
    match = Match(CLIMBERS, BOARD, {"players": 3, "first": 2})
    for _ in range(2):
        match.play(match.sample_chance(Seed("named")))
    assert kinds(match.events, StartPlayerChosen) == [StartPlayerChosen(2, Method.NAMED)]
    assert match.state.active == 2


def test_a_chance_draw_is_an_action() -> None:
    """Rule L-8.draw."""
    match = built_by("draw")
    actions = [step.action for step in match.history if step.action is not None]
    assert [type(action) for action in actions] == [BuildOpening, DealColours, DrawLot]
    placed = [Placement(block, pose) for block, pose in enumerate(match.state.poses) if pose is not None]
    assert sorted(actions[0].placements, key=lambda placement: placement.block) == placed


def damaged(change: Any) -> str:
    """Return why chance may not build a shipped opening after a change."""
    board = shipped_boards("climbers")["solid-cuboid"]
    placements = [Placement(block, pose) for block, pose in board.opening]
    return refusal(initial(Options(2), BOARD), BuildOpening(tuple(change(placements))))


def test_an_opening_follows_the_building_rules() -> None:
    """Rules L-5.core, L-5.build and L-5.hidden."""
    assert damaged(lambda placed: placed) == ""
    assert damaged(lambda placed: placed[:-1]).startswith("expected each block of 0..34 once")
    assert damaged(lambda placed: [*placed, placed[0]]) == "a block is laid once"
    assert damaged(lambda placed: placed[::-1]) == ""


@pytest.mark.parametrize("colours", [("teal",), ("teal", "teal"), ("teal", "neutral"), ("teal", "red", "pink")])
def test_each_colour_is_dealt_once(colours: tuple[str, ...]) -> None:
    """Rule L-5.colours."""
    state = evolve(initial(Options(2), BOARD), phase=Phase.COLOURS)
    assert refusal(state, DealColours(tuple(map(Colour, colours)))).startswith("expected one of teal, purple, yellow")


def test_chance_and_seats_act_only_when_due() -> None:
    state, set_up = structure(TWO, RED, Phase.DISC), initial(Options(2), BOARD)
    assert refusal(state, DrawLot(0)) == "there is no start player to draw now"
    assert refusal(evolve(set_up, phase=Phase.START), DrawLot(2)) == "there is no seat 3"
    assert refusal(state, BuildOpening(())) == "there is nothing to build now"
    assert refusal(state, DealColours(())) == "there are no colours to deal now"
    for action in (EndClimb(RED), SkipBlock(RED), SkipDisc(PINK), EndClimb(CHANCE), SkipDisc(CHANCE)):
        assert refusal(state, action) == f"seat {action.seat + 1} has no such choice now"
    assert refusal(state, ClimbStep(RED, Cell(0, 0))) == "seat 4 does not climb now"
    assert refusal(evolve(state, phase=Phase.CLIMB), ClimbStep(PINK, Cell(0, 0))) == "seat 5 does not climb now"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "climbers needs 2 to 5 players; you named 1"),
        ({"players": True}, "climbers needs 2 to 5 players; you named true"),
        ({"first": 4}, "option first: expected a seat from 1 to 4, found 5"),
        ({"shift_all": 1}, "option shift_all: expected true or false, found 1"),
        ({"tokens": True}, "option 'tokens' is unknown; climbers has players, first, shift_all"),
    ],
)
def test_unplayable_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as refused:
        CLIMBERS.parse_options(options)
    assert str(refused.value) == message


def test_a_block_is_written_as_in_board_files() -> None:
    """Rule L-5.given."""
    board = shipped_boards("climbers")["solid-cuboid"]
    given = [spelled(board.blocks[block], pose) for block, pose in board.opening]
    assert sorted(given) == sorted(board.document["opening"])
