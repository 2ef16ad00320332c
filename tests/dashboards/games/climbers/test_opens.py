"""Climbs opened by one block move, compared with trying every move."""

from pathlib import Path

import pytest

from dashboards.boards.scene import ply_names
from dashboards.games.climbers.replay.reach import opened, reach_on
from dashboards.queries.logs import match_lines
from dashboards.queries.reader import Reader
from dashboards.web.replay import OPENS_NOTHING
from himalaya_core.climbers.blocks import Pose, poses_of
from himalaya_core.climbers.climbing import ground
from himalaya_core.climbers.events import TurnStarted
from himalaya_core.climbers.listing import corners_for, lifts, meeting
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import numbers, squares_of
from himalaya_core.replay import Replay
from tests.dashboards.client import everything

GOLDEN = Path(__file__).parents[3] / "golden"


def turns(players: int) -> list[State]:
    replay = Replay.read((GOLDEN / f"climbers-{players}.jsonl").read_bytes().splitlines(keepends=True))
    begun = (isinstance(entry.event, TurnStarted) for entry in replay.entries)
    return [state for state, is_turn in zip(replay.states, begun, strict=True) if is_turn]


def by_every_move(state: State, seat: int) -> list[int]:
    whole = ground(state)
    now = reach_on(state, seat, whole)
    gained = dict.fromkeys(whole.levels, 0)
    for lift in lifts(state):
        grid, grounds = lift.terrain.grid, [lift.terrain]
        for shape in poses_of(state.board.blocks[lift.block]):
            standing = meeting(grid, sum(squares_of(grid, state.climbers)), shape.dx, shape.dy)
            for number in numbers(corners_for(state, lift, shape) & ~standing):
                y, x = divmod(number, grid.stride)
                height = lift.terrain.height_below(grid.box(x, y, shape.dx, shape.dy))
                assert height is not None
                pose = Pose(x, y, height, shape.dx, shape.dy, shape.dz, shape.top)
                grounds.append(lift.terrain.placed(lift.block, pose))
        for terrain in grounds:
            found = reach_on(state, seat, terrain)
            for height in gained:
                gained[height] |= found.at(height)
    places = [region for region in whole.regions if region.squares & gained[region.height] & ~now.at(region.height)]
    firsts = [next(whole.grid.cells(region.squares)) for region in places]
    return [first.y * whole.grid.side + first.x for first in firsts]


@pytest.mark.slow("tries every move")
@pytest.mark.parametrize(
    ("players", "turn"),
    [
        (2, -1),
        pytest.param(2, 0, marks=pytest.mark.soak("other places show the same")),
        pytest.param(5, -3, marks=pytest.mark.soak("other places show the same")),
    ],
)
def test_no_move_opens_more_than_those_that_are_tried(players: int, turn: int) -> None:
    state = turns(players)[turn]
    found = [opened(state, seat) for seat in range(players)]
    assert found == [by_every_move(state, seat) for seat in range(players)]
    assert any(found)


def test_a_server_says_what_a_move_would_open(of_climbers: Reader) -> None:
    client = everything(of_climbers.warehouse, has_pages=False)
    replay = Replay.read(match_lines(of_climbers, "walls.000000") or [])
    at = max(at for at, entry in enumerate(replay.entries) if isinstance(entry.event, TurnStarted))
    name = ply_names([entry.ply for entry in replay.entries])[at]
    answer = client.get(f"/api/replay/walls.000000/opens?ply={name}&view=2")
    assert answer.json == {"places": opened(replay.states[at], 1)}
    assert answer.headers["ETag"]
    refused = client.get("/api/replay/walls.000000/opens?ply=5")
    assert (refused.status_code, refused.json["message"]) == (400, OPENS_NOTHING)


def test_a_seat_without_a_colour_has_no_move() -> None:
    state = turns(2)[0]
    assert opened(state, 5) == []
