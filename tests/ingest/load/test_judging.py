"""Only verified results count, however logs arrive; unverified matches are verified later."""

import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from himalaya_core import verification as rules
from himalaya_core.games import GAMES
from ingest.inbox.receive import Intake
from ingest.load import background, reproducibility
from ingest.load import background as judging
from ingest.load.background import BackgroundWork
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, ingest, take_in
from tests.core.log.damage import at, resign, rewrite
from tests.ingest.follow.following import Folder
from tests.ingest.helping import THREE, climbers_log, contents, log, rows, summit_log, write

CUT: Final = 60
"""Number of lines per match; loading them takes half as long as a whole match."""
CLEAN: Final = log("clean", THREE)[:CUT]
DEPARTING: Final = tuple(resign(rewrite(log("wrong", THREE), at("moved", log("wrong", THREE)), data__to=19)))[:CUT]
LINE: Final = at("moved", DEPARTING) + 1
OTHER_DICE: Final = tuple(resign(rewrite(log("other", THREE), 0, data__luck="clean")))[:CUT]
FIRST, *REST = log("nameless", THREE)
NAMELESS: Final = tuple(resign([FIRST.replace(b'"luck":"nameless"', b'"luck":null'), *REST]))[:CUT]
OLD_RULES: Final = tuple(resign(rewrite(log("old", THREE), 0, data__rules_version="0.1")))
OTHER_BOARD: Final = tuple(resign(rewrite(log("board", THREE), 0, data__board__sha256="0" * 64)))[:CUT]
EVERY: Final = (CLEAN, DEPARTING, OTHER_DICE, NAMELESS, OLD_RULES, OTHER_BOARD)
VERDICTS: Final = [
    ("board", "unjudged", None),
    ("clean", "clean", "follows"),
    ("nameless", "clean", "none"),
    ("old", "unjudged", None),
    ("other", "clean", "differs"),
]
ASKED: Final = "SELECT match, verdict, luck_verdict FROM dim_matches ORDER BY match"


def ingested(logs: Path, database: Path) -> None:
    ingest([logs], database, processes=0)


def watched(logs: Path, database: Path) -> None:
    request = {"files": [str(logs)], "folders": [], "started": "2026-11-21T00:00:00", "jobs": 0}
    run_operation(database, "follow", request)


def received(logs: Path, database: Path) -> None:
    with open_warehouse(database) as warehouse, Intake(warehouse) as intake:
        receipt = intake.receive(io.BytesIO(logs.read_bytes()))
        while intake.receipt(receipt.receipt).status != "taken":  # type: ignore[union-attr]
            time.sleep(0.01)


def retried(logs: Path, database: Path) -> None:
    text = logs.read_bytes()
    logs.write_bytes(b"".join(line for lines in EVERY for line in lines[1:]))
    ingest([logs], database, processes=0)
    logs.write_bytes(text)
    run_operation(database, "retry_quarantine", {"choice": {}})


def judged_later(logs: Path, database: Path) -> None:
    ingest([logs], database, processes=0, judge="later")
    assert rows(database, "SELECT DISTINCT verdict, luck_verdict FROM dim_matches") == [("waiting", None)]
    run_operation(database, "judge", {})


@pytest.mark.parametrize(
    "way",
    [
        ingested,
        judged_later,
        *(pytest.param(way, marks=pytest.mark.slow("every way")) for way in (watched, received, retried)),
    ],
)
def test_a_match_is_verified_whichever_way_it_is_loaded(way: Callable[[Path, Path], None], tmp_path: Path) -> None:
    database, logs = tmp_path / "w.duckdb", write(tmp_path / "a.jsonl", *EVERY)
    way(logs, database)
    assert rows(database, ASKED) == VERDICTS
    ((match, file, line, message),) = rows(
        database, "SELECT match, file, line, message FROM quarantine WHERE resolved_in IS NULL AND reason = 'departs'"
    )
    assert (match, line) == ("wrong", len(CLEAN) + LINE)
    assert file == (str(logs) if way is not received else file)
    assert message.startswith("rules: expected moved by seat ")
    assert message.endswith(" with to=19")
    if way is judged_later:
        with open_warehouse(database) as warehouse, warehouse.reading() as connection:
            assert [str(finding) for finding in check(connection)] == []


@pytest.mark.slow("all games")
def test_later_verification_gives_the_tables_of_immediate_verification(tmp_path: Path) -> None:
    pair = ("random", "random")
    others = (summit_log("s", pair), climbers_log("k", pair), log("whole", THREE))
    logs = write(tmp_path / "a.jsonl", *EVERY, *others)
    ingested(logs, tmp_path / "now.duckdb")
    judged_later(logs, tmp_path / "later.duckdb")
    assert contents(tmp_path / "later.duckdb", "ingest_runs", by_match=True) == contents(
        tmp_path / "now.duckdb", "ingest_runs", by_match=True
    )
    assert rows(tmp_path / "later.duckdb", "SELECT source, matches, quarantined FROM ingest_runs ORDER BY run") == [
        ("command", 9, 0),
        ("judged", 0, 1),
    ]
    summary = ingest([logs], tmp_path / "later.duckdb", processes=0)
    assert (summary.skipped, summary.known, summary.put_aside) == (8, 1, 0)


@pytest.mark.slow("stopped, and beside a server")
def test_stopping_keeps_finished_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, logs = tmp_path / "w.duckdb", write(tmp_path / "a.jsonl", *EVERY)
    ingest([logs], database, processes=0, judge="later")
    monkeypatch.setattr(reproducibility, "CHUNK_BYTES", 100)
    seen: list[dict[str, Any]] = []

    def stop(at: dict[str, Any]) -> None:
        seen.append(at)
        if at["done"] == 3:
            raise KeyboardInterrupt

    with open_warehouse(database) as warehouse:
        with pytest.raises(KeyboardInterrupt):
            judging.judge_waiting(warehouse, {}, stop)
        with warehouse.reading() as connection:
            waiting = connection.execute("SELECT match FROM dim_matches WHERE verdict = 'waiting'").fetchall()
        assert waiting == [("nameless",), ("old",), ("board",)]
        result = judging.judge_waiting(warehouse, {}, seen.append)
    assert [at["done"] for at in seen] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert (result["clean"], result["unjudged"], result["departed"], result["problems"]) == (1, 2, 0, [])
    assert rows(database, ASKED) == VERDICTS


@pytest.fixture
def version() -> Iterator[Callable[[str], None]]:
    """Change the version of caravan's rules."""
    game = GAMES["caravan"]
    before = game.rules_version
    yield lambda other: object.__setattr__(game, "rules_version", other)
    object.__setattr__(game, "rules_version", before)


def test_matches_are_verified_once_their_rules_are_installed(tmp_path: Path, version: Callable[[str], None]) -> None:
    database = tmp_path / "w.duckdb"
    ingested(write(tmp_path / "a.jsonl", *EVERY), database)
    version("0.1")
    assert run_operation(database, "judge", {})["clean"] == 1
    assert ("old", "clean", "follows") in rows(database, ASKED)


@pytest.mark.slow("a log that changes meanwhile")
def test_a_log_that_changed_meanwhile_keeps_the_verdict_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verified log is no longer the one in the warehouse, so the new verdict is discarded."""
    folder = Folder(tmp_path)
    whole = log("grows", THREE)
    file = folder.write("a.jsonl", whole[:100])
    ingest([file], folder.database, processes=0, judge="later")
    record = judging._record

    def late(warehouse: Any, *arguments: Any) -> None:
        file.write_bytes(b"".join(whole))
        take_in(warehouse, Request((file,), jobs=0), lambda _: None)
        record(warehouse, *arguments)

    monkeypatch.setattr(judging, "_record", late)
    assert run_operation(folder.database, "judge", {})["clean"] == 0
    assert folder.rows("SELECT status, verdict FROM dim_matches") == [("finished", "clean")]


@pytest.mark.slow("stopped, and beside a server")
def test_a_server_verifies_waiting_matches_in_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", *EVERY)], database, processes=0, judge="later")
    monkeypatch.setattr(background, "PAUSE", 0.01)
    waiting = "SELECT count(*) FROM raw_matches WHERE verdict = 'waiting'"
    with open_warehouse(database) as warehouse, BackgroundWork(warehouse):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with warehouse.reading() as connection:
                if connection.execute(waiting).fetchall() == [(0,)]:
                    break
            time.sleep(0.01)
    assert rows(database, ASKED) == VERDICTS


@pytest.mark.slow("a match that grows")
def test_a_growing_match_has_each_event_verified_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, whole, decided = Folder(tmp_path), log("grows", THREE)[:150], 0
    step = rules.step

    def counted(*arguments: Any) -> Any:
        nonlocal decided
        decided += 1
        return step(*arguments)

    monkeypatch.setattr(rules, "step", counted)
    for start in range(0, len(whole), 40):
        folder.write("a.jsonl", *whole[start : start + 40])
        folder.follow()
        assert folder.rows("SELECT verdict, luck_verdict FROM dim_matches") == [("clean", "follows")]
    assert decided == json.loads(whole[-1])["ply"]


def test_a_growing_match_that_diverges_keeps_its_clean_part(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for start, stop in ((0, LINE - 1), (LINE - 1, LINE + 5), (LINE + 5, None)):
        folder.write("a.jsonl", *DEPARTING[start:stop])
        folder.follow()
    assert folder.rows("SELECT status, verdict, events FROM dim_matches") == [("unfinished", "clean", LINE - 1)]
    assert folder.rows("SELECT line, reason, size FROM quarantine") == [(LINE, "departs", sum(map(len, DEPARTING)))]


@pytest.mark.parametrize("fault", [ZeroDivisionError("by rules"), RuntimeError("endless")])
def test_a_fault_in_the_rules_of_a_game_stops_no_batch(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = rules.step

    def faulty(game: Any, *arguments: Any) -> Any:
        if game.name == "summit":
            raise fault
        return step(game, *arguments)

    monkeypatch.setattr(rules, "step", faulty)
    ingested(write(tmp_path / "a.jsonl", summit_log("s"), CLEAN), tmp_path / "w.duckdb")
    assert rows(tmp_path / "w.duckdb", ASKED) == [("clean", "clean", "follows")]
    ((message,),) = rows(tmp_path / "w.duckdb", "SELECT (message,) FROM quarantine")
    assert f"fail on this match ({fault})" in message
