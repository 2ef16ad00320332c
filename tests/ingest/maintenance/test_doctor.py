"""The doctor finds problems, reports them in sentences, and changes nothing."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

from ingest.errors import WarehouseError
from ingest.maintenance import doctor
from ingest.maintenance.doctor import StoredLog, audit_log
from ingest.maintenance.rewrite import one_at_a_time
from ingest.operations import run_operation
from ingest.pipeline import ingest
from tests.copies import copied
from tests.core.cli.commands import Answer, Command
from tests.ingest.helping import begun, contents, log, short, write

Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    logs = write(folder / "a.jsonl", short("a"), short("b"), begun("bad")[2:], begun("c"))
    ingest([logs], folder / "w.duckdb")
    return folder / "w.duckdb"


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


def examined(database: Path, *, deep: bool = False) -> dict[str, Any]:
    return run_operation(database, "doctor", {"deep": deep})


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    himalaya = Command(capsys)
    return lambda database, *arguments: himalaya("doctor", *arguments, "--db", str(database))


def test_a_sound_warehouse_has_no_findings(database: Path) -> None:
    before = contents(database)
    found = examined(database, deep=True)
    assert found["findings"] == []
    assert found["counts"] == {
        "matches": 3,
        "events": len(short("a")) + len(short("b")) + len(begun("c")),
        "unfinished": 1,
        "quarantine": 1,
        "live": 0,
        "forgotten": 0,
        "inbox": 0,
    }
    assert found["checked"]["logs"] == 3
    assert [run["matches"] for run in found["runs"]] == [3]
    assert found["space"]["size"] == database.stat().st_size
    assert contents(database) == before


def test_files_next_to_a_database_with_brackets_in_its_name_are_found(database: Path, tmp_path: Path) -> None:
    mine = database.rename(tmp_path / "w[1].duckdb")
    for name in ("w[1].duckdb.old", "w1.duckdb.old"):
        (tmp_path / name).touch()
    assert set(examined(mine)["space"]["beside"]) == {"w[1].duckdb.old"}


@pytest.mark.slow("copies, and others who work")
def test_copies_that_are_older_than_a_forgetting_are_named(database: Path, tmp_path: Path) -> None:
    before, after, lake = tmp_path / "before.duckdb", tmp_path / "after.duckdb", tmp_path / "lake"
    run_operation(database, "backup", {"file": str(before)})
    run_operation(database, "lake", {"folder": str(lake)})
    run_operation(database, "forget", {"matches": ["a"]})
    run_operation(database, "backup", {"file": str(after)})
    said = " ".join(examined(database)["remarks"])
    assert f"{before}: written before data was last forgotten" in said
    assert f"{lake}: written before data was last forgotten" in said
    assert str(after) not in said


@pytest.mark.slow("a number in a sentence")
def test_a_single_match_is_reported_in_the_singular(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"".join(short("a")))
    ingest([tmp_path], tmp_path / "one.duckdb", processes=0)
    said = ask(tmp_path / "one.duckdb", "--deep").out
    assert f"\n1 match, {len(short('a'))} events; 0 unfinished, 0 of them live; 0 open in quarantine" in said
    assert re.search(r"\nread again: [\d,]+ rows, 1 log\n", said)


@pytest.mark.slow("by command, in both forms")
def test_the_command_reports_to_people_and_to_programs(ask: Ask, database: Path) -> None:
    done = ask(database, "--deep")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("all checks passed\n")
    assert "3 matches, " in done.out
    as_json = ask(database, "--json")
    assert json.loads(as_json.out)["findings"] == []


def test_a_violated_assertion_between_tables_is_a_finding(ask: Ask, database: Path) -> None:
    with duckdb.connect(database) as connection:
        connection.execute("DELETE FROM stg_climbers_climber_stepped WHERE match_id = 1 AND seq % 7 = 0")
    done = ask(database)
    assert done.code == 1
    assert "not sound: events: expected" in done.out


@pytest.mark.slow("reads every log")
def test_a_changed_log_is_found_only_by_a_deep_check(database: Path) -> None:
    with duckdb.connect(database) as connection:
        ((text,),) = connection.execute("SELECT lines FROM raw_matches WHERE match = 'b'").fetchall()
        forged = zstandard.compress(zstandard.decompress(text).replace(b'"seat":1', b'"seat":0', 1))
        connection.execute("UPDATE raw_matches SET lines = $forged WHERE match = 'b'", {"forged": forged})
    assert examined(database)["findings"] == []
    (finding,) = examined(database, deep=True)["findings"]
    assert finding == "match b: its log has changed since it was loaded; restore a backup"


@pytest.mark.slow("reads every log")
def test_findings_about_logs_are_counted_not_listed_without_end(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "MOST_FOUND", 2)
    with duckdb.connect(database) as connection:
        connection.execute("UPDATE raw_matches SET lines = 'nothing'::BLOB")
    findings = examined(database, deep=True)["findings"]
    assert len(findings) == 3
    assert findings[-1] == "and 1 more log has changed"


def kept(lines: tuple[bytes, ...], **other: Any) -> StoredLog:
    text = b"".join(lines)
    said = {"bytes_sha256": hashlib.sha256(text).hexdigest(), "size": len(text), "events": len(lines)} | other
    return StoredLog("m", zstandard.compress(text), **said)


@pytest.mark.parametrize(
    ("original", "finding"),
    [
        (kept(log("m")), None),
        (kept(log("m")[:50]), None),
        (kept((*log("m")[:-1], log("m")[-1].rstrip(b"\n"))), None),
        (kept(log("m"), bytes_sha256="0" * 64), "has changed since it was loaded"),
        (kept(log("m"), size=7), "cannot be decompressed|of 7 bytes"),
        (kept(log("m"), events=3), "lines, not 3"),
        (kept((*log("m")[:5], *log("m")[6:])), "the digest in its last line is not that of the other lines"),
        (StoredLog("m", b"no zstd", "", 7, 1), "cannot be decompressed"),
    ],
    ids=["whole", "unfinished", "no last line end", "digest", "size", "lines", "a line lost", "no zstd"],
)
def test_a_log_is_compared_with_everything_recorded_about_it(original: StoredLog, finding: str | None) -> None:
    found = audit_log(original)
    if finding is None:
        assert found is None
    else:
        assert found is not None
        assert any(part in found for part in finding.split("|"))


def test_a_damaged_block_is_found_and_reported_in_a_sentence(database: Path) -> None:
    sound, damaged, checked = database.read_bytes(), 0, list[str]()
    for start in range(3 * 4096 + 4_000, len(sound), 20 * 262_144):
        database.write_bytes(
            sound[:start] + bytes(byte ^ 0xFF for byte in sound[start : start + 64]) + sound[start + 64 :]
        )
        try:
            findings = examined(database, deep=True)["findings"]
        except WarehouseError as error:
            findings = [str(error)]
        assert all("damaged; restore a backup" in finding for finding in findings)
        damaged += bool(findings)  # a block may be empty
        try:
            run_operation(database, "check", {})
        except WarehouseError as error:
            checked.append(str(error))
    assert damaged
    assert checked
    assert all("damaged; restore a backup" in text for text in checked)


@pytest.mark.parametrize("spoil", ["header", "text", "cut"])
def test_a_file_that_cannot_be_opened_is_a_finding(ask: Ask, database: Path, spoil: str) -> None:
    text = database.read_bytes()
    changed = {"header": text[:8192] + bytes(8192) + text[16384:], "text": b"no database" * 999, "cut": text[: 1 << 20]}
    database.write_bytes(changed[spoil])
    done = ask(database)
    assert done.code == 1, done.err
    assert "not sound: " in done.out


def test_a_full_disk_is_a_finding(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(database.parent)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage._replace(free=900_000_000))
    assert "0.9 GB free on this disk; make room" in examined(database)["findings"][0]


def test_waiting_bodies_and_neighbouring_files_are_counted(database: Path) -> None:
    inbox = database.with_name("w.duckdb.inbox")
    inbox.mkdir()
    (inbox / ("a" * 64)).write_bytes(b"{}")
    database.with_name("w.duckdb.before-restore").write_bytes(b"123")
    found = examined(database)
    assert found["counts"]["inbox"] == 1
    assert found["space"]["beside"] == {"w.duckdb.before-restore": 3}


def test_a_missing_database_is_not_created(ask: Ask, tmp_path: Path) -> None:
    done = ask(tmp_path / "typo.duckdb")
    assert (done.code, done.err) == (2, f"himalaya: {tmp_path}/typo.duckdb: no such database; check --db\n")
    assert not (tmp_path / "typo.duckdb").exists()


def test_a_database_in_use_by_another_program_is_no_finding(ask: Ask, database: Path) -> None:
    hold = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        done = ask(database)
        other.communicate()
    assert (done.code, done.out) == (2, "")
    assert "in use by process" in done.err


@pytest.mark.slow("copies, and others who work")
def test_a_deep_check_delays_operations_that_would_lock_out_readers(database: Path) -> None:
    """The database file is replaced only while it has no readers: before or after a long check."""
    free: dict[str, bool] = {}

    def report(at: dict[str, Any]) -> None:
        free[at["what"]] = others.submit(one_at_a_time.acquire, blocking=False).result()
        if free[at["what"]]:
            others.submit(one_at_a_time.release).result()

    with ThreadPoolExecutor(1) as others:
        run_operation(database, "doctor", {"deep": True}, report)
    assert free == {"checking tables": True, "reading": False, "checking logs": False}
