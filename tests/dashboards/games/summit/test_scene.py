"""The scene of a summit match: each frame shows the position computed from the log, with matching texts."""

import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from dashboards.boards.engine import needed
from dashboards.boards.picture import draw_board, place_and_event
from dashboards.boards.track import TrackScene, lay_out
from dashboards.games.analytics import analytics_of
from dashboards.games.summit.map import ROOMS
from dashboards.games.summit.replay.scene import initials, summit_scene
from dashboards.replay.scenes import as_bytes
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.summit.events import (
    DiceRolled,
    PawnMoved,
    RerollChosen,
    Resupplied,
    Slid,
    SupplyPlayed,
    TakeAlong,
    TurnStarted,
    YetiChased,
)
from himalaya_core.summit.flow import is_over
from himalaya_core.summit.scoring import standing as standing_of
from tests.dashboards.boards.asking import asked
from tests.dashboards.client import Client

GOLDEN = Path(__file__).parents[3] / "golden"
SVG = "{http://www.w3.org/2000/svg}"
LANES = {
    "Climber moves": lambda event: isinstance(event, PawnMoved) and event.piece == "C",
    "Take-alongs": lambda event: isinstance(event, TakeAlong),
    "Slides": lambda event: isinstance(event, Slid),
    "Chases": lambda event: isinstance(event, YetiChased),
    "Supply cards": lambda event: isinstance(event, SupplyPlayed | Resupplied),
}


@cache
def replay_of(players: int) -> Replay:
    return Replay.read((GOLDEN / f"summit-{players}.jsonl").read_bytes().splitlines(keepends=True))


@pytest.fixture(params=[2, 3, 4, 5])
def replay(request: pytest.FixtureRequest) -> Replay:
    return replay_of(request.param)


@pytest.fixture
def scene(replay: Replay) -> TrackScene:
    return summit_scene(replay)


def test_frames_show_the_folded_position(replay: Replay, scene: TrackScene) -> None:
    assert len(scene["plies"]) == len(scene["rounds"]) == len(scene["when"]) == len(replay.entries)
    for frame, state in zip(scene["frames"], replay.states, strict=True):
        assert frame["c"] == [*state.climbers]
        assert frame["s"] == [[*row] for row in state.sherpas]
        assert frame["b"] == state.yeti
        assert [face for face in frame["d"] if face > 0] == [*state.pool]
        assert frame["k"] == [*state.seen]
        assert frame["h"] == [[*hand] for hand in state.hands]
        assert frame["u"] == [[*used] for used in state.used]
        assert frame["v"] == [sorted(camps) for camps in state.gained]
        assert frame["r"] == (len(state.deck) + (frame["w"] == 1) if state.cycle else len(replay.board.yeti_cards))


def test_dice_stay_on_the_table_when_they_are_taken(replay: Replay, scene: TrackScene) -> None:
    thrown: list[int] = []
    for frame, entry in zip(scene["frames"], replay.entries, strict=True):
        thrown = [*entry.event.values] if isinstance(entry.event, DiceRolled) else thrown
        assert sorted(map(abs, frame["d"])) == thrown


def test_moves_of_a_turn_lead_to_where_its_pawns_stand(scene: TrackScene) -> None:
    for frame in scene["frames"]:
        for seat, pawn in {(seat, pawn) for seat, pawn, *_ in frame["t"]}:
            ways = [(start, end) for who, which, start, end, _ in frame["t"] if (who, which) == (seat, pawn)]
            assert all(before[1] == after[0] for before, after in pairwise(ways))
            assert ways[-1][1] == (frame["s"][seat][pawn - 1] if pawn else frame["c"][seat])


def test_endings_follow_the_rules(replay: Replay, scene: TrackScene) -> None:
    names = [seat["name"] for seat in scene["seats"]]
    for frame, state in zip(scene["frames"], replay.states, strict=True):
        ending, winners = scene["endings"][frame["e"]], [*standing_of(state).winners]
        assert ending["head"] == ("Result" if is_over(state) else "If it ended now")
        assert ending["win"] == ([] if len(winners) == len(names) else winners)
        assert all(names[seat] in ending["text"] for seat in ending["win"])
    assert replay.ended is not None
    assert scene["endings"][-1]["win"] == [*replay.ended.ranking[0]]
    assert scene["frames"][-1]["f"] == [[scores["climber"], scores["sherpas"]] for scores in replay.ended.scores]


def test_lanes_mark_what_happened(replay: Replay, scene: TrackScene) -> None:
    for lane in scene["lanes"][:-1]:
        belongs = LANES[lane["name"]]
        assert lane["marks"] == [(at, entry.seat) for at, entry in enumerate(replay.entries) if belongs(entry.event)]
    assert scene["lanes"][-1]["name"] == "Lead changes"


def test_the_active_seat_is_the_one_on_turn_from_its_first_action(replay: Replay, scene: TrackScene) -> None:
    for at, entry in enumerate(replay.entries):
        frame, state = scene["frames"][at], replay.states[at]
        if isinstance(entry.event, TurnStarted):
            assert (frame["a"], frame["x"], frame["t"]) == tuple(scene["frames"][at - 1][key] for key in "axt")
        elif state.turn and not is_over(state):
            assert (frame["a"], frame["x"]) == (state.active, state.turn)
            assert not isinstance(replay.entries[at - 1].event, TurnStarted) or frame["t"] == []


def test_rerolled_dice_belong_to_the_new_throw(replay: Replay, scene: TrackScene) -> None:
    assert scene["when"] == sorted(scene["when"])
    for at, entry in enumerate(replay.entries):
        assert scene["rounds"][at] == (replay.entries[at + 1] if isinstance(entry.event, RerollChosen) else entry).round
    assert [summary["round"] for summary in scene["summaries"]] == [*range(1, max(scene["rounds"]) + 1)]


def test_moments_cover_the_match_in_order_and_say_what_they_touch(replay: Replay, scene: TrackScene) -> None:
    starts = [moment["at"] for moment in scene["moments"]]
    assert starts == sorted(set(starts))
    for moment, end in zip(scene["moments"], [*starts[1:], len(replay.entries)], strict=True):
        events: list[Any] = [entry.event for entry in replay.entries[moment["at"] : end]]
        fields = {field for event in events for field in (getattr(event, "from_", None), getattr(event, "to", None))}
        touched = {thing for thing in moment.get("on", ()) if thing.startswith("n")}
        assert {f"n{field}" for field in fields - {None}} <= touched
        assert set(moment.get("on", ())) <= set(scene["names"])
        for event in events:
            if isinstance(event, PawnMoved):
                assert f"from {event.from_} to {event.to}" in moment["text"]
            if isinstance(event, YetiChased):
                assert f"back to {event.to}" in moment["text"]


def test_visits_are_the_fields_reached_also_by_slides_and_chases(replay: Replay, scene: TrackScene) -> None:
    expected = Counter[tuple[int, int, int]]()
    for at in range(1, len(replay.entries)):
        before, after = scene["frames"][at - 1], scene["frames"][at]
        for seat in range(len(scene["seats"])):
            then_on, now_on = (before["c"][seat], *before["s"][seat]), (after["c"][seat], *after["s"][seat])
            moved = [now for then, now in zip(then_on, now_on, strict=True) if then != now]
            expected.update((at, seat, field) for field in moved)
    assert Counter((at, seat, field) for at, seat, field, _ in scene["visits"] if field >= 0) == expected
    slides = [link for *_, link in scene["visits"] if link >= 0]
    assert len(slides) == sum(isinstance(entry.event, Slid) for entry in replay.entries)


def test_summaries_show_the_result_of_each_throw(replay: Replay, scene: TrackScene) -> None:
    for summary in scene["summaries"]:
        events: list[Any] = [entry.event for entry in replay.entries[summary["at"] : summary["end"] + 1]]
        lost, helped = summary["notes"]
        assert len(lost) == sum(isinstance(event, Slid | YetiChased) for event in events)
        assert len(helped) == sum(isinstance(event, TakeAlong) for event in events)
        for seat, got in enumerate(summary["got"]):
            slid = sum(isinstance(event, Slid) and event.seat == seat for event in events)
            assert bool(re.search(rf"\b{slid} Sherpas? slid", got)) == bool(slid)
            before, after = scene["frames"][summary["at"]]["f"][seat], scene["frames"][summary["end"]]["f"][seat]
            assert summary["gains"][seat] == [now - then for then, now in zip(before, after, strict=True)]


def test_a_pawn_helped_forward_takes_its_own_sherpas_along(replay: Replay, scene: TrackScene) -> None:
    for summary in scene["summaries"]:
        for note in summary["notes"][1]:
            event: Any = replay.entries[note["at"]].event
            along = re.search(r" with (\d+) more of its Sherpas$", note["text"])
            assert (int(along[1]) if along else 0) == len(event.movers) - 1


def test_words_for_the_rarer_events() -> None:
    texts = [moment["text"] for players in (2, 3, 4, 5) for moment in summit_scene(replay_of(players))["moments"]]
    for words in (
        r"^Drawn to start: \w+$",
        r"throws again instead of taking the last die: [1-6]( [1-6])+$",
        r"^Yeti card \+\d: it climbs from \d+ to \d+",
        r"^Yeti card \u2212\d: it comes down from \d+ to \d+",
        r"it chases (a Sherpa|\d Sherpas) of \w+ back to \d+",
        r"by \d with supply card \d/\d",
        r"moves a Sherpa back from \d+ to \d+ with a \d",
        r"and continues \d more to \d+ with \d more of its Sherpas",
        r"both slide down to \d+",
        r"takes supply card \d/\d back in the camp on \d+",
        r"takes no supply card back",
        r"cannot move and gives up a \d",
        r"bad weather included$",
        r"^Bad weather comes",
        r"^\w+ wins$",
    ):
        assert any(re.search(words, text) for text in texts), words


def test_no_two_seats_have_the_same_initial() -> None:
    assert initials(["red", "blue", "green", "yellow", "black"]) == ["R", "B", "G", "Y", "L"]
    assert initials(["bb", "bb", "42"]) == ["B", "2", "3"]


@pytest.mark.parametrize("size", [(1014, 552), (374, 505), (1600, 300), (300, 900)])
@pytest.mark.parametrize("count", [7, 33, 200])
def test_a_route_fits_its_area_and_its_fields_are_apart(count: int, size: tuple[int, int]) -> None:
    laid = lay_out(count, size, (), (), 0)
    assert len(laid.points) == count
    for x, y in laid.points:
        assert 0 < x < size[0]
        assert 0 < y < size[1]
    assert laid.points[-1] == (size[0] / 2, min(y for _, y in laid.points))
    ends = [*pairwise(laid.points)]
    assert min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in ends) > 20 * laid.scale


def standing(scene: TrackScene, frame: Any) -> list[list[dict[str, Any]]]:
    """Return where each pawn is drawn, by seat, if all pawns are above their fields."""
    expression = "of.standing(nodes, frame, nodes.map(() => ({ side: 0, broad: 94 })))"
    found: list[list[dict[str, Any]]] = asked(
        "track/standing.js", expression, nodes=scene["board"]["nodes"], frame=frame
    )
    return found


def test_pawns_of_a_field_do_not_cover_each_other(scene: TrackScene) -> None:
    for frame in scene["frames"][::9]:
        spots = [(seat, pawn, spot) for seat, row in enumerate(standing(scene, frame)) for pawn, spot in enumerate(row)]
        assert {(seat, pawn): spot["field"] for seat, pawn, spot in spots} == {
            (seat, pawn): (frame["s"][seat][pawn - 1] if pawn else frame["c"][seat])
            for seat in range(len(scene["seats"]))
            for pawn in range(5)
        }
        seen = [(spot["field"], round(spot["x"]), round(spot["y"])) for _, _, spot in spots]
        assert len(seen) == len(set(seen))


COVERED = """{
    const { standing } = $need("track/standing.js");
    const { OUTLINES } = $need("track/shapes.js");
    const { points, scale, places } = of.layOut(nodes.length, ...room);
    const numbers = points.map(({ x, y }, at) => [x, y + (OUTLINES[nodes[at].kind]?.number ?? 0.5) * scale]);
    return frames.flatMap((frame, at) => standing(nodes, frame, places).flat().flatMap((spot) =>
        numbers.flatMap(([x, y], field) => {
            const across = Math.abs(points[spot.field].x + spot.x * scale - x);
            const down = Math.abs(points[spot.field].y + spot.y * scale - y);
            return across < 16 * scale && down < 13 * scale ? [`${field} by a pawn on ${spot.field}, frame ${at}`] : [];
        })));
}"""


@pytest.mark.parametrize("room", [(968, 480), (1350, 640), (850, 400), (350, 504)])
def test_pawns_cover_no_number_of_a_field(scene: TrackScene, room: tuple[int, int]) -> None:
    frames = [{"c": frame["c"], "s": frame["s"]} for frame in scene["frames"]]
    nodes: Any = scene["board"]["nodes"]
    assert asked("track/route.js", COVERED, nodes=nodes, frames=frames, room=room) == []


@pytest.mark.parametrize("room", [*ROOMS.values(), (350.0, 510.0), (1010.0, 480.0)])
def test_no_field_name_overlaps_another_field(room: tuple[float, float]) -> None:
    laid = lay_out(33, room, (), (), 0)
    radius, name = 20 * laid.scale, 6 * laid.scale
    for at, (x, y) in enumerate(laid.points):
        side = laid.named[at]
        away = radius + 2 * name
        middle = (x + side * away, y) if side else (x, y + away)
        others = [point for place, point in enumerate(laid.points) if place != at]
        assert min(dist(middle, other) for other in others) > radius + name, at


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_needs_no_other_file_and_has_a_description(scene: TrackScene, theme: Any) -> None:
    at = len(scene["frames"]) // 2
    svg = draw_board(scene, at, theme=theme)
    root = ET.fromstring(svg)
    assert not re.search(r"href|url\(|<script|<style|@import|var\(|on\w+=", svg)
    words = root.findtext(f"{SVG}desc") or ""
    for seat, who in enumerate(scene["seats"]):
        field = scene["board"]["nodes"][scene["frames"][at]["c"][seat]]["name"].lower()
        assert f"{who['name']}, climber on {field}: climber {scene['frames'][at]['f'][seat][0]}" in words
    assert place_and_event(scene, at)[0].startswith(
        f"Throw {scene['rounds'][at]} · turn {scene['frames'][at]['x']} · ply "
    )
    dice = [each.get("data-marker") for each in root.iter(f"{SVG}g") if each.get("class") == "die"]
    assert dice == [str(face) for face in scene["frames"][at]["d"]]
    legend = root.find(f".//{SVG}g[@class='legend']")
    assert legend is not None
    assert {"climber", "Sherpa", "landslide", "avalanche", "Yeti"} <= {text.text for text in legend.iter(f"{SVG}text")}


def test_a_seat_that_is_not_there_cannot_look() -> None:
    assert summit_scene(replay_of(2), 1)["view"] == 1
    with pytest.raises(ValueError, match="expected a seat from 0 to 1, found 2"):
        summit_scene(replay_of(2), 2)


def test_the_page_preloads_the_modules_for_its_kind_of_board(scene: TrackScene) -> None:
    assert scene["board"]["kind"] == analytics_of(scene["game"]).board_kind
    for game in GAMES:
        assert f"{analytics_of(game).board_kind}/kind.js" in needed("player/early.js")


def test_a_dropped_log_is_shown(client: Client) -> None:
    log = (GOLDEN / "summit-3.jsonl").read_bytes()
    answer = client.post("/api/replay", data=log, content_type="application/jsonl")
    assert answer.status_code == 200
    added = {"review": {"causes": False}, "title": "Himalaya (Piatnik 1998)"}
    assert answer.json == json.loads(as_bytes(summit_scene(replay_of(3)))) | added
