"""Matches played over HTTP: people claim seats, programs decide in others, and secrets stay on the server."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboards.replay import draft_deciding
from dashboards.web import drafts
from himalaya_core.cli.main import main
from himalaya_core.replay import Replay
from himalaya_core.tournament.reproducibility import ask
from himalaya_core.verification import DiceVerdict, judge
from ingest.inbox.receive import Intake, Status
from ingest.opening import open_warehouse
from ingest.people.drafts import find_draft
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client
from tests.dashboards.described import conforms
from tests.dashboards.web.at_table import PATH, Recorder, entered_in, served, set_up

AGAINST = {"caravan": ["greedy", "trader"], "summit": ["racer"], "climbers": ["greedy"]}
PLANS = ("srsits", "xxrrtt")
OPEN = [{"name": "Anna"}, {"name": None}, {}]


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


@pytest.fixture
def client(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(drafts, "MOVES", 1_000_000)
    with Intake(warehouse) as intake:
        browser = served(warehouse, intake)
        yield browser
        browser.services.close()


def against(game: str, **more: Any) -> dict[str, Any]:
    """Return the set-up of a match of one person against programs."""
    seats = [{"name": "Anna"}, *({"program": name} for name in AGAINST[game])]
    return {"game": game, "seats": seats, "dice": "drawn", "take": [0]} | more


def awaited(table: Recorder) -> Any:
    """Wait until this browser must decide or the match is over, and return the match."""
    until = time.monotonic() + 60
    while not table.state["over"] and table.state["choices"] is None:
        assert time.monotonic() < until, table.state["waiting"]
        time.sleep(0.01)
        table.look()
    return table.state


def decide(table: Recorder) -> None:
    """Have the person choose: the first listed action except a further step, an always legal plan, or no block.

    A climber that always takes the first possible step could walk forever.
    """
    choices = table.state["choices"]
    listed = sorted(choices["actions"], key=lambda each: each["action"]["type"] == "climb_step")
    table.enter(listed[0]["action"] if listed else PLANS[0])


def play_on(table: Recorder, entries: int | None = None) -> None:
    """Play until there is a given number of entries, or the match is over."""
    while not awaited(table)["over"] and (entries is None or len(table.state["entries"]) < entries):
        decide(table)


# --- Matches against programs


@pytest.mark.slow("a whole match")
@pytest.mark.parametrize("game", ["summit", "caravan", "climbers"])
def test_a_match_against_programs_is_played_to_its_end_and_handed_in(
    client: Client, warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    table = Recorder(client, against(game))
    assert (table.state["kind"], table.state["dice"]) == ("play", "drawn")
    assert [seat["mine"] for seat in table.state["seats"]] == [True, *[False for _ in AGAINST[game]]]
    seed = find_draft(warehouse.app, table.number).setup["seed"]
    play_on(table, 6)
    assert seed.encode() not in table.get().data + table.get("/log.jsonl").data
    assert b'"luck":null' in table.log()[0]
    assert "submitted when it is over" in table.post("/hand-in", {"expects": table.state["changes"]}, 409)["message"]
    play_on(table)
    assert conforms(table.state, "Record")
    lines = table.log()
    judged = judge(lines)
    assert (judged.departure, judged.other_dice, judged.dice) == (None, None, DiceVerdict.FOLLOWS)
    assert [str(seat.verdict) for seat in ask(lines)] == ["not asked", *["repeats" for _ in AGAINST[game]]]
    replay = Replay.read(lines)
    assert (replay.header.luck, replay.header.seats[0].version) == (seed, "person")
    by = {each["by"] for each in table.state["entries"]}
    assert by == {"local", "chance", *AGAINST[game]}
    (tmp_path / "played.jsonl").write_bytes(b"".join(lines))
    assert main(["verify", str(tmp_path / "played.jsonl"), "--players"]) == 0
    assert "not asked: Anna person in 1 seat: a person decided" in capsys.readouterr().out
    table.post("/hand-in", {"expects": table.state["changes"]})
    assert taken_in(client, table) == (1, "clean", "follows")


def taken_in(client: Client, table: Recorder) -> tuple[int, str, str | None]:
    """Wait until the log is loaded; return the number of matches, and the data of the submitted match."""
    handed_in = table.state["handed_in"]
    while client.get(f"/api/logs/{handed_in['receipt']}").json["status"] != Status.TAKEN:  # type: ignore[index]
        time.sleep(0.02)
    opened: Warehouse = client.services.warehouse
    with opened.reading() as connection:
        sql = "SELECT verdict, luck_verdict FROM raw_matches WHERE match = $match"
        ((verdict, luck),) = connection.execute(sql, {"match": handed_in["match"]}).fetchall()
        ((count,),) = connection.execute("SELECT count(*) FROM raw_matches").fetchall()
    return count, verdict, luck


@pytest.fixture
def restarted(client: Client, warehouse: Warehouse) -> Iterator[tuple[Recorder, Recorder]]:
    """A match against a program, before and after a restart of the server."""
    table = Recorder(client, against("summit", seats=[{"name": "Anna"}, {"program": "random"}]))
    play_on(table, 10)
    client.services.close()
    again = served(warehouse)
    cookies = [each for each in client.asking.cookies.jar if each.name == "himalaya-seats"]
    assert [each.path for each in cookies] == [f"{PATH}/{table.number}"]
    again.asking.cookies.jar.set_cookie(cookies[0])
    other = Recorder(again, number=table.number)
    yield table, other
    again.services.close()


@pytest.mark.slow("a second server")
def test_a_match_continues_when_its_server_starts_again(restarted: tuple[Recorder, Recorder]) -> None:
    before, after = restarted
    known = before.state["entries"]
    play_on(after, len(known) + 12)
    assert after.state["entries"][: len(known)] == known
    assert {"random", "local"} <= {each["by"] for each in after.state["entries"][len(known) :]}


@pytest.mark.slow("plays the match to its end")
def test_a_program_chooses_after_a_restart_as_it_would_have_before(restarted: tuple[Recorder, Recorder]) -> None:
    _, after = restarted
    play_on(after)
    assert [str(seat.verdict) for seat in ask(after.log())] == ["not asked", "repeats"]


@pytest.mark.slow("a slow program")
def test_a_slow_program_is_reported_and_retried_after_a_change(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft_deciding, "SECONDS", 0.2)
    programs = [{"program": "rollout:playouts=100000"}, {"program": "rollout:playouts=100000"}]
    table = Recorder(client, against("caravan", seats=[{"name": "Anna"}, *programs]))
    told = told_to_be_slow(table)
    known = table.get().headers["ETag"]
    answer = client.get(f"{PATH}/{table.number}", headers={"If-None-Match": known})
    assert (answer.status_code, table.look()["waiting"]) == (304, told)
    table.undo(max(at for at, each in enumerate(table.state["entries"]) if each["seat"] == 0))
    assert table.state["waiting"] != told
    assert told_to_be_slow(table) == told


def told_to_be_slow(table: Recorder) -> Any:
    """Play until a program takes too long, and return the message about it."""
    until = time.monotonic() + 60
    while "takes longer than 0 seconds" not in (table.look()["waiting"] or ""):
        assert time.monotonic() < until, table.state["waiting"]
        if table.state["choices"]:
            decide(table)
        time.sleep(0.02)
    return table.state["waiting"]


@pytest.mark.slow("programs, further on")
def test_undo_returns_to_one_s_own_choice_and_the_match_continues(client: Client) -> None:
    table = Recorder(client, against("summit"))
    play_on(table, 20)
    awaited(table)
    entries = [each["text"] for each in table.state["entries"]]
    chosen = [at for at, each in enumerate(table.state["entries"]) if each["seat"] == 0]
    last_but_one = chosen[-2]
    table.undo(chosen[-1] - 1)
    assert [each["text"] for each in table.state["entries"]] == entries[:last_but_one]
    assert table.state["turn"] == 0
    for text in entries[last_but_one:]:
        if table.state["choices"] is not None and len(table.state["entries"]) <= chosen[-1]:
            table.enter(entries[len(table.state["entries"])])
            awaited(table)
        assert text in entries
    assert [each["text"] for each in table.state["entries"]] == entries[: len(table.state["entries"])]
    assert len(table.state["entries"]) > chosen[-1]


ALONE = {"game": "summit", "seats": [{"program": "racer"}, {"program": "greedy"}], "dice": "drawn"}


@pytest.mark.slow("programs, further on")
def test_programs_play_alone_while_someone_watches(client: Client) -> None:
    table = Recorder(client, ALONE)
    assert table.state["waiting"].endswith(" is thinking")
    play_until(table, lambda state: len(state["entries"]) > 24)
    assert {each["by"] for each in table.state["entries"]} == {"chance", "racer", "greedy"}


@pytest.mark.slow("plays a match to its end")
def test_programs_play_alone_to_the_end(client: Client) -> None:
    table = Recorder(client, ALONE)
    play_until(table, lambda state: bool(state["over"]))
    assert [str(seat.verdict) for seat in ask(table.log())] == ["repeats", "repeats"]
    assert "against others is not taken back" in table.undo(0, 409)["message"]


def play_until(table: Recorder, is_there: Callable[[Any], bool]) -> None:
    """Poll until the match has a given number of entries."""
    until = time.monotonic() + 60
    while not is_there(table.look()):
        assert time.monotonic() < until
        time.sleep(0.02)


# --- Claiming seats


def browser(client: Client) -> Client:
    """Return another browser at the same server."""
    return client.another()


def test_a_seat_belongs_to_the_holder_of_its_key(client: Client) -> None:
    anna = Recorder(client, set_up("caravan", seats=OPEN, take=[0]))
    ben = Recorder(browser(client), number=anna.number)
    nobody = Recorder(browser(client), number=anna.number)
    assert [(seat["name"], seat["taken"], seat["mine"]) for seat in ben.state["seats"]] == [
        ("Anna", True, False),
        ("Seat 2", False, False),
        ("Seat 3", False, False),
    ]
    assert "name: expected names of 1 to 60 letters" in ben.post("/seats", {"seat": 1}, 422)["message"]
    ben.post("/seats", {"seat": 1, "name": " Ben  B. "})
    ben.post("/seats", {"seat": 2, "name": "Bella"})
    assert [(seat["name"], seat["mine"]) for seat in ben.state["seats"]] == [
        ("Anna", False),
        ("Ben B.", True),
        ("Bella", True),
    ]
    assert [seat["player"] for seat in ben.state["scene"]["seats"]] == ["Anna", "Ben B.", "Bella"]
    assert nobody.post("/seats", {"seat": 1, "name": "Eve"}, 409)["message"] == "seat 2 is taken, by Ben B."
    assert nobody.post("/seats", {"seat": 3, "name": "Eve"}, 422)["message"] == "seat: expected 0 to 2, found 3"
    nobody.look()
    assert "take one first" in nobody.enter(entered_in("caravan")[0][0], 403)["message"]
    assert "take one first" in nobody.post("/actions", {"expects": 3, "draw": True}, 403)["message"]
    placing = next(at for at, (_, action) in enumerate(entered_in("caravan")) if action["type"] == "place_caravan")
    anna.look()
    anna.enter_all("caravan", 0, placing)
    text, action = entered_in("caravan")[placing]
    owner, other = (anna, ben) if action["seat"] == 0 else (ben, anna)
    for each in (other, nobody):
        assert each.look()["choices"] is None
        assert each.state["waiting"].endswith(f"(seat {action['seat'] + 1}) is to decide")
        found = each.enter(text, 403)["message"]
        assert found == f"seat {action['seat'] + 1} is not yours; choose for a seat of your own"
        assert each.post("/check", {"action": action}, 403)["message"].endswith(
            "is not yours; check an action of your own seat"
        )
    assert owner.look()["waiting"] is None
    assert "against others is not taken back" in owner.undo(0, 409)["message"]
    assert owner.enter(text)["entries"][-1]["text"] == text
    listed = client.get(PATH).json["records"][0]["players"]  # type: ignore[index]
    assert listed == ["Anna", "Ben B.", "Bella"]


def test_the_key_is_a_cookie_that_no_script_reads_and_no_other_address_gets(client: Client) -> None:
    answer = client.post(PATH, json=against("summit"))
    parts = set(answer.headers["Set-Cookie"].split("; ")[1:])
    path = f"Path={PATH}/{answer.json['id']}"  # type: ignore[index]
    assert {"HttpOnly", "SameSite=strict", path} <= parts
    assert "Secure" not in parts
    over_tls = client.post(PATH, json=against("summit"), scheme="https")
    assert over_tls.headers["Set-Cookie"].startswith("__Secure-himalaya-seats=")
    assert "Secure" in over_tls.headers["Set-Cookie"].split("; ")
    assert "Set-Cookie" not in client.post(PATH, json=set_up("summit")).headers


# --- Secret plans


def planning(client: Client) -> tuple[Recorder, Recorder, Recorder]:
    """Return three recorders of a match in its planning phase: Anna in seat 1, Ben in all others, and a spectator."""
    anna = Recorder(client, set_up("caravan", seats=OPEN, take=[0], title="Secrets"))
    ben = Recorder(browser(client), number=anna.number)
    for seat, name in ((1, "Ben"), (2, "Bella")):
        ben.post("/seats", {"seat": seat, "name": name})
    for text, action in entered_in("caravan"):
        if action["type"] == "commit_plan":
            break
        owner = anna if action.get("seat") in (None, 0) else ben
        owner.look()
        owner.enter(text)
    return anna, ben, Recorder(browser(client), number=anna.number)


def test_a_secret_plan_leaves_the_server_in_no_form_before_it_is_revealed(client: Client) -> None:
    """For two matches that differ only in the plan, all other people get the same responses, byte for byte."""
    told: list[dict[str, bytes]] = []
    tables = []
    for plan in PLANS:
        anna, ben, nobody = planning(client)
        ben.look("?seat=1")
        ben.enter(plan, query="?seat=1")
        anna.look()
        refusals = [
            anna.enter(f"2: {PLANS[0]}", 422),
            nobody.post("/actions", {"expects": anna.state["changes"], "text": f"2: {PLANS[0]}"}, 422),
            nobody.undo(0, 409),
            anna.post("/actions", {"expects": 0, "text": PLANS[1]}, 409),
            anna.post("/check", {"text": PLANS[1]}),
        ]
        told.append({"anna": anna.told() + repr(refusals).encode(), "ben": ben.told(), "nobody": nobody.told()})
        hidden = [(each["seat"], each["text"]) for each in anna.look()["entries"]][-1]
        assert hidden == (1, None)
        tables.append((anna, ben, nobody, plan))
    assert told[0]["anna"] == told[1]["anna"]
    assert told[0]["nobody"] == told[1]["nobody"]
    assert told[0]["ben"] != told[1]["ben"]
    assert PLANS[0].encode() in told[0]["ben"]
    for anna, ben, nobody, plan in tables:
        anna.look()
        anna.enter("rrrrrr")
        assert (anna.state["entries"][-1]["text"], nobody.look()["entries"][-1]["text"]) == ("1: rrrrrr", None)
        ben.look("?seat=2")
        ben.enter("iiiiii", query="?seat=2")
        for each in (anna, ben, nobody):
            texts = [entry["text"] for entry in each.look()["entries"]]
            assert [text for text in texts if text and text.endswith(("iiiiii", "rrrrrr", plan))] == [
                f"2: {plan}",
                "1: rrrrrr",
                "iiiiii",
            ]
            assert plan.encode() in each.get("/notation.txt").data
            assert len(each.log()) == len(each.state["scene"]["frames"])


@pytest.mark.slow("two who enter the same match")
def test_simultaneous_plans_do_not_conflict(client: Client) -> None:
    anna, ben, _ = planning(client)
    anna.look()
    ben.look("?seat=2")
    ben.enter("iiiiii", query="?seat=2")
    assert anna.enter("rrrrrr")["entries"][-1]["text"] == "1: rrrrrr"
    assert ben.look("?seat=1")["turn"] == 1


@pytest.mark.slow("two who enter the same match")
def test_two_seats_of_one_browser_are_seen_one_at_a_time(client: Client) -> None:
    _, ben, _ = planning(client)
    ben.look("?seat=1")
    ben.enter(PLANS[0], query="?seat=1")
    assert ben.look()["turn"] == 2
    assert ben.state["entries"][-1]["text"] is None
    assert ben.state["scene"]["view"] == 2
    assert PLANS[0].encode() not in ben.get().data
