"""SIGTERM and Ctrl-C end a server with code 0 and without output, whatever is running."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingest.opening import open_warehouse
from tests.dashboards.server.web import connect
from tests.forked import Popen

HOLDS_ON = """
import sys, threading
from dashboards import app, server, stopping

from himalaya_core.cli.main import main

create_app = server.create_app

def with_endless_answers(warehouse, prefix):
    made = create_app(warehouse, prefix)

    @made.server.get("/wait")
    def wait():
        print("waits", flush=True)
        threading.Event().wait()

    @made.server.get("/read")
    def read():
        with warehouse.reading() as connection:
            print("waits", flush=True)
            threading.Event().wait()

    return made

server.create_app = with_endless_answers
server.FINISH, stopping.GRACE, stopping.MOMENT = float(sys.argv.pop()), float(sys.argv.pop()), 0.1
sys.exit(main())
"""


@contextmanager
def holding_on(folder: Path, path: str, grace: float, finish: float) -> Iterator[Popen]:
    """Serve in a separate process, with one incomplete and one unanswered request."""
    database = ("serve", "--db", str(folder / "w.duckdb"), "--port", "0")
    open_warehouse(folder / "w.duckdb").close()  # otherwise the server would report that it created the database
    command = [sys.executable, "-c", HOLDS_ON, *database, str(grace), str(finish)]
    with Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])
            assert server.stdout.readline().startswith("Open to this machine")
            head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            half = b"POST /api/logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
            with connect(port), connect(port, half), connect(port, head):
                assert server.stdout.readline() == "waits\n"
                yield server
        finally:
            server.kill()


@pytest.mark.slow("starts processes")
@pytest.mark.parametrize(("path", "number"), [("/wait", signal.SIGINT), ("/read", signal.SIGTERM)])
def test_a_server_ends_in_order_though_a_request_does_not(tmp_path: Path, path: str, number: int) -> None:
    with holding_on(tmp_path, path, grace=1, finish=0.1) as server:
        server.send_signal(number)
        assert server.wait(30) == 0
        assert server.communicate() == ("", "")
    assert [each.name for each in tmp_path.iterdir() if "server" in each.name] == []


@pytest.mark.slow("starts processes")
def test_a_second_signal_ends_it_immediately(tmp_path: Path) -> None:
    with holding_on(tmp_path, "/wait", grace=60, finish=60) as server:
        server.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            server.wait(0.3)
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
        assert server.communicate() == ("", "")
