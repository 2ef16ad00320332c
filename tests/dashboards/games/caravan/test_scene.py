"""The scene of a match: each frame shows the position computed from the log, with matching texts."""

import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dashboards
from dashboards.boards.map import MapScene
from dashboards.games.caravan.replay.scene import caravan_scene
from dashboards.replay.scenes import as_bytes, scene_of
from himalaya_core.boards import shipped_board
from himalaya_core.caravan.events import StormEntered
from himalaya_core.caravan.pieces import Token
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Pairing, play
from tests.dashboards.boards.scene_types import declarations

ALL_OPTIONS = {"tokens": True, "full_inventory": True, "village_cards": True}
TABLES = {
    "four": (("trader", "pilgrim", "greedy", "random"), {}),
    "three": (("envoy", "trader", "pilgrim"), {}),
    "five": (("trader", "pilgrim", "envoy", "random", "random"), ALL_OPTIONS),
    "six": (("trader", "pilgrim", "envoy", "random", "random", "random"), ALL_OPTIONS),
}
GOLDEN = Path(__file__).parents[3] / "golden"
TOKENS = {"Y": Token.YETI, "S": Token.SNOWSTORM, "M": Token.MARKET}


@pytest.fixture(scope="module", params=TABLES)
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    players, options = TABLES[request.param]
    return log(players, options, luck="scene")


@cache
def stormy() -> Replay:
    """A match of six players with all options, in which caravans cross a snowstorm."""
    return Replay.read(log(("random",) * 6, ALL_OPTIONS, luck="v.6.1"))


def log(players: tuple[str, ...], options: dict[str, bool], luck: str) -> list[bytes]:
    pairing = Pairing(f"match-of-{len(players)}", players, luck)
    return play(GAMES["caravan"], shipped_board("caravan"), options, pairing)[1].splitlines(keepends=True)


@pytest.fixture(scope="module")
def replay(lines: list[bytes]) -> Replay:
    return Replay.read(lines)


@pytest.fixture(scope="module")
def scene(replay: Replay) -> MapScene:
    return caravan_scene(replay)


def test_each_line_of_the_log_is_a_frame(replay: Replay, scene: MapScene):
    assert len(scene["frames"]) == len(scene["plies"]) == len(scene["rounds"]) == len(replay.entries)
    assert scene["plies"] == [entry.ply for entry in replay.entries]


def test_frames_show_the_folded_position(replay: Replay, scene: MapScene):
    letters = [token["letter"] for token in scene["tokens"]]
    for frame, state in zip(scene["frames"], replay.states, strict=True):
        assert [[cubes.count(letter) for letter in letters] for cubes in frame["n"]] == [[*g] for g in state.goods[1:]]
        assert frame["c"] == [*state.caravans]
        assert frame["h"] == [[*hand] for hand in state.hands]
        assert [None if owner < 0 else owner for owner in frame["u"]] == [*state.stupas[1:]]
        assert frame["d"] == [[*row] for row in state.delegations[1:]]
        assert frame["s"] == [[*left] for left in zip(state.stupas_left, state.delegations_left, strict=True)]


def test_orders_show_what_they_demand_and_pay(replay: Replay, scene: MapScene):
    frame, state = scene["frames"][-1], replay.states[-1]
    lying = [order for order in state.orders if order]
    shown = [scene["discs"][index] for index in frame["o"] if index >= 0]
    names = {token["letter"]: token["name"] for token in scene["tokens"]}
    assert [disc["pays"] for disc in shown] == [order.yaks for order in lying]
    assert [Counter(names[letter] for letter in disc["demand"]) for disc in shown] == [order.demand for order in lying]


def test_last_frame_has_the_scores_of_the_log(replay: Replay, scene: MapScene):
    assert replay.ended is not None
    keys = [measure["key"] for measure in scene["measures"]]
    assert scene["frames"][-1]["f"] == [[scores[key] for key in keys] for scores in replay.ended.scores]


def test_last_ending_is_how_the_match_ended(replay: Replay, scene: MapScene):
    assert replay.ended is not None
    ending = scene["endings"][scene["frames"][-1]["e"]]
    assert ending["win"] == [*replay.ended.ranking[0]]
    assert [seat for seat, _ in ending["out"]] == [gone.seat for gone in replay.states[-1].eliminated]


def test_planned_actions_end_as_done_or_void(scene: MapScene):
    for frame, after in pairwise(scene["frames"]):
        if after["p"] == [""] * len(after["p"]) and frame["p"] != after["p"]:
            assert all(set(marks) <= {"+", *scene["voids"]} for marks in frame["m"])


def test_void_actions_say_why(lines: list[bytes], scene: MapScene):
    for line, frame in zip(lines, scene["frames"], strict=True):
        event = json.loads(line)
        if event["type"] == "action_voided":
            assert frame["m"][event["seat"]][event["data"]["step"] - 1] in scene["voids"]
            assert (frame["a"], frame["x"]) == (event["seat"], event["data"]["step"])


def test_trails_lead_along_roads_to_the_caravans(scene: MapScene):
    roads = {frozenset((link["a"], link["b"])) for link in scene["board"]["links"]}
    for frame in scene["frames"]:
        for seat, trail in enumerate(frame["t"]):
            assert all(frozenset(hop) in roads for hop in pairwise(trail))
            assert trail[-1:] == [frame["c"][seat]] or frame["c"][seat] == 0


def test_frames_show_tokens_only_in_matches_with_tokens(replay: Replay, scene: MapScene):
    assert ("markers" in scene) == replay.states[0].options.tokens
    frames: list[Any] = [*scene["frames"]]
    for frame, state in zip(frames, replay.states, strict=True):
        if "markers" not in scene:
            assert {"k", "w", "q"}.isdisjoint(frame)
            continue
        kinds = [TOKENS[marker["letter"]] for marker in scene["markers"]]
        assert [(kinds[kind], seat, (a, b)) for kind, seat, a, b in frame["k"]] == [
            (placed.token, placed.seat, placed.road or (placed.village,) * 2) for placed in state.tokens
        ]
        assert [{TOKENS[letter] for letter in left} for left in frame["q"]] == [*state.tokens_left]
        assert frame["w"] == [*state.storms]


def test_a_caravan_in_a_snowstorm_is_on_its_way_until_it_leaves():
    replay = stormy()
    frames: list[Any] = [*caravan_scene(replay)["frames"]]
    entered = [(at, entry) for at, entry in enumerate(replay.entries) if isinstance(entry.event, StormEntered)]
    assert entered
    for at, entry in entered:
        frame = frames[at]
        assert (frame["c"][entry.event.seat], frame["w"][entry.event.seat]) == (entry.event.from_, entry.event.toward)
        assert frame["t"][entry.event.seat][-1] == entry.event.from_
        left = next(later for later in range(at, len(replay.states)) if not frames[later]["w"][entry.event.seat])
        assert frames[left]["t"][entry.event.seat][-2:] == [entry.event.from_, entry.event.toward]


def test_new_events_and_rewards_have_words():
    texts = [moment["text"] for moment in caravan_scene(stormy())["moments"]]
    for words in (
        r"\w puts the Yeti on the road \d+–\d+$",
        r"puts a snowstorm on the road \d+–\d+$",
        r"opens the market in village \d+$",
        r"enters the snowstorm on the \w+ road from \d+ to \d+$",
        r"leaves the snowstorm, moving from \d+ to \d+$",
        r"and [\w-]+ place no token$",
        r"^The .* leave$",
        r"is on a snowstorm|not out of the snowstorm in time|Yeti closes the road",
        r"^Inventory of .*: [\w-]+ (builds a stupa in village|sends \d delegations to region) \d+$",
        r"^Card \d+",
    ):
        assert any(re.search(words, text) for text in texts), words


def test_rewards_of_an_inventory_are_on_its_lane():
    replay = stormy()
    (lane,) = [lane for lane in caravan_scene(replay)["lanes"] if lane["name"] == "Inventories"]
    rewards = [
        (at, entry.seat)
        for at, entry in enumerate(replay.entries)
        if entry.type == "inventory_marker_taken" or getattr(entry.event, "cause", None) == "inventory"
    ]
    assert [*map(tuple, lane["marks"])] == rewards


def test_moments_cover_the_match_in_order(scene: MapScene):
    starts = [moment["at"] for moment in scene["moments"]]
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert all(moment["text"] for moment in scene["moments"])


def test_a_delivery_and_its_rewards_are_one_moment(lines: list[bytes], scene: MapScene):
    kinds = [json.loads(line)["type"] for line in lines]
    at = next(at for at, kind in enumerate(kinds) if kind == "stupa_placed" and b"offering" in lines[at])
    moment = max((moment for moment in scene["moments"] if moment["at"] <= at), key=lambda moment: moment["at"])
    assert kinds[moment["at"]] == "delivered"
    assert "delivers" in moment["text"]
    assert "stupa" in moment["text"]
    assert moment.get("key")


def test_lanes_mark_every_delivery(lines: list[bytes], scene: MapScene):
    events = [json.loads(line) for line in lines]
    delivered = [(event["seq"], event["seat"]) for event in events if event["type"] == "delivered"]
    assert scene["lanes"][0]["marks"] == delivered


def test_the_browser_has_the_same_types():
    made = Path(str(dashboards.__file__)).parent / "assets" / "replay" / "scene.d.ts"
    assert made.read_text("utf-8") == declarations(), "make it anew: python -m tests.dashboards.boards.scene_types"


def test_an_unfinished_match_is_shown_as_far_as_it_goes(lines: list[bytes]):
    scene = caravan_scene(Replay.read(lines[:100]))
    assert scene["status"] == "unfinished"
    assert len(scene["frames"]) == 100


@pytest.mark.parametrize("name", ["caravan-3", "summit-2", "climbers-2"])
def test_a_match_is_shown_from_its_first_event_on(name: str):
    lines = (GOLDEN / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    whole = json.loads(as_bytes(scene_of(Replay.read(lines), None)))["frames"]
    for count in (1, 2, 3, 13, 40):
        scene = scene_of(Replay.read(lines[:count]), None, is_live=True)
        assert json.loads(as_bytes(scene))["frames"] == whole[:count]  # later events change none of the earlier frames
        assert not scene["summaries"] or max(scene["rounds"])
