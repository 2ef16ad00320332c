"""Rules without a numbered case, each tested in a small position."""

import pytest

from himalaya_core.engine import fold, perft
from himalaya_core.errors import OptionsError
from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import (
    Decline,
    DrawBadWeather,
    DrawLot,
    DrawYetiCard,
    Forfeit,
    MoveByCard,
    Reroll,
    TakeBack,
    ThrowDice,
)
from himalaya_core.summit.events import (
    DiceRolled,
    Forfeited,
    PawnMoved,
    RerollChosen,
    ResupplyDeclined,
    Slid,
    StartPlayerChosen,
    YetiChased,
    YetiMoved,
)
from himalaya_core.summit.pieces import ChaseCause, Phase, StartMethod, ThrowCause
from himalaya_core.summit.scoring import standing
from tests.core.summit.positions import (
    BACKWARD,
    BLUE,
    BOARD,
    CLIMBER,
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
    legal,
    position,
    refusal,
    yeti_to,
)


def test_the_start_player_is_drawn_by_lot() -> None:
    """Rule S-4.start."""
    match = Match(SUMMIT, BOARD, {"players": 3})
    assert match.actors == (CHANCE,)
    assert refusal(match.state, DrawLot(3)) == "there is no seat 4"
    match.play(DrawLot(1))
    assert match.events[1] == StartPlayerChosen(1, StartMethod.LOT)
    assert match.state.active == 1
    assert refusal(match.state, DrawLot(2)) != ""


def test_the_options_can_name_the_start_player() -> None:
    """Rule S-4.start."""
    match = Match(SUMMIT, BOARD, {"players": 3, "first": 2})
    assert match.events[1] == StartPlayerChosen(2, StartMethod.NAMED)
    assert match.state.active == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "summit needs 2 to 5 players; you named 1"),
        ({"players": True}, "summit needs 2 to 5 players; you named true"),
        ({"first": 4}, "option first: expected a seat from 1 to 4, found 5"),
        ({"first": "red"}, "option first: expected a seat from 1 to 4, found 'red'"),
        ({"tokens": True}, "option 'tokens' is unknown; summit has players, first"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionsError) as refused:
        SUMMIT.parse_options(options)
    assert str(refused.value) == message


THROWS = {
    "too few": (1, 2, 3, 4),
    "too many": (1, 2, 3, 4, 5, 6),
    "no such face": (0, 1, 2, 3, 4),
    "no such face either": (3, 4, 5, 6, 7),
    "not in order": (2, 1, 3, 4, 5),
}


@pytest.mark.parametrize("values", THROWS.values(), ids=THROWS)
def test_a_throw_shows_all_dice_in_order(values: tuple[int, ...]) -> None:
    """Rule S-5.throw."""
    state = position(pool=())
    assert refusal(state, ThrowDice(values)).startswith("expected what 5 dice show, in ascending order")
    assert refusal(position(pool=(1,)), ThrowDice((1, 2, 3, 4, 5))) == "no throw of the dice is due"


def test_a_card_cannot_replace_a_throw() -> None:
    """Rule S-5.throw-first: with one die left a card may be played, and again after the throw."""
    played = card("3/4", 4, S3)
    empty = position(pool=(), hands={RED: ("3/4",)})
    assert (SUMMIT.actors(empty), refusal(empty, played)) == ((CHANCE,), "seat 1 has no move to choose now")
    assert refusal(position(pool=(1,), hands={RED: ("3/4",)}), played) == ""
    _, thrown = do(empty, ThrowDice((1, 2, 3, 4, 5)), DrawYetiCard(1))
    assert refusal(thrown, played) == ""


def test_a_throw_records_its_cause() -> None:
    """Rules S-5.throw and S-8.reroll."""
    five = (1, 2, 3, 4, 5)
    assert do(position(pool=(), throws=0), ThrowDice(five))[0][0] == DiceRolled(RED, five, ThrowCause.START)
    assert do(position(pool=()), ThrowDice(five))[0][0] == DiceRolled(RED, five, ThrowCause.POOL_EMPTY)
    events, state = do(position(pool=(4,)), Reroll(RED), ThrowDice(five))
    assert events == [RerollChosen(RED), DiceRolled(RED, five, ThrowCause.REROLL)]
    assert state.phase is Phase.DRAW


def test_the_dice_are_rerolled_once_and_only_instead_of_the_last_die() -> None:
    """Rule S-5.reroll."""
    assert refusal(position(pool=(1, 1)), Reroll(RED)) != ""
    assert refusal(position(pool=(1,), rerolled=True), Reroll(RED)) != ""
    assert refusal(position(pool=(1,)), Reroll(BLUE)) == "seat 2 has no move to choose now"


def test_each_turn_has_its_own_reroll() -> None:
    """Rule S-5.reroll: a reroll by red does not use up the one of blue."""
    _, state = do(position(pool=(1, 1), rerolled=True), die(1, S3))
    assert Reroll(BLUE) in legal(state, BLUE)
    _, empty = do(position(pool=(1,), rerolled=True), die(1, S3))
    assert do(empty, ThrowDice((1, 2, 3, 4, 5)))[0] == [DiceRolled(BLUE, (1, 2, 3, 4, 5), ThrowCause.POOL_EMPTY)]


def test_missing_dice_and_cards_are_refused() -> None:
    """Rule S-5.card."""
    state = position(pool=(2, 2), hands={BLUE: ("5/6",)})
    assert refusal(state, die(3, S3)) == "no die shows 3, there are 2, 2"
    assert refusal(state, card("5/6", 5, S3)) == "seat 1 has no card 5/6 to play"


def test_a_card_also_moves_a_sherpa_backward() -> None:
    """Rule S-5.card."""
    _, state = do(position(hands={RED: ("5/6",)}), card("5/6", 5, S3, BACKWARD))
    assert state.sherpas[RED] == (1, 2, 3, 1)


def test_equal_cards_and_numbers_are_one_choice() -> None:
    """Rules S-5.card and S-7.resupply: a board may have two equal cards, or a card with the same number twice."""
    state = position(hands={RED: ("2/2", "2/2")}, used={RED: ("3/4", "3/4")}, sherpas={RED: (10, 8, 9, 20)}, yeti=17)
    assert len(legal(state)) == len(set(legal(state)))
    assert legal(do(state, card("2/2", 2, S1))[1]) == [TakeBack(RED, "3/4"), TakeBack(RED, "2/2"), Decline(RED)]


STUCK = {RED: (31, 31, 31, 31), BLUE: (1, 2, 3, 4)}


def test_a_die_is_forfeited_only_if_no_die_moves_a_pawn() -> None:
    """Rule S-5.forfeit: from 31, a 1 or 2 leads to the summit, which no Sherpa may enter, or back to the Yeti."""
    state = position(sherpas=STUCK, pool=(1, 1, 2), yeti=30)
    assert legal(state) == [Forfeit(RED, 1), Forfeit(RED, 2)]
    events, after = do(state, Forfeit(RED, 1))
    assert events[0] == Forfeited(RED, 1)
    assert (after.pool, after.sherpas, after.active) == ((1, 2), state.sherpas, BLUE)
    assert refusal(state, Forfeit(RED, 3)) == "no die shows 3, there are 1, 1, 2"
    movable = position(sherpas=STUCK, pool=(1, 3), yeti=30)
    assert refusal(movable, Forfeit(RED, 1)) == "a die is forfeited only if none moves a pawn"


def test_a_seat_that_cannot_move_by_a_die_need_not_play_a_card() -> None:
    """Rule S-5.forfeit."""
    sherpas = {RED: (30, 30, 30, 30)}
    state = position(sherpas=sherpas, pool=(2, 2), yeti=29, hands={RED: ("5/6",)})
    assert {type(action) for action in legal(state)} == {Forfeit, MoveByCard}


def test_no_sherpa_enters_the_summit() -> None:
    """Rule S-6.forward."""
    state = position(sherpas={RED: (30, 29, 1, 1)}, yeti=5)
    assert refusal(state, die(2, S0)) == "a Sherpa goes neither below the base camp nor up to the summit"
    assert refusal(state, die(2, S1)) == ""


def test_pawns_pass_the_cave_and_the_yeti() -> None:
    """Rules S-6.forward and S-6.blocked."""
    _, state = do(position(sherpas={RED: (14, 2, 3, 4)}, yeti=16), die(3, S0))
    assert state.sherpas[RED][0] == 17


@pytest.mark.parametrize("value", [1, 2])
def test_a_card_moves_no_pawn_onto_snow(value: int) -> None:
    """Rule S-6.snow: 27 slides; 28 and 29 are snow."""
    sherpas = {RED: (27 - value, 28 - value, 29 - value, 26)}
    state = position(sherpas=sherpas, hands={RED: ("1/2",)}, yeti=5)
    banned = "a supply card ends on no snowfield and not on the summit"
    assert refusal(state, card("1/2", value, S1)) == banned
    assert refusal(state, card("1/2", value, S0)) == ""
    assert refusal(state, die(value, S1)) == ""


def test_a_card_takes_no_sherpa_along_to_snow_but_can_start_there() -> None:
    """Rule S-6.snow."""
    state = position(sherpas={RED: (23, 26, 26, 28)}, hands={RED: ("1/2", "3/4")}, yeti=5)
    assert refusal(state, card("3/4", 3, S0, along=())) == "a supply card ends on no snowfield and not on the summit"
    assert refusal(state, card("3/4", 3, S0)) == ""
    assert refusal(state, die(3, S0, along=())) == ""
    assert refusal(state, card("1/2", 2, S3)) == ""


def test_a_card_moves_a_climber_but_not_to_snow() -> None:
    """Rules S-6.snow and S-6.climber."""
    state = position(sherpas={RED: (28, 28, 26, 26)}, climbers=(25, 0), hands={RED: ("1/2", "3/4")}, yeti=5)
    assert refusal(state, card("1/2", 1, CLIMBER)) == ""
    assert refusal(state, card("3/4", 3, CLIMBER)) != ""
    assert refusal(state, die(3, CLIMBER)) == ""
    assert refusal(state, die(1, CLIMBER, BACKWARD)) == "only Sherpas go back"
    assert refusal(state, die(1, CLIMBER, along=())) == "only a Sherpa that moved forward takes others along"


def test_only_the_first_of_the_seats_own_sherpas_come_along() -> None:
    """Rules S-6.along and S-8.alike."""
    state = position(sherpas={RED: (5, 8, 8, 1), BLUE: (8, 1, 2, 3)})
    assert refusal(state, die(3, S0, along=(S2,))) == "of S1, S2 the first come along, not S2"
    assert refusal(state, die(3, S0, along=(S3,))) != ""
    assert refusal(state, die(3, S0, along=(S1, S1))) != ""


def test_sherpas_taken_along_slide_with_the_moving_one() -> None:
    """Rule S-7.slide."""
    state = position(sherpas={RED: (8, 11, 11, 1)})
    events, after = do(state, die(3, S0, along=(S1, S2)))
    assert [event.piece for event in kinds(events, Slid)] == [S0, S1, S2]
    assert after.sherpas[RED] == (11, 11, 11, 1)


def test_the_first_of_several_sherpas_on_a_field_moves() -> None:
    """Rule S-8.alike."""
    state = position(sherpas={RED: (3, 8, 8, 3)})
    assert refusal(state, die(1, S3)) == "Sherpas on one field are alike: move S0 (S-8.alike)"
    assert {move.piece for move in legal(state)} == {CLIMBER, S0, S1}


def test_a_sherpa_also_slides_after_a_backward_move() -> None:
    """Rule S-7.slide."""
    _, state = do(position(sherpas={RED: (9, 2, 3, 4)}), die(4, S0, BACKWARD))
    assert state.sherpas[RED][0] == 5


def test_a_sherpa_that_slides_in_front_of_the_yeti_is_chased() -> None:
    """Rule S-7.chase."""
    state = position(sherpas={RED: (25, 2, 3, 4)}, yeti=23)
    events, after = do(state, die(2, S0))
    assert kinds(events, YetiChased) == [YetiChased(RED, S0, 23, 21, ChaseCause.SLID)]
    assert after.sherpas[RED][0] == 21
    protected = position(sherpas={RED: (25, 2, 3, 4)}, climbers=(23, 0), yeti=23)
    assert do(protected, die(2, S0))[1].sherpas[RED][0] == 23


def test_a_sherpa_chased_into_a_camp_recovers_no_card() -> None:
    """Rule S-7.chased-meets: neither in its own turn nor in another seat's turn."""
    state = position(sherpas={RED: (25, 21, 3, 4)}, used={RED: ("3/4",)}, yeti=23)
    events, after = do(state, die(2, S0))
    assert after.sherpas[RED][:2] == (21, 21)
    assert len(kinds(events, YetiChased)) == 1
    assert SUMMIT.actors(after) == (BLUE,)
    thrown = draw_due(sherpas={BLUE: (17, 10, 3, 4)}, used={BLUE: ("3/4",)})
    _, driven = yeti_to(thrown, 17)
    assert driven.sherpas[BLUE][:2] == (10, 10)
    assert SUMMIT.actors(driven) == (RED,)


@pytest.mark.parametrize(("card_drawn", "to"), [(4, 31), (5, 31), (3, 31), (2, 30)])
def test_the_yeti_stops_below_the_summit(card_drawn: int, to: int) -> None:
    """Rule S-7.yeti."""
    events, _ = do(draw_due(yeti=28), DrawYetiCard(card_drawn))
    assert kinds(events, YetiMoved) == [YetiMoved(28, to, clamped=28 + card_drawn > 31)]


def test_the_yeti_stops_at_the_base_camp_which_protects() -> None:
    """Rules S-7.yeti and S-7.chase."""
    events, state = do(draw_due(yeti=2, sherpas={RED: (0, 5, 5, 5)}), DrawYetiCard(-4))
    assert kinds(events, YetiMoved) == [YetiMoved(2, 0, clamped=True)]
    assert not kinds(events, YetiChased)
    assert refusal(position(yeti=0), die(1, S0, BACKWARD)) == "field 0 is the field of the Yeti"
    assert state.sherpas[RED][0] == 0


def test_the_yeti_ignores_slides_and_snow() -> None:
    """Rule S-7.yeti."""
    assert yeti_to(draw_due(yeti=14), 18)[1].yeti == 18
    assert yeti_to(draw_due(yeti=26), 28)[1].yeti == 28


def test_climbers_are_never_chased() -> None:
    """Rule S-7.chase."""
    events, state = yeti_to(draw_due(climbers=(17, 3), sherpas={RED: (20, 20, 1, 1)}), 17)
    assert not kinds(events, YetiChased)
    assert state.climbers == (17, 3)


def test_supplies_can_be_declined_and_taken_later() -> None:
    """Rule S-7.resupply."""
    state = position(sherpas={RED: (10, 8, 9, 20)}, used={RED: ("3/4",)}, pool=(1, 1, 2, 4))
    events, state = do(state, die(2, S1), Decline(RED))
    assert kinds(events, ResupplyDeclined) == [ResupplyDeclined(RED, 10)]
    _, state = do(state, die(4, S3, seat=BLUE), die(1, S2))
    assert legal(state) == [TakeBack(RED, "3/4"), Decline(RED)]
    assert refusal(state, TakeBack(RED, "5/6")) == "seat 1 has not used a card 5/6"
    assert refusal(state, TakeBack(BLUE, "3/4")) == "seat 2 has no supply card to take back now"


def test_the_climber_arriving_at_a_camp_counts_as_a_meeting() -> None:
    """Rule S-7.climber-meets."""
    state = position(sherpas={RED: (10, 10, 9, 20)}, climbers=(8, 0), used={RED: ("3/4",)}, yeti=17)
    assert legal(do(state, die(2, CLIMBER))[1]) == [TakeBack(RED, "3/4"), Decline(RED)]
    assert SUMMIT.actors(do(state, die(2, S3))[1]) == (BLUE,)


def test_a_sherpa_moving_on_from_a_camp_is_not_an_arrival() -> None:
    """Rule S-7.resupply."""
    state = position(sherpas={RED: (9, 10, 10, 20)}, used={RED: ("3/4",)}, yeti=17)
    assert legal(do(state, die(1, S0))[1])[-1] == Decline(RED)
    assert SUMMIT.actors(do(state, die(1, S0, along=()))[1]) == (BLUE,)


def test_a_lone_sherpa_the_base_camp_or_no_used_card_recovers_nothing() -> None:
    """Rule S-7.resupply."""
    assert SUMMIT.actors(do(position(sherpas={RED: (10, 8, 9, 20)}), die(2, S1))[1]) == (BLUE,)
    alone = position(sherpas={RED: (1, 8, 9, 20)}, used={RED: ("3/4",)})
    assert SUMMIT.actors(do(alone, die(2, S1))[1]) == (BLUE,)
    base = position(sherpas={RED: (0, 1, 9, 20)}, used={RED: ("3/4",)})
    assert SUMMIT.actors(do(base, die(1, S1, BACKWARD))[1]) == (BLUE,)


def test_a_forfeit_does_not_resupply_after_an_arrival_of_another_seat() -> None:
    """Rule S-7.resupply: red's 5 leads from the camp on 10 into the cave, or back to the Yeti."""
    sherpas = {RED: (10, 10, 10, 10), BLUE: (8, 1, 2, 3)}
    state = position(sherpas=sherpas, used={RED: ("3/4",)}, pool=(2, 5, 5), yeti=7, active=BLUE)
    _, state = do(state, die(2, S0, seat=BLUE), Forfeit(RED, 5))
    assert SUMMIT.actors(state) == (BLUE,)


def test_only_cards_in_the_deck_are_drawn() -> None:
    """Rule S-7.deck."""
    state = draw_due(deck=(-1, 2), seen=(1,))
    assert refusal(state, DrawYetiCard(1)) == "the card +1 is not in the deck"
    assert refusal(state, DrawBadWeather()).startswith("the bad weather is not in the deck")
    assert refusal(position(), DrawYetiCard(2)) == "no Yeti card is due"


def test_bad_weather_follows_nine_of_ten_draws() -> None:
    """Rule S-7.deck."""
    state = draw_due(deck=(), seen=BOARD.yeti_cards, cycle=2, draws=18)
    assert SUMMIT.actors(state) == (CHANCE,)
    assert SUMMIT.sample_chance(state, Seed("any")) == DrawBadWeather()


def test_the_match_ends_once_the_departure_of_the_climber_is_resolved() -> None:
    """Rule S-10.summit."""
    state = position(climbers=(30, 0), sherpas={RED: (30, 30, 1, 1)}, yeti=30)
    events, after = do(state, die(4, CLIMBER))
    assert [type(event) for event in events[1:]] == [PawnMoved, YetiChased, YetiChased]
    assert SUMMIT.outcome(fold(SUMMIT, state, events[:3])) is None
    assert SUMMIT.outcome(after) is not None
    assert perft(SUMMIT, after, 3, Seed("over")) == 1


@pytest.mark.parametrize(
    ("climbers", "sherpas", "ranking"),
    [
        pytest.param((4, 9, 0), {}, ((1,), (0,), (2,)), id="S-10.weather the highest climber"),
        pytest.param((0, 0, 0), {2: (2, 2, 3, 4)}, ((2,), (0, 1)), id="S-10.tie the highest Sherpas"),
        pytest.param((0, 0, 0), {}, ((0, 1, 2),), id="S-10.tie shared"),
        pytest.param((5, 0, 0), {2: (9, 9, 9, 9)}, ((0,), (2,), (1,)), id="S-10.places"),
    ],
)
def test_bad_weather_ends_the_match_with_a_ranking(
    climbers: tuple[int, ...], sherpas: dict[int, tuple[int, ...]], ranking: tuple[tuple[int, ...], ...]
) -> None:
    state = position(3, climbers=climbers, sherpas=sherpas, phase=Phase.DRAW, cycle=2)
    _, over = do(state, DrawBadWeather())
    outcome = SUMMIT.outcome(over)
    assert outcome is not None
    assert outcome.ranking == ranking
    assert outcome == standing(state)
    assert SUMMIT.outcome(state) is None


def test_a_seat_sees_the_whole_position_but_not_the_order_of_the_deck() -> None:
    """Rule S-view."""
    state = draw_due(deck=(-3, 1, 5), seen=(2,))
    assert all(SUMMIT.view(state, seat) == state for seat in state.seats)
    assert SUMMIT.position(state)["deck"] == [-3, 1, 5]
    assert sorted(state.deck) == list(state.deck)
