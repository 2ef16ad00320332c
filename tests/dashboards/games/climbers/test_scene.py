"""The scene of a climbers match: each frame shows the position computed from the log, with matching texts."""

import json
import math
import re
from collections import Counter
from itertools import product
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from dashboards.boards.picture import draw_board, place_and_event
from dashboards.boards.tower import TowerScene
from dashboards.games.climbers.replay.scene import climbers_scene, letters_of
from dashboards.replay.scenes import as_bytes
from himalaya_core.boards import shipped_boards
from himalaya_core.climbers.blocks import PARTNERS, Cell, Pose, poses_of
from himalaya_core.climbers.climbing import ground, level, steps
from himalaya_core.climbers.events import (
    BlockMoved,
    ClimberShifted,
    ClimberStepped,
    DiscPlaced,
    LadderSpent,
    LevelReached,
    TurnStarted,
)
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.pieces import DiscPlace, Ladder
from himalaya_core.climbers.scoring import standing as standing_of
from himalaya_core.climbers.view import LETTERS
from himalaya_core.replay import Replay
from tests.dashboards.boards.asking import faces, structure
from tests.dashboards.client import Client
from tests.dashboards.games.climbers.recorded import GOLDEN, replay_of, scene_of

SVG = "{http://www.w3.org/2000/svg}"
LANES = {
    "Rises": LevelReached,
    "Ladders": LadderSpent,
    "Discs": DiscPlaced,
    "Blocks moved": BlockMoved,
}
FRONTS = [*product((-1, 1), repeat=2)]


@pytest.fixture(params=[2, 5])
def replay(request: pytest.FixtureRequest) -> Replay:
    return replay_of(request.param)


@pytest.fixture
def scene(replay: Replay) -> TowerScene:
    return scene_of(len(replay.header.seats))


def test_frames_show_the_folded_position(replay: Replay, scene: TowerScene) -> None:
    assert len(scene["plies"]) == len(scene["rounds"]) == len(scene["when"]) == len(replay.entries)
    for frame, state in zip(scene["frames"], replay.states, strict=True):
        lies = {laying[0]: laying for laying in scene["layings"][: frame["b"]]}
        poses = [lies.get(block) for block in range(len(state.poses))]
        assert [each and each[1:7] for each in poses] == [
            pose and (pose.x, pose.y, pose.z, pose.dx, pose.dy, pose.dz) for pose in state.poses
        ]
        assert [each and each[7][0] for each in poses] == [pose and LETTERS[pose.top].upper() for pose in state.poses]
        assert frame["c"] == [[cell.x, cell.y] if cell else [] for cell in state.climbers]
        assert [*frame["p"]] == [LETTERS[colour].upper() for colour in state.colours]
        assert frame["h"] == ["s" * ladders.short + "l" * ladders.long for ladders in state.ladders]
        on = {DiscPlace.IN_HAND: -1, DiscPlace.GONE: -2}
        assert [disc[0] for disc in frame["d"]] == [on.get(disc.place, disc.block) for disc in state.discs]
        assert (frame["m"], frame["o"]) == tuple(
            -1 if block is None else block for block in (state.moved, state.last_moved)
        )
        assert frame["f"] == [[level(state, seat), sum(state.ladders[seat])] for seat in state.seats]


def test_the_structure_is_the_ground_of_the_rules(replay: Replay, scene: TowerScene) -> None:
    for frame, state in [*zip(scene["frames"], replay.states, strict=True)][30::7]:
        built, terrain = structure(scene, frame["b"]), ground(state)
        cells = [*terrain.grid.cells(terrain.built)]
        assert {square: built.height(square) for square in built.columns} == {
            (cell.x, cell.y): terrain.height_at(cell) for cell in cells
        }
        assert len({*built.places.values()}) == len(terrain.regions)
        for region in terrain.regions:
            assert len({built.places[cell.x, cell.y] for cell in terrain.grid.cells(region.squares)}) == 1


@pytest.mark.parametrize("front", FRONTS)
def test_every_square_that_shows_is_painted_once_and_nothing_before_what_it_covers(front: tuple[int, int]) -> None:
    scene = scene_of(3)
    built, painted = structure(scene, len(scene["layings"])), faces(scene, front)
    seen = Counter[str]()
    seams = Counter[str]()
    order: dict[tuple[int, int], int] = {}
    for at, face in enumerate(painted):
        if face["kind"] == "stands":
            x, y, _ = face["at"]
            order[int(x), int(y)] = at
            continue
        if face["kind"] == "seam":
            seams[face["side"]] += int(math.dist(*face["ends"]))
            continue
        for ring in face["rings"]:
            edges = [max(values) - min(values) for values in zip(*ring, strict=True)]
            seen[face["kind"]] += int(edges[0] or 1) * int(edges[1] or 1) * int(edges[2] or 1)
    assert {*order} == {*built.columns}
    assert seen["top"] == len(built.columns)
    for kind, (right, back) in {"x": (front[0], 0), "y": (0, front[1])}.items():
        assert seen[kind] == sum(
            max(0, built.height((x, y)) - built.height((x + right, y + back))) for x, y in built.columns
        )
    assert seams["top"] == sum(built.places[x, y] == built.places.get((x + 1, y)) for x, y in built.columns)
    fills = {
        (*square, z): block
        for square, all_in in built.columns.items()
        for block, *levels in all_in
        for z in range(*levels)
    }
    shown = {cube: block for cube, block in fills.items() if (cube[0], cube[1] + front[1], cube[2]) not in fills}
    assert seams["y"] == sum(block == shown.get((x + 1, y, z)) for (x, y, z), block in shown.items())
    for (x, y), at in order.items():
        for nearer in ((x + front[0], y), (x, y + front[1])):
            assert at < order.get(nearer, len(painted))


def test_faces_of_a_block_are_those_of_the_box() -> None:
    """Each colour occurs once, partners are opposite, the odd pair is on the odd edge, all have one orientation."""
    board = next(iter(shipped_boards("climbers").values()))
    partner = {LETTERS[a].upper(): LETTERS[b].upper() for a, b in PARTNERS.items()}
    ways = {("R", "T", "N")}  # colours on top, toward greater x, and toward greater y
    while len(ways) < 24:
        ways |= {(top, partner[back], right) for top, right, back in ways}  # a quarter turn about z
        ways |= {(back, right, partner[top]) for top, right, back in ways}  # a quarter turn about x
    for block in board.blocks:
        for shape in poses_of(block):
            top, right, left, back, front = [*letters_of(block, Pose(0, 0, 0, shape.dx, shape.dy, shape.dz, shape.top))]
            if block.size == "triple":
                assert {top, right, left, back, front} == {"N"}
                continue
            assert (partner[right], partner[back]) == (left, front)
            assert (top, right, back) in ways
            across = {"tp": "TU", "yr": "YR", "pn": "IN"}.get(block.variant, "")
            odd = {"1": 1, "4": 4}.get(block.size)
            if shape.dx == odd and across:
                assert right in across
            if shape.dy == odd and across:
                assert back in across


def test_reach_begins_with_the_steps_of_the_rules(replay: Replay, scene: TowerScene) -> None:
    side = scene["board"]["side"]
    for frame, state in [*zip(scene["frames"], replay.states, strict=True)][::5]:
        for seat in state.seats:
            places = scene["reaches"][frame["r"][seat]]
            if seat >= len(state.colours):
                assert places == []
                continue
            terrain = ground(state)
            reached = {terrain.region_at(Cell(number % side, number // side)) for number in places}
            first = {terrain.region_at(step.to_cell) for step in steps(state, seat)}
            assert first <= reached
            assert bool(first) == bool(reached)


@pytest.mark.slow("every ending")
def test_endings_follow_the_rules(replay: Replay, scene: TowerScene) -> None:
    names = [seat["name"] for seat in scene["seats"]]
    for at, (frame, state) in enumerate(zip(scene["frames"], replay.states, strict=True)):
        if at + 1 < len(replay.entries) and isinstance(replay.entries[at + 1].event, LadderSpent | LevelReached):
            assert frame["e"] == scene["frames"][at - 1]["e"]  # the order of arrival is not known yet
            continue
        ending, winners = scene["endings"][frame["e"]], [*standing_of(state).winners]
        assert ending["head"] == ("Result" if is_over(state) else "If it ended now")
        assert ending["win"] == ([] if len(winners) == len(names) else winners)
        assert all(names[seat] in ending["text"] for seat in ending["win"])
    assert replay.ended is not None
    assert scene["endings"][-1]["win"] == [*replay.ended.ranking[0]]


def test_lanes_mark_what_happened(replay: Replay, scene: TowerScene) -> None:
    for lane in scene["lanes"][:-1]:
        belongs = LANES[lane["name"]]
        assert lane["marks"] == [
            (at, entry.seat) for at, entry in enumerate(replay.entries) if isinstance(entry.event, belongs)
        ]
    assert scene["lanes"][-1]["name"] == "Lead changes"


def test_moments_cover_the_match_in_order_and_say_what_they_touch(replay: Replay, scene: TowerScene) -> None:
    starts = [moment["at"] for moment in scene["moments"]]
    assert starts == sorted(set(starts))
    assert starts[0] == 0
    for moment, end in zip(scene["moments"], [*starts[1:], len(replay.entries)], strict=True):
        things = set(moment.get("on", ()))
        assert things <= set(scene["names"])
        for event in (entry.event for entry in replay.entries[moment["at"] : end]):
            match event:
                case ClimberStepped(seat=seat, to_level=height):
                    assert f"c{seat}" in things
                    assert re.search(rf"level {height}\b", moment["text"])
                case LadderSpent(kind=Ladder() as kind):
                    assert f"by its {kind} ladder" in moment["text"]
                case BlockMoved(block=block, to_pose=pose):
                    assert f"b{block}" in things
                    assert f"{pose.top} on top" in moment["text"]
                case DiscPlaced(seat=seat, block=block):
                    assert {f"d{seat}", f"b{block}"} <= things


def test_visits_are_the_squares_where_climbers_stopped(replay: Replay, scene: TowerScene) -> None:
    side = scene["board"]["side"]
    for at, seat, number, link in scene["visits"]:
        assert isinstance(replay.entries[at].event, ClimberStepped | ClimberShifted)
        assert scene["frames"][at]["c"][seat] == [number % side, number // side]
        assert link == -1
    arrivals = [
        at for at, entry in enumerate(replay.entries) if isinstance(entry.event, ClimberStepped | ClimberShifted)
    ]
    assert [at for at, *_ in scene["visits"]] == arrivals
    assert {node["n"] for node in scene["board"]["nodes"]} == {number for _, _, number, _ in scene["visits"]}


def test_steps_of_a_turn_lead_to_the_squares_of_its_climbers(replay: Replay, scene: TowerScene) -> None:
    made, spent = 0, ""
    for frame, entry in zip(scene["frames"], replay.entries, strict=True):
        match entry.event:
            case TurnStarted():
                made, spent = 0, ""
            case ClimberStepped() | ClimberShifted():
                made += 1
            case LadderSpent(kind=kind):
                spent += kind[0]
        assert (len(frame["t"]), "".join(step[3] for step in frame["t"])) == (made, spent)
        for seat in {step[0] for step in frame["t"]}:
            last = [to for who, _, to, _ in frame["t"] if who == seat][-1]
            assert last == [*frame["c"][seat], frame["f"][seat][0]]


def test_summaries_add_up(replay: Replay, scene: TowerScene) -> None:
    assert [summary["round"] for summary in scene["summaries"]] == [*range(1, max(scene["rounds"]) + 1)]
    assert scene["when"] == sorted(scene["when"])
    for summary in scene["summaries"]:
        events = [entry.event for entry in replay.entries[summary["at"] : summary["end"] + 1]]
        spent, others = summary["notes"]
        assert len(spent) == sum(isinstance(event, LadderSpent | DiscPlaced) for event in events)
        assert len(others) == sum(isinstance(event, ClimberStepped) and event.phase == "others" for event in events)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_needs_no_other_file_and_has_a_description(scene: TowerScene, theme: Any) -> None:
    at = len(scene["frames"]) // 2
    svg = draw_board(scene, at, theme=theme)
    root, frame = ET.fromstring(svg), scene["frames"][at]
    assert not re.search(r"href|url\(|<script|<style|@import|var\(|on\w+=", svg)
    words = root.findtext(f"{SVG}desc") or ""
    for seat, who in enumerate(scene["seats"]):
        where = f"on level {frame['f'][seat][0]}" if frame["c"][seat] else "on the table"
        assert f"{who['name']}, {where}: level {frame['f'][seat][0]}" in words
    assert place_and_event(scene, at)[0].startswith(f"Turn {scene['rounds'][at]} · ply ")
    things = {each.get("data-thing") for each in root.iter(f"{SVG}path")}
    assert {f"c{seat}" for seat in range(len(scene["seats"]))} <= things
    legend = root.find(f".//{SVG}g[@class='legend']")
    assert legend is not None
    assert {*scene["board"]["colours"].values(), "climber", "disc"} <= {text.text for text in legend.iter(f"{SVG}text")}


def test_a_block_shows_its_letters_and_a_face_names_its_block() -> None:
    scene = scene_of(2)
    built = structure(scene, len(scene["layings"]))
    tops = [face for face in faces(scene, (1, -1)) if face["kind"] == "top"]
    lettered = Counter(built.places[_square(face)] for face in tops if face["mark"])
    assert {*lettered.values()} == {1}
    assert {*lettered} == {*built.places.values()}


def _square(face: dict[str, Any]) -> tuple[int, int]:
    x, y, _ = (min(values) for values in zip(*face["rings"][0], strict=True))
    return int(x), int(y)


def test_a_seat_that_is_not_there_cannot_look() -> None:
    assert climbers_scene(replay_of(2), 1)["view"] == 1
    with pytest.raises(ValueError, match="expected a seat from 0 to 1, found 2"):
        climbers_scene(replay_of(2), 2)


def test_a_dropped_log_is_shown(client: Client) -> None:
    log = (GOLDEN / "climbers-3.jsonl").read_bytes()
    answer = client.post("/api/replay", data=log, content_type="application/jsonl")
    assert answer.status_code == 200
    added = {"review": {"causes": False}, "title": "The Climbers"}
    assert answer.json == json.loads(as_bytes(scene_of(3))) | added
