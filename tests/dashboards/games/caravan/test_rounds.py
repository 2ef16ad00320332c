"""The summary of a round is complete and agrees with events and positions."""

import re
from collections import Counter
from typing import Any

import pytest

from dashboards.boards.map import MapScene
from dashboards.boards.scene import Note, Summary
from dashboards.games.caravan.replay.rounds import Span, contested, late
from dashboards.games.caravan.replay.scene import caravan_scene
from himalaya_core.caravan.events import ActionVoided, Collected, InventoryCounted
from himalaya_core.caravan.pieces import Act, Resource, VoidReason
from himalaya_core.caravan.state import evolve
from himalaya_core.log.codec import Entry
from himalaya_core.replay import Replay
from tests.dashboards.games.caravan.tables import SOME, TABLES, events_of, lines_of, replay_of, table_name

Table = tuple[int, tuple[str, ...], str]
Event = dict[str, Any]
NAMES = ["Ama", "Bo", "Cai", "Dor"]


@pytest.fixture(scope="module", params=SOME, ids=table_name)
def table(request: pytest.FixtureRequest) -> Table:
    return request.param


@pytest.fixture(scope="module")
def scene(table: Table) -> MapScene:
    return caravan_scene(replay_of(table))


@pytest.fixture(scope="module")
def events(table: Table) -> list[Event]:
    return events_of(lines_of(table))


def of_type(events: list[Event], summary: Summary, kind: str) -> list[Event]:
    return [event for event in events[summary["at"] : summary["end"] + 1] if event["type"] == kind]


def seats(scene: MapScene) -> dict[str, int]:
    return {seat["name"]: number for number, seat in enumerate(scene["seats"])}


def test_each_round_has_a_summary_from_its_start_to_its_end(scene: MapScene, events: list[Event]):
    assert [summary["round"] for summary in scene["summaries"]] == [*range(1, 13)]
    for summary in scene["summaries"]:
        assert events[summary["at"]]["type"] == "round_started"
        assert events[summary["end"]]["type"] == "round_ended"


def test_gains_add_up_to_what_was_counted(scene: MapScene):
    counted = scene["frames"][scene["summaries"][-1]["end"]]["f"]
    for seat, measures in enumerate(counted):
        gains = [summary["gains"][seat] for summary in scene["summaries"]]
        assert [sum(column) for column in zip(*gains, strict=True)] == measures


def first_number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def test_words_for_what_a_seat_got_count_what_the_log_has(scene: MapScene, events: list[Event]):
    for summary in scene["summaries"]:
        for seat, got in enumerate(summary["got"]):

            def mine(kind: str, summary: Summary = summary, seat: int = seat) -> list[Event]:
                return [event for event in of_type(events, summary, kind) if event["seat"] == seat]

            taken = Counter(event["data"]["resource"] for event in mine("collected"))
            assert first_number(r"(\d+) deliver", got) == len(mine("delivered"))
            assert first_number(r"for (\d+) yaks", got) == sum(event["data"]["yaks"] for event in mine("bartered"))
            assert first_number(r"(\d+) delegations?", got) == sum(
                sum(event["data"]["regions"].values()) for event in mine("delegations_sent")
            )
            assert first_number(r"(\d+) actions? void", got) == len(mine("action_voided"))
            took = re.search(r"took ([^;]*)", got)
            assert {kind: int(n) for n, kind in re.findall(r"(\d) (\w+)", took[1] if took else "")} == taken
            assert ("stupa" in got) == bool(mine("stupa_placed"))


def test_goods_that_are_left_at_the_end_are_wasted(scene: MapScene):
    last = scene["summaries"][-1]
    for got, hand in zip(last["got"], scene["frames"][last["end"]]["h"], strict=True):
        assert first_number(r"(\d+) cubes? left over", got) == sum(hand)
    assert not any("left over" in got for summary in scene["summaries"][:-1] for got in summary["got"])


def hands_by_the_log(events: list[Event]) -> list[list[Counter[str]]]:
    """Return each seat's hand after each event, from the cubes in the log."""
    hands, after = [Counter[str]() for _ in range(6)], []
    for event in events:
        if event["type"] == "collected":
            hands[event["seat"]][event["data"]["resource"]] += 1
        elif event["type"] == "delivered":
            hands[event["seat"]].subtract(event["data"]["spent"])
        after.append([hand.copy() for hand in hands])
    return after


def late_by_the_log(events: list[Event], scene: MapScene, summary: Summary) -> list[tuple[int, int, int, int]]:
    """Return each trade void because another seat emptied the village, as frame and seat of both events."""
    found, emptied, taken = [], {}, set[tuple[int, int]]()
    hands = hands_by_the_log(events)
    for at in range(summary["at"], summary["end"] + 1):
        event = events[at]
        seat, data, kind = event.get("seat", -1), event["data"], event["type"]
        if kind == "collected":
            taken.add((seat, data["village"]))
        if kind in {"collected", "delivered"} and not scene["frames"][at]["n"][data["village"] - 1]:
            emptied[data["village"]] = (seat, data["step"], data.get("order", {}).get("demand"))
        village = scene["frames"][at]["c"][seat]
        if kind != "action_voided" or data["reason"] != "nothing_here" or village not in emptied:
            continue
        first, step, demand = emptied[village]
        could_have = (seat, village) not in taken if demand is None else Counter(demand) <= hands[at][seat]
        if first != seat and could_have:
            found.append((at, seat, first, step))
    return found


def test_late_arrivals_name_the_seat_that_was_first(scene: MapScene, events: list[Event]):
    numbers = seats(scene)
    for summary in scene["summaries"]:
        told = []
        for note in summary["notes"][1]:
            words = re.match(
                r"([\w-]+) comes too late to village (\d+) with action (\d): ([\w-]+) .* with (?:action (\d)|the same)",
                note["text"],
            )
            assert words
            assert scene["frames"][note["at"]]["c"][note["seat"]] == int(words[2])
            assert events[note["at"]]["data"]["step"] == int(words[3])
            assert numbers[words[1]] == note["seat"]
            told.append((note["at"], note["seat"], numbers[words[4]], int(words[5] or words[3])))
        assert told == late_by_the_log(events, scene, summary)


def test_every_change_of_a_majority_is_noted(scene: MapScene):
    numbers = seats(scene)
    for summary in scene["summaries"]:
        told = []
        for note in summary["notes"][0]:
            words = re.match(
                r"Region (\d): ([\w-]+) (takes|breaks|draws).*?(?:from|with)? ?([\w-]+)?(?:,.*)?$", note["text"]
            )
            if words:
                told.append((note["at"], int(words[1]), words[3], numbers[words[2]]))
        changes = []
        for at in range(summary["at"] + 1, summary["end"] + 1):
            before, after = scene["frames"][at - 1], scene["frames"][at]
            for region, (then, now) in enumerate(zip(before["l"], after["l"], strict=True), start=1):
                if then != now and any(before["d"][region - 1]):
                    verb = "draws" if now < 0 else "breaks" if then < 0 else "takes"
                    changes.append((at, region, verb, after["a"] if now < 0 else now))
        assert told == changes


def test_every_village_with_several_traders_is_noted(scene: MapScene, events: list[Event]):
    for summary in scene["summaries"]:
        served: dict[int, set[int]] = {}
        for kind in ("collected", "delivered"):
            for event in of_type(events, summary, kind):
                served.setdefault(event["data"]["village"], set()).add(event["seat"])
        told = {
            int(words[2]): note
            for note in summary["notes"][0]
            if (words := re.match(r"(Order|Goods) in village (\d+)", note["text"]))
        }
        missed = {scene["frames"][note["at"]]["c"][note["seat"]] for note in summary["notes"][1]}
        assert {village for village, who in served.items() if len(who) > 1} | missed <= set(told)
        for village, note in told.items():
            names = {name for name in seats(scene) if name in note["text"]}
            assert {scene["seats"][seat]["name"] for seat in served.get(village, set())} <= names
            assert len(names) > 1


@pytest.mark.slow("every frame")
def test_no_note_reveals_later_frames(table: Table, scene: MapScene):
    lines = lines_of(table)
    for summary in scene["summaries"][3::8]:
        for note in [*summary["notes"][0], *summary["notes"][1]]:
            then = caravan_scene(Replay.read(lines[: note["at"] + 1]))["summaries"][-1]
            assert note in [*then["notes"][0], *then["notes"][1]]


def test_notes_are_in_order_and_within_their_round(scene: MapScene):
    for summary in scene["summaries"]:
        for notes in (summary["notes"][0], summary["notes"][1]):
            frames = [note["at"] for note in notes]
            assert frames == sorted(frames)
            assert all(summary["at"] <= at <= summary["end"] for at in frames)


@pytest.mark.parametrize(
    ("counts", "winner", "words"),
    [
        ((3, 2, 0, 0), 0, "Inventory of salt: Ama takes it by one cube, 3 to 2 of Bo"),
        ((2, 3, 2, 0), 1, "Inventory of salt: Bo takes it by one cube, 3 to 2 of Ama and Cai"),
        ((0, 0, 1, 0), 2, "Inventory of salt: Cai takes it with the only cube"),
        ((2, 1, 0, 2), None, "Inventory of salt: Ama and Dor tie with 2 each, so no player takes it"),
        ((5, 3, 0, 0), 0, None),
        ((0, 0, 0, 0), None, None),
    ],
)
def test_an_inventory_that_one_cube_decides_is_contested(
    counts: tuple[int, ...], winner: int | None, words: str | None
):
    event = InventoryCounted(Resource.SALT, counts, winner)
    state = replay_of(TABLES[3]).states[0]
    frame = caravan_scene(replay_of(TABLES[3]))["frames"][0]
    entry = Entry("m", 9, 9, 4, "inventory_counted", None, event, None, {})
    span = Span([entry], [state], [frame], NAMES, start=40)
    expected = [Note(text=words, at=40, seat=-1 if winner is None else winner)] if words else []
    assert contested(span) == expected


VOID = ActionVoided(0, 3, Act.TRADE, VoidReason.NOTHING_HERE)
MINE, BEFORE = Collected(0, 1, 7, Resource.SALT, market=False), Collected(0, 1, 8, Resource.TEA, market=False)
THEIRS = Collected(1, 2, 7, Resource.TEA, market=False)


@pytest.mark.parametrize(
    ("first", "second", "is_late"),
    [(BEFORE, THEIRS, True), (MINE, THEIRS, False), (THEIRS, MINE, False), (BEFORE, BEFORE, False)],
    ids=["another took the last", "had taken there before", "took the last", "nobody was there"],
)
def test_a_seat_that_could_not_trade_anyway_is_not_late(first: Collected, second: Collected, *, is_late: bool):
    taken = frozenset(event.village for event in (first, second) if event.seat == 0)
    state = evolve(replay_of(TABLES[3]).states[0], caravans=(7, 7, 1, 1), collected=(taken,) + (frozenset(),) * 3)
    entries = [Entry("m", 9, 9, 4, "", event.seat, event, None, {}) for event in (first, second, VOID)]
    frame = caravan_scene(replay_of(TABLES[3]))["frames"][0]
    notes = late(Span(entries, [state] * 3, [frame] * 3, NAMES, start=40))
    words = "Ama comes too late to village 7 with action 3: Bo took its last tea with action 2"
    assert notes == ([Note(text=words, at=42, seat=0)] if is_late else [])


@pytest.mark.slow("every frame")
def test_all_kinds_of_notes_occur_somewhere():
    texts = [
        note["text"]
        for table in TABLES
        for summary in caravan_scene(replay_of(table))["summaries"]
        for note in [*summary["notes"][0], *summary["notes"][1]]
    ]
    for words in (
        "takes the majority from",
        "breaks the tie and takes",
        "draws level with",
        "by one cube",
        "so no player takes it",
        "Order in village .* lacks the goods",
        "Order in village .* comes too late",
        "Goods in village .* comes too late",
        "took its last .* with action",
        "delivered its order with action",
        "with the same action, earlier in the turn order",
    ):
        assert any(re.search(words, text) for text in texts), words


def test_an_unfinished_round_is_summed_up_so_far():
    lines = lines_of(TABLES[3])
    summaries = caravan_scene(Replay.read(lines[:100]))["summaries"]
    assert summaries[-1]["end"] == 99
    assert [summary["round"] for summary in summaries] == [*range(1, events_of(lines)[99]["round"] + 1)]
