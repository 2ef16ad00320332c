"""The eighteen numbered cases of the specification: examples of the rules, on the shipped board."""

import pytest

from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import (
    DrawBadWeather,
    DrawLot,
    DrawYetiCard,
    MoveByCard,
    MoveByDie,
    Reroll,
    TakeBack,
    ThrowDice,
)
from himalaya_core.summit.events import (
    BadWeather,
    DeckShuffled,
    DiceRolled,
    PawnMoved,
    Resupplied,
    Slid,
    TakeAlong,
    TurnStarted,
    YetiCardDrawn,
    YetiChased,
)
from himalaya_core.summit.pieces import ChaseCause
from tests.core.summit.positions import (
    BACKWARD,
    BLUE,
    BOARD,
    CLIMBER,
    FORWARD,
    RED,
    S0,
    S1,
    S2,
    S3,
    card,
    die,
    do,
    draw_due,
    kinds,
    landings,
    legal,
    position,
    refusal,
    settled,
    yeti_to,
)


@pytest.mark.parametrize(("face", "field"), [(1, 11), (2, 11), (3, 10), (4, 10), (5, 9), (6, 9)])
def test_h1_a_backward_move_is_half_the_die_rounded_up(face: int, field: int) -> None:
    """Rule S-6.backward."""
    events, _ = do(position(sherpas={RED: (12, 2, 3, 4)}), die(face, S0, BACKWARD))
    (moved,) = kinds(events, PawnMoved)
    assert (moved.to, moved.steps) == (field, 12 - field)


def test_h2_a_card_offers_only_its_two_numbers() -> None:
    """Rule S-5.card."""
    state = position(hands={RED: ("3/4",)})
    assert {move.value for move in legal(state) if isinstance(move, MoveByCard)} == {3, 4}
    assert refusal(state, card("3/4", 5, S3)) == "the card 3/4 moves by 3 or 4"


def test_h3_the_setup_for_four_players() -> None:
    """Rules S-4.pawns and S-4.supply."""
    match = Match(SUMMIT, BOARD, {"players": 4})
    state = match.state
    assert [sum(row.count(field) for row in state.sherpas) for field in range(6)] == [0, 4, 4, 4, 4, 0]
    assert state.climbers == (0, 0, 0, 0)
    assert (state.yeti, state.pool, state.hands) == (15, (), (("3/4",),) * 4)
    match.play(DrawLot(2))
    assert match.actors == (CHANCE,)
    match.play(ThrowDice((1, 2, 3, 4, 5, 6, 6)))
    assert (match.actors, match.state.pool) == ((2,), (1, 2, 3, 4, 5, 6, 6))


def test_h4_dice_are_taken_in_turn_and_thrown_when_none_are_left() -> None:
    """Rules S-5.order and S-5.throw."""
    match = Match(SUMMIT, BOARD, {"players": 2, "first": RED})
    match.play(ThrowDice((1, 2, 3, 4, 5)))
    takers = []
    while match.actors != (CHANCE,):
        takers.append(match.actors[0])
        match.play(legal(match.state, match.actors[0])[0])
    assert takers == [RED, BLUE, RED, BLUE, RED]
    assert not kinds(match.events, YetiCardDrawn)
    thrown = match.play(ThrowDice((1, 1, 1, 1, 1)))
    assert thrown == [DiceRolled(BLUE, (1, 1, 1, 1, 1), kinds(thrown, DiceRolled)[0].cause)]
    assert match.actors == (CHANCE,)
    match.play(DrawYetiCard(1))
    assert (match.actors, match.state.yeti) == ((BLUE,), 16)


def test_h5_the_last_die_gives_three_choices() -> None:
    """Rule S-5.reroll."""
    state = position(pool=(1,), hands={RED: ("3/4",)})
    assert {type(action) for action in legal(state)} == {Reroll, MoveByDie, MoveByCard}
    _, thrown = do(state, Reroll(RED), ThrowDice((2, 3, 4, 5, 6)))
    assert SUMMIT.actors(thrown) == (CHANCE,)
    events, drawn = do(thrown, DrawYetiCard(-2))
    assert len(kinds(events, YetiCardDrawn)) == 1
    assert (SUMMIT.actors(drawn), drawn.pool) == ((RED,), (2, 3, 4, 5, 6))
    assert {type(action) for action in legal(drawn)} == {MoveByDie, MoveByCard}


def test_h6_a_card_leaves_the_last_die_to_the_next_player() -> None:
    """Rule S-5.card."""
    _, state = do(position(pool=(1,), hands={RED: ("3/4",)}), card("3/4", 4, S3))
    assert (state.pool, state.active, state.used[RED]) == ((1,), BLUE, ("3/4",))


SEVEN = {RED: (5, 8, 8, 1), BLUE: (8, 1, 2, 3)}


@pytest.mark.parametrize(
    ("along", "reds"),
    [(None, (8, 8, 8, 1)), ((), (11, 8, 8, 1)), ((S1,), (11, 11, 8, 1)), ((S1, S2), (11, 11, 11, 1))],
)
def test_h7_a_sherpa_can_move_on_without_the_sherpas_it_met(along: tuple[()] | None, reds: tuple[int, ...]) -> None:
    """Rule S-6.along."""
    state = position(sherpas=SEVEN, pool=(3, 3))
    assert die(3, S0, along=along) in legal(state)
    events, after = do(state, die(3, S0, along=along))
    assert after.sherpas == (reds, (8, 1, 2, 3))
    assert [event.found for event in kinds(events, TakeAlong)] == ([] if along is None else [3])


def test_h8_no_pawn_enters_the_field_of_the_yeti() -> None:
    """Rules S-6.blocked and S-6.along."""
    state = position(sherpas=SEVEN, pool=(3, 3), yeti=11)
    assert [move for move in legal(state) if move.piece is S0 and move.dir is FORWARD] == [die(3, S0)]
    assert refusal(state, die(3, S0, along=())) == "field 11 is the field of the Yeti"


def test_h9_no_pawn_ends_on_the_cave() -> None:
    """Rule S-6.blocked."""
    state = position(sherpas={RED: (12, 2, 3, 4)}, yeti=20)
    assert refusal(state, die(3, S0)) == "field 15 is the cave"
    assert refusal(state, die(4, S0)) == ""


def test_h10_a_sherpa_slides_alone() -> None:
    """Rules S-7.slide and S-6.along."""
    state = position(sherpas={RED: (5, 5, 3, 4)})
    assert refusal(state, die(3, S3, along=())) == "no Sherpa is on field 7 to be taken along"
    events, after = do(state, die(3, S3))
    assert [(event.from_, event.to) for event in kinds(events, Slid)] == [(7, 5)]
    assert after.sherpas[RED] == (5, 5, 3, 5)


def test_h11_a_backward_move_takes_no_sherpa_along() -> None:
    """Rule S-6.along."""
    state = position(sherpas={RED: (9, 6, 6, 4), BLUE: (6, 1, 2, 3)})
    assert refusal(state, die(5, S0, BACKWARD, along=())) == "only a Sherpa that moved forward takes others along"
    events, after = do(state, die(5, S0, BACKWARD))
    assert not kinds(events, TakeAlong)
    assert after.sherpas[RED] == (6, 6, 6, 4)


def test_h12_a_climber_needs_two_sherpas_and_an_empty_field() -> None:
    """Rule S-6.climber."""
    two = {RED: (4, 4, 1, 2), BLUE: (4, 4, 1, 2)}
    assert refusal(position(sherpas=two, climbers=(0, 4)), die(4, CLIMBER)) == "another climber is on field 4"
    assert refusal(position(sherpas=two), die(4, CLIMBER)) == ""
    mixed = position(sherpas={RED: (4, 3, 1, 2), BLUE: (4, 4, 1, 2)})
    assert refusal(mixed, die(4, CLIMBER)) == "fewer than two own Sherpas are on field 4"


def test_h13_the_summit_is_entered_by_a_die_with_spare_points_not_by_a_card() -> None:
    """Rules S-6.summit and S-10.summit."""
    state = position(climbers=(29, 10), hands={RED: ("5/6",)})
    assert refusal(state, card("5/6", 6, CLIMBER)) == "a supply card ends on no snowfield and not on the summit"
    assert refusal(state, die(2, CLIMBER)) != ""
    events, after = do(state, die(6, CLIMBER))
    assert isinstance(events[-1], PawnMoved)
    assert (events[-1].to, events[-1].steps) == (32, 6)
    outcome = SUMMIT.outcome(after)
    assert outcome is not None
    assert outcome.ranking == ((RED,), (BLUE,))


def test_h14_a_climber_protects_its_own_sherpas_until_it_leaves() -> None:
    """Rule S-7.chase."""
    sherpas = {RED: (17, 20, 20, 1), BLUE: (17, 1, 2, 3)}
    events, state = yeti_to(draw_due(climbers=(17, 5), sherpas=sherpas), 17)
    assert kinds(events, YetiChased) == [YetiChased(BLUE, S0, 17, 10, ChaseCause.YETI_ARRIVED)]
    events, state = do(state, die(3, CLIMBER))
    assert kinds(events, YetiChased) == [YetiChased(RED, S0, 17, 10, ChaseCause.CLIMBER_LEFT)]
    assert state.sherpas == ((10, 20, 20, 1), (10, 1, 2, 3))


def test_h15_a_camp_protects_sherpas_but_the_yeti_blocks_entry() -> None:
    """Rules S-7.chase and S-6.blocked."""
    sherpas = {RED: (10, 10, 6, 1), BLUE: (10, 1, 2, 3)}
    state = draw_due(climbers=(10, 4), sherpas=sherpas, yeti=12, deck=(-2, 4))
    events, state = yeti_to(state, 10)
    assert not kinds(events, YetiChased)
    assert refusal(state, die(4, S2)) == "field 10 is the field of the Yeti"
    assert landings(state, S0) == {9, 8, 7, 11, 12, 13, 14, 16}


def test_h16_supplies_are_taken_back_once_in_each_camp() -> None:
    """Rule S-7.resupply."""
    sherpas = {RED: (10, 8, 9, 20), BLUE: (1, 1, 2, 3)}
    state = position(sherpas=sherpas, used={RED: ("3/4", "1/2")}, pool=(1, 1, 2, 4))
    events, state = do(state, die(2, S1), TakeBack(RED, "3/4"))
    assert kinds(events, Resupplied) == [Resupplied(RED, 10, "3/4")]
    assert (state.hands[RED], state.used[RED], state.active) == (("3/4",), ("1/2",), BLUE)
    events, state = do(state, die(1, S3, seat=BLUE), die(1, S2))
    assert state.sherpas[RED] == (10, 10, 10, 20)
    assert not kinds(events, Resupplied)
    assert SUMMIT.actors(state) == (BLUE,)


def test_h16_the_other_camp_still_supplies() -> None:
    """Rule S-7.resupply."""
    state = position(sherpas={RED: (21, 20, 9, 1)}, used={RED: ("3/4",)}, gained=(frozenset({10}), frozenset()))
    _, state = do(state, die(1, S1))
    assert legal(state)[0] == TakeBack(RED, "3/4")
    assert do(state, TakeBack(RED, "3/4"))[1].gained[RED] == {10, 21}


def test_h17_the_bad_weather_is_shuffled_in_and_ends_the_match() -> None:
    """Rules S-7.deck and S-10.weather."""
    state = draw_due(climbers=(3, 6), deck=(), seen=BOARD.yeti_cards, draws=9)
    shuffled, state = settled(state)
    assert shuffled == [DeckShuffled(2, 10)]
    events, over = do(state, DrawBadWeather())
    assert events == [BadWeather(10)]
    outcome = SUMMIT.outcome(over)
    assert outcome is not None
    assert outcome.ranking == ((BLUE,), (RED,))
    events, goes_on = do(state, DrawYetiCard(5))
    assert kinds(events, YetiCardDrawn) == [YetiCardDrawn(5, 10)]
    assert SUMMIT.actors(goes_on) == (RED,)


def test_h18_a_backward_move_stops_at_the_base_camp() -> None:
    """Rule S-6.backward."""
    state = position(sherpas={RED: (3, 2, 4, 4)})
    assert refusal(state, die(6, S0, BACKWARD)) == ""
    assert do(state, die(6, S0, BACKWARD))[1].sherpas[RED][0] == 0
    assert refusal(state, die(6, S1, BACKWARD)) != ""


def test_a_turn_has_its_number() -> None:
    """Rule S-5.order."""
    events, _ = do(position(), die(6, S3))
    assert kinds(events, TurnStarted) == [TurnStarted(BLUE, 2)]
