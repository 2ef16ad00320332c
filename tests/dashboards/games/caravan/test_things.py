"""Pieces affected by an event, the shared calendar, and the standings, compared with the log and the core."""

import random
import re
from itertools import pairwise
from typing import Any

import pytest

from dashboards.boards.map import MapScene
from dashboards.games.caravan.replay.scene import caravan_scene
from himalaya_core.boards import shipped_board
from himalaya_core.caravan import scoring
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Pairing, play
from tests.dashboards.games.caravan.tables import TABLES, events_of, lines_of, replay_of, table_name

Table = tuple[int, tuple[str, ...], str]
Event = dict[str, Any]
INFLUENCES = ("religious", "political", "economic")


@pytest.fixture(scope="module", params=TABLES, ids=table_name)
def table(request: pytest.FixtureRequest) -> Table:
    return request.param


@pytest.fixture(scope="module")
def replay(table: Table) -> Replay:
    return replay_of(table)


@pytest.fixture(scope="module")
def scene(replay: Replay) -> MapScene:
    return caravan_scene(replay)


@pytest.fixture(scope="module")
def events(table: Table) -> list[Event]:
    return events_of(lines_of(table))


def test_standings_and_if_scored_now_are_those_of_the_folded_state(table: Table, replay: Replay, scene: MapScene):
    plies = random.Random(table_name(table)).sample(range(len(replay.states)), 25)
    for at in [*plies, *range(len(replay.states) - 8, len(replay.states))]:
        state, frame = replay.states[at], scene["frames"][at]
        now = scoring.influences(state) if state.scores is None else state.scores
        assert frame["f"] == [list(row) for row in zip(now.religious, now.political, now.economic, strict=True)]
        assert [None if leader < 0 else leader for leader in frame["l"]] == [*now.regions[1:]]
        ending, expected = scene["endings"][frame["e"]], scoring.final(state)
        if any(any(row) for row in frame["f"]):
            assert ending["out"] == [(gone.seat, gone.influence) for gone in expected.eliminated]
            assert ending["win"] == [*expected.outcome.winners]
            assert all(scene["seats"][seat]["name"] in ending["text"] for seat in ending["win"])
        else:
            assert (ending["out"], ending["win"]) == ([], [])


def test_deviations_from_the_standings_are_explained_and_ties_named(replay: Replay, scene: MapScene):
    names = [seat["name"] for seat in scene["seats"]]
    for state, frame in zip(replay.states, scene["frames"], strict=True):
        ending, expected = scene["endings"][frame["e"]], scoring.final(state)
        if not ending["win"]:
            continue
        over, text = state.scores is not None, ending["text"]
        assert ending["over"] == over
        assert bool(re.search(r"\bwould\b", text)) != over
        shown = [row[1] for row in frame["f"]]
        assert ("political influence is" in text) == (shown != [*expected.scores.political])
        still = state.inventory is None or (state.inventory.resource, state.inventory.rewarded) != ("gold", True)
        assert ("still to come" in text) == (state.round == 12 and not state.round_over and still)
        for gone in expected.eliminated:
            said = re.search(rf"{names[gone.seat]} \({gone.value}(, tied with ([^)]+), but [^)]+)?\)", text)
            assert said
            assert bool(said[1]) == (gone.tie_break is not None)
        best = max(expected.scores.economic[seat] for seat in expected.outcome.ranking[0])
        left = {*range(len(names))} - {gone.seat for gone in expected.eliminated}
        if expected.eliminated and len(ending["win"]) == 1:
            level = [seat for seat in left if expected.scores.economic[seat] == best]
            assert ("on yaks" in text) == (len(level) > 1)


def test_eliminations_go_by_the_number_of_players(table: Table, scene: MapScene):
    ending = scene["endings"][scene["frames"][-1]["e"]]
    assert [influence for _, influence in ending["out"]] == {
        3: [],
        4: ["religious", "political"],
        5: ["religious", "political"],
        6: ["religious", "political", "political"],
    }[table[0]]


def test_lanes_have_a_mark_for_each_such_event_and_no_other(table: Table, events: list[Event], scene: MapScene):
    def rewarded(event: Event) -> bool:
        return event["type"] == "inventory_marker_taken" or event["data"].get("cause") == "inventory"

    found = {lane["name"]: [*map(tuple, lane["marks"])] for lane in scene["lanes"]}
    expected = {
        "Deliveries": [(at, e["seat"]) for at, e in enumerate(events) if e["type"] == "delivered"],
        "Stupas": [(at, e["seat"]) for at, e in enumerate(events) if e["type"] == "stupa_placed"],
        "Delegations": [(at, e["seat"]) for at, e in enumerate(events) if e["type"] == "delegations_sent"],
        "Void actions": [(at, e["seat"]) for at, e in enumerate(events) if e["type"] == "action_voided"],
        "Inventories": [(at, e["seat"]) for at, e in enumerate(events) if rewarded(e)],
    }
    if "tokens" in table[1]:
        expected["Tokens"] = [(at, e["seat"]) for at, e in enumerate(events) if e["type"] == "token_placed"]
    winners = [scene["endings"][frame["e"]]["win"] for frame in scene["frames"]]
    changes = [at for at, (then, now) in enumerate(pairwise(winners), start=1) if then != now]
    expected["Lead changes"] = [(at, winners[at][0] if len(winners[at]) == 1 else -1) for at in changes]
    assert found == expected


def test_each_thing_has_a_name(scene: MapScene):
    board = scene["board"]
    ids = {f"n{node['n']}" for node in board["nodes"]} | {f"u{node['n']}" for node in board["nodes"]}
    ids |= {f"l{index}" for index in range(len(board["links"]))} | {f"a{area['n']}" for area in board["areas"]}
    ids |= {f"d{index}" for index in range(len(scene["discs"]))}
    assert set(scene["names"]) == ids
    assert {thing for moment in scene["moments"] for thing in moment.get("on", [])} <= ids
    link = board["links"][3]
    assert scene["names"]["l3"] == f"{link['style'].capitalize()} road {link['a']}–{link['b']}"
    assert scene["names"]["n7"] == "Village 7"
    assert {thing[0] for thing in scene["names"]} == {*scene["groups"]}


def touched(event: Event, roads: dict[frozenset[int], int], discs: dict[str, int]) -> set[str]:
    """Return the pieces that an event affects, from the log only."""
    data = event["data"]
    village = {f"n{data['village']}"} if "village" in data else set[str]()
    order = data.get("order")
    disc = {f"d{discs[order['id'] if isinstance(order, dict) else order]}"} if order else set[str]()
    match event["type"]:
        case "moved":
            road = roads[frozenset((data["from"], data["to"]))]
            return {f"n{data['from']}", f"n{data['to']}", f"l{road}"}
        case "storm_entered":
            return {f"n{data['from']}", f"l{roads[frozenset((data['from'], data['toward']))]}"}
        case "stupa_placed":
            return village | {f"u{data['village']}"}
        case "delegations_sent":
            return {f"a{region}" for region in data["regions"]}
        case "token_placed" if "road" in data:
            return {f"l{roads[frozenset(data['road'])]}"}
        case _:
            return village | disc


def test_a_moment_is_on_the_things_its_events_touched(table: Table, events: list[Event], scene: MapScene):
    roads = {frozenset((link["a"], link["b"])): index for index, link in enumerate(scene["board"]["links"])}
    discs = {order.id: index for index, order in enumerate(replay_of(table).board.orders)}
    for moment, following in pairwise(scene["moments"]):
        expected: set[str] = set()
        for event in events[max(1, moment["at"]) : following["at"]]:
            expected |= touched(event, roads, discs)
        by_place = {"void", "rest", "token", "out"}
        assert set(moment.get("on", [])) == expected or (moment["kind"] in by_place and moment.get("on"))


def test_a_void_action_or_a_rest_is_on_the_place_where_it_happened(events: list[Event], scene: MapScene):
    links = [{link["a"], link["b"]} for link in scene["board"]["links"]]
    for moment in scene["moments"]:
        if moment["kind"] not in {"void", "rest"}:
            continue
        frame = scene["frames"][moment["at"]]
        village, toward = frame["c"][moment["seat"]], frame.get("w", [0] * 6)[moment["seat"]]
        on = moment.get("on", [])
        assert on[0] == (f"l{links.index({village, toward})}" if toward else f"n{village}")
        reason = events[moment["at"]]["data"].get("reason")
        assert (on[-1][0] == "l") == (bool(toward) or reason in {"yeti", "storm_unfinished"})
        assert (reason == "goods_missing") <= (on[-1] == f"d{frame['o'][village - 1]}")


def test_visits_are_the_arrivals_of_caravans(events: list[Event], scene: MapScene):
    links = [{link["a"], link["b"]} for link in scene["board"]["links"]]
    expected = []
    for at, event in enumerate(events):
        data = event["data"]
        if event["type"] == "moved":
            expected.append((at, event["seat"], data["to"], links.index({data["from"], data["to"]})))
        if event["type"] == "caravan_placed":
            expected.append((at, event["seat"], data["village"], -1))
    assert scene["visits"] == expected


def test_kinds_name_each_kind_of_moment_once(scene: MapScene):
    assert set(scene["kinds"]) == {moment["kind"] for moment in scene["moments"]}
    assert len(set(scene["kinds"].values())) == len(scene["kinds"])


def test_every_void_action_says_why(events: list[Event], scene: MapScene):
    for moment in scene["moments"]:
        if moment["kind"] == "void":
            event = events[moment["at"]]
            mark = scene["frames"][moment["at"]]["m"][event["seat"]][event["data"]["step"] - 1]
            assert moment["text"].endswith(f": {scene['voids'][mark]}")


def test_the_calendar_never_decreases_and_separates_rounds(scene: MapScene):
    assert scene["when"] == sorted(scene["when"])
    for (before, after), (then, now) in zip(pairwise(scene["rounds"]), pairwise(scene["when"]), strict=True):
        assert before == after or now // 1000 == after > then // 1000


def place(event: Event, first: int, players: int) -> tuple[Any, ...] | None:
    """Return the calendar position of an event, comparable across matches: round, and an action's step and turn."""
    data = event["data"]
    if event["type"] in {"round_started", "plans_revealed", "round_ended", "tokens_removed"}:
        return event["round"], event["type"]
    if "step" in data:
        return event["round"], data["step"], (event["seat"] - first) % players
    return (event["round"], data["resource"]) if event["type"] == "inventory_counted" else None


def test_the_same_moment_in_two_matches_of_one_seed_has_the_same_number():
    numbers: dict[tuple[Any, ...], set[int]] = {}
    for players in (("greedy", "random", "trader"), ("random", "random", "greedy")):
        log = play(GAMES["caravan"], shipped_board("caravan"), {"tokens": True}, Pairing("luck", players, "same"))[1]
        lines = log.splitlines(keepends=True)
        first = 0
        for event, number in zip(events_of(lines), caravan_scene(Replay.read(lines))["when"], strict=True):
            if event["type"] == "round_started":
                first = event["data"]["first"]
            if key := place(event, first, len(players)):
                numbers.setdefault(key, set()).add(number)
    assert all(len(each) == 1 for each in numbers.values())
    assert len({min(each) for each in numbers.values()}) == len(numbers)
    assert len(numbers) > 12 * (3 * 6 + 3)
