"""Forgotten matches are in no table and in no byte of the file, and are not loaded again."""

import json
import shutil
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import WarehouseError
from ingest.follow.follow import follow
from ingest.follow.request import FollowRequest
from ingest.inbox.receive import Intake
from ingest.maintenance.forget import allow_again, forget
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.people.studies import Chapter, Study, add_study, list_studies, read_study, study_of
from ingest.pipeline import Request, ingest, take_in
from ingest.values import unpack
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.core.cli.commands import Answer, Command
from tests.core.log.damage import resign
from tests.forked import run
from tests.ingest.helping import begun, contents, rows, summit_log, write

Ask = Callable[..., Answer]

SECRET = "zephyrine"
"""A player and a match have this name, which occurs nowhere else."""
DIES = f"""
import os, signal, sys
from pathlib import Path
from ingest.maintenance import backup as copies
from ingest.operations import run_operation

copies.swap = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
run_operation(Path(sys.argv[1]), "forget", {{"matches": ["{SECRET}-1"]}})
"""


def told_secret(match: str, tournament: str | None = None, origin: str | None = None) -> tuple[bytes, ...]:
    """Return a log whose first player has the secret name; with `origin`, it is a branch of that match."""
    lines = list(begun(match))
    header = json.loads(lines[0])
    header["data"]["seats"][0]["player"] = SECRET
    header["data"]["tournament"] = tournament
    if origin:
        header["data"]["branch"] = {"match": origin, "lines_sha256": "0" * 64, "seq": 5, "luck": None}
    lines[0] = json.dumps(header, separators=(",", ":")).encode() + b"\n"
    return tuple(lines)


def quiet(_: dict[str, Any]) -> None:
    pass


def forgotten(database: Path, **arguments: Any) -> dict[str, Any]:
    return run_operation(database, "forget", arguments)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with logs, and the database into which they were loaded."""
    folder = tmp_path_factory.mktemp("made")
    logs, path = folder / "logs", folder / "w.duckdb"
    logs.mkdir()
    write(logs / f"{SECRET}-1.jsonl", told_secret(f"{SECRET}-1", "spring"))
    write(logs / "b.jsonl", begun("b"), begun("c"))
    ingest([logs], path)
    write(logs / "bad.jsonl", [b'{"match":"' + SECRET.encode() + b'-1","seq":5}\n'], begun("bad")[3:])
    ingest([logs], path)
    return folder


@pytest.fixture
def logs(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made / "logs", tmp_path / "logs"))


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made / "w.duckdb", tmp_path)


def bytes_beside(database: Path) -> bytes:
    """Return all bytes of a database and of the files named after it, decompressed."""
    packed = rows(database, "SELECT lines FROM raw_matches UNION ALL SELECT text FROM quarantine")
    files = [path for path in database.parent.rglob("*") if f"{database.stem}." in str(path) and path.is_file()]
    return b"".join([*map(unpack, packed), *(path.read_bytes() for path in files)])


def test_forgetting_removes_all_of_a_match_and_nothing_else(database: Path, tmp_path: Path, logs: Path) -> None:
    done = forgotten(database, matches=[f"{SECRET}-1"])
    assert (done["matches"], done["quarantine"], done["names"]) == (1, 1, [f"{SECRET}-1"])
    ingest([logs / "b.jsonl"], tmp_path / "without.duckdb")
    marks = {"forgotten_matches", "ingested_files", "ingest_runs", "quarantine", "quarantine_numbers"}
    left, without = contents(database, *marks), contents(tmp_path / "without.duckdb", *marks)
    ids = dict(rows(database, "SELECT match, match_id FROM raw_matches"))
    assert [name for name in left if len(left[name]) != len(without[name])] == []
    assert set(ids) == {"b", "c"}
    assert rows(database, "SELECT match FROM quarantine") == ["bad"]
    assert rows(database, "SELECT count(DISTINCT match_id) FROM events") == [2]


def test_a_forgotten_match_is_in_no_byte_of_the_file(database: Path) -> None:
    with open_warehouse(database) as warehouse:
        with warehouse.writing() as connection:
            connection.execute(
                "INSERT INTO receipts VALUES ('r', 1, TIMESTAMP '2026-01-01', 'local', 'taken', $result)",
                {"result": json.dumps({"quarantined": [{"match": f"{SECRET}-1", "file": f"{SECRET}-1.jsonl"}]})},
            )
            connection.execute(
                "INSERT INTO watched_files BY NAME SELECT $name || '.jsonl' AS file, $name AS live, 1 AS device, "
                "1 AS inode, 0 AS position, 1 AS line, '' AS sha256, 9 AS size, TIMESTAMP '2026-01-01' AS seen_at",
                {"name": f"{SECRET}-1"},
            )
        done = forget(warehouse, {"matches": [f"{SECRET}-1"]}, quiet)
        assert (done["receipts"], done["live"]) == (1, [f"{SECRET}-1"])
    assert SECRET.encode() not in bytes_beside(database)


@pytest.mark.slow("forgotten, further on")
def test_forgetting_a_match_forgets_its_branches_and_studies(database: Path, logs: Path) -> None:
    match = f"{SECRET}-1"
    branches = [told_secret("tried", origin=match), told_secret("tried-again", origin="tried")]
    ingest([write(logs / "tried.jsonl", *branches)], database)
    about = [Chapter(f"{SECRET} wins", each, text=f"How {SECRET} won") for each in (match, "tried-again")]
    with open_warehouse(database) as warehouse:
        add_study(warehouse.app, Study(f"{SECRET}, the study", about), "local")
        kept = add_study(warehouse.app, Study("Two", [*about, Chapter("b", "b", text=f"Unlike {match}.")]), "local").id
    done = forgotten(database, matches=[match])
    assert (done["matches"], done["chapters"], done["studies"]) == (3, 4, 1)
    with open_warehouse(database) as warehouse:
        (left,) = list_studies(warehouse.app)
        assert (left.id, left.chapters, left.match) == (kept, 1, "b")
        assert study_of(read_study(warehouse.app, kept).document).chapters[0].text == "Unlike (forgotten)."
    assert SECRET.encode() not in bytes_beside(database)


@pytest.mark.slow("another log that is alike")
def test_a_branch_is_forgotten_without_the_match_that_it_leaves(database: Path, logs: Path) -> None:
    ingest([write(logs / "tried.jsonl", told_secret("tried", origin="b"))], database)
    assert forgotten(database, matches=["tried"])["names"] == ["tried"]
    assert rows(database, "SELECT match FROM raw_matches ORDER BY 1") == ["b", "c", f"{SECRET}-1"]


@pytest.mark.slow("another log that is alike")
def test_a_copy_under_another_name_is_named(tmp_path: Path) -> None:
    database, names = tmp_path / "w.duckdb", ("spring", "copied")
    copies = [[line.replace(b'"s.1"', f'"{name}"'.encode(), 1) for line in summit_log()] for name in names]
    ingest([write(tmp_path / "a.jsonl", *map(resign, copies))], database, processes=0)
    assert forgotten(database, matches=["spring"])["same"] == ["copied"]
    assert rows(database, "SELECT match FROM raw_matches") == ["copied"]


@pytest.mark.slow("forgotten, further on")
def test_a_forgotten_tournament_takes_its_quarantine_entries_along(database: Path, logs: Path) -> None:
    write(logs / "d.jsonl", told_secret("d", "spring"))
    write(logs / "e.jsonl", [*told_secret("e", "spring")[:5], *told_secret("e")[6:]])
    write(logs / "e-again.jsonl", told_secret("e")[7:])
    summary = ingest([logs], database)
    assert summary.put_aside == 2
    done = forgotten(database, tournaments=["spring"])
    assert (done["matches"], done["quarantine"]) == (2, 3)
    assert done["names"] == ["d", "e", f"{SECRET}-1"]
    assert rows(database, "SELECT DISTINCT match FROM quarantine") == ["bad"]
    assert SECRET.encode() not in bytes_beside(database)


@pytest.mark.slow("another log that is alike")
def test_a_loaded_match_stays_if_only_a_quarantined_rival_is_of_the_tournament(database: Path, logs: Path) -> None:
    ingest([write(logs / "rival.jsonl", told_secret("b", "summer"))], database)
    done = forgotten(database, tournaments=["summer"])
    assert (done["matches"], done["quarantine"]) == (0, 1)
    assert rows(database, "SELECT count(*) FROM raw_matches") == [3]


@pytest.mark.slow("forgotten, further on")
def test_the_same_bytes_do_not_come_back(database: Path, logs: Path) -> None:
    forgotten(database, matches=[f"{SECRET}-1", "b"])
    again = ingest([logs], database)
    assert (again.matches, again.skipped) == (0, 1)
    assert again.forgotten == 3
    assert rows(database, "SELECT match FROM raw_matches") == ["c"]


@pytest.mark.slow("forgotten, further on")
def test_no_part_from_the_start_of_a_forgotten_match_comes_back(tmp_path: Path) -> None:
    database, whole = tmp_path / "w.duckdb", begun("m")
    head, rest = write(tmp_path / "a.jsonl", whole[:30]), write(tmp_path / "b.jsonl", whole[30:], begun("c"))
    ingest([head, rest], database)
    forgotten(database, matches=["m"])
    damaged = write(tmp_path / "d.jsonl", whole[:7], whole[8:20])
    for files in ([head, rest], [write(tmp_path / "copy.jsonl", whole[:5])], [damaged]):
        again = ingest(files, database)
        assert (again.matches, again.put_aside, again.forgotten) == (0, 0, 1)
    assert rows(database, "SELECT match FROM raw_matches") == ["c"]
    assert run_operation(database, "allow_again", {"paths": [str(head), str(rest)]}) == {"matches": 1}
    ingest([head, rest], database)
    assert rows(database, "SELECT match, events FROM raw_matches WHERE match = 'm'") == [("m", len(whole))]


@pytest.mark.slow("another log that is alike")
def test_a_match_of_the_same_name_with_another_start_is_loaded(database: Path, tmp_path: Path) -> None:
    forgotten(database, matches=["b"])
    assert ingest([write(tmp_path / "b.jsonl", begun("b", luck="another"))], database).matches == 1


@pytest.mark.slow("another log that is alike")
def test_a_first_line_that_names_no_forgotten_match_keeps_nothing_out(database: Path, tmp_path: Path) -> None:
    ingest([write(tmp_path / "mixed.jsonl", [b"{}\n"], begun("b")[4:9])], database)
    forgotten(database, matches=["b"])
    assert ingest([write(tmp_path / "other.jsonl", [b"{}\n", b'{"match":"x"}\n'])], database).put_aside == 1


@pytest.mark.slow("another log that is alike")
def test_a_live_match_stays_forgotten_as_its_log_grows(tmp_path: Path) -> None:
    database, file = tmp_path / "w.duckdb", tmp_path / "a.jsonl"
    with open_warehouse(database) as warehouse:
        for lines in (20, 40, 60):
            write(file, begun("m")[:lines])
            follow(warehouse, FollowRequest((file,), jobs=0), lambda _: None)
            with warehouse.reading() as connection:
                known = connection.execute("SELECT match FROM raw_matches UNION SELECT live FROM watched_files")
                assert [name for (name,) in known.fetchall() if name] == (["m"] if lines == 20 else [])
            if lines == 20:
                assert forget(warehouse, {"matches": ["m"]}, quiet)["live"] == ["m"]


@pytest.mark.slow("another log that is alike")
def test_a_log_is_loaded_again_once_allowed(database: Path, logs: Path) -> None:
    before = contents(database, "ingested_files", "ingest_runs")
    forgotten(database, matches=["b"])
    ingest([logs], database)
    assert run_operation(database, "allow_again", {"paths": [str(logs / "b.jsonl")]}) == {"matches": 1}
    assert ingest([logs], database).matches == 1
    assert rows(database, "SELECT match FROM raw_matches ORDER BY match") == ["b", "c", f"{SECRET}-1"]
    after = contents(database, "ingested_files", "ingest_runs")
    assert [name for name in before if len(before[name]) != len(after[name])] == []


@pytest.mark.parametrize("arguments", [{"matches": ["b", "nobody"]}, {"matches": ["b"], "tournaments": ["nobody"]}])
def test_an_unknown_name_stops_the_whole_operation(database: Path, arguments: dict[str, Any]) -> None:
    before = contents(database)
    with pytest.raises(WarehouseError, match=r"^there is no (match|tournament) nobody in the database; nothing was"):
        forgotten(database, **arguments)
    assert contents(database) == before


@pytest.mark.slow("another place")
def test_a_match_that_is_only_in_quarantine_can_be_forgotten(made: Path, database: Path) -> None:
    assert forgotten(database, matches=["bad"])["quarantine"] == 1
    assert rows(database, "SELECT match FROM quarantine") == [f"{SECRET}-1"]
    assert ingest([made / "logs"], database).put_aside == 0


@pytest.mark.slow("another place")
def test_copies_that_may_hold_it_are_named(database: Path, tmp_path: Path) -> None:
    mine = copied(database, tmp_path / "w[1].duckdb")
    backup, lake, old = tmp_path / "backups.duckdb", tmp_path / "lake", tmp_path / "w[1].duckdb.old"
    for file in (old, tmp_path / "w1.duckdb.old", tmp_path / "w[1]-20261120T030000Z.duckdb"):
        file.touch()
    run_operation(mine, "backup", {"file": str(backup)})
    run_operation(mine, "lake", {"folder": str(lake)})
    done = forgotten(mine, matches=["b"])
    assert done["elsewhere"] == sorted(map(str, [backup, lake, old, tmp_path / "w[1]-20261120T030000Z.duckdb"]))
    assert [Path(file).name for file in done["logs"]] == ["b.jsonl"]


@pytest.mark.slow("another place")
def test_files_of_an_earlier_version_and_of_killed_processes_are_removed(database: Path, tmp_path: Path) -> None:
    left = ["w.duckdb.schema-2", "w.duckdb.upgrading", "w.duckdb.upgrading.wal", ".w.duckdb.new"]
    for name in left:
        (tmp_path / name).write_text(SECRET)
    inbox = tmp_path / "w.duckdb.inbox"
    inbox.mkdir()
    (inbox / "incoming-1").write_text(SECRET)
    forgotten(database, matches=[f"{SECRET}-1"])
    assert [name for name in left if (tmp_path / name).exists()] == []
    assert SECRET.encode() not in bytes_beside(database)


@pytest.mark.slow("another place")
def test_the_file_that_a_restore_kept_forgets_too(database: Path, made: Path, tmp_path: Path) -> None:
    run_operation(database, "restore", {"file": str(made / "w.duckdb")})
    kept = tmp_path / "w.duckdb.before-restore"
    forgotten(database, matches=["b"])
    assert rows(kept, "SELECT match FROM raw_matches ORDER BY 1") == ["c", f"{SECRET}-1"]
    forgotten(database, matches=[f"{SECRET}-1"])
    assert rows(kept, "SELECT match FROM raw_matches") == ["c"]
    assert SECRET.encode() not in bytes_beside(database)


@pytest.mark.slow("beside other work")
def test_a_received_log_is_loaded_before_it_is_forgotten(database: Path) -> None:
    body = b"".join(told_secret(f"{SECRET}-1")[:40])
    with open_warehouse(database) as warehouse:
        receipt = Intake(warehouse).receive(BytesIO(body)).receipt
    with pytest.raises(WarehouseError, match=rf"{receipt}: .*load it with `himalaya serve`.*; nothing was forgotten$"):
        forgotten(database, matches=[f"{SECRET}-1"])
    assert rows(database, "SELECT count(*) FROM raw_matches") == [3]
    forgotten(database, matches=["b"])


def could_write(warehouse: Warehouse) -> bool:
    if warehouse._writer.acquire(blocking=False):
        warehouse._writer.release()
        return True
    return False


@pytest.mark.slow("beside other work")
def test_logs_that_come_meanwhile_wait_until_it_is_forgotten(database: Path, logs: Path) -> None:
    write(logs / "d.jsonl", begun("d"))
    with open_warehouse(database) as warehouse, ThreadPoolExecutor(2) as others:
        free: list[bool] = []
        coming: list[Future[Any]] = []

        def meanwhile(at: dict[str, Any]) -> None:
            if at["what"] != "searching" and not coming:
                free.append(others.submit(could_write, warehouse).result())
                coming.append(others.submit(take_in, warehouse, Request((logs,), jobs=0), lambda _: None))

        forget(warehouse, {"matches": ["b"]}, meanwhile)
        coming[0].result()
        assert free == [False]
    assert rows(database, "SELECT match FROM raw_matches ORDER BY match") == ["c", "d", f"{SECRET}-1"]


@pytest.mark.slow("another kill")
def test_a_killed_forget_removes_nothing_and_the_next_removes_all(database: Path) -> None:
    before = contents(database)
    command = [sys.executable, "-c", DIES, str(database)]
    killed = run(command)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert contents(database) == before
    forgotten(database, matches=[f"{SECRET}-1"])
    assert SECRET.encode() not in bytes_beside(database)


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    himalaya = Command(capsys)
    return lambda database, *arguments: himalaya("forget", *arguments, "--db", str(database))


def test_the_command_counts_first_and_asks(ask: Ask, database: Path) -> None:
    asked = ask(database, "--match", "b", "c")
    assert asked.code == 2
    assert asked.out.startswith("to forget: 2 matches, ")
    assert "confirm with --yes" in asked.err
    assert rows(database, "SELECT count(*) FROM raw_matches") == [3]
    done = ask(database, "--match", "b", "c", "--yes")
    assert (done.code, done.err) == (0, "")
    assert "not erased: log files, exports, backups, and lakes" in done.out
    assert rows(database, "SELECT count(*) FROM raw_matches") == [1]


def test_the_command_requires_a_name(ask: Ask, database: Path) -> None:
    assert "add --match, --tournament or --player" in ask(database, "--yes").err
    assert "no such database" in ask(database.with_name("typo.duckdb"), "--match", "b", "--yes").err
    assert not database.with_name("typo.duckdb").exists()


@pytest.mark.slow("a folder")
def test_a_folder_is_allowed_again(database: Path, logs: Path) -> None:
    forgotten(database, matches=["b", "bad"])
    with open_warehouse(database) as warehouse:
        assert allow_again(warehouse, {"paths": [str(logs)]}, quiet) == {"matches": 2}
