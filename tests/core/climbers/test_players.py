"""The players of climbers: legal, deterministic, and each with its own style."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.boards import shipped_board
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import EndClimb, MoveBlock, PlaceDisc, SkipBlock, SkipDisc
from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.pieces import Ladders, Phase
from himalaya_core.climbers.state import State, evolve
from himalaya_core.match import Match, run
from himalaya_core.players.climbers.base import Course, Turns
from himalaya_core.players.climbers.blocking import FREE, smothers
from himalaya_core.players.climbers.evaluation import SURE, Outlook
from himalaya_core.players.climbers.quick_players import Blocker, with_disc
from himalaya_core.players.climbers.reachability import (
    Prices,
    after,
    best_move,
    gains,
    goals,
    moved_to,
    worth_now,
)
from himalaya_core.players.climbers.search import may_be_walled_in
from himalaya_core.players.named import UnknownPlayer, make_player
from himalaya_core.seed import Seed
from tests.core.climbers.positions import (
    LONG,
    PURPLE,
    RED,
    SHORT,
    WITHOUT,
    YELLOW,
    climb,
    do,
    fewer,
    settled,
    structure,
)
from tests.core.climbers.structures import built, moved, shuffled

SEARCH = "search:width=2:takes=1:covers=1:first=2:replies=1:deep=1:turns=1"
QUICK = ["blocker:width=1", "greedy", "random"]
EVERY = [*QUICK, pytest.param(SEARCH, marks=pytest.mark.slow("searches a whole match twice"))]
FIXED = ["blocker:width=1", "greedy", pytest.param(SEARCH, marks=pytest.mark.slow("searches a whole match twice"))]
"""Players without random choices, which play the same with any seed."""
FEW = settings(max_examples=max(3, settings().max_examples // 40))
ONLY_SHORT, ONLY_LONG = Ladders(short=True, long=False), Ladders(short=False, long=True)
PRICES = Prices(short=1.4, long=2.4)


class Watched:
    """A wrapper that checks and records a player's choices."""

    def __init__(self, name: str, seed: str) -> None:
        self.player = make_player(CLIMBERS, name, seed)
        self.chosen: list[tuple[State, Any]] = []

    def choose(self, view: State, seat: int, /) -> Any:
        action = self.player.choose(view, seat)
        assert action in CLIMBERS.legal_actions(view, seat)
        self.chosen.append((view, action))
        return action


def play(line_up: Sequence[str], seed: str) -> tuple[Match[Any, Any, Any], list[Watched]]:
    match: Match[Any, Any, Any] = Match(CLIMBERS, shipped_board("climbers"), {"players": len(line_up)})
    players = [Watched(name, f"{seed}|{seat}") for seat, name in enumerate(line_up)]
    run(match, players, Seed(seed))
    return match, players


def wins(name: str, rival: str, matches: int) -> float:
    """Return a player's wins in two-player matches from both seats; a shared win counts as half."""
    won = 0.0
    for number in range(matches):
        line_up = [name, rival] if number % 2 else [rival, name]
        outcome = play(line_up, f"pair {number // 2}")[0].outcome
        assert outcome is not None
        won += (line_up.index(name) in outcome.winners) / len(outcome.winners)
    return won


@pytest.mark.parametrize("names", [QUICK, pytest.param([*QUICK, SEARCH], marks=pytest.mark.slow("search"))])
@FEW
@given(data=st.data(), seed=st.text("abc", max_size=4))
def test_every_line_up_plays_a_legal_match(names: list[str], data: st.DataObject, seed: str) -> None:
    line_up = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=4))
    match, _ = play(line_up, seed)
    assert match.outcome is not None


@pytest.mark.soak("plays matches twice")
@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_and_views_give_the_same_choices(name: str) -> None:
    _, (watched, *_) = play([name, "random"], "again")
    again = make_player(CLIMBERS, name, "again|0")
    assert [again.choose(view, 0) for view, _ in watched.chosen] == [action for _, action in watched.chosen]


@pytest.mark.parametrize("name", FIXED)
def test_a_strategy_depends_only_on_the_view(name: str) -> None:
    """Neither its seed nor earlier decisions change its choice."""
    _, (watched, *_) = play([name, "random"], "alone")
    for number, (view, action) in enumerate(watched.chosen[::-3]):
        assert make_player(CLIMBERS, name, str(number)).choose(view, 0) == action


def test_random_draws_ten_thousand_moves_equally_often() -> None:
    """The random player draws a number, not a list entry: blocks are drawn in proportion to their moves."""
    state = shuffled("draws", 25)
    by_block: dict[int, int] = {}
    for move in BlockMoves(state):
        if isinstance(move, MoveBlock):
            by_block[move.block] = by_block.get(move.block, 0) + 1
    draws, moves = 400, sum(by_block.values())
    player = make_player(CLIMBERS, "random", "draws")
    drawn = [player.choose(state, state.active) for _ in range(draws)]
    for block, count in by_block.items():
        expected = draws * count / moves
        assert abs(sum(getattr(move, "block", None) == block for move in drawn) - expected) < 4 * expected**0.5


REFUSED = {
    "search:width=0": "player 'search': setting width: expected at least 1, found 0",
    "search:depth=2": "player 'search': setting 'depth' is unknown; there are short, long",
    "greedy:short=nan": "player 'greedy': setting short: expected at least 0, found nan",
    "porter": "player 'porter' is unknown; climbers has random, greedy, blocker, search",
}


@pytest.mark.parametrize(("name", "message"), REFUSED.items(), ids=REFUSED)
def test_an_invalid_setting_is_reported(name: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as refused:
        make_player(CLIMBERS, name, "")
    assert str(refused.value).startswith(message)


FEW_BLOCKS = (
    "C@8,8,0:2x2x2:purple; Hyr@10,8,0:2x2x1:red; Hpn@8,10,0:2x2x1:pink; Htp@10,10,0:2x2x1:teal; Dyr@12,8,0:2x4x2:pink"
)


@FEW
@given(seed=st.text("abc", max_size=4), moves=st.integers(0, 12))
def test_the_grouped_moves_contain_the_best_move(seed: str, moves: int) -> None:
    """Tries all listed moves one by one: none lets a climber rise higher than the move found by `best_move`."""
    state, draws = moved(built(FEW_BLOCKS, 14), seed, moves), random.Random(seed)
    for seat in state.seats[:3]:
        state = moved_to(state, seat, draws.choice(goals(state, seat, PRICES)))
    state = evolve(state, last_moved=None)
    every = [after(state, move) for move in BlockMoves(state) if isinstance(move, MoveBlock)]
    for seat in (0, 3):
        worth, move = best_move(state, seat, PRICES, 5)
        assert worth == max([worth_now(position, seat, PRICES) for position in (state, *every)])
        assert worth == worth_now(state if move is None else after(state, move), seat, PRICES)


def test_a_gain_counts_the_whole_way_up() -> None:
    """A half turned to red is a step to the cube; the cube leads to the half on top of the next cube."""
    stairs = "C@0,0,0:2x2x2:red; C@-2,0,0:2x2x2:purple; Hyr@-2,0,2:2x2x1:red; Hyr@2,0,0:2x2x1:yellow"
    state = structure(stairs, ladders={RED: WITHOUT})
    assert gains(state, RED, PRICES)[0].worth == 3


def test_uncovering_a_step_is_a_gain_for_any_target_of_the_block() -> None:
    """Red can climb to 1 below the teal half, although no red top is visible before."""
    state = structure("Hyr@0,0,0:2x2x1:red; Htp@0,0,1:2x2x1:teal", ladders={RED: WITHOUT})
    assert min(gain.worth for gain in gains(state, RED, PRICES)) == 1


def turn(name: str, state: State, seat: int) -> State:
    """Return the position after all actions of a player in its turn."""
    player, (_, state) = make_player(CLIMBERS, name, ""), settled(state)
    while state.phase not in (Phase.DISC, Phase.OTHERS) and CLIMBERS.actors(state) == (seat,):
        _, state = do(state, player.choose(state, seat))
    return state


def test_greedy_builds_its_missing_step() -> None:
    """A half of the wrong colour next to a wall of height two becomes the step when turned or moved."""
    state = structure("C@0,0,0:2x2x2:red; Hyr@2,0,0:2x2x1:yellow", ladders={RED: WITHOUT})
    assert level(turn("greedy", state, RED), RED) == 2


def test_greedy_climbs_before_moving_the_step() -> None:
    """The half that leads to level two is needed again up there, so moving it first would lose the way."""
    stairs = "Hyr@0,0,0:2x2x1:red; C@2,0,0:2x2x2:red; C@4,0,0:2x2x2:purple"
    state = structure(stairs, ladders={RED: WITHOUT})
    assert best_move(state, RED, PRICES, 5)[0] == 2
    assert level(turn("greedy", state, RED), RED) == 3


@pytest.mark.parametrize("name", ["blocker", "greedy"])
def test_a_long_ladder_is_kept_for_a_higher_wall(name: str) -> None:
    """For two levels the short ladder is used; the long one is used, too, only if the match may end with this turn."""
    wall = "C@0,0,0:2x2x2:red"
    player = make_player(CLIMBERS, name, "")
    for ladders, streak, action in (
        (ONLY_SHORT, 0, climb(RED, 0, 0, SHORT)),
        (ONLY_LONG, 0, EndClimb(RED)),
        (ONLY_LONG, 4, climb(RED, 0, 0, LONG)),
    ):
        state = structure(wall, phase=Phase.OTHERS, ladders={RED: ladders}, streak=streak)
        state = evolve(state, active=PURPLE)
        assert player.choose(state, RED) == action


def test_search_uses_a_ladder_that_has_no_later_use() -> None:
    """With one cube there is nothing more to climb, so keeping the long ladder gains nothing."""
    state = structure("C@0,0,0:2x2x2:red", phase=Phase.OTHERS, ladders={RED: ONLY_LONG}, streak=0)
    assert make_player(CLIMBERS, "search", "").choose(evolve(state, active=PURPLE), RED) == climb(RED, 0, 0, LONG)


LEADER = "C@0,0,0:2x2x2:purple; C@0,2,0:2x2x2:pink"
ME, FIRST = 0, 1


def led(phase: Phase, half: str = "; Hyr@2,0,0:2x2x1:red") -> State:
    """Return a position of two: purple on a cube can only rise if a cube is laid on the half next to it; teal can't."""
    state = structure(LEADER + half, ME, phase, climbers={FIRST: (0, 0)}, reached=(0, 1, 0, 0, 0))
    return fewer(evolve(state, ladders=(WITHOUT,) * 5), 2)


def outlook(state: State) -> float:
    return best_move(state, FIRST, PRICES, 5)[0]


@pytest.mark.parametrize("name", ["blocker", "search"])
def test_a_block_is_taken_from_the_leader(name: str) -> None:
    """Greedy can't rise, and leaves the block there."""
    state = led(Phase.BLOCK)
    assert outlook(state) == 3
    assert make_player(CLIMBERS, "greedy", "").choose(state, ME) == SkipBlock(ME)
    taken = make_player(CLIMBERS, name, "").choose(state, ME)
    assert isinstance(taken, MoveBlock)
    assert outlook(after(state, taken)) == 2


@pytest.mark.parametrize("name", ["blocker", "search"])
def test_the_disc_is_placed_only_if_it_costs_the_leader_a_level(name: str) -> None:
    """In this position greedy keeps its disc."""
    state = led(Phase.DISC)
    assert make_player(CLIMBERS, "greedy", "").choose(state, ME) == SkipDisc(ME)
    laid = make_player(CLIMBERS, f"{name}:disc=0.5", "").choose(state, ME)
    assert isinstance(laid, PlaceDisc)
    assert outlook(with_disc(state, ME, laid.block)) == 2
    other_ways = "; Hyr@2,0,0:2x2x1:red; Hyr@0,-2,0:2x2x1:red; C@0,4,0:2x2x2:pink"
    for half in ("", other_ways):
        assert make_player(CLIMBERS, name, "").choose(led(Phase.DISC, half), ME) == SkipDisc(ME)


def test_search_prepares_a_climb_over_two_moves() -> None:
    """A half below a cube is the only step, and the rival leads: the cube is moved first. Greedy gives up."""
    steps = "Hpn@0,0,0:2x2x1:pink; C@0,0,1:2x2x2:pink; C@2,0,0:2x2x2:purple"
    state = structure(steps, ME, Phase.BLOCK, climbers={FIRST: (2, 0)}, reached=(0, 1, 0, 0, 0))
    state = fewer(evolve(state, ladders=(WITHOUT,) * 5), 2)
    assert make_player(CLIMBERS, "greedy", "").choose(state, ME) == SkipBlock(ME)
    prepared = make_player(CLIMBERS, "search", "").choose(state, ME)
    assert isinstance(prepared, MoveBlock)
    assert best_move(after(state, prepared), ME, PRICES, 5)[0] > 0


def outlook_of_two(streak: int, blocks: str, **changes: Any) -> Outlook:
    """Return the evaluation of a two-player position without ladders before the leader's turn."""
    state = structure(blocks, ME, Phase.TURN, streak=streak, reached=(0, 1, 0, 0, 0), **changes)
    return Outlook(Turns(fewer(evolve(state, ladders=(WITHOUT,) * 5), 2), 1, over=False), FIRST)


def test_the_leader_in_the_last_turn_of_a_round_wins_by_waiting() -> None:
    """Teal could climb by turning a half, but only in its own turn, which never comes."""
    half = "C@0,0,0:2x2x2:purple; Htp@2,0,0:2x2x1:purple"
    early, last = (outlook_of_two(streak, half, climbers={FIRST: (0, 0)}) for streak in (0, 1))
    assert early.side(ME).can_rise
    assert last.side(ME).can_rise
    assert abs(early.worth(ME)) < SURE
    assert last.worth(ME) < -SURE
    assert last.worth(FIRST) > SURE


def test_search_detects_a_climber_that_can_be_walled_in() -> None:
    """Teal can rise by the half on the pink cube or by the half on the other half; one block move removes both ways."""
    two_ways = "C@0,0,0:2x2x2:purple; C@2,0,0:2x2x2:teal; C@2,2,0:2x2x2:pink; Htp@4,0,0:2x2x1:purple"
    outlook = outlook_of_two(0, two_ways, climbers={FIRST: (0, 0), ME: (2, 0)})
    assert outlook.side(ME).can_rise
    found = list(smothers(outlook.state, FIRST, ME))
    assert found
    assert not any(best_move(position, ME, FREE, 5)[1] for _, position in found)


def test_one_block_walls_in_a_seat_that_can_only_climb_in_the_last_turn() -> None:
    """Teal may step onto a half that can be removed, or place another half in its own turn, if that comes."""
    halves = "C@0,0,0:2x2x2:purple; Htp@8,0,0:2x2x1:teal; Htp@6,8,0:2x2x1:purple; Htp@0,12,0:2x2x1:purple"
    for streak, is_lost in ((0, False), (1, True)):
        outlook = outlook_of_two(streak, halves, climbers={FIRST: (0, 0)})
        assert outlook.side(ME).climbs
        assert may_be_walled_in(outlook, ME) == is_lost


def test_search_keeps_playing_in_a_lost_position() -> None:
    """Teal will be walled in anyway, and still climbs the half before the match ends."""
    halves = "C@0,0,0:2x2x2:purple; Htp@8,0,0:2x2x1:teal; Htp@6,8,0:2x2x1:purple; Htp@0,12,0:2x2x1:purple"
    state = structure(halves, ME, Phase.CLIMB_AGAIN, climbers={FIRST: (0, 0)}, reached=(0, 1, 0, 0, 0))
    state = fewer(evolve(state, ladders=(WITHOUT,) * 5), 2)
    assert make_player(CLIMBERS, "search:turns=0", "").choose(state, ME) == climb(ME, 8, 0)


def test_the_next_seat_is_expected_to_wait_unless_the_match_ends_first() -> None:
    tower = "C@0,0,0:2x2x2:purple; C@0,0,2:2x2x2:teal"
    for streak, height in ((0, 0), (1, 4)):
        state = fewer(structure(tower, ME, Phase.BLOCK, streak=streak), 2)
        state = evolve(state, ladders=(ONLY_LONG, WITHOUT), active=FIRST, acting=FIRST)
        assert level(Course(PRICES).ended(state).state, ME) == height


def test_search_waits_for_its_own_turn_unless_the_match_ends_first() -> None:
    """Red is the next seat, so it loses nothing by waiting; if the match may end now, it uses its ladder."""
    for streak, action in ((0, EndClimb(RED)), (4, climb(RED, 0, 0, LONG))):
        state = structure("C@0,0,0:2x2x2:red", phase=Phase.OTHERS, ladders={RED: ONLY_LONG}, streak=streak)
        assert make_player(CLIMBERS, "search", "").choose(evolve(state, active=RED - 1), RED) == action


def test_the_leader_is_the_first_of_the_highest_climbers() -> None:
    ledge = "C@0,0,0:2x2x2:purple; C@2,0,0:2x2x2:yellow; Hyr@0,2,0:2x2x1:red"
    state = structure(ledge, climbers={PURPLE: (0, 0), YELLOW: (2, 0), RED: (0, 2)}, reached=(0, 3, 2, 1, 0))
    assert Blocker.leader(state, RED) == YELLOW
    assert Blocker.leader(state, YELLOW) == PURPLE


def test_greedy_beats_random() -> None:
    assert wins("greedy", "random", 6) >= 5


@pytest.mark.parametrize(
    "matches",
    [
        pytest.param(1, marks=pytest.mark.slow("a whole match of a search")),
        pytest.param(6, marks=pytest.mark.soak("more matches")),
    ],
)
def test_search_beats_greedy(matches: int) -> None:
    assert wins("search:width=3:first=4:deep=2:turns=1", "greedy", matches) > matches * 0.7
