"""Reproducibility checks of loaded matches: each seat gets a verdict, and none is checked again unnecessarily."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from himalaya_core.players.summit.quick_players import Greedy
from himalaya_core.tournament import reproducibility as asking_again
from himalaya_core.tournament.reproducibility import SeatAnswer, ask
from ingest.load import reproducibility
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, ingest, take_in
from ingest.validate import after_load
from tests.copies import copied
from tests.core.log.damage import resign, rewrite
from tests.core.tournament.test_asking import first, reseated
from tests.ingest.follow.following import Folder
from tests.ingest.helping import contents, rows, summit_log, write

PAIR: Final = ("greedy", "random")
SAME: Final = summit_log("same", PAIR)
LIVE: Final = summit_log("live", PAIR)[:30]
SWAPPED: Final = tuple(reseated(list(summit_log("swapped", PAIR)), 1, 0))
STRANGE: Final = tuple(first(list(summit_log("strange", PAIR)), player="careful", source_sha256="5" * 64))[:60]
OLD_RULES: Final = tuple(resign(rewrite(summit_log("old", PAIR), 0, data__rules_version="0.1")))[:60]
EVERY: Final = (SAME, SWAPPED, STRANGE, OLD_RULES, LIVE)
MATCHES: Final = "SELECT match, player_verdicts FROM raw_matches ORDER BY match"
SEATS: Final = "SELECT match, player, source_sha256, player_verdict FROM dim_seats JOIN dim_matches USING (match_id)"
VERDICTS: Final = [
    ("live", "repeats,repeats"),
    ("old", None),
    ("same", "repeats,repeats"),
    ("strange", "not asked,repeats"),
    ("swapped", "differs,differs"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with logs and their warehouse."""
    folder = tmp_path_factory.mktemp("made")
    ingest([write(folder / "a.jsonl", *EVERY)], folder / "w.duckdb", processes=0)
    return folder


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made / "w.duckdb", tmp_path)


def test_results_of_the_player_check_are_stored_with_match_and_seats(database: Path) -> None:
    before = rows(database, "SELECT match, status, verdict FROM dim_matches")
    result = run_operation(database, "ask", {})
    assert rows(database, MATCHES) == VERDICTS
    assert rows(database, f"{SEATS} WHERE match IN ('strange', 'swapped') ORDER BY match, seat") == [
        ("strange", "careful", "5" * 64, "not asked"),
        ("strange", "random", None, "repeats"),
        ("swapped", "random", None, "differs"),
        ("swapped", "greedy", None, "differs"),
    ]
    assert {key: result[key] for key in ("matches", "repeats", "differs", "not_asked", "known")} == {
        "matches": 4,
        "repeats": 5,
        "differs": 2,
        "not_asked": 1,
        "known": 0,
    }
    assert result["reasons"] == [{"player": "careful", "version": "2", "reason": "it is not installed", "seats": 1}]
    assert rows(database, "SELECT match, status, verdict FROM dim_matches") == before, "they count as before"
    with open_warehouse(database) as warehouse, warehouse.reading() as connection:
        assert [str(finding) for finding in check(connection)] == []


def test_a_differing_choice_is_reported_with_its_line_in_the_file(made: Path, database: Path) -> None:
    problems = run_operation(database, "ask", {})["problems"]
    lines = (made / "a.jsonl").read_bytes().splitlines()
    for problem, answer in zip(problems, ask(SWAPPED), strict=True):
        assert answer.departure is not None
        there = json.loads(lines[problem["line"] - 1])
        assert (there["match"], there["seq"], there["seat"]) == ("swapped", answer.departure.seq, answer.seat)
        place = f"{made}/a.jsonl:{problem['line']}"
        assert problem["text"] == f"{place}: expected {answer.departure.expected}, found {answer.departure.found}"


@pytest.mark.slow("starts processes")
def test_the_number_of_processes_changes_nothing(made: Path, database: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    ingest([made / "a.jsonl"], other, processes=0)
    assert run_operation(other, "ask", {"jobs": 2}) == run_operation(database, "ask", {})
    assert contents(other, by_match=True) == contents(database, by_match=True)


def test_only_unchecked_players_are_checked_again(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_operation(database, "ask", {})
    again = run_operation(database, "ask", {})
    assert {key: again[key] for key in ("matches", "repeats", "differs", "not_asked", "known")} == {
        "matches": 1,
        "repeats": 1,
        "differs": 0,
        "not_asked": 1,
        "known": 2,
    }
    monkeypatch.setattr(after_load, "ask", lambda lines: tuple(_repeats(answer) for answer in ask(lines)))
    assert run_operation(database, "ask", {})["repeats"] == 2, "it is installed by now"
    assert run_operation(database, "ask", {})["matches"] == 0


def _repeats(answer: SeatAnswer) -> SeatAnswer:
    return SeatAnswer(answer.seat, answer.player, answer.version, asking_again.PlayersVerdict.REPEATS)


def test_stopping_the_player_check_keeps_its_results(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproducibility, "SECONDS", 0)
    seen: list[int] = []

    def stop(at: dict[str, Any]) -> None:
        seen.append(at["done"])
        if at["done"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_operation(database, "ask", {}, stop)
    some = "SELECT match FROM raw_matches WHERE player_verdicts IS NOT NULL ORDER BY match_id"
    assert (seen, rows(database, some)) == ([0, 1, 2], ["same", "swapped"])
    run_operation(database, "ask", {})
    assert rows(database, MATCHES) == VERDICTS


@pytest.mark.slow("a match that goes on")
def test_players_of_a_growing_match_have_to_be_checked_again(tmp_path: Path) -> None:
    folder, lines = Folder(tmp_path), summit_log("grows", PAIR)
    folder.write("a.jsonl", lines[:60])
    folder.follow()
    assert run_operation(folder.database, "ask", {})["repeats"] == 2
    assert folder.rows("SELECT player_verdict FROM dim_seats") == ["repeats", "repeats"]
    folder.write("a.jsonl", lines[60:])
    folder.follow()
    assert folder.rows("SELECT player_verdicts FROM raw_matches") == [None]
    assert folder.rows("SELECT player_verdict FROM dim_seats") == [None, None]
    assert run_operation(folder.database, "ask", {})["repeats"] == 2


@pytest.mark.slow("a log that changes meanwhile")
def test_a_log_changed_meanwhile_does_not_pass_for_the_one_that_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, database = summit_log("grows", PAIR), tmp_path / "w.duckdb"
    file = write(tmp_path / "a.jsonl", lines[:60])
    ingest([file], database, processes=0)
    written = reproducibility._write

    def late(warehouse: Any, *arguments: Any) -> None:
        write(file, lines)
        take_in(warehouse, Request((file,), jobs=0), lambda _: None)
        written(warehouse, *arguments)

    monkeypatch.setattr(reproducibility, "_write", late)
    assert run_operation(database, "ask", {})["matches"] == 0
    assert rows(database, "SELECT player_verdicts FROM raw_matches") == [None]


def test_a_player_that_cannot_be_created_does_not_stop_the_others(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("by a player")

    monkeypatch.setattr(Greedy, "__init__", fail)
    result = run_operation(database, "ask", {})
    assert result["matches"] == 4
    reasons = {each["player"]: each["reason"] for each in result["reasons"]}
    assert reasons["greedy"] == "the player fails: by a player"
    assert rows(database, MATCHES)[0] == ("live", "not asked,not asked")
