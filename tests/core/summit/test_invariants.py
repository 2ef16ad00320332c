"""Matches that hypothesis plays: whatever is chosen, every invariant of the rules holds after every event."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.players.named import make_player
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import DrawYetiCard, ThrowDice
from himalaya_core.summit.board import Board, parse_board
from tests.conformance.playing import SUMMITS, Variant, random_match, recorded
from tests.core.summit.positions import BOARD
from tests.core.summit.referee import Referee

QUICKLY = 12
STEPS = 60
"""Turns of one example; a match of two has some eighty."""
NAMES = st.sampled_from(["greedy", "porter", "racer"])


def crowded() -> Board:
    """Return a short route full of special fields, on which everything happens soon."""
    document = json.loads(json.dumps(BOARD.document))
    document.update(id="crowded", summit=16, cave=9, high_camps=[6, 12], snow=[13, 15])
    document["slides"] = {
        "7": {"to": 6, "kind": "landslide"},
        "11": {"to": 8, "kind": "avalanche"},
        "14": {"to": 10, "kind": "avalanche"},
    }
    document["supply_by_players"] = {key: ["1/2", "3/4", "5/6"] for key in "2345"}
    return parse_board(document)


BOARDS = (BOARD, crowded())


class Table(RuleBasedStateMachine):
    """A table at which a step is a turn of any choice, and a referee watches every event."""

    @initialize(board=st.sampled_from(BOARDS), players=st.sampled_from((2, 3, 4, 5)), seed=st.text("abc"))
    def sit_down(self, board: Board, players: int, seed: str) -> None:
        self.seed = Seed(seed)
        self.match = Match(SUMMIT, board, {"players": players})
        self.referee = Referee(self.match.start)
        self.seen = 0
        self.watch()

    def watch(self) -> None:
        for step in self.match.history[self.seen :]:
            self.referee.watch(step.event, step.state)
        self.seen = len(self.match.history)

    def play(self, choose: Callable[[Sequence[Any]], Any]) -> None:
        """Let chance do what is due, then somebody choose; after the end sit down to another match."""
        if self.match.is_over:
            self.referee.finished()
            self.sit_down(BOARDS[1], 7 - len(self.match.state.seats), "again")
        while self.match.actors == (CHANCE,):
            self.match.play(self.match.sample_chance(self.seed))
            self.watch()
        if self.match.actors:
            self.match.play(choose(self.match.legal_actions(self.match.actors[0])))
            self.watch()

    @rule(number=st.integers(0, 119))
    def any_action(self, number: int) -> None:
        self.play(lambda actions: actions[number % len(actions)])

    @rule(numbers=st.lists(st.integers(0, 119), min_size=6, max_size=6))
    def a_throw_of_any_actions(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.play(lambda actions, number=number: actions[number % len(actions)])  # type: ignore[misc]

    @rule(name=NAMES)
    def as_a_player_would(self, name: str) -> None:
        for _ in range(4):
            self.play(lambda _: make_player(SUMMIT, name, "").choose(self.match.state, self.match.actors[0]))

    @rule(faces=st.lists(st.integers(1, 6), min_size=8, max_size=8), card=st.integers(0, 8))
    def any_throw_and_any_card(self, faces: Sequence[int], card: int) -> None:
        """Chance too may do whatever it can."""
        state = self.match.state
        if self.match.actors == (CHANCE,) and state.turn and not state.pool:
            self.match.play(ThrowDice(tuple(sorted(faces[: state.board.dice[len(state.seats)]]))))
            if self.match.actors == (CHANCE,) and self.match.state.deck:
                self.match.play(DrawYetiCard(self.match.state.deck[card % len(self.match.state.deck)]))
            self.watch()


def test_every_invariant_holds_whatever_is_chosen() -> None:
    """The soak also looks for the smallest match that breaks one, which takes minutes."""
    chosen = settings(settings(), stateful_step_count=STEPS)
    if settings().max_examples == settings.get_profile("default").max_examples:
        chosen = settings(chosen, max_examples=QUICKLY, phases=set(Phase) - {Phase.shrink, Phase.explain})
    run_state_machine_as_test(Table, settings=chosen)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("variant", SUMMITS, ids=str)
@pytest.mark.parametrize("seed", ["one", *(pytest.param(seed, marks=pytest.mark.soak) for seed in ("two", "three"))])
def test_every_invariant_holds_between_players(variant: Variant, seed: str) -> None:
    for match in (recorded(variant, seed)[0], random_match(variant, seed)):
        referee = Referee(match.start)
        for step in match.history:
            referee.watch(step.event, step.state)
        referee.finished()
