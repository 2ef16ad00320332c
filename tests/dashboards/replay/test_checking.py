"""Checking an action: if a choice is still open, the response lists all complete forms of the action."""

from dataclasses import replace
from typing import Any

import pytest

from dashboards.boards.scene import names_of
from dashboards.replay.branch_document import read_action
from dashboards.replay.scenes import checked
from himalaya_core.api import play
from himalaya_core.climbers.actions import MoveBlock
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


def _steps(state: Any, way: MoveBlock) -> int:
    here, there = state.climbers[way.shifts[0].player], way.shifts[0].to_cell
    return abs(here.x - there.x) + abs(here.y - there.y)
