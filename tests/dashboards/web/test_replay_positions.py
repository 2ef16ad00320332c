"""Positions over HTTP: complete, as data or text, with or without a seat's view, by address."""

import json
import random
from typing import Any

import pytest

from dashboards.boards.scene import ply_names
from himalaya_core.caravan.events import PlanCommitted
from himalaya_core.cli.main import main
from himalaya_core.files import write_log
from himalaya_core.replay import Replay
from tests.dashboards.client import Client

MATCH = "other"
BASE = f"/api/replay/{MATCH}"


@pytest.fixture(scope="module")
def replay(finished: list[Replay]) -> Replay:
    return next(replay for replay in finished if replay.entries[0].match == MATCH)


@pytest.fixture(scope="module")
def names(replay: Replay) -> list[str]:
    return ply_names([entry.ply for entry in replay.entries])


def plain(document: Any) -> Any:
    """Return data after a round trip through JSON."""
    return json.loads(json.dumps(document))


def test_a_position_is_the_folded_state(client: Client, replay: Replay, names: list[str]) -> None:
    for index in random.Random(5).sample(range(len(names)), 25):
        found = client.get(f"{BASE}/position.json?ply={names[index]}").json
        entry = replay.entries[index]
        place = {"match": MATCH, "seq": index, "ply": entry.ply, "name": names[index], "round": entry.round, "view": -1}
        assert found == {**place, "position": plain(replay.game.position(replay.states[index]))}


def test_a_ply_alone_is_the_position_after_it(client: Client, replay: Replay) -> None:
    found = client.get(f"{BASE}/position.json?ply=30").json
    assert found["seq"] == max(entry.seq for entry in replay.entries if entry.ply == 30)


def test_without_a_ply_it_is_the_first_position_and_beyond_the_end_the_last(client: Client, replay: Replay) -> None:
    assert client.get(f"{BASE}/position.json").json["seq"] == 0
    assert client.get(f"{BASE}/position.json?ply=9999").json["seq"] == len(replay.entries) - 1


def test_a_seat_sees_no_plan_of_another(client: Client, replay: Replay, names: list[str]) -> None:
    secret = [at for at, entry in enumerate(replay.entries) if isinstance(entry.event, PlanCommitted)]
    at = next(at for at in secret if all(replay.states[at].plans))
    for seat in range(4):
        found = client.get(f"{BASE}/position.json?ply={names[at]}&view={seat + 1}").json
        plans = [each["plan"] for each in found["position"]["seats"]]
        assert found["view"] == seat
        assert plans == [list(replay.states[at].plans[seat]) if other == seat else [] for other in range(4)]
        text = client.get(f"{BASE}/position.txt?ply={names[at]}&view={seat + 1}").text
        assert text.count("hidden") == 3
        assert f"as seat {seat + 1} knows it" in text


def test_the_text_is_what_the_command_shows(
    client: Client, tmp_path: Any, replay: Replay, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = client.get(f"/api/matches/{MATCH}").data
    with write_log(tmp_path / "x.jsonl") as file:
        file.write(lines)
    for ply, seat in ((30, None), (61, 2), (replay.entries[-1].ply, None)):
        view = "" if seat is None else f"&view={seat + 1}"
        answer = client.get(f"{BASE}/position.txt?ply={ply}{view}")
        assert answer.mimetype == "text/plain"
        whose = [] if seat is None else ["--seat", str(seat + 1)]
        assert main(["show", str(tmp_path / "x.jsonl"), "--ply", str(ply), *whose]) == 0
        assert capsys.readouterr().out == answer.text


def test_the_text_names_an_event_within_a_ply(client: Client, names: list[str]) -> None:
    inner = next(name for name in names if name.endswith(".2"))
    assert client.get(f"{BASE}/position.txt?ply={inner}").text.startswith(f"{MATCH} after ply {inner} of ")


BAD = {
    "a word": ("ply=last", "ply: expected a number such as 57 or 57.3, found 'last'."),
    "a number below zero": ("ply=-1", "ply: expected a number such as 57 or 57.3, found '-1'."),
    "half a name": ("ply=57.", "ply: expected a number such as 57 or 57.3, found '57.'."),
    "nothing": ("ply=", "ply: expected a number such as 57 or 57.3, found ''."),
    "digits of another script": ("ply=٣", "ply: expected a number such as 57 or 57.3, found '٣'."),
    "no seat 0": ("view=0", "view: expected the number of a seat, from 1 to 4, found '0'."),
    "a seat too many": ("view=5", "view: expected the number of a seat, from 1 to 4, found '5'."),
    "a seat in words": ("view=all", "view: expected the number of a seat, from 1 to 4, found 'all'."),
}


@pytest.mark.parametrize("route", ["position.json", "position.txt"])
@pytest.mark.parametrize(("query", "message"), BAD.values(), ids=BAD)
def test_an_invalid_place_says_what_was_expected(client: Client, route: str, query: str, message: str) -> None:
    answer = client.get(f"{BASE}/{route}?{query}")
    assert (answer.status_code, answer.json["message"]) == (400, message)


def test_an_unknown_match_has_no_position(client: Client) -> None:
    answer = client.get("/api/replay/nobody/position.json")
    assert (answer.status_code, answer.json["message"]) == (404, "There is no match nobody in this database.")


def test_a_cached_position_is_not_sent_again(client: Client) -> None:
    first = client.get(f"{BASE}/position.txt?ply=30", headers={"Accept-Encoding": "gzip"})
    known = {"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]}
    assert client.get(f"{BASE}/position.txt?ply=30", headers=known).status_code == 304
    assert client.get(f"{BASE}/position.txt?ply=31", headers=known).status_code == 200
