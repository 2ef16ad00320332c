"""Matches that hypothesis plays: whatever is chosen, every invariant of the rules holds after every event."""

import json
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import ClimbStep, MoveBlock, PlaceDisc, SeatAction, Shift, SkipBlock
from himalaya_core.climbers.blocks import Cell, poses_of
from himalaya_core.climbers.board import Board, parse_board
from himalaya_core.climbers.pieces import Ladder, Phase
from himalaya_core.climbers.state import State
from himalaya_core.engine import step
from himalaya_core.game import CHANCE
from himalaya_core.luck import KeyedLuck
from himalaya_core.match import Match
from tests.climbers.referee import Referee
from tests.climbers.structures import board as cuboid
from tests.climbers.test_board import BOARD, SOLID
from tests.conformance.playing import CLIMBS, Variant, accepts, random_match

QUICKLY = 12
STEPS = 40
"""Actions of one example; a random match of two has some twenty."""


def neutral() -> Board:
    """Return a board that is soon full of neutral steps: all that lies flat has a neutral face there."""
    document = json.loads(json.dumps(BOARD.document))
    variants = {"1": {"tp": 0, "yr": 0, "pn": 12}, "4": {"tp": 5, "yr": 4, "pn": 0}}
    document.update(id="neutral", block_variants=variants, generator={"moves": 60})
    return parse_board(document)


BOARDS = (BOARD, SOLID, cuboid(16), neutral())


class Table(RuleBasedStateMachine):
    """A table at which anybody chooses anything, and a referee watches every event."""

    @initialize(board=st.sampled_from(BOARDS), players=st.sampled_from((2, 3, 4, 5)), luck=st.text("abc", max_size=3))
    def sit_down(self, board: Board, players: int, luck: str) -> None:
        self.luck = KeyedLuck(luck)
        self.match = Match(CLIMBERS, board, {"players": players})
        self.referee = Referee(self.match.start)
        self.seen = 0
        while self.match.actors == (CHANCE,):
            self.match.play(self.match.sample_chance(self.luck))
        self.watch()

    def watch(self) -> None:
        for played in self.match.history[self.seen :]:
            self.referee.watch(played.event, played.state)
        self.seen = len(self.match.history)

    def play(self, choose: Callable[[Sequence[Any]], Any]) -> None:
        """Let somebody choose; after the end sit down to another match."""
        if self.match.is_over:
            self.referee.finished()
            self.sit_down(BOARDS[3], 7 - len(self.match.state.seats), "again")
        self.match.play(choose(self.match.legal_actions(self.match.actors[0])))
        self.watch()

    @rule(number=st.integers(0, 19_999))
    def any_action(self, number: int) -> None:
        self.play(lambda actions: actions[number % len(actions)])

    @rule(number=st.integers(0, 19_999))
    def climb_if_possible(self, number: int) -> None:
        """Go up wherever there is a way, and on until there is none or a block is to be moved."""
        for _ in range(4):
            self.play(lambda actions: actions[number % max(1, len(actions) - 1)])
            if self.match.is_over or self.match.state.phase is Phase.BLOCK:
                break

    @rule(numbers=st.lists(st.integers(0, 19_999), min_size=12, max_size=12))
    def build_around_climbers(self, numbers: Sequence[int]) -> None:
        """Move a block onto climbers if some of the moves tried do that."""
        if self.match.is_over or self.match.state.phase is not Phase.BLOCK:
            return
        moves = self.match.legal_actions(self.match.state.active)
        tried = [moves[number % len(moves)] for number in numbers]
        crowded = [move for move in tried if isinstance(move, MoveBlock) and move.shifts]
        chosen = crowded[0] if crowded else onto_climbers(moves) or SkipBlock(self.match.state.active)
        self.play(lambda _: chosen)

    @rule(
        numbers=st.lists(st.integers(0, 34), min_size=6, max_size=6),
        offsets=st.lists(st.tuples(st.integers(-3, 2), st.integers(-3, 2)), min_size=6, max_size=6),
        shape=st.integers(0, 9),
        ladder=st.sampled_from(Ladder),
    )
    def whatever_is_accepted(
        self, numbers: Sequence[int], offsets: Sequence[tuple[int, int]], shape: int, ladder: Ladder
    ) -> None:
        """Try actions that no list was asked for, around climbers and discs; watch all that are accepted, play one."""
        state = self.match.state
        chosen = None
        for number, off in () if self.match.is_over else product(numbers, offsets):
            action = guess(state, number, shape, off, ladder)
            if accepts(CLIMBERS, state, action):
                chosen, referee = action, self.referee.twin()
                for event, after in step(CLIMBERS, state, action):
                    referee.watch(event, after)
        if chosen is not None:
            self.play(lambda _: chosen)


def guess(state: State, number: int, shape: int, off: tuple[int, int], ladder: Ladder) -> SeatAction:
    """Return an action of the kind that is due, with a block of a number somewhere; it may well be illegal."""
    seat, last = state.acting, state.board.side - 1
    marks = [*state.climbers, *(disc.cell for disc in state.discs)]
    near = [cell for cell in marks if cell is not None]
    own = state.poses[number]
    middle = near[number % len(near)] if near and number % 3 else Cell(own.x, own.y) if own else Cell(0, 0)
    at = Cell(min(max(middle.x + off[0], 0), last), min(max(middle.y + off[1], 0), last))
    if state.phase is Phase.BLOCK:
        shapes = poses_of(state.board.blocks[number])
        way = shapes[shape % len(shapes)]
        covered = [
            Shift(other, Cell(min(cell.x + shape % 3, last), min(cell.y + number % 3, last)))
            for other, cell in enumerate(state.climbers if number % 5 else ())
            if cell is not None and at.x <= cell.x < at.x + way.dx and at.y <= cell.y < at.y + way.dy
        ]
        return MoveBlock(seat, number, at.x, at.y, way.dx, way.dy, way.top, tuple(covered))
    return PlaceDisc(seat, number, at) if state.phase is Phase.DISC else ClimbStep(seat, at, ladder)


def onto_climbers(moves: Sequence[Any]) -> MoveBlock | None:
    """Return a move that makes climbers give way, looking at a tenth of all."""
    return next((move for move in moves[::10] if isinstance(move, MoveBlock) and move.shifts), None)


def test_every_invariant_holds_whatever_is_chosen() -> None:
    """The soak also looks for the smallest match that breaks one, which takes minutes."""
    chosen = settings(settings(), stateful_step_count=STEPS)
    if settings().max_examples == settings.get_profile("default").max_examples:
        chosen = settings(chosen, max_examples=QUICKLY, phases=set(Stage) - {Stage.shrink, Stage.explain})
    run_state_machine_as_test(Table, settings=chosen)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("variant", CLIMBS, ids=str)
@pytest.mark.parametrize("luck", ["one", "two", "three"])
def test_every_invariant_holds_in_random_matches(variant: Variant, luck: str) -> None:
    match = random_match(variant, luck)
    referee = Referee(match.start)
    for played in match.history:
        referee.watch(played.event, played.state)
    referee.finished()
    assert any(isinstance(played.action, ClimbStep) for played in match.history)
