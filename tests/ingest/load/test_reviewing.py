"""Finished matches are reviewed with the shipped models, and the reviews are stored match by match."""

import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
import zstandard

from himalaya_core.game import CHANCE, Game
from himalaya_core.replay import Replay
from himalaya_core.winprob import review as in_core
from himalaya_core.winprob.key_moments import GameReview, Swing, course, rounded, turning
from himalaya_core.winprob.model import Model, shipped
from himalaya_core.winprob.review import review
from ingest.load import background, reviews
from ingest.load.background import BackgroundWork
from ingest.maintenance.forget import forget
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.tables.definitions import SCHEMA_VERSION
from ingest.validate import after_load
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.core.log.damage import resign, rewrite
from tests.forked import run
from tests.ingest.helping import climbers_log, contents, rows, summit_log, write
from tests.ingest.test_upgrade import LATEST, changed, of_version

SAMPLE: Final = Path(__file__).parents[3] / "logs" / "sample"
PAIR: Final = ("greedy", "random")
ONE: Final = summit_log("one", PAIR)
OTHER: Final = climbers_log("other", PAIR)
LIVE: Final = summit_log("live", PAIR)[:30]
OLD_RULES: Final = tuple(resign(rewrite(summit_log("old", PAIR), 0, data__rules_version="0.1")))
LATER: Final = summit_log("later", PAIR)
EVERY: Final = (ONE, LIVE, OTHER, OLD_RULES, LATER)
TABLES: Final = tuple(reviews.COLUMNS)
REVIEWED: Final = "SELECT match FROM dim_reviews JOIN dim_matches USING (match_id) ORDER BY match_id"
REASONS: Final = "SELECT match, not_valued FROM dim_reviews JOIN dim_matches USING (match_id) ORDER BY match_id"
DIES: Final = """
import os, signal, sys
from pathlib import Path
from ingest.load import reviewing
from ingest.operations import run_operation

insert, table, times = reviewing._insert, sys.argv[2], int(sys.argv[3])
done = []

def dying(connection, into, *rest):
    insert(connection, into, *rest)
    done.append(into)
    if done.count(table) == times:
        os.kill(os.getpid(), signal.SIGKILL)

reviewing._insert, reviewing.SECONDS = dying, 0
run_operation(Path(sys.argv[1]), "review", {})
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all logs, a warehouse with pending reviews, and one with completed reviews."""
    folder = tmp_path_factory.mktemp("made")
    ingest([write(folder / "a.jsonl", *EVERY)], folder / "waiting.duckdb", processes=0)
    copied(folder / "waiting.duckdb", folder / "reviewed.duckdb")
    run_operation(folder / "reviewed.duckdb", "review", {})
    return folder


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made / "waiting.duckdb", tmp_path / "w.duckdb")


@pytest.fixture
def reviewed_database(made: Path, tmp_path: Path) -> Path:
    return copied(made / "reviewed.duckdb", tmp_path / "w.duckdb")


def model_of(replay: Replay) -> Model:
    model = shipped(replay.game)
    assert model is not None
    return model


def findings(database: Path) -> list[str]:
    with open_warehouse(database) as warehouse, warehouse.reading() as connection:
        return [str(finding) for finding in check(connection)]


def kept(database: Path) -> dict[str, list[Any]]:
    every = contents(database, by_match=True)
    return {table: every[table] for table in TABLES}


def now_ships(change: Callable[[Model], Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped models."""

    def other(game: Game[Any, Any, Any]) -> Model | None:
        model = shipped(game)
        return model and change(model)

    for module in (reviews, after_load):
        monkeypatch.setattr(module, "shipped", other)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sample-summit-three-0001", marks=pytest.mark.slow("reviews another sample match")),
        "sample-climbers-two-0001",
        *(
            pytest.param(f"sample-{name}", marks=pytest.mark.soak("reviews the other sample matches"))
            for name in (
                "climbers-three-0001",
                "summit-two-0001",
                "summit-four-0001",
                "three-0001",
                "four-0001",
                "four-0002",
            )
        ),
    ],
)
def test_stored_chances_are_those_of_the_log_and_end_in_the_outcome(name: str, tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([SAMPLE / f"{name}.jsonl.zst"], database, processes=0)
    result = run_operation(database, "review", {})
    logs = rows(database, "SELECT match_id, lines FROM raw_matches ORDER BY match_id")
    assert (result["valued"], result["failed"], result["reasons"]) == (len(logs), 0, [])
    chances: dict[int, dict[int, list[float]]] = {}
    for match_id, seq, _, chance in rows(
        database, "SELECT match_id, seq, seat, chance FROM fct_values ORDER BY match_id, seq, seat"
    ):
        chances.setdefault(match_id, {}).setdefault(seq, []).append(chance)
    for match_id, lines in logs:
        replay = Replay.read(zstandard.decompress(lines).splitlines(keepends=True))
        expected = {each.seq: list(rounded(each.chances)) for each in course(model_of(replay), replay)}
        assert chances[match_id] == expected
        assert all(sum(each) == pytest.approx(1, abs=1e-12) for each in expected.values())
        outcome = replay.game.outcome(replay.states[-1])
        assert outcome is not None
        assert chances[match_id][max(expected)] == pytest.approx(outcome.shares, abs=0.0001)
    assert findings(database) == []


def test_moments_and_causes_are_those_of_the_review(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_core, "review_of", lambda _: GameReview(has_split=True))
    run_operation(database, "review", {})
    for match, lines in (("one", ONE), ("other", OTHER)):
        replay = Replay.read(lines)
        found = review(model_of(replay), replay)
        of_match = f"SEMI JOIN (FROM dim_matches WHERE match = '{match}') USING (match_id)"
        moments = rows(database, f"SELECT * EXCLUDE match_id FROM fct_moments {of_match} ORDER BY number")
        assert moments == [
            (
                *(number, each.swing.since, each.swing.seq, replay.entries[each.swing.seq].ply),
                *(each.swing.round, each.seat),
                *(None if each.swing.by == CHANCE else each.swing.by, each.cause, each.change),
                *(each.swing.cost, each.text),
            )
            for number, each in enumerate(found.moments, 1)
        ]
        assert moments
        causes = rows(database, f"SELECT round, seat, cause, amount FROM fct_causes {of_match} ORDER BY ALL")
        assert causes == [(each.round, each.seat, each.cause, each.amount) for each in found.split]
        assert causes
        over_rounds = rows(database, f"SELECT seat, cause, amount FROM fct_seat_causes {of_match} ORDER BY ALL")
        summed: dict[tuple[int, str], float] = {}
        for each in found.split:
            summed[each.seat, each.cause] = summed.get((each.seat, each.cause), 0) + each.amount
        assert {(seat, cause): amount for seat, cause, amount in over_rounds} == pytest.approx(summed)
        turned = turning(found.chances)
        assert turned is not None
        assert rows(
            database,
            f"""SELECT decided_round, lowest, lowest_round, lowest_ply, rival, rival_seat, rival_round, rival_ply
            FROM dim_reviews {of_match}""",
        ) == [
            (
                *(turned.decided_round, turned.lowest.chance, turned.lowest.round, turned.lowest.ply),
                *(turned.rival.chance, turned.rival.seat, turned.rival.round, turned.rival.ply),
            )
        ]
    assert findings(database) == []


def test_only_finished_matches_that_follow_the_rules_are_reviewed_and_none_twice(database: Path) -> None:
    result = run_operation(database, "review", {})
    assert result == {"valued": 3, "failed": 0, "problems": [], "reasons": []}
    assert rows(database, REVIEWED) == ["one", "other", "later"]
    assert run_operation(database, "review", {})["valued"] == 0


@pytest.mark.slow("starts processes")
def test_the_number_of_processes_changes_nothing(database: Path, made: Path) -> None:
    assert run_operation(database, "review", {"jobs": 2}) == {"valued": 3, "failed": 0, "problems": [], "reasons": []}
    assert kept(database) == kept(made / "reviewed.duckdb")


@pytest.mark.slow("reviewed again")
def test_a_match_waits_again_once_another_model_ships(reviewed_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = reviewed_database
    before = rows(database, "SELECT match_id, seq, seat, chance FROM fct_values ORDER BY ALL")

    def surer(model: Model) -> Model:
        if model.game.name != "summit":
            return model
        return Model.of(dict(model.document) | {"temperature": model.document["temperature"] / 2}, model.game)

    now_ships(surer, monkeypatch)
    assert run_operation(database, "review", {})["valued"] == 2
    after = rows(database, "SELECT match_id, seq, seat, chance FROM fct_values ORDER BY ALL")
    assert [row[:3] for row in after] == [row[:3] for row in before]
    changed_ones = {row[0] for row in set(after) ^ set(before)}
    summit = set(
        rows(database, "SELECT match_id FROM dim_reviews JOIN dim_matches USING (match_id) WHERE game='summit'")
    )
    assert changed_ones == summit
    assert rows(database, "SELECT count(*), count(DISTINCT model) FROM dim_reviews") == [(3, 2)]
    assert findings(database) == []


def test_the_reason_for_missing_chances_is_stored(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_ships(lambda model: replace(model, players={}) if model.game.name == "climbers" else model, monkeypatch)
    result = run_operation(database, "review", {})
    assert result["reasons"] == [{"game": "climbers", "reason": "2 players were not checked", "matches": 1}]
    assert rows(database, REASONS) == [("one", None), ("other", "2 players were not checked"), ("later", None)]
    assert rows(database, "SELECT DISTINCT match FROM fct_values JOIN dim_matches USING (match_id) ORDER BY 1") == [
        "later",
        "one",
    ]
    assert run_operation(database, "review", {"failed": True})["reasons"] == [], "it is known by now"
    assert findings(database) == []


@pytest.mark.slow("reviewed again")
def test_a_failed_review_stops_no_other_and_is_retried_on_request(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(replay: Replay, _: Any) -> list[Swing]:
        raise IndexError(replay.game.name)

    def faulty(game: str) -> GameReview:
        return GameReview(swings=fail) if game == "climbers" else GameReview()

    monkeypatch.setattr(in_core, "review_of", faulty)
    result = run_operation(database, "review", {})
    reason = "reviewing it fails: climbers"
    assert result == {"valued": 2, "failed": 1, "problems": [f"other: {reason}"], "reasons": []}
    assert rows(database, REASONS) == [("one", None), ("other", reason), ("later", None)]
    assert run_operation(database, "review", {})["failed"] == 0, "nobody asked for it"
    monkeypatch.setattr(in_core, "review_of", lambda _: GameReview())
    assert run_operation(database, "review", {"failed": True})["valued"] == 1
    assert rows(database, "SELECT count(*) FROM dim_reviews WHERE not_valued IS NULL") == [3]
    assert findings(database) == []


def test_a_model_that_cannot_be_read_stops_no_other_game(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(model: Model) -> Model:
        return Model.of({}, model.game) if model.game.name == "climbers" else model

    now_ships(broken, monkeypatch)
    assert run_operation(database, "review", {})["valued"] == 2
    assert rows(database, REVIEWED) == ["one", "later"]
    assert "the model of climbers cannot be used" in caplog.text


def test_stopping_keeps_finished_reviews(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "SECONDS", 0)
    seen: list[int] = []

    def stop(at: dict[str, Any]) -> None:
        seen.append(at["done"])
        if at["done"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_operation(database, "review", {}, stop)
    assert (seen, rows(database, REVIEWED)) == ([0, 1, 2], ["one", "other"])
    assert run_operation(database, "review", {})["valued"] == 1


@pytest.mark.slow("another kill")
@pytest.mark.parametrize(
    ("table", "times"),
    [
        ("fct_values", 2),
        ("dim_reviews", 1),
        ("fct_causes", 3),
    ],
)
def test_killed_at_any_moment_no_review_is_half_stored(table: str, times: int, database: Path, made: Path) -> None:
    killed = run([sys.executable, "-c", DIES, str(database), table, str(times)])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert findings(database) == []
    assert rows(database, REVIEWED) == ["one", "other", "later"][: times - 1]
    run_operation(database, "review", {})
    assert kept(database) == kept(made / "reviewed.duckdb")


@pytest.mark.slow("another thing done to a warehouse with reviews")
def test_a_match_that_is_forgotten_meanwhile_gets_no_rows(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_down = reviews._write

    def late(warehouse: Warehouse, *arguments: Any) -> None:
        forget(warehouse, {"matches": ["one"]}, lambda _: None)
        write_down(warehouse, *arguments)

    monkeypatch.setattr(reviews, "_write", late)
    assert run_operation(database, "review", {})["valued"] == 2
    assert rows(database, REVIEWED) == ["other", "later"]
    assert findings(database) == []


@pytest.mark.slow("forgotten, as in test_forget")
def test_rows_go_with_their_match(reviewed_database: Path) -> None:
    database = reviewed_database
    before = {table: rows(database, f"SELECT DISTINCT match_id FROM {table} ORDER BY 1") for table in TABLES[:3]}
    assert before == {table: [1, 3, 5] for table in TABLES[:3]}
    run_operation(database, "forget", {"matches": ["one"]})
    after = {table: rows(database, f"SELECT DISTINCT match_id FROM {table} ORDER BY 1") for table in TABLES[:3]}
    assert after == {table: [3, 5] for table in TABLES[:3]}
    assert findings(database) == []


@pytest.mark.slow("another way in which rows go")
def test_a_review_of_a_log_is_not_used_for_its_rival(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    files = [write(tmp_path / f"{seed}.jsonl", summit_log("rival", PAIR, seed)) for seed in ("first", "second")]
    ingest(files, database, processes=0)
    run_operation(database, "review", {})
    run_operation(database, "retry_quarantine", {"choice": {}, "replace": True})
    assert rows(database, "SELECT file FROM raw_matches") == [str(files[1])]
    assert [rows(database, f"SELECT count(*) FROM {table}") for table in TABLES] == [[0]] * len(TABLES)
    assert run_operation(database, "review", {})["valued"] == 1
    assert findings(database) == []


@pytest.mark.slow("another thing done to a warehouse with reviews")
def test_a_match_reloaded_into_another_tournament_keeps_its_review(tmp_path: Path) -> None:
    database, file = tmp_path / "w.duckdb", write(tmp_path / "a.jsonl", ONE)
    ingest([file], database, processes=0)
    run_operation(database, "review", {})
    before = kept(database)
    run_operation(database, "ingest", {"paths": [str(file)], "tournament": "cup", "jobs": 0})
    assert rows(database, "SELECT tournament FROM dim_matches") == ["cup"]
    assert kept(database) == before


@pytest.mark.slow("another thing done to a warehouse with reviews")
def test_a_compacted_copy_has_the_same_reviews(reviewed_database: Path) -> None:
    database = reviewed_database
    before = kept(database)
    run_operation(database, "vacuum", {})
    assert kept(database) == before


@pytest.mark.slow("a warehouse of an earlier version, reviewed")
def test_an_upgraded_warehouse_is_reviewed_like_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_core, "review_of", lambda _: GameReview(has_split=True))
    database, fresh = of_version(LATEST, tmp_path), tmp_path / "fresh.duckdb"
    for name, lines in rows(database, "SELECT match, lines FROM raw_matches"):
        (tmp_path / f"{name}.jsonl").write_bytes(zstandard.decompress(lines))
    ingest(sorted(tmp_path.glob("*.jsonl")), fresh, processes=0)
    assert run_operation(database, "review", {}) == run_operation(fresh, "review", {})
    assert rows(database, REVIEWED) == ["old.1", "old.2", "old.4", "old.5"]
    assert kept(database) == kept(fresh)
    assert all(kept(fresh).values())


@pytest.mark.slow("another thing done to a warehouse with reviews")
def test_reviews_of_an_older_warehouse_are_made_again(reviewed_database: Path) -> None:
    database = reviewed_database
    before = kept(database)
    changed(database, f"UPDATE schema_version SET version = {SCHEMA_VERSION - 1}")
    open_warehouse(database).close()
    assert rows(database, "FROM schema_version") == [SCHEMA_VERSION]
    assert rows(database, REVIEWED) == []
    run_operation(database, "review", {})
    assert kept(database) == before


@pytest.mark.slow("reviews in a lake")
def test_a_lake_gets_later_reviews(database: Path, tmp_path: Path) -> None:
    lake = {"folder": str(tmp_path / "lake")}
    assert run_operation(database, "lake", lake)["files"] > 0
    run_operation(database, "review", {})
    assert run_operation(database, "lake", lake)["files"] > 0
    assert run_operation(database, "lake", lake)["files"] == 0
    found = f"SELECT match_id, seq, seat, chance, model FROM '{tmp_path}/lake/fct_values/**/*.parquet' ORDER BY ALL"
    assert rows(database, found) == rows(database, "FROM fct_values ORDER BY ALL")


@pytest.mark.slow("starts processes")
def test_a_server_verifies_then_reviews_waiting_matches_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", *EVERY)], database, processes=0, judge="later")
    review_all, done = reviews.review_waiting, threading.Event()

    def telling(*arguments: Any) -> dict[str, Any]:
        result = review_all(*arguments)
        done.set()
        return result

    monkeypatch.setattr(reviews, "review_waiting", telling)
    monkeypatch.setattr(background, "PAUSE", 0.01)
    with open_warehouse(database) as warehouse, BackgroundWork(warehouse):
        assert done.wait(60)
    assert rows(database, REVIEWED) == ["one", "other", "later"]
    assert findings(database) == []


@pytest.mark.slow("reviewed again")
def test_verification_goes_before_reviews(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order, done = list[str](), threading.Event()
    judge, asked = background.judge_waiting, background.a_match_waits

    def judging(warehouse: Warehouse, *rest: Any) -> dict[str, Any]:
        order.append("judged")
        return judge(warehouse, *rest)

    def comes_in(warehouse: Warehouse) -> bool:
        """Load another match once one is reviewed."""
        if len(order) == 1:
            order.append("comes in")
            with warehouse.writing() as connection:
                connection.execute("UPDATE raw_matches SET verdict = 'waiting' WHERE match = 'later'")
        return asked(warehouse)

    def reviewing_one(chunk: Any) -> Any:
        order.append("reviewed")
        if order.count("reviewed") == 1 + 3:
            done.set()
        return after_load.reviewed(chunk)

    monkeypatch.setattr(background, "ALONE", {"jobs": 0})
    monkeypatch.setattr(reviews, "reviewed", reviewing_one)
    monkeypatch.setattr(background, "judge_waiting", judging)
    monkeypatch.setattr(background, "a_match_waits", comes_in)
    monkeypatch.setattr(background, "PAUSE", 0.01)
    with open_warehouse(database) as warehouse, BackgroundWork(warehouse):
        assert done.wait(60)
    assert order[:5] == ["reviewed", "comes in", "judged", "reviewed", "reviewed"]


def test_loading_goes_before_reviews(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, reviewed_at, done = count(), list[int](), threading.Event()
    review_one, rests = after_load.reviewed, 5

    def is_busy() -> bool:
        return next(looks) < rests

    def reviewing_one(chunk: Any) -> Any:
        reviewed_at.append(next(looks))
        done.set()
        return review_one(chunk)

    monkeypatch.setattr(background, "ALONE", {"jobs": 0})
    monkeypatch.setattr(reviews, "reviewed", reviewing_one)
    monkeypatch.setattr(background, "PAUSE", 0.01)
    monkeypatch.setattr(background, "LOOK", 0.01)
    with open_warehouse(database) as warehouse, BackgroundWork(warehouse, is_busy):
        assert done.wait(60)
    assert reviewed_at[0] > rests


def test_reviews_are_made_even_if_loading_never_pauses(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, review_one = threading.Event(), after_load.reviewed

    def reviewing_one(chunk: Any) -> Any:
        done.set()
        return review_one(chunk)

    monkeypatch.setattr(background, "ALONE", {"jobs": 0})
    monkeypatch.setattr(reviews, "reviewed", reviewing_one)
    for name in ("PAUSE", "LOOK", "PATIENCE"):
        monkeypatch.setattr(background, name, 0.01)
    with open_warehouse(database) as warehouse, BackgroundWork(warehouse, lambda: True):
        assert done.wait(60)
