"""The decision cycle: settling automatic events, playing, copies, and limits that stop a faulty game."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any

import pytest

from himalaya_core import match as shell
from himalaya_core.boards import shipped_board
from himalaya_core.caravan.events import Delivered, PlansRevealed, RoundEnded
from himalaya_core.engine import EndlessAdvance, fold, settle, step
from himalaya_core.errors import OptionsError
from himalaya_core.game import CHANCE, IllegalAction, log_name
from himalaya_core.games import GAMES
from himalaya_core.match import Match, RunawayMatch, run
from himalaya_core.seed import Seed
from tests.conformance.playing import CARAVANS, VARIANTS, AnyMatch, new_match, random_match

CARAVAN = GAMES["caravan"]
BOARD = shipped_board("caravan")
SEED = Seed("kernel")


def match_of(game: Any) -> AnyMatch:
    return Match(game, BOARD, {"players": 3})


class First:
    """A player that takes the first legal action, or a given one."""

    def __init__(self, game: Any, action: Any = None) -> None:
        self.game = game
        self.action = action

    def choose(self, view: Any, seat: int, /) -> Any:
        return self.action or self.game.legal_actions(view, seat)[0]


def test_a_match_can_be_played_in_the_shell() -> None:
    match = match_of(CARAVAN)
    while not match.is_over:
        actor = match.actors[0]
        match.play(match.sample_chance(SEED) if actor == CHANCE else match.legal_actions(actor)[0])
    assert match.outcome is not None
    assert match.outcome.winners


def test_run_plays_the_same_match_as_playing_by_hand() -> None:
    match, other = match_of(CARAVAN), match_of(CARAVAN)
    run(match, [First(CARAVAN)] * 3, SEED)
    while other.actors:
        seat = other.actors[0]
        other.play(other.sample_chance(SEED) if seat == CHANCE else other.legal_actions(seat)[0])
    assert match.history == other.history


def test_the_history_counts_plies_and_keeps_actions() -> None:
    match = random_match(VARIANTS[0], "kernel")
    firsts = [step for step in match.history if step.action is not None]
    assert [step.ply for step in firsts] == list(range(1, match.ply + 1))
    assert [step.ply for step in match.history] == sorted(step.ply for step in match.history)
    assert match.events == [step.event for step in match.history]


def test_folding_the_events_gives_the_position() -> None:
    match = random_match(VARIANTS[1], "kernel")
    assert fold(CARAVAN, match.start, match.events) == match.state


def test_a_ply_is_a_choice_and_its_consequences() -> None:
    match = random_match(VARIANTS[0], "kernel")
    before = match.start
    for first in match.history:
        if first.action is not None:
            events = [event for event, _ in step(CARAVAN, before, first.action)]
            assert events == [after.event for after in match.history if after.ply == first.ply]
        before = first.state
    assert settle(CARAVAN, match.state) == []


def test_a_game_that_never_settles_is_stopped() -> None:
    faulty = replace(CARAVAN, advance=lambda _: RoundEnded())
    with pytest.raises(EndlessAdvance, match=r"^caravan: RoundEnded is event 10000 in a row by itself$"):
        match_of(faulty)


def test_a_match_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "MOST_PLIES", 20)
    with pytest.raises(RunawayMatch, match=r"^caravan: no end after 20 plies$"):
        run(match_of(CARAVAN), [First(CARAVAN)] * 3, SEED)


def test_a_player_that_acts_illegally_is_named() -> None:
    stubborn = First(CARAVAN, new_match(VARIANTS[0]).game.action_types["decline_trade"](1))
    players = [First(CARAVAN), stubborn, First(CARAVAN)]
    said = r"^First in seat 2 \(ply \d+, round 0\) chose DeclineTrade\(seat=1\): seat 2 has no trade"
    with pytest.raises(IllegalAction, match=said):
        run(match_of(CARAVAN), players, SEED)


NAMES = "players, first, tokens, full_inventory, village_cards, fewer_rewards"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "caravan needs 3 to 6 players; you named 2"),
        ({"players": 7}, "caravan needs 3 to 6 players; you named 7"),
        ({"players": "4"}, "caravan needs 3 to 6 players; you named '4'"),
        ({"players": True}, "caravan needs 3 to 6 players; you named true"),
        ({"players": 3, "first": 3}, "option first: expected a seat from 1 to 3, found 4"),
        ({"first": -1}, "option first: expected a seat from 1 to 4, found 0"),
        ({"first": None}, "option first: expected a seat from 1 to 4, found null"),
        ({"players": 6, "first": 6}, "option first: expected a seat from 1 to 6, found 7"),
        ({"tokens": 1}, "option tokens: expected true or false, found 1"),
        ({"full_inventory": None}, "option full_inventory: expected true or false, found null"),
        ({"village_cards": "yes"}, "option village_cards: expected true or false, found 'yes'"),
        ({"speed": 1}, f"option 'speed' is unknown; caravan has {NAMES}"),
    ],
)
def test_options_are_checked_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as refused:
        Match(CARAVAN, BOARD, options)
    assert str(refused.value) == message


def test_names_in_the_log_match_the_classes() -> None:
    assert log_name(PlansRevealed) == "plans_revealed"
    assert all(log_name(kind) == name for name, kind in CARAVAN.event_types.items())


def test_a_branch_that_repeats_the_actions_ends_the_same() -> None:
    match = random_match(CARAVANS[-1], "branch")
    cut = next(seq for seq, step in enumerate(match.history) if step.ply > 60 and step.action is not None)
    branch = match.branch(cut)
    for step_ in match.history[cut:]:
        if step_.action is not None:
            branch.play(step_.action)
    assert branch.history == match.history
    assert branch.ply == match.ply


def test_a_branch_can_differ_and_does_not_change_its_match() -> None:
    match = random_match(VARIANTS[1], "branch")
    before = list(match.history)
    branch = match.branch(0)
    assert (branch.state, branch.ply, branch.history) == (match.start, 0, [])
    branch.play(branch.sample_chance(Seed("another")))
    assert match.history == before
    assert branch.events[0] != match.events[0]


def test_a_branch_carries_out_automatic_events() -> None:
    match = random_match(VARIANTS[1], "branch")
    revealed = next(seq for seq, event in enumerate(match.events, start=1) if isinstance(event, PlansRevealed))
    branch = match.branch(revealed)
    assert branch.history == match.history[: len(branch.history)]
    assert branch.is_over or branch.actors


def test_a_branch_in_the_middle_of_a_decision_is_refused() -> None:
    match = next(m for m in (random_match(VARIANTS[1], f"branch-{n}") for n in range(50)) if deliveries(m))
    with pytest.raises(ValueError, match="is not the last of its decision"):
        match.branch(deliveries(match)[0])
    with pytest.raises(IndexError, match="the last is"):
        match.branch(len(match.history) + 1)


def deliveries(match: AnyMatch) -> list[int]:
    return [seq for seq, event in enumerate(match.events, start=1) if isinstance(event, Delivered)]


@pytest.mark.parametrize("copied", [copy, deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_copied_or_pickled_match_is_independent(variant: Any, copied: Callable[[AnyMatch], AnyMatch]) -> None:
    whole = random_match(variant, "copies")
    ends = [seq for seq, step_ in enumerate(whole.history, 1) if step_.action is not None]
    match = whole.branch(ends[len(ends) // 2] - 1)
    twin = copied(match)
    assert (twin.game, twin.state, twin.history) == (match.game, match.state, match.history)
    action = whole.history[len(match.history)].action
    twin.play(action)
    assert (len(twin.history) > len(match.history), twin.ply) == (True, match.ply + 1)
    match.play(action)
    assert match.history == twin.history


def test_a_game_that_is_not_installed_is_pickled_by_its_fields() -> None:
    other = replace(CARAVAN, name="other")
    assert pickle.loads(pickle.dumps(CARAVAN)) is CARAVAN
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(other)
