"""A seat's view: before plans are revealed, its data contains nothing about another seat's plan."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast
from urllib.parse import quote

import pytest

from dashboards.boards.map import MapScene
from dashboards.games.caravan.replay.scene import caravan_scene, redacted
from dashboards.queries.reader import Reader
from dashboards.web.replay import preload_hint
from himalaya_core.caravan.events import PlanCommitted, PlansRevealed
from himalaya_core.replay import Replay
from tests.dashboards.client import Client
from tests.dashboards.games.caravan.tables import SOME, TABLES, events_of, lines_of, replay_of, table_name
from tests.dashboards.web.standing_in import stand_in

Table = tuple[int, tuple[str, ...], str]
OTHER_ACT = {"soil": "stone", "stone": "ice", "ice": "trade", "trade": "rest", "rest": "soil"}
HIDDEN = "??????"

EVERY = [
    pytest.param(table, marks=[] if table in SOME else pytest.mark.soak("every table; a few are in `make test`"))
    for table in TABLES
]
tables = pytest.mark.parametrize("table", EVERY, ids=table_name)


def some_seats(table: Table) -> tuple[int, int]:
    """Return two seats of a table; over all tables every seat is covered."""
    place = TABLES.index(table)
    return place % table[0], (place + 2) % table[0]


def is_told_apart(one: MapScene, other: MapScene) -> bool:
    """Return whether sent data differs; pytest would take minutes to show the difference."""
    return json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True)


def reveals(replay: Replay) -> list[int]:
    return [at for at, entry in enumerate(replay.entries) if isinstance(entry.event, PlansRevealed)]


def with_other_plans(lines: tuple[bytes, ...], seat: int, of_round: int) -> list[bytes]:
    """Return the log with all other seats' plans of a round replaced, both in event and action."""
    changed = []
    for line, event in zip(lines, events_of(lines), strict=True):
        if event["type"] == "plan_committed" and event["round"] == of_round and event["seat"] != seat:
            for part in (event["data"], event["action"]):
                part["plan"] = [OTHER_ACT[act] for act in part["plan"]]
            changed.append(json.dumps(event).encode() + b"\n")
        else:
            changed.append(line)
    return changed


@tables
def test_other_hidden_plans_make_the_same_payload(table: Table):
    lines, replay = lines_of(table), replay_of(table)
    for seat in some_seats(table):
        number = (seat * 5 + len(table[1])) % 12
        before_reveal = lines[: reveals(replay)[number]]
        one = Replay.read(before_reveal)
        other = Replay.read(with_other_plans(before_reveal, seat, number + 1))
        assert not is_told_apart(caravan_scene(one, seat), caravan_scene(other, seat))
        assert is_told_apart(caravan_scene(one), caravan_scene(other))


@tables
def test_data_sent_up_to_the_reveal_does_not_depend_on_later_events(table: Table):
    lines, replay = lines_of(table), replay_of(table)
    seat = table[0] - 1
    whole: dict[str, Any] = {**caravan_scene(replay, seat)}
    for number in (0, 11):
        end = reveals(replay)[number]
        cut: dict[str, Any] = {**caravan_scene(Replay.read(lines[:end]), seat)}
        for key in ("frames", "plies", "rounds", "when"):
            assert whole[key][:end] == cut[key], key
        assert [moment for moment in whole["moments"] if moment["at"] < end] == cut["moments"]
        assert [visit for visit in whole["visits"] if visit[0] < end] == cut["visits"]
        assert [each for each in whole["summaries"] if each["end"] < end] == cut["summaries"][:-1]
        for lane, part in zip(whole["lanes"], cut["lanes"], strict=True):
            assert [mark for mark in lane["marks"] if mark[0] < end] == part["marks"]


@tables
def test_a_plan_is_shown_to_its_seat_immediately_and_to_others_when_revealed(table: Table):
    replay = replay_of(table)
    letters = {act["name"]: letter for letter, act in caravan_scene(replay)["acts"].items()}
    for seat in some_seats(table):
        scene = caravan_scene(replay, seat)
        assert scene["view"] == seat
        for state, frame in zip(replay.states, scene["frames"], strict=True):
            for owner, plan in enumerate(state.plans):
                known = "".join(letters[act] for act in plan or ())
                secret = plan is not None and owner != seat and state.step == 0
                assert frame["p"][owner] == (HIDDEN if secret else known)


@tables
def test_no_moment_reveals_a_hidden_plan(table: Table):
    replay = replay_of(table)
    scene = caravan_scene(replay, 0)
    plans = [moment for moment in scene["moments"] if moment["kind"] == "plan"]
    assert len(plans) == 12 * table[0]
    for moment in plans:
        assert ("commits a plan" in moment["text"]) == (moment["seat"] != 0)
        assert (" plans " in moment["text"]) == (moment["seat"] == 0)


def test_the_plan_is_taken_out_of_event_intent_and_state():
    replay = replay_of(TABLES[0])
    seen = redacted(replay, 1)
    for entry, state in zip(seen.entries, seen.states, strict=True):
        if isinstance(entry.event, PlanCommitted) and entry.event.seat != 1:
            assert not entry.event.plan
            assert not entry.action
        if state.step == 0:
            assert not any(plan for seat, plan in enumerate(state.plans) if seat != 1)
    assert seen.states[-1] == replay.states[-1]


def test_without_a_view_all_plans_are_shown():
    scene = caravan_scene(replay_of(TABLES[0]))
    assert scene["view"] == -1
    assert not any(HIDDEN in frame["p"] for frame in scene["frames"])
    committed = [(before["p"], after["p"]) for before, after in pairwise(scene["frames"]) if before["p"] != after["p"]]
    assert len(committed) >= 12 * 3


@tables
def test_spectators_see_no_plan_before_it_is_revealed(table: Table):
    scene, whole = caravan_scene(replay_of(table), -1), caravan_scene(replay_of(table))
    assert scene["view"] == -1
    hidden = 0
    for frame, shown in zip(scene["frames"], whole["frames"], strict=True):
        assert {frame["p"][seat] for seat in range(table[0])} <= {*shown["p"], HIDDEN}
        hidden += frame["p"].count(HIDDEN)
    assert hidden >= 12 * table[0]
    plans = [moment["text"] for moment in scene["moments"] if moment["kind"] == "plan"]
    assert all("commits a plan" in text for text in plans)


@pytest.mark.parametrize("seat", [-2, 3, 99])
def test_there_is_no_view_of_an_empty_seat(seat: int):
    with pytest.raises(ValueError, match="expected a seat from 0 to 2"):
        caravan_scene(replay_of(TABLES[0]), seat)


class Shelf:
    """Replaces the warehouse: one match of three players up to its first plans, which are not revealed yet."""

    def match_lines(self, _match: str) -> list[bytes]:
        return [*lines_of(TABLES[0])[: reveals(replay_of(TABLES[0]))[0]]]

    def has_match(self, _match: str) -> bool:
        return True

    def is_live(self, _match: str) -> bool:
        return True


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        yield stand_in(patch, Shelf())


def test_each_view_is_its_own_answer(client: Client):
    answers = {view: client.get(f"/api/replay/x{view}") for view in ("", "?view=1", "?view=2", "?view=3")}
    assert [answers[view].json["view"] for view in answers] == [-1, 0, 1, 2]
    assert len({answer.headers["ETag"] for answer in answers.values()}) == 4
    kept = {"If-None-Match": answers["?view=1"].headers["ETag"]}
    assert client.get("/api/replay/x?view=1", headers=kept).status_code == 304
    assert client.get("/api/replay/x?view=2", headers=kept).status_code == 200


def test_the_bytes_of_a_view_have_no_hidden_plan(client: Client):
    acts = {act["name"]: letter for letter, act in client.get("/api/replay/x").json["acts"].items()}
    planned = [event for event in events_of(Shelf().match_lines("")) if event["type"] == "plan_committed"]
    for seat in range(3):
        sent = client.get(f"/api/replay/x?view={seat + 1}").text
        for event in planned:
            plan = event["data"]["plan"]
            for spelled in ("".join(acts[act] for act in plan), ", ".join(plan)):
                assert (spelled in sent) == (event["seat"] == seat)


@pytest.mark.parametrize("view", ["0", "4", "-1", "01", "1.0", "me", "", "²"])
def test_a_view_that_is_no_seat_is_refused(client: Client, view: str):
    answer = client.get(f"/api/replay/x?view={quote(view)}")
    assert answer.status_code == 400
    assert answer.json["message"] == f"view: expected the number of a seat, from 1 to 3, found {view!r}."


def test_the_page_of_a_view_names_the_scene_of_that_view(monkeypatch: pytest.MonkeyPatch):
    stand_in(monkeypatch, Shelf())
    link = preload_hint(cast(Reader, object()), "x", "2")
    assert link
    assert link.startswith("</api/replay/x?view=2>; rel=preload")
