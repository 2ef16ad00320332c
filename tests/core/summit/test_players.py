"""The players of summit: legal, deterministic, and each with its own style."""

from collections.abc import Sequence
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.match import Match, run
from himalaya_core.players import PLAYERS
from himalaya_core.players.named import UnknownPlayer, make_player
from himalaya_core.players.summit.base import cards_to_come, danger, next_site
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import MoveByDie, Reroll, TakeBack
from himalaya_core.summit.pieces import Piece
from himalaya_core.summit.state import State
from tests.core.summit.positions import BLUE, BOARD, CLIMBER, RED, S1, S2, S3, die, do, legal, position

NAMES = sorted(PLAYERS["summit"])
QUICK = [name if name != "search" else "search:width=2" for name in NAMES]
FIXED = sorted(set(QUICK) - {"random"})
"""Players without random choices, which play the same with any seed."""
EVERY = [pytest.param(name, marks=pytest.mark.slow("searches") if "search" in name else ()) for name in QUICK]
FEW = settings(max_examples=max(3, settings().max_examples // 12))


class Watched:
    """A wrapper that checks and records a player's choices."""

    def __init__(self, name: str, seed: str) -> None:
        self.player = make_player(SUMMIT, name, seed)
        self.chosen: list[tuple[State, Any]] = []

    def choose(self, view: State, seat: int, /) -> Any:
        action = self.player.choose(view, seat)
        assert action in SUMMIT.legal_actions(view, seat)
        self.chosen.append((view, action))
        return action


def play(line_up: Sequence[str], seed: str) -> tuple[Match[Any, Any, Any], list[Watched]]:
    match: Match[Any, Any, Any] = Match(SUMMIT, BOARD, {"players": len(line_up)})
    players = [Watched(name, f"{seed}|{seat}") for seat, name in enumerate(line_up)]
    run(match, players, Seed(seed))
    return match, players


@pytest.mark.parametrize(
    "names",
    [[name for name in NAMES if name != "search"], pytest.param(QUICK, marks=pytest.mark.slow("search"))],
)
@FEW
@given(data=st.data(), seed=st.text("abc", max_size=4))
def test_every_line_up_plays_a_legal_match(names: list[str], data: st.DataObject, seed: str) -> None:
    line_up = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=5))
    match, _ = play(line_up, seed)
    assert match.outcome is not None


@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_and_views_give_the_same_choices(name: str) -> None:
    _, (watched, *_) = play([name, "greedy", "random"], "again")
    again = make_player(SUMMIT, name, "again|0")
    assert [again.choose(view, 0) for view, _ in watched.chosen] == [action for _, action in watched.chosen]


@pytest.mark.parametrize("name", FIXED)
def test_a_strategy_depends_only_on_the_view(name: str) -> None:
    """Neither its seed nor earlier decisions change its choice."""
    _, (watched, *_) = play([name, "random"], "alone")
    for number, (view, action) in enumerate(reversed(watched.chosen)):
        assert make_player(SUMMIT, name, str(number)).choose(view, 0) == action


@pytest.mark.parametrize("name", FIXED)
def test_players_take_an_immediate_win(name: str) -> None:
    state = position(climbers=(28, 30), sherpas={RED: (30, 30, 27, 1)}, pool=(1, 2, 5), yeti=5)
    assert make_player(SUMMIT, name, "").choose(state, RED) == die(5, CLIMBER)


@pytest.mark.parametrize("name", FIXED)
def test_players_take_back_a_card_if_they_can(name: str) -> None:
    state = position(sherpas={RED: (10, 8, 9, 20)}, used={RED: ("3/4",)}, pool=(1, 1, 2, 4))
    _, state = do(state, die(2, S1))
    assert make_player(SUMMIT, name, "").choose(state, RED) == TakeBack(RED, "3/4")


@pytest.mark.parametrize("name", FIXED)
def test_a_poor_last_die_is_rerolled(name: str) -> None:
    """Its climber needs two more dice to reach its pair of Sherpas, and the last die shows a one."""
    state = position(climbers=(17, 0), sherpas={RED: (23, 23, 23, 23)}, pool=(1,), yeti=5)
    assert Reroll(RED) in legal(state)
    assert make_player(SUMMIT, name, "").choose(state, RED) == Reroll(RED)


REFUSED = {
    "search:width=0": "player 'search': setting width: expected at least 1, found 0",
    "search:depth=2": "player 'search': setting 'depth' is unknown; there are width, climber",
    "racer:site=nan": "player 'racer': setting site: expected at least 0, found nan",
    "random:seed=1": "player 'random': setting 'seed' is unknown; there are none",
    "trader": "player 'trader' is unknown; summit has random, greedy, porter, racer, search",
}


@pytest.mark.parametrize(("name", "message"), REFUSED.items(), ids=REFUSED)
def test_an_invalid_setting_is_reported(name: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as refused:
        make_player(SUMMIT, name, "")
    assert str(refused.value).startswith(message)


def climber_can_go(view: State, seat: int) -> bool:
    return any(isinstance(move, MoveByDie) and move.piece is CLIMBER for move in SUMMIT.legal_actions(view, seat))


def test_the_racer_moves_its_climber_when_it_can() -> None:
    """The racer does so nearly always, and more often than the porter."""
    went: dict[str, list[bool]] = {"porter": [], "racer": []}
    for number in range(3):
        _, players = play(("porter", "racer", "greedy"), f"fashion {number}")
        for seat, name in enumerate(went):
            asked = [(view, action) for view, action in players[seat].chosen if climber_can_go(view, seat)]
            went[name] += [getattr(action, "piece", None) is CLIMBER for _, action in asked]
    assert mean(went["racer"]) > 0.8
    assert mean(went["racer"]) > mean(went["porter"]) + 0.1


def test_the_porter_keeps_its_sherpas_together() -> None:
    """Three of four of its Sherpas are in pairs, of the racer's two of five; they are also closer together."""
    length: dict[str, list[float]] = {"porter": [], "racer": []}
    paired: dict[str, list[float]] = {"porter": [], "racer": []}
    for number in range(4):
        line_up = ("porter", "racer") if number % 2 else ("racer", "porter")
        match, _ = play(line_up, f"fashion {number}")
        for seat, name in enumerate(line_up):
            rows = [step.state.sherpas[seat] for step in match.history]
            length[name].append(mean(max(row) - min(row) for row in rows))
            paired[name].append(mean(row.count(field) > 1 for row in rows for field in row))
    assert max(length["porter"]) < min(length["racer"])
    assert mean(paired["porter"]) > 0.7
    assert mean(paired["racer"]) < 0.5


def test_the_sherpas_of_greedy_do_not_run_away_from_its_climber() -> None:
    """The leading Sherpa gains nothing from a four; a Sherpa that joins another opens a field to the climber."""
    state = position(sherpas={RED: (1, 2, 3, 6)}, pool=(4,), yeti=20, rerolled=True)
    assert make_player(SUMMIT, "greedy", "").choose(state, RED) == die(4, S1)


def test_the_climber_of_greedy_leaves_the_base_camp() -> None:
    """In all of these matches greedy's climber is above the base camp at the end."""
    for number in range(4):
        match, _ = play(("greedy", "porter", "racer", "random"), f"climbs {number}")
        assert match.state.climbers[0] > 0


@pytest.mark.parametrize(("card", "field"), [(-3, 17), (3, 17), (2, 16)])
def test_the_porter_forms_its_pair_out_of_reach_of_the_yeti(card: int, field: int) -> None:
    """The porter pairs on 17; if the remaining card sends the Yeti there, on 16 (take-along, slide on 18)."""
    state = position(climbers=(14, 7), sherpas={RED: (16, 17, 19, 19)}, pool=(1,), yeti=15, rerolled=True, deck=(card,))
    _, state = do(state, make_player(SUMMIT, "porter", "").choose(state, RED))
    assert state.sherpas[RED] == (field, field, 19, 19)


def test_search_takes_the_winning_die_of_a_rival() -> None:
    """Search considers the dice left for its rival; alone, its climber's step by the one would be worth more."""
    state = position(climbers=(8, 28), sherpas={RED: (9, 9, 12, 12)}, pool=(1, 5), yeti=20)
    search = make_player(SUMMIT, "search", "")
    assert search.ranked(state, RED)[0][1] == die(1, CLIMBER)  # type: ignore[attr-defined]
    assert search.choose(state, RED).face == 5


@pytest.mark.parametrize(("cycle", "deck", "chosen"), [(1, BOARD.yeti_cards, S2), (2, (), CLIMBER), (2, (1,), CLIMBER)])
def test_search_considers_the_chance_of_bad_weather(cycle: int, deck: tuple[int, ...], chosen: Piece) -> None:
    """Two Sherpas on 12 are better than a climber on 8, unless the match may end now with the rival's climber on 7."""
    state = position(
        climbers=(6, 7), sherpas={RED: (8, 8, 10, 12)}, pool=(2,), yeti=25, rerolled=True, deck=deck, cycle=cycle
    )
    assert make_player(SUMMIT, "search", "").choose(state, RED) == die(2, chosen)


@pytest.mark.parametrize(("card", "chosen"), [(2, S3), (3, S2), (-3, S2)])
def test_search_considers_the_possible_fields_of_the_yeti(card: int, chosen: Piece) -> None:
    """Search moves to 17 unless the remaining card sends the Yeti there."""
    state = position(climbers=(6, 7), sherpas={RED: (8, 8, 16, 19)}, pool=(1,), yeti=15, rerolled=True, deck=(card,))
    assert make_player(SUMMIT, "search:danger=0", "").choose(state, RED) == die(1, chosen)


def test_the_next_site_is_the_highest_pair_reachable_with_a_die() -> None:
    state = position(climbers=(5, 9), sherpas={RED: (9, 9, 8, 8)}, yeti=20)
    assert next_site(state, RED) == 8
    assert next_site(position(climbers=(5, 0), sherpas={RED: (9, 9, 8, 8)}, yeti=9), RED) == 8
    assert next_site(position(climbers=(1, 0), sherpas={RED: (9, 9, 8, 8)}), RED) == 1
    assert next_site(position(climbers=(26, 0)), RED) == 32


def test_the_danger_is_the_mean_loss_to_the_next_card() -> None:
    """Red loses 7 + 7 fields to one of three cards and 2 to another; blue's Sherpas are safe in a camp."""
    state = position(sherpas={RED: (17, 17, 12, 1), BLUE: (10, 10, 10, 10)}, yeti=15, deck=(-3, 2, 5))
    assert danger(state, RED) == pytest.approx((7 + 7 + 2) / 3)
    assert danger(state, BLUE) == 0
    assert cards_to_come(position(deck=())) == tuple(sorted(BOARD.yeti_cards))
    assert cards_to_come(position(deck=(), cycle=2)) == ()
