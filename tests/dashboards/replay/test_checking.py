"""Checking an action: if a choice is still open, the response lists all complete forms of the action."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from dashboards.boards.scene import names_of
from dashboards.replay.branch_document import read_action
from dashboards.replay.scenes import checked
from himalaya_core.api import play
from himalaya_core.caravan.actions import CommitPlan
from himalaya_core.caravan.pieces import Act
from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.engine import step
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay

CLIMBERS = GAMES["climbers"]


@pytest.fixture(scope="module")
def crowded() -> tuple[Replay, int]:
    """Return a match and an event in which a climber was shifted to make room for a block."""
    replay = play("climbers", ["greedy"] * 3, seed="s1").replay
    moves = [seq for seq, each in enumerate(replay.entries) if getattr(each.action, "shifts", ())]
    return replay, moves[-1]


def test_a_block_laid_on_a_climber_lists_the_climber_s_ways_out(crowded: tuple[Replay, int]) -> None:
    replay, seq = crowded
    state, action, names = replay.states[seq - 1], replay.entries[seq].action, names_of(replay.header)
    found = checked(CLIMBERS, state, replace(action, shifts=()), names)
    assert not found.legal
    (shift,) = action.shifts
    assert found.message == f"the climber of {names[shift.player]} is there and must be shifted"
    assert found.ways is not None
    ways: list[Any] = [read_action(CLIMBERS, way.action) for way in found.ways]
    assert action in ways
    assert len(set(ways)) == len(ways) > 1
    for way, told in zip(ways, found.ways, strict=True):
        CLIMBERS.decide(state, way)
        assert replace(way, shifts=()) == replace(action, shifts=())
        cell = way.shifts[0].to_cell
        assert (told.text, told.on) == (f"{names[shift.player]} to {cell.x}, {cell.y}", [f"c{shift.player}"])
    steps = [_steps(state, way) for way in ways]
    assert steps == sorted(steps)


def test_legal_and_impossible_actions_list_no_ways(crowded: tuple[Replay, int]) -> None:
    replay, seq = crowded
    state, names = replay.states[seq - 1], names_of(replay.header)
    whole = replay.entries[seq].action
    assert checked(CLIMBERS, state, whole, names).legal
    outside = checked(CLIMBERS, state, replace(whole, x=60, y=60, shifts=()), names)
    assert (outside.legal, outside.ways) == (False, None)
    unknown = checked(CLIMBERS, state, replace(whole, block=99, shifts=()), names)
    assert (unknown.legal, unknown.ways) == (False, None)


RESTS = (Act.REST, Act.REST, Act.REST, Act.REST, Act.REST, Act.REST)


@pytest.mark.parametrize("options", [{}, {"tokens": True}])
def test_a_plan_is_foreseen_as_it_is_carried_out_if_the_others_rest(options: dict[str, Any]) -> None:
    replay = play("caravan", ["greedy"] * 3, seed="foreseen", options=options).replay
    game, names = replay.game, names_of(replay.header)
    for before in [state for state in replay.states if len(game.actors(state)) == 3]:
        plan = CommitPlan(1, (Act.TRADE, Act.SOIL, Act.ICE, Act.TRADE, Act.STONE, Act.TRADE))
        steps = checked(game, before, plan, names).steps
        state = before
        for action in (CommitPlan(0, RESTS), CommitPlan(2, RESTS), plan):
            state = step(game, state, action)[-1][1]
        while game.actors(state) == (1,) and state.step in range(1, 7):
            state = step(game, state, game.legal_actions(state, 1)[0])[-1][1]
        assert steps is not None
        assert (len(steps), steps[-1].at) == (6, state.caravans[1])


def test_a_preview_does_not_depend_on_plans_that_are_secret() -> None:
    replay = play("caravan", ["greedy"] * 3, seed="foreseen").replay
    game, names = replay.game, names_of(replay.header)
    before = next(state for state in replay.states if len(game.actors(state)) == 3 and state.round == 3)
    plan = CommitPlan(1, (Act.TRADE, Act.SOIL, Act.TRADE, Act.TRADE, Act.STONE, Act.TRADE))
    found = checked(game, before, plan, names).steps
    for one, two in product((Act.TRADE, Act.SOIL, Act.STONE, Act.ICE), repeat=2):
        other = step(game, before, CommitPlan(0, (one, two, one, two, one, two)))[-1][1]
        assert checked(game, other, plan, names).steps == found


def _steps(state: Any, way: MoveBlock) -> int:
    here, there = state.climbers[way.shifts[0].player], way.shifts[0].to_cell
    return abs(here.x - there.x) + abs(here.y - there.y)
