"""Branches over HTTP: continuing a match differently within the rules, saving branches, and keeping secrets."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from itertools import repeat
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboards.boards.scene import names_of
from dashboards.replay.branch_document import MOST_NODES, read_action, write_action
from dashboards.replay.branch_lines import reports
from dashboards.replay.scenes import as_bytes, folded, scene_of
from dashboards.web import branches, playouts
from dashboards.web.policy import Policy
from himalaya_core import notation
from himalaya_core.engine import step
from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import decisions
from ingest.opening import open_warehouse
from ingest.people.tokens import Scope, create_token
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything
from tests.dashboards.described import conforms
from tests.dashboards.server.web import serving
from tests.ingest.helping import climbers_log, log, summit_log, write

PATH = "/api/branches"
LOGS = {"caravan": log("c", options=("tokens",)), "summit": summit_log("s"), "climbers": climbers_log("k")}
GAMES = sorted(LOGS)
EXAMPLES = settings().max_examples // 3
"""Fewer examples, as each one carries out a branch several times."""
Play = Callable[..., Any]


def replay_of(game: str) -> Replay:
    return folded(b"".join(LOGS[game]))


def whole(replay: Replay) -> Any:
    """Return the scene of a match after a round trip through JSON."""
    return json.loads(as_bytes(scene_of(replay, None)))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("branches")
    ingest([write(folder / "all.jsonl", *LOGS.values(), log("cut")[:90])], folder / "w.duckdb", processes=0)
    with open_warehouse(folder / "w.duckdb") as warehouse:
        yield warehouse


def served(warehouse: Warehouse, policy: Policy | None = None) -> Client:
    return everything(warehouse, policy=policy or Policy())


@pytest.fixture(scope="module")
def client(opened: Warehouse) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branches, "MOVES", 1_000_000)
        yield served(opened)


@pytest.fixture
def play(client: Client) -> Play:
    """Return a function that carries out a branch and returns the response."""

    def carry_out(branch: dict[str, Any], then: dict[str, Any] | None = None, *, view: int | None = None) -> Any:
        body = branch if then is None else {**branch, "then": then}
        answer = client.post(PATH if view is None else f"{PATH}?view={view}", json=body)
        assert answer.status_code == 200, answer.json
        return answer.json

    return carry_out


@pytest.fixture
def refused(client: Client) -> Play:
    """Return a function that carries out a branch and returns the status and reason of its refusal."""

    def why(body: Any, path: str = PATH) -> tuple[int, str]:
        answer = client.post(path, json=body)
        return answer.status_code, (answer.json or {}).get("message", "")

    return why


def first_decision(replay: Replay, kind: str) -> int:
    """Return the event before a seat chooses an action of a kind."""
    return next(at for at in decisions(replay) if type(replay.entries[at + 1].action).__name__ == kind)


# --- Allowed actions in a branch


@pytest.mark.slow("whole matches")
@pytest.mark.parametrize("game", GAMES)
def test_the_actions_of_the_match_give_the_match(play: Play, game: str) -> None:
    replay = replay_of(game)
    ends = list(decisions(replay))
    seq = ends[-12]
    found = play({"match": replay.entries[0].match, "seq": seq})
    for entry in replay.entries[seq + 1 :]:
        if entry.action is not None and entry.seat is not None:
            found = play(found["branch"], {"action": write_action(replay.game, entry.action)})
    assert (found["scene"].pop("status"), found["from"], found["choices"]) == ("branch", seq, None)
    expected = whole(replay)
    assert found["scene"] == {key: value for key, value in expected.items() if key not in {"status", "review"}}
    assert {node["by"] for node in found["branch"]["nodes"]} <= {"person", "chance"}


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_is_as_described_and_has_the_chances(client: Client, play: Play, game: str) -> None:
    replay = replay_of(game)
    seq, match = list(decisions(replay))[9], replay.entries[0].match
    found = play({"match": match, "seq": seq})
    assert conforms(found, "PlayedBranch")
    chances = client.get(f"/api/replay/{match}/chances").json
    assert chances is not None
    known = {each["seq"]: each["chances"] for each in chances["chances"]}
    assert found["chances"][0] == {"seq": seq, "chances": known[seq]}
    assert [len(found["scene"][key]) for key in ("frames", "plies")] == [found["chances"][-1]["seq"] + 1] * 2


def test_offered_actions_are_legal_and_listed_once(play: Play) -> None:
    replay = replay_of("caravan")
    branch = play({"match": "c", "seq": first_decision(replay, "PlaceCaravan")})
    first, second, *_ = branch["choices"]["actions"]
    one = play(branch["branch"], {"action": first["action"]})
    assert one["scene"]["frames"][-1]["c"][branch["choices"]["seat"]] == first["action"]["village"]
    back = {**one["branch"], "at": branch["branch"]["at"]}
    fork = play(back, {"action": second["action"]})
    assert fork["branch"]["nodes"][: len(one["branch"]["nodes"])] == one["branch"]["nodes"]
    again = play({**fork["branch"], "at": branch["branch"]["at"]}, {"action": first["action"]})
    assert len(again["branch"]["nodes"]) == len(fork["branch"]["nodes"])
    assert again["branch"]["at"] == one["branch"]["at"]


@pytest.mark.parametrize("game", GAMES)
def test_an_action_may_be_written_in_table_notation(play: Play, refused: Play, game: str) -> None:
    replay = replay_of(game)
    seq = next(at for at in reversed(list(decisions(replay))[:-1]) if replay.entries[at + 1].seat is not None)
    root = play({"match": replay.entries[0].match, "seq": seq})
    action = replay.entries[seq + 1].action
    text = notation.write(replay.game, replay.states[seq], action)
    found = play(root["branch"], {"text": text})
    assert found["branch"]["nodes"][0]["action"] == write_action(replay.game, action)
    status, why = refused({**root["branch"], "then": {"text": "fly to the moon"}})
    assert (status, why) == (422, f"expected {root['choices']['expected']}; found 'fly to the moon'")


def test_other_dice_are_thrown_with_another_seed(play: Play) -> None:
    replay = replay_of("summit")
    seq = next(at for at in decisions(replay) if replay.game.actors(replay.states[at]) == (CHANCE,))
    match = {"match": "s", "seq": seq}
    drawn = [play(match | {"luck": luck})["branch"]["nodes"][0] for luck in (None, replay.header.luck, "another")]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {node["by"] for node in drawn} == {"chance"}
    assert drawn[0]["action"] == write_action(replay.game, replay.entries[seq + 1].action)


def test_programs_continue_for_the_requested_number_of_moves(play: Play) -> None:
    replay = replay_of("caravan")
    branch = play({"match": "c", "seq": first_decision(replay, "CommitPlan")})["branch"]
    one = play(branch, {"go_on": {"decisions": 1}})["branch"]["nodes"]
    seat = one[0]["action"]["seat"]
    assert [node["by"] for node in one] == [replay.header.seats[seat].player]
    others = play(branch, {"go_on": {"players": ["greedy"] * 4, "decisions": 1}})["branch"]["nodes"]
    assert [node["by"] for node in others] == ["greedy"]
    ended = play(branch, {"go_on": {}})
    assert ended["choices"] is None
    assert ended["scene"]["endings"][ended["scene"]["frames"][-1]["e"]]["over"]


def test_a_branch_is_compressed_for_clients_that_accept_it(client: Client) -> None:
    answer = client.post(PATH, json={"match": "c", "seq": 0}, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.data))["from"] == 0


# --- Refused branches


def test_an_illegal_action_is_refused_with_the_reason_of_the_rules(client: Client, refused: Play) -> None:
    replay = replay_of("caravan")
    branch = {"match": "c", "seq": first_decision(replay, "PlaceCaravan")}
    action = {"type": "place_caravan", "seat": 9, "village": 3}
    there = replay.states[branch["seq"]]
    seat = replay.game.actors(there)[0]
    taken = {"type": "place_caravan", "seat": seat, "village": 99}
    assert refused({**branch, "then": {"action": action}})[0] == 422
    assert refused({**branch, "then": {"action": taken}})[0] == 422
    node = {"parent": -1, "action": {"type": "pass_token", "seat": seat}}
    status, why = refused({**branch, "nodes": [node], "at": 0})
    assert (status, why.partition(":")[0]) == (422, "nodes.0")
    asked = client.post(f"{PATH}/check", json={**branch, "action": node["action"]}).json
    assert asked is not None
    reason = notation.refusal_in_words(why.removeprefix("nodes.0: "), names_of(replay.header))
    assert asked == {"legal": False, "message": reason, "ways": None, "steps": None}
    assert names_of(replay.header)[seat] in reason
    allowed = {"type": "place_caravan", "seat": seat, "village": replay.entries[branch["seq"] + 1].action.village}
    assert client.post(f"{PATH}/check", json={**branch, "action": allowed}).json == {
        "legal": True,
        "message": None,
        "ways": None,
        "steps": None,
    }


@pytest.mark.slow("every illegal action")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_illegal_action_gets_through(client: Client, game: str, data: st.DataObject) -> None:
    """Tries actions of the match with values from other actions, missing values, or random values."""
    replay = replay_of(game)
    ends = list(decisions(replay))[:-1]
    seq = data.draw(st.sampled_from(ends), label="seq")
    chosen = [entry.action for entry in replay.entries if entry.action is not None]
    action = write_action(replay.game, data.draw(st.sampled_from(chosen), label="action"))
    other = write_action(replay.game, data.draw(st.sampled_from(chosen), label="other"))
    strange = st.one_of(st.none(), st.integers(-2, 40), st.text(max_size=3), st.lists(st.integers(0, 3), max_size=2))
    for key in data.draw(st.sets(st.sampled_from(sorted({*action, *other})), max_size=2), label="keys"):
        action[key] = data.draw(st.one_of(st.just(other.get(key, 0)), strange), label=key)
    root = client.post(PATH, json={"match": replay.entries[0].match, "seq": seq}).json
    assert root is not None
    answer = client.post(PATH, json={**root["branch"], "then": {"action": action}})
    assert answer.status_code in {200, 422}, answer.json
    assert answer.json is not None
    if answer.status_code == 422:
        assert answer.json["message"]
        return
    assert action in [node["action"] for node in answer.json["branch"]["nodes"] if node["by"] == "person"]
    state = after(replay, seq, root["branch"]["nodes"])
    done = read_action(replay.game, action)
    assert any(done in replay.game.legal_actions(state, seat) for seat in replay.game.actors(state)), action


def after(replay: Replay, seq: int, nodes: list[dict[str, Any]]) -> Any:
    """Return the position after carrying out actions that follow an event."""
    state = replay.states[seq]
    for node in nodes:
        state = step(replay.game, state, read_action(replay.game, node["action"]))[-1][1]
    return state


def test_dice_fall_as_the_seed_has_them(play: Play, refused: Play) -> None:
    replay = replay_of("summit")
    seq = next(at for at in decisions(replay) if at and replay.game.actors(replay.states[at]) == (CHANCE,))
    branch = play({"match": "s", "seq": seq})["branch"]
    other = play({"match": "s", "seq": seq, "luck": "another"})["branch"]["nodes"][0]
    status, why = refused({**branch, "nodes": [other], "at": 0})
    assert status == 422
    assert why.startswith("nodes.0: expected ")
    assert ", as the dice fall, found " in why


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"seq": -1}, "seq: expected greater than or equal to 0, found -1"),
        ({"seq": 100_000}, "seq: there is no event 100000"),
        ({"seq": "3"}, 'seq: expected a valid integer, found "3"'),
        ({"format": 2}, "format: expected 1, found 2"),
        ({"lines_sha256": "x"}, "lines_sha256: expected string should match pattern"),
        ({"nodes": [{"parent": 0, "action": {}}]}, "nodes.0.parent: expected a node before it, found 0"),
        ({"nodes": [{"parent": -1, "action": 1}]}, "nodes.0.action: expected "),
        (
            {"nodes": [{"parent": -1, "action": {"type": "fly"}}], "at": 0},
            "nodes.0: action.type: expected a known type",
        ),
        ({"nodes": [{"parent": -1, "action": {"type": "pass_token", "seat": "1"}}], "at": 0}, "nodes.0: action.seat: "),
        ({"nodes": [{"parent": -1, "action": {}, "more": 1}]}, "nodes.0.more: expected "),
        ({"nodes": [{"parent": -1, "action": {}}] * (MOST_NODES + 1)}, "nodes: expected "),
        ({"at": 0}, "at: expected one of 0 nodes or -1, found 0"),
        ({"then": {}}, "then: expected one of action, text and go_on, found none"),
        ({"then": {"text": "x", "go_on": {}}}, "then: expected one of action, text and go_on, found text and go_on"),
        ({"then": {"go_on": {"decisions": -1}}}, "go_on.decisions: expected greater than or equal to 0"),
        ({"then": {"go_on": {"players": ["nobody"] * 4}}}, "player 'nobody' is unknown"),
        ({"then": {"go_on": {"players": ["tests/x.py:Player"] * 4}}}, "player 'tests/x.py:Player'"),
        ({"then": {"go_on": {"players": ["greedy"] * 5}}}, "go_on.players: expected at most 4"),
    ],
)
def test_an_impossible_branch_is_refused_with_the_reason(refused: Play, changed: dict[str, Any], why: str) -> None:
    status, found = refused({"match": "c", "seq": 0} | changed)
    assert (status, found[: len(why)]) == (422, why)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"match": "nobody", "seq": 0}, 404),
        ({"match": "c", "seq": 0, "lines_sha256": "0" * 64}, 409),
        ({"match": "c", "seq": 0, "more": 1}, 400),
        ([], 400),
        ({"match": "c", "seq": 0, "luck": "x" * (1 << 20)}, 413),
    ],
)
def test_an_invalid_branch_is_refused(refused: Play, body: Any, status: int) -> None:
    assert refused(body)[0] == status
    assert refused({"action": {}, **body} if isinstance(body, dict) else body, f"{PATH}/check")[0] == status


def test_a_branch_can_leave_an_unfinished_match(play: Play) -> None:
    assert play({"match": "cut", "seq": 0})["branch"]["lines_sha256"]


# --- Secrets in a branch


def plans_in(answer: Any) -> list[tuple[int, Any]]:
    return [
        (node["action"]["seat"], node["action"].get("plan"))
        for node in answer["branch"]["nodes"]
        if node["action"]["type"] == "commit_plan"
    ]


def test_secret_plans_of_others_stay_on_the_server_until_they_are_revealed(
    client: Client, play: Play, refused: Play
) -> None:
    replay = replay_of("caravan")
    root = play({"match": "c", "seq": first_decision(replay, "CommitPlan")}, view=2)
    planning = play(root["branch"], {"go_on": {"decisions": 3}}, view=2)
    plans = plans_in(planning)
    assert [seat for seat, plan in plans if plan is not None] == [seat for seat, _ in plans if seat == 1]
    assert len(plans) == 3
    told = json.dumps(planning)
    committed = [entry.action for entry in replay.entries if type(entry.action).__name__ == "CommitPlan"][:3]
    for action in committed:
        if action.seat != 1:
            assert json.dumps(list(action.plan)) not in told
    assert [moment["text"] for moment in planning["scene"]["moments"]][-3:].count("Yellow commits a plan") <= 1
    # the secret is in no other response and in no other form
    for view, status in ((None, 422), (1, 422), (2, 200)):
        query = "" if view is None else f"?view={view}"
        assert client.post(PATH + query, json=planning["branch"]).status_code == status
        assert client.get(f"{PATH}/{planning['id']}{query}").status_code == status
    assert client.get(f"{PATH}/{planning['id']}/log.jsonl").status_code == 422
    assert refused({**planning["branch"], "keep": "Mine"}, f"{PATH}?view=2")[0] == 422
    # a guess cannot be distinguished from the actual plan
    hidden = next(node for node in planning["branch"]["nodes"] if "sealed" in node["action"])
    guess = next(write_action(replay.game, each) for each in committed if each.seat == hidden["action"]["seat"])
    number = planning["branch"]["nodes"].index(hidden)
    guessed = play({**planning["branch"], "at": hidden["parent"]}, {"action": guess}, view=2)
    assert len(guessed["branch"]["nodes"]) == len(planning["branch"]["nodes"]) + 1
    assert guessed["branch"]["nodes"][number] == hidden
    # once plans are revealed, nothing is secret
    revealed = play(planning["branch"], {"go_on": {"decisions": 1}}, view=2)
    assert {json.dumps(plan) for _, plan in plans_in(revealed)} >= {json.dumps(list(each.plan)) for each in committed}


def test_the_original_s_secrets_stay_hidden_too(play: Play) -> None:
    replay = replay_of("caravan")
    seq = first_decision(replay, "CommitPlan") + 1
    seat = replay.entries[seq].seat
    assert seat is not None
    shown = play({"match": "c", "seq": seq}, view=(seat + 1) % 4 + 1)
    assert shown["scene"]["frames"][seq]["p"][seat] == "??????"


def test_secrets_sealed_before_a_restart_are_reported_as_lost(opened: Warehouse, play: Play) -> None:
    seq = first_decision(replay_of("caravan"), "CommitPlan")
    planning = play({"match": "c", "seq": seq, "nodes": []}, view=2)
    planning = play(planning["branch"], {"go_on": {"decisions": 2}}, view=2)
    answer = served(opened).post(f"{PATH}?view=2", json=planning["branch"])
    assert (answer.status_code, answer.json) == (
        422,
        {
            "message": "this server no longer has the secret choices of this branch; start the branch again",
            "limit": None,
            "found": None,
        },
    )


# --- Saved branches


def test_a_branch_that_is_kept_has_an_address(client: Client, opened: Warehouse, play: Play) -> None:
    seq = list(decisions(replay_of("summit")))[5]
    branch = play({"match": "s", "seq": seq}, {"go_on": {"decisions": 2}})
    assert branch["kept"] is None
    kept = play({**branch["branch"], "keep": "Via  the ice"})
    assert (kept["id"], kept["kept"]["title"], kept["kept"]["by"]) == (branch["id"], "Via the ice", "local")
    listed = client.get(f"{PATH}?match=s").json
    assert listed == {"branches": [{"id": kept["id"], "match": "s", **kept["kept"]}]}
    again = served(opened)
    shown = again.get(f"{PATH}/{kept['id']}").json
    assert shown == kept
    assert again.get(f"{PATH}?match=c").json == {"branches": []}
    page = again.get(f"{PATH}/{kept['id']}/offline.html")
    assert page.data.startswith(b"<!DOCTYPE html>")
    removed = client.delete(f"{PATH}/{kept['id']}")
    assert removed.json == {"id": kept["id"], "match": "s", **kept["kept"]}
    assert served(opened).get(f"{PATH}/{kept['id']}").status_code == 404
    assert client.get(f"{PATH}/{kept['id']}").json == {**kept, "kept": None}


def test_a_branch_with_an_action_not_carried_out_is_not_kept(refused: Play, play: Play) -> None:
    branch = play({"match": "c", "seq": 0})["branch"]
    nodes = [*branch["nodes"], {"parent": -1, "action": {"type": "pass_token", "seat": 0}}]
    play({**branch, "nodes": nodes})  # one of the nodes is not displayed
    status, why = refused({**branch, "nodes": nodes, "keep": "Try"})
    assert (status, why.partition(":")[0]) == (422, f"nodes.{len(nodes) - 1}")


@pytest.mark.parametrize(
    ("scopes", "statuses"),
    [
        ((Scope.READ,), (200, 403, 403, 403)),
        ((Scope.READ, Scope.RUN), (200, 200, 403, 403)),
        ((Scope.READ, Scope.WRITE), (200, 403, 200, 404)),
    ],
)
def test_running_programs_and_saving_branches_need_their_roles(
    opened: Warehouse, scopes: tuple[Scope, ...], statuses: tuple[int, ...]
) -> None:
    client = served(opened, Policy(is_public=True))
    token = {"Authorization": f"Bearer {create_token(opened.app, '-'.join(scopes), scopes)}"}
    branch = {"match": "c", "seq": 0}
    asked = [
        client.post(PATH, json=branch, headers=token),
        client.post(PATH, json={**branch, "then": {"go_on": {"decisions": 1}}}, headers=token),
        client.post(PATH, json={**branch, "keep": "Try"}, headers=token),
        client.delete(f"{PATH}/{'0' * 32}", headers=token),
    ]
    assert tuple(answer.status_code for answer in asked) == statuses
    assert client.post(PATH, json=branch).status_code == 401


def test_moves_are_counted(opened: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MOVES", 2)
    client = served(opened)
    branch = {"match": "c", "seq": 0}
    asked = [(PATH, branch), (f"{PATH}/check", branch | {"action": {}}), (PATH, branch)]
    assert [client.post(path, json=body).status_code for path, body in asked] == [200, 200, 429]


# --- Playouts of a branch


@pytest.mark.slow("plays out")
def test_a_branch_is_played_out_pair_by_pair(client: Client, play: Play) -> None:
    branch = play({"match": "k", "seq": list(decisions(replay_of("climbers")))[-12]})
    asked = {"samples": 4, "players": ["random"] * 3}
    answer = client.post(f"{PATH}/{branch['id']}/playouts", json=asked)
    lines = [json.loads(line) for line in answer.text.splitlines() if line]
    assert answer.mimetype == "application/jsonl"
    assert [lines[-1][key] for key in ("done", "of", "ended")] == [4, 4, "all"]
    assert [sum(lines[-1][key]) for key in ("branch", "original")] == pytest.approx([1, 1], abs=0.01)
    assert all(low <= mean <= high for mean, low, high in lines[-1]["difference"])
    assert client.post(f"{PATH}/{branch['id']}/playouts", json={"samples": 0}).status_code == 422
    assert client.post(f"{PATH}/{'0' * 32}/playouts", json={}).status_code == 404


def test_one_branch_is_played_out_at_a_time_and_only_for_a_client(
    client: Client, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playouts, "reports", lambda *_: repeat(b"\n"))
    address = f"{PATH}/{play({'match': 'c', 'seq': 0})['id']}/playouts"
    with serving(client.web) as port:
        watched = asked(port, address)
        assert watched.readline() == b"\n"
        assert asked(port, address).status == 429
        watched.close()
        while (again := asked(port, address)).status == 429:
            assert again.read()
        assert again.status == 200
        again.close()


def asked(port: int, address: str) -> HTTPResponse:
    """Send a request on a separate connection and return the response."""
    line = HTTPConnection("127.0.0.1", port)
    line.request("POST", address, b"{}", {"Content-Type": "application/json", "Connection": "close"})
    return line.getresponse()


MANY = {"log": b"".join(LOGS["caravan"]).decode(), "seq": 0, "luck": None, "actions": []} | {
    "samples": 2_000,
    "precision": 0,
    "players": ["random"] * len(replay_of("caravan").header.seats),
}
"""More playouts than a test has time for."""


def test_playouts_end_when_the_last_client_leaves() -> None:
    gone = threading.Event()
    lines = reports(MANY, gone)
    assert next(lines)
    gone.set()
    assert list(lines) == []


def test_pairs_played_by_the_deadline_are_a_result() -> None:
    *_, before, last = map(json.loads, reports(MANY, threading.Event(), quiet=600, seconds=0))
    assert 0 < last["done"] < last["of"]
    assert last == before | {"ended": "time"}


def test_a_deadline_before_the_first_pair_is_a_failure() -> None:
    *_, last = reports(MANY, threading.Event(), quiet=0, seconds=0)
    assert json.loads(last) == {"error": "one pair takes longer than 0 seconds"}
