"""Reviews of summit: the value of each die and card, exact if nothing is drawn."""

from itertools import pairwise, product
from typing import Any

import pytest

from himalaya_core.engine import step
from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.log.codec import decode_action
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import Decline, Forfeit, MoveByCard, MoveByDie, Reroll, SeatAction, TakeBack
from himalaya_core.summit.pieces import FACES, SHERPAS, Direction, Piece
from himalaya_core.summit.state import State
from himalaya_core.winprob.key_moments import Evaluation, Swing, Value, decisions, review_of
from tests.core.winprob.replays import played, sample, value_of

FEW = [
    "sample-summit-two",
    *(
        pytest.param(name, marks=pytest.mark.slow("more matches"))
        for name in ("sample-summit-three", "sample-summit-four")
    ),
]
REVIEW = review_of("summit")
SLIDING = (
    "blue moved a Sherpa from field 1 to 4 with a 3, continued to 7 with 1 more of its Sherpas "
    "and went down the landslide to 5"
)
ALONG = [None, *(tuple(SHERPAS[place] for place in range(4) if mask & 1 << place) for mask in range(16))]


def judged(name: str, number: int = 0, first: int | None = None) -> list[Evaluation]:
    replay = sample(name, number, first)
    return list(REVIEW.judgements(replay, value_of(replay)))


def every_action(view: State, seat: int) -> list[SeatAction]:
    """Return all legal actions, by trying all conceivable ones."""
    moves = [(piece, way, along) for piece, way, along in product(Piece, Direction, ALONG)]
    cards = {*view.hands[seat], *view.used[seat]}
    tried: list[SeatAction] = [Reroll(seat), Decline(seat), *(TakeBack(seat, card) for card in cards)]
    for face in range(1, FACES + 1):
        tried += [Forfeit(seat, face), *(MoveByDie(seat, face, *move) for move in moves)]
        tried += [MoveByCard(seat, card, face, *move) for card in cards for move in moves]
    return [action for action in tried if is_legal(view, action)]


def is_legal(view: State, action: SeatAction) -> bool:
    try:
        SUMMIT.decide(view, action)
    except IllegalAction:
        return False
    return True


def worth(view: State, seat: int, action: SeatAction, value: Value) -> float:
    """Return the value of an action that draws nothing, followed by the best resupply."""
    reached = step(SUMMIT, view, action)[-1][1]
    if seat in SUMMIT.actors(reached):
        return max(worth(reached, seat, choice, value) for choice in every_action(reached, seat))
    return value(reached)[seat]


@pytest.mark.slow("reviews many prefixes")
@pytest.mark.parametrize("name", FEW)
def test_a_decision_before_no_draw_is_judged_against_all_legal_actions(name: str) -> None:
    replay = sample(name)
    value = value_of(replay)
    exact = [each for each in REVIEW.judgements(replay, value) if len(replay.states[each.seq - 1].pool) > 1]
    assert len(exact) > 30
    for each in exact[::9]:
        view, chosen = replay.states[each.seq - 1], replay.entries[each.seq].action
        chances = {action: worth(view, each.seat, action, value) for action in every_action(view, each.seat)}
        assert each.low == each.cost == each.high == pytest.approx(max(chances.values()) - chances[chosen], abs=1e-12)
        best = decode_action(SUMMIT, each.action, each.seat)
        assert chances[best] == pytest.approx(max(chances.values()), abs=1e-12)
        assert max(each.values.values()) == pytest.approx(max(chances.values()), abs=1e-12)
        dice = {f"die {face}" for face in view.pool}
        assert {name for name in each.values if name.startswith("die")} <= dice


@pytest.mark.slow("judges further matches")
@pytest.mark.parametrize("name", FEW[::2])
def test_no_cost_is_negative_and_the_last_die_has_an_interval(name: str) -> None:
    replay = sample(name, 1)
    found = REVIEW.judgements(replay, value_of(replay))
    assert min(each.cost for each in found) >= -1e-12
    assert all(each.low <= each.cost <= each.high for each in found)
    drawn = [each for each in found if each.low < each.high]
    assert drawn
    assert {len(replay.states[each.seq - 1].pool) for each in drawn} == {1}


@pytest.mark.slow("reviews many prefixes")
def test_a_judgement_does_not_use_later_events() -> None:
    """A log cut off after the decision gives the same evaluation: later dice, cards and choices do not matter."""
    whole = judged("sample-summit-three", 2)
    for first in (40,):
        assert judged("sample-summit-three", 2, first) == [each for each in whole if each.seq < first]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_turn_is_one_swing_and_swings_sum_to_the_outcome(seats: int) -> None:
    replay = played("summit", seats)
    value = value_of(replay)
    swings = REVIEW.swings(replay, value)
    outcome = SUMMIT.outcome(replay.states[-1])
    assert outcome is not None
    for seat, part in enumerate(outcome.shares):
        told = value(replay.states[swings[0].since])[seat] + sum(swing.amounts[seat] for swing in swings)
        assert told == pytest.approx(part, abs=1e-9)
    assert not any(one.by == other.by >= 0 and one.round == other.round for one, other in pairwise(swings))
    ends = set(decisions(replay))
    assert {swing.seq for swing in swings} < ends
    for each in swings:
        within = replay.entries[each.since + 1 : each.seq + 1]
        assert {entry.seat for entry in within if entry.action} == {None if each.by == CHANCE else each.by}


def words(name: str, number: int, holds: str) -> str:
    """Return the description of the first change that includes an entry of this type."""
    replay = sample(name, number)
    swings: list[Swing] = list(REVIEW.swings(replay, value_of(replay)))
    types = [entry.type for entry in replay.entries]
    return next(REVIEW.words(replay, each) for each in swings if holds in types[each.since + 1 : each.seq + 1])


@pytest.mark.parametrize(
    ("holds", "expected"),
    [
        ("start_player_chosen", "The lot let blue start"),
        ("dice_rolled", "blue threw 3 3 3 3 5 5 6"),
        ("slid", SLIDING),
        ("supply_played", "amber moved its climber from field 0 to 6 by 6 with supply card 5/6"),
        ("reroll_chosen", "amber threw all dice again"),
        ("yeti_moved", "The Yeti went up from 15 to 18"),
    ],
)
def test_a_swing_describes_what_happened(holds: str, expected: str) -> None:
    assert words("sample-summit-three", 0, holds) == expected


def test_the_text_names_chased_pawns_recovered_cards_and_the_end() -> None:
    said: list[Any] = []
    for number in range(3):
        replay = sample("sample-summit-three", number)
        said += [REVIEW.words(replay, swing) for swing in REVIEW.swings(replay, value_of(replay))]
    assert all(said)
    for part in ("and chased", "took supply card", "Bad weather ended the match", "back from", "threw again: "):
        assert any(part in each for each in said), part
