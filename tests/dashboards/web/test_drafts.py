"""Recordings over HTTP: entered within the rules, followed, undone, and submitted."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboards.replay.branch_document import read_action
from dashboards.web import drafts
from dashboards.web.policy import Policy
from himalaya_core.cli.main import main
from himalaya_core.engine import step
from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.verification import judge
from ingest.errors import WarehouseError
from ingest.inbox.receive import Intake
from ingest.opening import open_for_reading, open_warehouse
from ingest.people.tokens import Scope, create_token
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client
from tests.dashboards.described import conforms
from tests.dashboards.web.at_table import GAMES, PATH, PEOPLE, Recorder, entered_in, replay_of, served, set_up


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path_factory.mktemp("drafts") / "w.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def client(warehouse: Warehouse) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drafts, "MOVES", 1_000_000)
        patch.setattr(drafts, "CHANGES", 1_000_000)
        yield served(warehouse)


# --- Entering a match

BY_HAND = 10
"""Number of entries at the start and at the end of a match that are sent one by one."""


@pytest.mark.slow("whole matches")
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_can_be_entered_in_its_written_form(client: Client, tmp_path: Any, game: str) -> None:
    replay, entries = replay_of(game), entered_in(game)
    table = Recorder(client, set_up(game, title="Sunday club"))
    assert conforms(table.state, "Record")
    table.enter_all(game, 0, BY_HAND)
    table.keep_all(game, BY_HAND, len(entries) - BY_HAND)
    table.enter_all(game, len(entries) - BY_HAND, len(entries))
    assert conforms(table.state, "Record")
    assert [each["text"] for each in table.state["entries"]] == [text for text, _ in entries]
    ended = {key: table.state[key] for key in ("over", "due", "turn", "choices", "expected", "waiting", "handed_in")}
    assert ended == {"over": True, "due": []} | dict.fromkeys(("turn", "choices", "expected", "waiting", "handed_in"))
    lines = table.log()
    again = Replay.read(lines)
    assert [each.event for each in again.entries[1:-1]] == [each.event for each in replay.entries[1:-1]]
    assert [(info.player, info.version) for info in again.header.seats] == [
        (name, "person") for name in PEOPLE[: len(again.header.seats)]
    ]
    assert (again.header.luck, judge(lines).departure) == (None, None)
    assert all(b'"at":"' in line for line in lines[1:-1] if b'"ply":0,' not in line)
    assert table.state["match"] == f"Sunday-club-{table.number[:8]}" == again.entries[0].match
    shown = table.state["scene"]
    assert (shown["status"], shown["match"], shown["view"]) == ("draft", again.entries[0].match, -1)
    assert len(shown["frames"]) == len(lines) == table.state["entries"][-1]["frame"] + 1
    (tmp_path / "paper.txt").write_bytes(table.get("/notation.txt").data)
    assert main(["record", str(tmp_path / "paper.txt"), "--out", str(tmp_path / "p.jsonl")]) == 0
    from_paper = Replay.read((tmp_path / "p.jsonl").read_bytes().splitlines(keepends=True))
    assert [each.event for each in from_paper.entries[1:-1]] == [each.event for each in replay.entries[1:-1]]


@pytest.mark.soak("whole matches, further on")
@pytest.mark.parametrize("there", [12, 60])
@pytest.mark.parametrize("game", GAMES)
def test_recording_can_return_to_any_entry_and_continue_from_there(client: Client, game: str, there: int) -> None:
    entries = entered_in(game)
    there = min(len(entries), there)
    table = Recorder(client, set_up(game))
    begun = table.state
    table.keep_all(game, 0, there)
    whole = table.state
    for to in (there - 1, there // 2, 1, 0):
        state = table.undo(to)
        assert [each["text"] for each in state["entries"]] == [text for text, _ in entries[:to]]
        assert len(state["scene"]["frames"]) == (
            state["entries"][-1]["frame"] + 1 if to else len(begun["scene"]["frames"])
        )
        again = Recorder(served(client.services.warehouse), number=table.number).state
        assert again == state
    table.enter_all(game, 0, there)
    same = ("scene", "due", "turn", "choices", "expected", "match")
    assert {key: table.state[key] for key in same} == {key: whole[key] for key in same}
    assert table.state["changes"] == 2 * there + 4
    assert table.undo(there, 422)["message"].startswith(f"to: expected 0 to {there - 1} entries to keep, found {there}")
    assert table.undo(-1, 422)["message"].startswith("to: expected 0 to ")


@pytest.mark.parametrize("game", GAMES)
def test_an_entry_has_the_round_that_it_belongs_to_though_it_ends_that_round(client: Client, game: str) -> None:
    table = Recorder(client, set_up(game))
    table.keep_all(game, 0, 120)
    rounds = [entry.round for entry in replay_of(game).entries if entry.action is not None]
    assert [each["round"] for each in table.state["entries"]] == rounds[: len(table.state["entries"])]


def test_the_expected_entry_and_its_choices_are_shown(client: Client) -> None:
    table = Recorder(client, set_up("caravan"))
    assert (table.state["due"], table.state["turn"], table.state["choices"]) == ([-1], -1, None)
    assert table.state["expected"].startswith("what fell: the die and the cubes drawn")
    planning = next(at for at, (_, action) in enumerate(entered_in("caravan")) if action["type"] == "commit_plan")
    table.enter_all("caravan", 0, planning)
    assert sorted(table.state["due"]) == [0, 1, 2]
    assert table.state["expected"].startswith("seat 1, 2, 3 (begin with the seat, as in 1:): six letters")
    assert (table.state["turn"], table.state["choices"]["input"]) == (table.state["due"][0], "plan")
    other = table.look("?seat=1")
    assert (other["turn"], other["choices"]["seat"]) == (1, 1)
    assert other["expected"].startswith("seat 2: six letters")
    table.enter("srsits", query="?seat=1")
    assert table.state["entries"][-1]["text"] == "2: srsits"
    assert 1 not in table.state["due"]


def test_dice_are_rolled_on_request(client: Client) -> None:
    table = Recorder(client, set_up("summit"))
    first = table.post("/actions", {"expects": 0, "draw": True})["entries"]
    assert [(each["seat"], each["by"]) for each in first] == [(None, "chance")]
    while table.state["due"] == [CHANCE]:
        table.post("/actions", {"expects": table.state["changes"], "draw": True})
    why = table.post("/actions", {"expects": table.state["changes"], "draw": True}, 422)["message"]
    assert why.startswith("expected seat ")
    assert b'"luck":null' in table.log()[0]


def test_rolled_dice_are_entered_automatically_and_not_undone_alone(client: Client) -> None:
    table = Recorder(client, set_up("summit", dice="drawn"))
    there = len(table.state["entries"])
    assert there
    assert table.state["due"] != [CHANCE]
    assert table.undo(there - 1)["entries"] == table.state["entries"]
    assert [each["text"] for each in table.state["entries"]] == [each["text"] for each in table.look()["entries"]]
    assert (table.state["kind"], len(table.state["entries"])) == ("table", there)
    assert b'"luck":null' in table.log()[0]


# --- Refused entries

EXAMPLES = settings().max_examples // 3
"""Fewer examples, as each one sets up a match and sends it several times."""
DEEPEST = 40
"""Maximum number of entries before the one that is tried: about three rounds of caravan, each entry a request."""


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_illegal_action_gets_in_and_none_changes_anything(client: Client, game: str, data: st.DataObject) -> None:
    """Tries actions of the match with values from other actions, or random values."""
    replay, entries = replay_of(game), entered_in(game)
    table = Recorder(client, set_up(game))
    place = data.draw(st.integers(0, min(len(entries), DEEPEST) - 1), label="place")
    table.keep_all(game, 0, place)
    action = dict(data.draw(st.sampled_from(entries), label="action")[1])
    other = data.draw(st.sampled_from(entries), label="other")[1]
    strange = st.one_of(st.none(), st.integers(-2, 40), st.text(max_size=3), st.lists(st.integers(0, 3), max_size=2))
    for key in data.draw(st.sets(st.sampled_from(sorted({*action, *other})), max_size=2), label="keys"):
        action[key] = data.draw(st.one_of(st.just(other.get(key, 0)), strange), label=key)
    before = table.get().data
    checked = table.client.post(f"{PATH}/{table.number}/check", json={"action": action}).json
    answer = table.client.post(
        f"{PATH}/{table.number}/actions", json={"expects": table.state["changes"], "action": action}
    )
    assert answer.status_code in {200, 422}, answer.json
    assert checked is not None
    assert checked["legal"] == (answer.status_code == 200)
    if answer.status_code == 422:
        assert answer.json["message"]  # type: ignore[index]
        assert table.get().data == before
        return
    table.state = answer.json
    state, done = position(replay, place), read_action(replay.game, action)
    assert table.state["entries"][-1]["text"]
    seats = [seat for seat in replay.game.actors(state) if seat != CHANCE]
    assert not seats or any(done in replay.game.legal_actions(state, seat) for seat in seats), action
    step(replay.game, state, done)


def position(replay: Replay, entries: int) -> Any:
    """Return the position of a match after a number of entries."""
    places = [at for at, entry in enumerate(replay.entries) if entry.action is not None]
    return replay.states[places[entries] - 1]


@pytest.mark.parametrize("text", ["fly to the moon", "", "1:", "9: 14 ssstj", "14", "14 ssstj extra", "\x00"])
def test_a_text_that_is_no_entry_changes_nothing(client: Client, text: str) -> None:
    table = Recorder(client, set_up("caravan"))
    assert "expected " in table.enter(text, 422)["message"]
    assert table.look()["changes"] == 0


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": "chess"}, "game: expected one of "),
        ({"board": "moon"}, "board: expected one of "),
        ({"options": {"tokens": 3}}, ""),
        ({"options": {"players": 3}}, "options.players: expected none"),
        ({"options": {"moon": True}}, ""),
        ({"seats": [{"name": "Anna"}]}, ""),
        ({"seats": [{"name": "Anna"}] * 7}, "seats: expected "),
        ({"seats": [{"name": "Anna\n"}, {"name": "Chris"}, {"name": "Dora"}]}, "seats.0.name: expected "),
        ({"seats": [{"name": " "}, {"name": "Chris"}, {"name": "Dora"}]}, "seats: expected the name of a person"),
        ({"seats": [{"name": "Anna", "program": "greedy"}] * 3}, "seats: expected the name of a person"),
        ({"seats": [{"program": "nobody"}, {"name": "Ben"}, {"name": "Chris"}]}, "seats: player 'nobody' is unknown"),
        ({"seats": [{"program": "bots.py:Bot"}] * 3}, "seats: player 'bots.py:Bot'"),
        ({"seats": [{"program": "greedy"}] * 3}, "dice: expected drawn for a match between programs alone"),
        ({"seats": 3}, "seats: expected "),
        ({"dice": "loaded"}, "dice: expected "),
        ({"take": [7]}, "take: expected seats with the name of who takes them, found 7"),
        ({"title": ""}, "title: expected 1 to 200 letters"),
    ],
)
def test_an_impossible_set_up_is_refused(client: Client, changed: dict[str, Any], why: str) -> None:
    before = client.get(PATH).json
    answer = client.post(PATH, json=set_up("caravan") | changed)
    assert answer.status_code == 422, answer.json
    assert answer.json["message"].startswith(why)  # type: ignore[index]
    assert client.get(PATH).json == before


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("", {"more": 1}, 400),
        ("", {"take": "all"}, 400),
        ("/actions", {"text": "10"}, 400),
        ("/actions", {"expects": 0}, 400),
        ("/actions", {"expects": 0, "text": "10", "draw": True}, 400),
        ("/actions", {"expects": 0, "draw": 1}, 400),
        ("/actions", {"expects": "0", "text": "10"}, 400),
        ("/actions", {"expects": True, "text": "10"}, 400),
        ("/actions", {"expects": 0, "text": 10}, 422),
        ("/actions", {"expects": 0, "action": "10"}, 422),
        ("/actions?seat=3", {"expects": 0, "text": "10"}, 400),
        ("/undo", {"expects": 0}, 400),
        ("/undo", {"expects": 0, "to": 0}, 422),
        ("/check", {}, 400),
        ("/hand-in", {}, 400),
        ("/hand-in", {"expects": 0}, 409),
        ("/seats", {"name": "Dora"}, 400),
        ("/seats", {"seat": 0, "name": "Dora"}, 409),
    ],
)
def test_a_meaningless_request_is_refused(client: Client, path: str, body: dict[str, Any], status: int) -> None:
    table = Recorder(client, set_up("caravan"))
    if not path:
        table.number, body = "", set_up("caravan") | body
    assert table.post(path, body, status)["message"]


def test_the_later_writer_gets_the_entries_made_meanwhile(client: Client) -> None:
    one = Recorder(client, set_up("caravan"))
    other = Recorder(client, number=one.number)
    one.enter_all("caravan", 0, 2)
    one.undo(1)
    text = entered_in("caravan")[1][0]
    why = other.enter(text, 409)["message"]
    assert why == (
        "the session was changed meanwhile: local entered what fell; local entered what fell;"
        " local went back to 1 entry"
    )
    assert other.undo(0, 409)["message"] == why
    assert other.post("/hand-in", {"expects": 0}, 409)["message"] == why
    assert "expected 3, the number of changes, found 9" in other.post("/undo", {"expects": 9, "to": 0}, 409)["message"]
    other.look()
    assert len(other.enter(text)["entries"]) == 2


def test_only_one_of_many_concurrent_entries_is_accepted(client: Client) -> None:
    table = Recorder(client, set_up("caravan"))
    path, text = f"{PATH}/{table.number}/actions", entered_in("caravan")[0][0]
    statuses: list[int] = []

    def enter() -> None:
        browser = client.another()
        statuses.append(browser.post(path, json={"expects": 0, "text": text}).status_code)

    threads = [threading.Thread(target=enter) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, *[409] * 5]
    assert table.look()["changes"] == 1


# --- Following, listing and removing recordings


def test_followers_receive_only_new_entries(client: Client) -> None:
    table = Recorder(client, set_up("summit"))
    known = table.get().headers["ETag"]
    path = f"{PATH}/{table.number}"
    assert client.get(path, headers={"If-None-Match": known}).status_code == 304
    table.post("/actions", {"expects": 0, "draw": True})
    new = client.get(path, headers={"If-None-Match": known})
    assert (new.status_code, new.json["changes"]) == (200, 1)  # type: ignore[index]
    table.undo(0)
    assert client.get(path, headers={"If-None-Match": new.headers["ETag"]}).status_code == 200
    assert new.headers["Cache-Control"] == "private, no-cache"
    own = client.post(f"{path}/actions", json={"expects": 2, "draw": True})
    assert client.get(path, headers={"If-None-Match": own.headers["ETag"]}).status_code == 304, "it was told already"


def test_recordings_are_listed_and_removed(warehouse: Warehouse) -> None:
    client = served(warehouse)
    table = Recorder(client, set_up("summit", title="  The  final "))
    other = Recorder(client, set_up("summit"))
    table.post("/actions", {"expects": 0, "draw": True})
    listed = client.get(PATH).json["records"]  # type: ignore[index]
    assert [each["id"] for each in listed][:2] == [table.number, other.number]
    found = listed[0]
    assert (found["title"], found["players"], found["entries"]) == ("The final", ["Anna", "Ben"], 1)
    assert (found["over"], found["handed_in"], found["made_by"], found["game"]) == (False, None, "local", "summit")
    assert listed[1]["title"] == "Anna, Ben"
    removed = client.delete(f"{PATH}/{table.number}")
    assert (removed.status_code, removed.json) == (200, found)
    for answer in (table.get(), table.get("/log.jsonl"), client.delete(f"{PATH}/{table.number}")):
        assert (answer.status_code, answer.json["message"]) == (  # type: ignore[index]
            404,
            f"No match {table.number} is being recorded; it may have been removed.",
        )


@pytest.mark.slow("two who enter the same match")
@pytest.mark.parametrize(
    ("scopes", "statuses"),
    [
        ((Scope.READ,), (200, 200, 403, 403, 403, 403)),
        ((Scope.READ, Scope.WRITE), (200, 200, 200, 403, 201, 403)),
        ((Scope.READ, Scope.WRITE, Scope.SEND, Scope.RUN), (200, 200, 200, 200, 201, 201)),
    ],
)
def test_readers_can_follow_and_writers_can_enter(
    tmp_path: Path, scopes: tuple[Scope, ...], statuses: tuple[int, ...]
) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, Intake(warehouse) as intake:
        table = Recorder(served(warehouse), set_up("summit"))
        browser = served(warehouse, intake, Policy(is_public=True))
        token = {"Authorization": f"Bearer {create_token(warehouse.app, 'laptop', scopes)}"}
        path = f"{PATH}/{table.number}"
        programs = {"game": "summit", "seats": [{"program": "greedy"}] * 2, "dice": "drawn"}
        asked = [
            browser.get(path, headers=token),
            browser.post(f"{path}/check", json={"text": "first 1"}, headers=token),
            browser.post(f"{path}/actions", json={"expects": 0, "draw": True}, headers=token),
            browser.post(f"{path}/hand-in", json={"expects": 1}, headers=token),
            browser.post(PATH, json=set_up("summit"), headers=token),
            browser.post(PATH, json=programs, headers=token),
        ]
        browser.services.close()
        assert browser.get(path).status_code == 401
    assert tuple(answer.status_code for answer in asked) == statuses
    seats = asked[0].json["seats"]  # type: ignore[index]
    assert {seat["mine"] for seat in seats} == {Scope.WRITE in scopes}


def test_entries_are_counted(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOVES", 2)
    table = Recorder(served(warehouse), set_up("summit"))
    table.post("/actions", {"expects": 0, "draw": True})
    table.undo(0)
    assert "at most 2 a minute" in table.post("/actions", {"expects": 2, "draw": True}, 429)["message"]


# --- Recordings in the warehouse


def test_a_recording_continues_from_the_restored_state(warehouse: Warehouse) -> None:
    table = Recorder(served(warehouse), set_up("caravan"))
    table.enter_all("caravan", 0, 5)
    with warehouse.app.writing() as connection:
        connection.execute("DELETE FROM draft_changes WHERE draft = :id AND number > 3", {"id": table.number})
    assert [each["text"] for each in table.look()["entries"]] == [text for text, _ in entered_in("caravan")[:3]]
    table.enter_all("caravan", 3, 5)
    assert (len(table.state["entries"]), table.state["changes"]) == (5, 5)


def test_an_entry_that_cannot_be_saved_is_refused(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise WarehouseError("w.duckdb: the disk is full")

    table = Recorder(served(warehouse), set_up("caravan"))
    table.enter_all("caravan", 0, 2)
    known, text = table.get().data, entered_in("caravan")[2][0]
    with monkeypatch.context() as patch:
        patch.setattr("dashboards.replay.sessions.add_changes", full)
        assert table.enter(text, 503)["message"] == "w.duckdb: the disk is full"
        assert table.undo(0, 503)
    assert table.get().data == known
    assert len(table.enter(text)["entries"]) == 3


def test_a_recording_can_be_followed_on_a_read_only_server(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        table = Recorder(served(warehouse), set_up("caravan"))
        table.enter_all("caravan", 0, 4)
    with open_for_reading(tmp_path / "w.duckdb") as read:
        follower = Recorder(served(read), number=table.number)
        assert follower.state["entries"] == table.state["entries"]
        assert "open for reading only" in follower.enter(entered_in("caravan")[4][0], 503)["message"]
        assert follower.look()["entries"] == table.state["entries"]


def test_a_match_that_the_rules_of_today_do_not_allow_says_so(warehouse: Warehouse) -> None:
    table = Recorder(served(warehouse), set_up("caravan"))
    table.enter_all("caravan", 0, 3)
    with warehouse.app.writing() as connection:
        change = '{"add": {"type": "roll_order", "die": 1, "order": "o1"}}'
        sql = "UPDATE draft_changes SET change = :change WHERE draft = :id AND number = 2"
        connection.execute(sql, {"id": table.number, "change": change})
    answer = served(warehouse).get(f"{PATH}/{table.number}")
    assert answer.status_code == 422
    assert answer.json["message"].startswith("what was entered is not allowed by the rules of this version: ")  # type: ignore[index]
