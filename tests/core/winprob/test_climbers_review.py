"""Reviews of climbers: block moves, climbs and discs are compared with the best alternative, all of them legal."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

import himalaya_core as hm
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import ClimbStep, EndClimb, MoveBlock, PlaceDisc, SkipBlock, SkipDisc
from himalaya_core.climbers.blocks import Cell
from himalaya_core.climbers.pieces import Phase
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.state import State
from himalaya_core.engine import step
from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.log.codec import decode_action
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation, Kind, Value, review_of
from tests.core.winprob.replays import played, sample, value_of

REVIEW = review_of("climbers")
A_TURN = (
    "Turn 1, pink moved half cube 6 from level 6 to the table, teal on top, climbed from the table to level 2 "
    "by its long ladder and laid its disc on double cube 28"
)
CLIMBS = (Phase.CLIMB_AGAIN, Phase.OTHERS)


def judged(replay: Replay, *kinds: type) -> list[Evaluation]:
    """Return the evaluations of certain kinds of decisions."""
    found = REVIEW.judgements(replay, value_of(replay))
    return [each for each in found if isinstance(replay.entries[each.seq].action, kinds)]


def after(state: State, action: object) -> State:
    return step(CLIMBERS, state, action)[-1][1]  # type: ignore[arg-type]


def stops(state: State, seat: int, turn: int) -> Iterator[State]:
    """Yield all positions in which a seat can end its turn without placing its disc, by single steps."""
    waiting, seen = [state], set[object]()
    while waiting:
        reached = waiting.pop()
        place = reached.climbers, reached.ladders, reached.phase, reached.acting, reached.turn
        if place in seen:
            continue
        seen.add(place)
        if reached.turn != turn or seat not in CLIMBERS.actors(reached):
            yield reached
        elif reached.phase is Phase.DISC:
            waiting.append(after(reached, SkipDisc(seat)))
        else:
            waiting += [after(reached, choice) for choice in CLIMBERS.legal_actions(reached, seat)]


def best_of(state: State, seat: int, turn: int, value: Value) -> float:
    return max(value(reached)[seat] for reached in stops(state, seat, turn))


def test_a_block_move_is_worth_its_best_following_climb() -> None:
    replay = sample("sample-climbers-three", 1)
    value = value_of(replay)
    found = judged(replay, MoveBlock, SkipBlock)
    assert len(found) > 3
    for each in found:
        view, turn = replay.states[each.seq - 1], replay.states[each.seq - 1].turn
        best = decode_action(CLIMBERS, each.action, each.seat)
        tried = [
            best_of(after(view, action), each.seat, turn, value) for action in (best, replay.entries[each.seq].action)
        ]
        assert each.cost == pytest.approx(tried[0] - tried[1], abs=1e-9)
        assert max(each.values.values()) == pytest.approx(tried[0], abs=1e-9)
        assert max(each.values.values()) >= each.values["no block"]
    assert any("which opens level" in each.words for each in found)


@pytest.mark.parametrize("name", ["sample-climbers-two", "sample-climbers-three"])
def test_a_climb_is_judged_at_its_end_against_reachable_places(name: str) -> None:
    replay = sample(name, 1)
    value = value_of(replay)
    found = [each for each in judged(replay, ClimbStep, EndClimb) if replay.states[each.seq - 1].phase in CLIMBS]
    assert len(found) > 3
    assert any(each.cost > 0.01 for each in found)
    for each in found:
        view = replay.states[each.seq - 1]
        assert decode_action(CLIMBERS, each.action, each.seat) in CLIMBERS.legal_actions(view, each.seat)
        chosen = after(replay.states[each.shown - 1], replay.entries[each.shown].action)
        done = best_of(chosen, each.seat, view.turn, value) if chosen.phase is Phase.DISC else value(chosen)[each.seat]
        most = best_of(view, each.seat, view.turn, value)
        assert 0 <= each.cost <= most - done + 1e-9


def test_a_disc_is_judged_against_every_permitted_block() -> None:
    replay = sample("sample-climbers-three", 1)
    value = value_of(replay)
    found = judged(replay, PlaceDisc)
    assert found
    for each in found:
        view = replay.states[each.seq - 1]
        chances = {place.block: value(after(view, place))[each.seat] for place in places(view, each.seat)}
        chosen = chances[replay.entries[each.seq].action.block]
        assert each.low == each.cost == each.high == pytest.approx(max(chances.values()) - chosen, abs=1e-12)
        assert sorted(each.values.values()) == pytest.approx(sorted(chances.values()), abs=1e-12)
    assert not judged(replay, SkipDisc)


def places(view: State, seat: int) -> Iterator[PlaceDisc]:
    """Yield every disc placement, by trying all squares of the table."""
    for block in range(len(view.poses)):
        for number in range(view.board.side**2 if not obstacle_to_disc(view, block) else 0):
            place = PlaceDisc(seat, block, Cell(number % view.board.side, number // view.board.side))
            try:
                CLIMBERS.decide(view, place)
            except IllegalAction:
                continue
            yield place


@pytest.mark.slow("reviews many prefixes")
def test_a_judgement_does_not_use_later_events() -> None:
    whole = judged(sample("sample-climbers-three", 2), object)
    assert min(each.cost for each in whole) >= 0
    for first in (66,):
        told = judged(sample("sample-climbers-three", 2, first), object)
        assert told == [each for each in whole if each.shown < first]
        assert len(told) > 3


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_turn_is_one_swing_and_swings_sum_to_the_outcome(seats: int) -> None:
    replay = played("climbers", seats)
    value = value_of(replay)
    swings = REVIEW.swings(replay, value)
    outcome = CLIMBERS.outcome(replay.states[-1])
    assert outcome is not None
    for seat, part in enumerate(outcome.shares):
        told = value(replay.states[swings[0].since])[seat] + sum(swing.amounts[seat] for swing in swings)
        assert told == pytest.approx(part, abs=1e-9)
    for one, other in pairwise(swings):
        assert one.by == CHANCE or (one.by, one.round) != (other.by, other.round)
    own = [swing for swing in swings if replay.states[swing.since].active == swing.by >= 0]
    assert [swing.kind for swing in swings if swing not in own and swing.by == CHANCE][-1:] == [Kind.DRIFT]
    assert len(own) + 1 == replay.states[-1].turn  # during the last turn, the result became certain


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "The set-up"),
        (2, "The lot let pink start"),
        (3, A_TURN),
        (4, "Turn 1, purple climbed from the table to level 2 after pink's turn"),
    ],
)
def test_a_swing_describes_what_happened(number: int, expected: str) -> None:
    replay = sample("sample-climbers-three")
    assert REVIEW.words(replay, REVIEW.swings(replay, value_of(replay))[number]) == expected


def test_the_text_mentions_passes_and_the_end() -> None:
    replay = hm.play("climbers", ("random", "greedy"), seed="w1").replay
    said = [REVIEW.words(replay, swing) for swing in REVIEW.swings(replay, value_of(replay))]
    assert any(re.fullmatch(r"Turn \d+, teal did nothing in its turn", each) for each in said)
    last = replay.states[-1].turn
    assert said[-1] == f"Turn {last}, purple stayed where it was after teal's turn, which ended the match"
