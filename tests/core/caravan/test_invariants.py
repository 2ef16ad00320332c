"""Matches that hypothesis plays: whatever is chosen, every invariant of the rules holds after every event."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any, TypeAlias

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import Action, CommitPlan
from himalaya_core.caravan.board import Board
from himalaya_core.caravan.events import Event
from himalaya_core.caravan.options import Options
from himalaya_core.caravan.pieces import ROUNDS
from himalaya_core.caravan.state import State, evolve, initial
from himalaya_core.game import CHANCE, Game
from himalaya_core.match import Match
from himalaya_core.players import PLAYERS
from himalaya_core.players.named import make_player
from himalaya_core.seed import Seed
from tests.conformance.playing import ADVANCED, CARAVANS, Variant, random_match, recorded
from tests.core.caravan.positions import BOARD
from tests.core.caravan.referee import Referee

CaravanGame: TypeAlias = Game[State, Action, Event]
QUICKLY = 20
ANY_PLAN = st.integers(0, 5**6 - 1)
NAMES = st.sampled_from(sorted(set(PLAYERS["caravan"]) - {"planner", "rollout"}))
CHOICES = st.lists(st.integers(0, 99), max_size=8)
"""What is done with the tokens, trades and inventories of a round, by number among the legal actions, over and over."""


def scarce(options: Options, board: Board) -> State:
    """Return the first position of a game in which everything runs out."""
    return evolve(
        initial(options, board),
        bag=(9, 8, 6, 5, 4),
        order_bag=frozenset(board.orders[::3]),
        stupas_left=(1,) * options.players,
        delegations_left=(2,) * options.players,
    )


SCARCE: CaravanGame = replace(CARAVAN, initial=scarce)


class Table(RuleBasedStateMachine):
    """A table at which a step is a round of any plans and any decisions, and a referee watches every event."""

    @initialize(
        game=st.sampled_from((CARAVAN, SCARCE)),
        players=st.sampled_from((3, 4, 5, 6)),
        on=st.sets(st.sampled_from(ADVANCED)),
        first=st.integers(0, 2),
        seed=st.text("abc"),
        places=CHOICES,
    )
    def sit_down(
        self, game: CaravanGame, players: int, on: Collection[str], first: int, seed: str, places: Sequence[int]
    ) -> None:
        self.seed = Seed(seed)
        self.match = Match(game, BOARD, {"players": players, "first": first, **dict.fromkeys(on, True)})
        self.referee = Referee(self.match.start)
        self.go_on(places)

    def do(self, action: Any) -> None:
        seen = len(self.match.history)
        self.match.play(action)
        for step in self.match.history[seen:]:
            self.referee.watch(step.event, step.state)

    def go_on(self, choices: Sequence[int]) -> None:
        """Roll, place and trade until plans are to be made or the match is over."""
        numbers = cycle(choices or [0])
        while actors := self.match.actors:
            if actors == (CHANCE,):
                self.do(self.match.sample_chance(self.seed))
                continue
            legal = self.match.legal_actions(actors[0])
            if isinstance(legal[0], CommitPlan):
                return
            self.do(legal[next(numbers) % len(legal)])

    def play(self, plan: Callable[[int], Any], choices: Sequence[int]) -> None:
        """Play a round; if there is none left, look at the outcome and sit down to another match."""
        if self.match.is_over:
            assert self.match.state.round == ROUNDS
            assert self.match.outcome is not None
            self.referee.over()
            self.sit_down(CARAVAN, 9 - len(self.match.state.seats), frozenset(ADVANCED), 2, "again", choices)
        for seat in self.match.actors:
            self.do(plan(seat))
        self.go_on(choices)

    @rule(numbers=st.tuples(*[ANY_PLAN] * 6), choices=CHOICES)
    def each_has_any_plan(self, numbers: Sequence[int], choices: Sequence[int]) -> None:
        self.play(lambda seat: self.match.legal_actions(seat)[numbers[seat]], choices)

    @rule(number=ANY_PLAN, choices=CHOICES)
    def all_have_one_plan(self, number: int, choices: Sequence[int]) -> None:
        self.play(lambda seat: self.match.legal_actions(seat)[number], choices)

    @rule(names=st.tuples(*[NAMES] * 6), choices=CHOICES)
    def each_plans_as_a_player_would(self, names: Sequence[str], choices: Sequence[int]) -> None:
        def plan(seat: int) -> Any:
            return make_player(CARAVAN, names[seat], "").choose(CARAVAN.view(self.match.state, seat), seat)

        self.play(plan, choices)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_box_holds_what_the_rulebook_says(players: int) -> None:
    start = initial(Options(players), BOARD)
    assert start.bag == (18, 15, 12, 9, 6)
    assert len(start.order_bag) == 40
    assert start.stupas_left == (5,) * players
    assert start.delegations_left == (15,) * players


def test_every_invariant_holds_whatever_is_chosen() -> None:
    """The soak also looks for the smallest match that breaks one, which takes minutes."""
    chosen = settings(settings(), stateful_step_count=ROUNDS + 2)
    if settings().max_examples == settings.get_profile("default").max_examples:
        chosen = settings(chosen, max_examples=QUICKLY, phases=set(Phase) - {Phase.shrink, Phase.explain})
    run_state_machine_as_test(Table, settings=chosen)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("variant", CARAVANS, ids=str)
@pytest.mark.parametrize("seed", ["one", *(pytest.param(seed, marks=pytest.mark.soak) for seed in ("two", "three"))])
def test_every_invariant_holds_between_players(variant: Variant, seed: str) -> None:
    for match in (recorded(variant, seed)[0], random_match(variant, seed)):
        referee = Referee(match.start)
        for step in match.history:
            referee.watch(step.event, step.state)
        referee.over()
