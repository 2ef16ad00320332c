"""A log sent only for replay: checked as by ingest, answered with a scene or choices, limited, and never stored."""

import gzip
import json
import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import zstandard

from dashboards.replay.scenes import folded
from dashboards.web import upload as dropped
from dashboards.web.policy import Policy
from himalaya_core.cli.main import main
from himalaya_core.files import read_lines
from ingest.opening import open_warehouse
from ingest.quarantine.preview import Preview
from ingest.warehouse import Warehouse
from tests.core.log.damage import at, resign, rewrite
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.described import whole_document
from tests.ingest.helping import THREE, climbers_log, log, summit_log
from tests.ingest.validate.test_validation import DAMAGES

DROP = "/api/replay"
A, B, C = log("a"), log("b"), log("c", THREE)
BEGUN = C[:60]
"""An arbitrary match."""
BROKEN = [*B[:9], b"{not json}\n", *B[10:]]


def text(*logs: Sequence[bytes]) -> bytes:
    return b"".join(line for lines in logs for line in lines)


@pytest.fixture(scope="module")
def emptiness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path_factory.mktemp("empty") / "empty.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def served(emptiness: Warehouse) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dropped, "LOOKS", 1_000_000)
        yield everything(emptiness, has_pages=False)


@pytest.fixture
def guarded(emptiness: Warehouse) -> Callable[..., Client]:
    """Return a function that creates clients of a server with authentication."""

    def make(*, is_public: bool = False) -> Client:
        return everything(emptiness, policy=Policy(is_public=is_public, public_read=is_public), has_pages=False)

    return make


def drop(client: Client, body: bytes, query: str = "", **headers: str) -> Answer:
    return client.post(f"{DROP}{query}", data=body, headers={key.replace("_", "-"): to for key, to in headers.items()})


@cache
def described() -> dict[str, Any]:
    """Return the OpenAPI responses for a dropped log by status, with references resolved."""
    whole = whole_document()
    answers = whole["paths"][DROP]["post"]["responses"]
    schemas = {status: said["content"]["application/json"]["schema"] for status, said in answers.items()}
    return {status: {**schema, "components": whole["components"]} for status, schema in schemas.items()}


def answered(answer: Answer) -> Any:
    """Return the JSON of a response, after checking that it conforms to the OpenAPI document."""
    jsonschema_rs.validator_for(described()[str(answer.status_code)]).validate(answer.json)
    return answer.json


def refused(answer: Answer) -> tuple[int, str]:
    return answer.status_code, answered(answer)["message"]


# Content of the dropped log


@pytest.mark.parametrize("query", ["", "?view=2"])
def test_a_dropped_match_is_shown_as_if_it_had_been_loaded(
    client: Client, warehouse: Warehouse, logs: Path, query: str
) -> None:
    answer = drop(client, (logs / "other.jsonl").read_bytes(), query)
    assert answered(answer) == everything(warehouse).get(f"{DROP}/other{query}").json
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.slow("reviews matches")
@pytest.mark.usefixtures("reviews_once")
@pytest.mark.parametrize("view", ["", "&view=2"])
def test_a_dropped_match_is_reviewed_as_if_it_had_been_loaded(
    client: Client, warehouse: Warehouse, logs: Path, view: str
) -> None:
    name = next(logs.glob("three*.jsonl.zst"))
    body = text(list(read_lines(name)))
    found = answered(drop(client, body, f"?part=review&match=three.000002{view}"))
    assert found["moments"]
    asked = everything(warehouse).get(f"{DROP}/three.000002/review?{view}")
    assert found == asked.json


@pytest.mark.slow("several dropped files")
def test_one_of_several_matches_can_be_chosen(client: Client) -> None:
    body = text(A, B[:90], C)
    found = answered(drop(client, body))
    assert found["problems"] == []
    assert found["matches"] == [
        {"match": "a", "status": "finished", "players": 4, "line_up": "trader, pilgrim, greedy, random", "rounds": 12}
        | {"events": len(A), "line": 1},
        {"match": "b", "status": "unfinished", "players": 4, "line_up": "trader, pilgrim, greedy, random"}
        | {"rounds": json.loads(B[89])["round"], "events": 90, "line": len(A) + 1},
        {"match": "c", "status": "finished", "players": 3, "line_up": "envoy, trader, random", "rounds": 12}
        | {"events": len(C), "line": len(A) + 91},
    ]
    assert answered(drop(client, body, "?match=c"))["match"] == "c"


def test_an_unfinished_match_plays_as_far_as_it_goes(client: Client) -> None:
    scene = answered(drop(client, text(B[:90])))
    assert (scene["status"], len(scene["frames"])) == ("unfinished", 90)


def test_the_only_valid_match_is_shown_together_with_the_errors(client: Client) -> None:
    scene = answered(drop(client, text(BEGUN, BROKEN)))
    (problem,) = scene["problems"]
    assert (scene["match"], problem["match"], problem["line"]) == ("c", "b", len(BEGUN) + 10)


@pytest.mark.slow("several dropped files")
def test_a_log_without_a_valid_match_plays_as_far_as_it_is_valid_and_says_why(client: Client) -> None:
    lines = resign(rewrite(B, 30, seq=31))
    answer = drop(client, text(lines))
    assert answer.status_code == 200
    assert answered(answer)["frames"] == answered(drop(client, text(B[:30])))["frames"]
    message = "seq: expected 30, found 31"
    parts = {
        "file": None,
        "line": 31,
        "match": "b",
        "reason": "seq_gap",
        "field": "seq",
        "expected": "30",
        "found": "31",
    }
    assert answered(answer)["problems"] == [parts | {"message": message}]
    assert refused(drop(client, text(lines[1:]))) == (422, "There is no valid match in this log.")


def test_a_match_that_departs_from_the_rules_plays_up_to_there(client: Client) -> None:
    place = at("moved", B)
    to = json.loads(B[place])["data"]["to"] % 20 + 1
    answer = answered(drop(client, text(A, resign(rewrite(B, place, data__to=to))), "?match=b"))
    assert answer["frames"] == answered(drop(client, text(B[:place])))["frames"]
    (problem,) = answer["problems"]
    assert (problem["line"], problem["reason"], problem["field"]) == (len(A) + place + 1, "departs", "rules")
    assert problem["found"].endswith(f" with to={to}")


@pytest.mark.slow("logs damaged at random")
@pytest.mark.parametrize("logs", [4, pytest.param(300, marks=pytest.mark.soak("hundreds of matches"))])
@pytest.mark.parametrize("played", [B, summit_log("s"), climbers_log("k")], ids=["caravan", "summit", "climbers"])
def test_no_log_crashes_the_server(client: Client, played: Sequence[bytes], logs: int) -> None:
    """One value anywhere in the log is replaced."""
    rng = random.Random(16)
    told = [place for place, line in enumerate(played) if json.loads(line)["data"]]
    for place in rng.choices(told, k=logs):
        entry = json.loads(played[place])
        inner = entry[rng.choice([key for key in ("data", "action") if entry.get(key)])]
        inner[rng.choice(list(inner))] = rng.choice([0, 3, 19, -1, 10**9, "gold", None, [], {}, [0, 1], True, 2.5])
        line = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
        answer = drop(client, text([*played[:place], line, *played[place + 1 :]]))
        assert answer.status_code in {200, 422}, (place, line)


@pytest.mark.slow("several dropped files")
@pytest.mark.parametrize(
    ("name", "message", "about"),
    [("d", "The match d of this log is not valid.", ["d"]), ("z", "There is no match z in this log.", ["b", "d"])],
)
def test_a_match_that_cannot_be_chosen_says_why(client: Client, name: str, message: str, about: list[str]) -> None:
    answer = drop(client, text(BEGUN, BROKEN, log("d")[1:40]), f"?match={name}")
    assert refused(answer) == (422, message)
    assert [problem["match"] for problem in answered(answer)["problems"]] == about


def test_a_valid_log_that_cannot_be_played_names_the_line(client: Client) -> None:
    lines = resign(rewrite(B, 0, data__board={"id": "lost", "sha256": "0" * 64}))
    answer = drop(client, text([b"# a log\n"], lines))
    status, message = refused(answer)
    assert (status, message[:58]) == (422, "The match b of this log cannot be replayed: line 1: the ma")
    (problem,) = answered(answer)["problems"]
    assert (problem["line"], problem["reason"]) == (2, "cannot_be_replayed")


def test_a_missing_seat_is_reported(client: Client) -> None:
    message = "view: expected the number of a seat, from 1 to 3, found '4'."
    assert refused(drop(client, text(BEGUN), "?view=4")) == (400, message)


@pytest.mark.slow("a command beside the server")
def test_the_sentences_are_those_of_the_command(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = [*DAMAGES.values()][::4]
    damaged = [spoil(list(log(f"b{number}", luck="b"))) for number, (spoil, *_) in enumerate(some)]
    body = text(A, *damaged, BEGUN, log("a", luck="other"), [b"# the end of the log"])
    (tmp_path / "dropped.jsonl").write_bytes(body)
    main(["ingest", str(tmp_path / "dropped.jsonl"), "--db", str(tmp_path / "x.duckdb"), "--dry-run", "--json"])
    summary = json.loads(capsys.readouterr().out)
    found = answered(drop(client, body))
    keys = ("line", "match", "reason")
    assert {tuple(problem[key] for key in keys) for problem in found["problems"]} == {
        tuple(problem[key] for key in keys) for problem in summary["quarantined"]
    }
    said = sorted(
        problem["message"].replace(str(tmp_path / "dropped.jsonl"), "dropped log") for problem in summary["quarantined"]
    )
    assert sorted(problem["message"] for problem in found["problems"]) == said
    assert len(said) > len(some)
    whole = [match["match"] for match in found["matches"] if not match["status"].startswith("not valid")]
    assert whole == ["a", "c"]


# Transfer of the dropped log


@pytest.mark.slow("every compression")
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(text(BEGUN)), {}),
        (gzip.compress(text(BEGUN)), {"Content_Encoding": "gzip"}),
        (zstandard.compress(text(BEGUN)), {}),
        (zstandard.compress(text(BEGUN)), {"Content_Encoding": "zstd"}),
        (text(BEGUN), {"Content_Type": "text/plain"}),
    ],
)
def test_a_log_may_be_compressed(client: Client, body: bytes, headers: dict[str, str]) -> None:
    assert answered(drop(client, body, **headers))["match"] == "c"


def test_the_answer_is_compressed_for_clients_that_accept_it(client: Client) -> None:
    answer = drop(client, text(BEGUN), Accept_Encoding="gzip")
    assert json.loads(gzip.decompress(answer.data))["match"] == "c"


BODIES = {
    "empty": (b"", {}, 400, "body: empty; send the lines of a log"),
    "large": (b" " * ((16 << 20) + 1), {}, 413, "body: expected at most 16777216 bytes, found more"),
    "bomb": (gzip.compress(bytes(40 << 20)), {}, 413, "body: expected at most 33554432 bytes without its compression"),
    "lines": (zstandard.compress(b"{}\n" * 200_001), {}, 413, "body: expected at most 200000 lines, found more"),
    "matches": (
        b"".join(b'{"match":"m%d"}\n' % n for n in range(2_001)),
        {},
        413,
        "expected at most 2000 matches, found more",
    ),
    "restarts": (C[0] * 2_001, {}, 413, "expected at most 2000 matches, found more"),
    "broken": (gzip.compress(text(C))[:-9], {}, 422, "body: expected a complete gzip file, found its end missing"),
    "mislabelled": (text(C), {"Content_Encoding": "gzip"}, 422, "body: not gzip data, as Content-Encoding claims"),
    "twice": (gzip.compress(gzip.compress(text(C))), {}, 422, "found data compressed once more"),
    "brotli": (text(C), {"Content_Encoding": "br"}, 415, "Content-Encoding: expected gzip or zstd, found br"),
    "picture": (text(C), {"Content_Type": "image/png"}, 415, "image/png is not a log"),
    "form": (text(C), {"Content_Type": "multipart/form-data; boundary=x"}, 415, "as the body itself"),
}


@pytest.mark.parametrize(("body", "headers", "status", "says"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_log_is_refused(
    client: Client, body: bytes, headers: dict[str, str], status: int, says: str
) -> None:
    found, message = refused(drop(client, body, **headers))
    assert found == status
    assert says in message


def test_a_body_of_undeclared_length_ends_at_the_limit_too(client: Client) -> None:
    answer = client.post(DROP, data=iter([b" " * ((16 << 20) + 1)]))
    assert (refused(answer)[0], answer.json["limit"]) == (413, 16 << 20)


@pytest.mark.slow("a long match")
def test_a_match_too_long_to_be_shown_is_not_folded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dropped, "MOST_EVENTS", 90)
    monkeypatch.setattr(dropped, "fold", None)
    for body, query in ((text(B), ""), (text(BEGUN, B), "?match=b")):
        answer = drop(client, body, query)
        assert refused(answer) == (413, f"match b has {len(B)} events; at most 90 can be replayed")
        assert (answer.json["limit"], answer.json["found"]) == (90, len(B))


# Nothing of the log is stored


def test_the_positions_of_a_dropped_match_are_not_kept(client: Client) -> None:
    folded.cache_clear()
    assert drop(client, text(BEGUN)).status_code == 200
    assert folded.cache_info().currsize == 0


def held_in(warehouse: Warehouse) -> dict[str, list[Any]]:
    with warehouse.reading() as connection:
        names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: connection.execute(f"FROM {name}").fetchall() for name in names}


@pytest.mark.slow("looks through every table")
def test_nothing_is_kept(client: Client, emptiness: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(passing))
    monkeypatch.chdir(tmp_path)
    before = held_in(emptiness), sorted(tmp_path.rglob("*"))
    for body in (text(BEGUN), text(BEGUN, BROKEN), text(BROKEN), gzip.compress(text(BEGUN))[:-9]):
        drop(client, body)
    assert (held_in(emptiness), sorted(tmp_path.rglob("*"))) == before
    assert client.get(f"{DROP}/a").status_code == 404


# Permissions for dropping a log


STRANGERS = {
    "a page of another site": {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"},
    "a page of another port": {"Origin": "http://localhost:3000", "Sec_Fetch_Site": "same-site"},
    "a page that hides": {"Origin": "null"},
    "an old browser on another site": {"Origin": "https://evil.example"},
    "a name that was turned to this machine": {"Host": "evil.example", "Origin": "http://evil.example"},
}


@pytest.mark.parametrize("headers", STRANGERS.values(), ids=STRANGERS)
def test_another_site_cannot_have_logs_inspected(guarded: Callable[..., Client], headers: dict[str, str]) -> None:
    assert refused(drop(guarded(), b"{}\n", **headers))[0] == 403


@pytest.mark.slow("another way to drop it")
@pytest.mark.parametrize("is_public", [False, True])
def test_the_page_itself_can_have_logs_inspected(guarded: Callable[..., Client], *, is_public: bool) -> None:
    client = guarded(is_public=is_public)
    assert drop(client, text(BEGUN), Origin="http://localhost", Sec_Fetch_Site="same-origin").status_code == 200
    assert drop(client, text(BEGUN), Origin="http://localhost").status_code == 200


def test_every_sender_is_limited_to_the_rate(guarded: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dropped, "LOOKS", 2)
    client = guarded(is_public=True)
    assert [drop(client, b"{}\n").status_code for _ in range(3)] == [422, 422, 429]
    answer = drop(client, b"{}\n")
    assert refused(answer)[1].startswith("too many requests: at most 2 a minute")
    assert int(answer.headers["Retry-After"]) > 0


@contextmanager
def busy(client: Client, monkeypatch: pytest.MonkeyPatch, part: str) -> Iterator[None]:
    """Keep the maximum number of logs in progress."""
    inside, go_on = threading.Semaphore(0), threading.Event()
    waiting = [True] * dropped.AT_ONCE
    preview = dropped.preview

    def slow(*given: Any) -> Preview:
        if waiting:
            waiting.pop()
            inside.release()
            go_on.wait()
        return preview(*given)

    monkeypatch.setattr(dropped, "preview", slow)
    clients = [client.another() for _ in range(dropped.AT_ONCE)]
    threads = [threading.Thread(target=drop, args=(each, b"{}\n", f"?part={part}")) for each in clients]
    for thread in threads:
        thread.start()
    for _ in threads:
        inside.acquire()
    try:
        yield
    finally:
        go_on.set()
        for thread in threads:
            thread.join()


def test_few_logs_are_inspected_concurrently(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with busy(client, monkeypatch, ""):
        answer = drop(client, b"{}\n")
    assert refused(answer) == (503, "2 logs are being checked; try again in a moment")
    assert answer.headers["Retry-After"] == "1"
    assert drop(client, b"{}\n").status_code == 422, "there is room again"


@pytest.mark.slow("several dropped files")
def test_viewing_a_log_does_not_wait_for_reviews(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with busy(client, monkeypatch, dropped.REVIEW):
        assert drop(client, text(BEGUN)).status_code == 200
        assert drop(client, text(BEGUN), f"?part={dropped.REVIEW}").status_code == 503
