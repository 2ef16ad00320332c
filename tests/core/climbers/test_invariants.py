"""Matches that hypothesis plays: whatever is chosen, every invariant of the rules holds after every event."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import ClimbStep, MoveBlock, PlaceDisc, SeatAction, Shift, SkipBlock
from himalaya_core.climbers.blocks import Cell, Shape, poses_of
from himalaya_core.climbers.board import Board, parse_board
from himalaya_core.climbers.pieces import Ladder, Phase
from himalaya_core.climbers.state import State
from himalaya_core.engine import step
from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from tests.conformance.playing import CLIMBS, AnyMatch, Variant, accepts, random_match, recorded
from tests.core.climbers.referee import Referee
from tests.core.climbers.structures import board as cuboid
from tests.core.climbers.test_board import BOARD, SOLID

QUICKLY = 6
STEPS = 40
"""Actions of one example; a random match of two has some twenty."""
GUESSES = 60
"""Actions tried in one position; about a sixth are legal."""


def neutral() -> Board:
    """Return a board that is soon full of neutral steps: all that lies flat has a neutral face there."""
    document = json.loads(json.dumps(BOARD.document))
    variants = {"1": {"tp": 0, "yr": 0, "pn": 12}, "4": {"tp": 5, "yr": 4, "pn": 0}}
    document.update(id="neutral", block_variants=variants, generator={"moves": 60})
    return parse_board(document)


BOARDS = (BOARD, SOLID, cuboid(16), neutral())


class Table(RuleBasedStateMachine):
    """A table at which anybody chooses anything, and a referee watches every event."""

    @initialize(board=st.sampled_from(BOARDS), players=st.sampled_from((2, 3, 4, 5)), seed=st.text("abc", max_size=3))
    def sit_down(self, board: Board, players: int, seed: str) -> None:
        self.seed = Seed(seed)
        self.match = Match(CLIMBERS, board, {"players": players})
        self.referee = Referee(self.match.start)
        self.seen = 0
        while self.match.actors == (CHANCE,):
            self.match.play(self.match.sample_chance(self.seed))
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
        if self.match.state.phase is Phase.BLOCK:
            self.look_around(len(self.match.history))
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

    @rule(number=st.integers(0, 19_999))
    def whatever_is_accepted(self, number: int) -> None:
        """Play an action that no list was asked for."""
        accepted = [] if self.match.is_over else self.look_around(number)
        if accepted:
            self.play(lambda _: accepted[-1])

    def look_around(self, number: int) -> list[SeatAction]:
        """Try actions around climbers and discs; a second referee watches each that is accepted. Return those."""
        state, draws = self.match.state, random.Random(number)
        accepted = [action for action in guesses(state, draws) if accepts(CLIMBERS, state, action)]
        for action in accepted:
            referee = self.referee.twin()
            for event, after in step(CLIMBERS, state, action):
                referee.watch(event, after)
        return accepted


def guesses(state: State, draws: random.Random) -> Iterator[SeatAction]:
    """Yield actions of the kind that is due, somewhere about climbers, discs and blocks; many are illegal."""
    seat, last = state.acting, state.board.side - 1
    marks = [*state.climbers, *(disc.cell for disc in state.discs)]
    near = [cell for cell in marks if cell is not None]
    for _ in range(GUESSES):
        block, off = draws.randrange(35), (draws.randint(-3, 2), draws.randint(-3, 2))
        own = state.poses[block]
        assert own is not None, "all blocks lie"
        middle = draws.choice(near) if near and draws.random() < 0.6 else Cell(own.x, own.y)
        at = Cell(min(max(middle.x + off[0], 0), last), min(max(middle.y + off[1], 0), last))
        if state.phase is Phase.DISC:
            yield PlaceDisc(seat, block, at)
        elif state.phase is not Phase.BLOCK:
            yield ClimbStep(seat, at, draws.choice(list(Ladder)))
        elif draws.random() < 0.1:
            yield MoveBlock(seat, block, own.x, own.y, own.dx, own.dy, own.top)
        else:
            way = draws.choice(poses_of(state.board.blocks[block]))
            shifts = tuple(shifted(state, at, way, draws)) if draws.random() < 0.5 else ()
            yield MoveBlock(seat, block, at.x, at.y, way.dx, way.dy, way.top, shifts)


def shifted(state: State, at: Cell, way: Shape, draws: random.Random) -> Iterator[Shift]:
    """Yield where those might go who stand where a block is to lie."""
    last = state.board.side - 1
    for seat, cell in enumerate(state.climbers):
        if cell is not None and at.x <= cell.x < at.x + way.dx and at.y <= cell.y < at.y + way.dy:
            x, y = cell.x + draws.randint(-1, 2), cell.y + draws.randint(-1, 2)
            yield Shift(seat, Cell(min(max(x, 0), last), min(max(y, 0), last)))


def onto_climbers(moves: Sequence[Any]) -> MoveBlock | None:
    """Return a move that makes climbers give way, looking at a tenth of all."""
    return next((move for move in moves[::10] if isinstance(move, MoveBlock) and move.shifts), None)


def test_every_invariant_holds_whatever_is_chosen() -> None:
    """The soak also looks for the smallest match that breaks one, which takes minutes."""
    chosen = settings(settings(), stateful_step_count=STEPS)
    if settings().max_examples == settings.get_profile("default").max_examples:
        chosen = settings(chosen, max_examples=QUICKLY, phases=set(Stage) - {Stage.shrink, Stage.explain})
    run_state_machine_as_test(Table, settings=chosen)  # type: ignore[no-untyped-call]


def refereed(match: AnyMatch) -> None:
    referee = Referee(match.start)
    for played in match.history:
        referee.watch(played.event, played.state)
    referee.finished()
    assert any(isinstance(played.action, ClimbStep) for played in match.history)


@pytest.mark.parametrize("variant", CLIMBS, ids=str)
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_invariant_holds_in_random_matches(variant: Variant, seed: str) -> None:
    refereed(random_match(variant, seed))


def test_every_invariant_holds_between_players() -> None:
    refereed(recorded(CLIMBS[1], "one")[0])
