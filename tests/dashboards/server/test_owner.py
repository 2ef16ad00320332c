"""A running server owns its database: commands find the server and hand over their work."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from dashboards.web import operations as http_operations
from dashboards.web.application import Settings, create_web
from dashboards.web.routing import Services
from ingest import owner
from ingest.errors import WarehouseError, WarehouseInUse
from ingest.inbox.receive import Intake
from ingest.maintenance.restore import restore_database
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.owner import Owner
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.core.cli.commands import Command
from tests.dashboards.server.web import serving as serving_app
from tests.forked import HIMALAYA, Popen

ONE = "other.jsonl"
"""File name of a log with one match."""


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """Serve a database in a separate process and yield the address."""
    command = [*HIMALAYA, "serve", "--db", str(database), "--port", "0"]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3].rstrip("/")
        finally:
            server.terminate()
            server.wait(timeout=30)


@pytest.fixture(scope="module")
def handed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    database = tmp_path_factory.mktemp("handed") / "himalaya.duckdb"
    with serving(database) as address:
        yield database, address


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.mark.slow("starts processes")
def test_ingest_hands_its_files_to_a_running_server_and_says_so(
    handed: tuple[Path, str], logs: Path, himalaya: Command
) -> None:
    database, address = handed
    done = himalaya("ingest", str(logs / ONE), "--db", str(database))
    assert done.code == 0, done.err
    assert f"the server at {address} has {database} open and does the work" in done.err
    assert done.out.startswith("1 match, ")
    again = himalaya("ingest", str(logs / ONE), "--db", str(database))
    assert "1 match skipped: already loaded" in again.out


@pytest.mark.slow("starts processes")
def test_the_command_reports_errors_of_the_server(handed: tuple[Path, str], tmp_path: Path, himalaya: Command) -> None:
    (tmp_path / "none").mkdir()
    done = himalaya("ingest", str(tmp_path / "none"), "--db", str(handed[0]))
    assert "no logs in this folder" in done.err
    assert "Traceback" not in done.err
    assert done.code not in {0, 3}


def test_only_the_user_of_the_server_can_read_its_note(handed: tuple[Path, str]) -> None:
    note = handed[0].with_name("himalaya.duckdb.server.json")
    assert note.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow("starts processes")
def test_a_stopped_server_leaves_no_note_and_no_lock(logs: Path, tmp_path: Path, himalaya: Command) -> None:
    database = tmp_path / "w.duckdb"
    with serving(database):
        assert Owner.of(database)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["w.app.sqlite", "w.duckdb"]
    done = himalaya("ingest", str(logs / ONE), "--db", str(database))
    assert (done.code, done.err.count("open and does the work")) == (0, 0)


def test_a_note_of_a_killed_server_is_no_owner(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    Owner(process.pid, "http://127.0.0.1:9", "x").leave_note(tmp_path / "w.duckdb")
    assert Owner.of(tmp_path / "w.duckdb") is None


@pytest.mark.slow("starts processes")
@pytest.mark.parametrize(
    "work",
    [
        lambda database, _: run_operation(database, "doctor", {}),
        lambda database, copy: restore_database(database, copy, lambda _: None),
    ],
    ids=["doctor", "restore"],
)
def test_a_note_is_no_owner_while_another_process_has_the_file_open(tmp_path: Path, work: Any) -> None:
    database = tmp_path / "w.duckdb"
    open_warehouse(database).close()
    Owner(os.getpid(), "http://127.0.0.1:9", "x").leave_note(database)  # this process has the server's old id
    copy = copied(database, tmp_path / "copy.duckdb")
    hold = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(WarehouseInUse, match=f"in use by process {other.pid}; stop it"):
            work(database, copy)
        other.communicate()


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(WarehouseError, match=r"the server at http://127.0.0.1:9 \(process"):
        Owner(os.getpid(), "http://127.0.0.1:9", "x").ask("ingest", {}, lambda _: None)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Any], None]:
    """Return a function that registers an operation that servers can run."""
    return partial(monkeypatch.setitem, http_operations.ALL)


@pytest.fixture
def operate(empty: Warehouse) -> Iterator[Callable[..., HTTPResponse]]:
    owner = Owner.here("http://127.0.0.1:1")
    web = create_web(Services.of(empty, Intake(empty)), settings=Settings(owner=owner))
    with serving_app(web) as port, ExitStack() as lines:

        def post(name: str, arguments: Any = None, secret: str = owner.secret) -> HTTPResponse:
            line = lines.enter_context(closing(HTTPConnection("127.0.0.1", port)))
            headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
            line.request("POST", f"/api/operations/{name}", json.dumps(arguments or {}), headers)
            answer = line.getresponse()
            answer.line = line  # type: ignore[attr-defined]
            return answer

        yield post


def test_work_is_done_only_for_clients_with_the_secret(operate: Callable[..., Any]) -> None:
    assert operate("ingest", secret="guessed").status == 403
    assert operate("ingest", secret="").status == 403
    assert operate("ingest", secret="\xe9").status == 403


def test_an_unknown_operation_is_not_found(operate: Callable[..., Any]) -> None:
    assert operate("reboot").status == 404


def test_a_bug_in_an_operation_reaches_the_log_and_not_the_command(
    operate: Callable[..., Any], known: Callable[[str, Any], None], caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> dict[str, Any]:
        raise RuntimeError("a detail")

    known("broken", broken)
    assert json.loads(operate("broken").read()) == {"error": "the server failed; its log says why"}
    assert "a detail" in caplog.text


def test_work_ends_when_its_client_disconnects(operate: Callable[..., Any], known: Callable[[str, Any], None]) -> None:
    ended = threading.Event()

    def endless(_: Warehouse, __: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        try:
            while True:
                report({"done": 1})
        finally:
            ended.set()

    known("endless", endless)
    answer = operate("endless")
    assert json.loads(answer.readline()) == {"progress": {"done": 1}}
    answer.line.close()
    answer.close()
    assert ended.wait(60)


def test_more_work_than_leaves_threads_for_readers_has_to_wait(
    operate: Callable[..., Any], known: Callable[[str, Any], None]
) -> None:
    go_on = threading.Event()

    def waits(_: Warehouse, __: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        report({})
        go_on.wait(60)
        return {}

    known("waits", waits)
    answers = [operate("waits") for _ in range(http_operations.AT_ONCE)]
    assert [json.loads(answer.readline()) for answer in answers] == [{"progress": {}}] * len(answers)
    assert operate("waits").status == 503
    go_on.set()
    for answer in answers:
        answer.read()
    assert operate("waits").status == 200


def test_a_request_to_a_busy_server_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [b"HTTP/1.0 503 Busy\r\n\r\n", b'HTTP/1.0 200 OK\r\n\r\n{"result": {"done": 1}}\n']
    monkeypatch.setattr(owner, "PAUSE", 0)
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        served = pool.submit(answer, listener, answers)
        reader = Owner(os.getpid(), f"http://127.0.0.1:{listener.getsockname()[1]}", "x")
        assert reader.ask("ingest", {}, lambda _: None) == {"done": 1}
        served.result()


def answer(listener: socket.socket, answers: list[bytes]) -> None:
    for text in answers:
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(10)
            received = b""
            while not received.endswith(b"{}"):
                received += connection.recv(1 << 16)
            connection.sendall(text)


def test_readers_continue_during_a_write(empty: Warehouse) -> None:
    with empty.writing() as connection:
        connection.begin()
        connection.execute("INSERT INTO forgotten_matches VALUES ('x', NULL, 1)")
        with empty.reading() as reader:
            assert reader.execute("FROM forgotten_matches").fetchall() == []
        connection.commit()
    with empty.reading() as reader:
        assert reader.execute("FROM forgotten_matches").fetchall() == [("x", None, 1)]


def test_a_database_put_away_is_closed_and_opened_again(empty: Warehouse) -> None:
    with empty.put_away():
        check = [sys.executable, "-c", "import duckdb, sys; duckdb.connect(sys.argv[1])", str(empty.database)]
        subprocess.run(check, check=True)
    with empty.reading() as reader:
        assert reader.execute("FROM dim_matches").fetchall() == []


@pytest.mark.slow("starts processes")
def test_an_operation_runs_locally_without_a_server(tmp_path: Path, logs: Path) -> None:
    result = run_operation(tmp_path / "w.duckdb", "ingest", {"paths": [str(logs / ONE)]})
    assert result["matches"] == 1
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, warehouse.reading() as reader:
        assert reader.execute("SELECT count(*) FROM dim_matches").fetchall() == [(1,)]


@pytest.mark.slow("starts processes")
def test_a_database_locked_by_another_program_is_reported(tmp_path: Path) -> None:
    holder = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", holder, str(tmp_path / "w.duckdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(WarehouseError, match=f"in use by process {other.pid}"):
            run_operation(tmp_path / "w.duckdb", "ingest", {"paths": []})
        other.communicate()
