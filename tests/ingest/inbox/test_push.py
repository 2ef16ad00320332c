"""Sending logs: to a server started like a user's, and over an unreliable connection."""

import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dashboards.web.policy import Policy
from himalaya_core.cli.main import main
from ingest.errors import PushError
from ingest.inbox.inbox import Limits
from ingest.inbox.push import PATIENCE, Sent, Server, _reason, in_all, push
from ingest.inbox.receive import Intake, inbox_folder
from ingest.load.summary import Summary
from ingest.opening import open_for_reading, open_warehouse
from ingest.people.tokens import create_token
from ingest.warehouse import Warehouse
from tests.core.cli.commands import Command
from tests.dashboards.client import Client, everything
from tests.forked import HIMALAYA, Popen
from tests.ingest.helping import begun, log, rows, write

TAKES_THREE = """
import sys, threading
from himalaya_core.cli.main import main
from ingest.inbox import drain

load, taken = drain.load_bodies, []

def three_and_no_more(*arguments):
    if len(taken) == 3:
        threading.Event().wait()
    taken.append(arguments)
    return load(*arguments)

drain.MOST_BODIES, drain.load_bodies = 1, three_and_no_more
sys.exit(main())
"""
SWIFT = PATIENCE.new(backoff_factor=0, backoff_jitter=0)
DROP, LOSE = "drop the request", "lose the answer"
OTHER = pytest.mark.slow("another bad connection")

# A server started as users start it

LOCAL = Policy()


@contextmanager
def serving(database: Path, *options: str, himalaya: Sequence[str] = HIMALAYA) -> Iterator[tuple[str, Popen]]:
    command = [*himalaya, "serve", "--db", str(database), "--port", "0", *options]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3].rstrip("/"), server
        finally:
            server.terminate()
            server.wait(timeout=30)


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_counts_use_singular_and_plural() -> None:
    def sent(matches: int, *, was_there: bool = False) -> Sent:
        return Sent(Path("a.jsonl"), "", was_there, Summary(1, matches, 0, matches, 0, 0, (), 0, ()))

    assert in_all([sent(1, was_there=True)]) == "1 file: 1 file already there"
    assert in_all([sent(1)]) == "1 file: 1 match loaded, 1 event"
    assert in_all([sent(1), sent(1), *[sent(1, was_there=True)] * 2]) == (
        "4 files: 2 matches loaded, 2 events, 2 files already there"
    )
    assert in_all([]) == "0 files: nothing new"


def test_a_folder_is_pushed_once_file_by_file(
    tmp_path: Path, himalaya: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HIMALAYA_TOKEN", raising=False)
    logs, database = tmp_path / "logs", tmp_path / "w.duckdb"
    logs.mkdir()
    write(logs / "a.jsonl", begun("m.1"), begun("m.2"))
    broken = write(logs / "b.jsonl", begun("m.3")[:7], [b"no line\n"], begun("m.4"))
    big = write(logs / "c.jsonl", *[[os.urandom(1 << 20)] for _ in range(24)])
    write(logs / "d.jsonl", begun("m.5"))
    with serving(database, "--max-body", "1M") as (address, _):
        done = himalaya("push", str(logs), "--to", address, "--tournament", "autumn")
        again = himalaya("push", str(logs), "--to", address)
        token = himalaya("token", "create", "laptop", "--db", str(database)).out.strip()
        new = write(tmp_path / "e.jsonl", begun("m.6"))
        monkeypatch.setenv("HIMALAYA_TOKEN", "himalaya_of-another-server")
        refused = himalaya("push", str(new), "--to", address)
        monkeypatch.setenv("HIMALAYA_TOKEN", token)
        let_in = himalaya("push", str(new), "--to", address)
    assert f"{logs / 'a.jsonl'}: 2 matches, " in done.out
    assert f"{broken}:8: line: expected one JSON object, found no line at column 2 (match m.3)" in done.out
    assert f"{big}: not accepted: body: expected at most 1048576 bytes, found more" in done.out
    assert f"{logs / 'd.jsonl'}: 1 match, " in done.out
    assert ", 1 quarantined, 1 not accepted\n" in done.out
    assert done.code == again.code == refused.code == 1
    assert again.out.count("already there") == 4
    assert "the token is unknown to this server" in refused.err
    assert let_in.code == 0, let_in.err
    assert sorted(rows(database, "SELECT match FROM dim_matches WHERE tournament = 'autumn'")) == [
        "m.1",
        "m.2",
        "m.4",
        "m.5",
    ]
    assert sorted(rows(database, "SELECT source FROM receipts")) == ["laptop", "local", "local", "local"]


@pytest.mark.slow("starts a server")
def test_a_server_answers_like_its_app_for_requests_it_handles_first(tmp_path: Path) -> None:
    with serving(tmp_path / "w.duckdb", "--max-body", "2M", "--max-per-minute", "56", "--max-lines", "9") as (
        address,
        _,
    ):
        large = requests.post(f"{address}/api/logs", data=bytes(3 << 20))
        unsaid = requests.post(f"{address}/api/logs", data=iter([bytes(1 << 20)] * 3))
        forwarded = requests.post(f"{address}/api/logs", data=b"{}\n", headers={"X-Forwarded-For": "192.0.2.1"})
        lines = requests.post(f"{address}/api/logs", data=b"{}\n" * 10)
        chunks = requests.post(f"{address}/api/logs", data=iter([b"{}\n"] * 9))
        often = requests.post(f"{address}/api/logs", data=b"{}\n")
    for answer in (large, unsaid):
        assert (answer.status_code, answer.json()["limit"]) == (413, 2 << 20)
        assert answer.json()["found"] > 2 << 20
        assert answer.headers["Content-Type"] == "application/json"
    assert [each.status_code for each in (forwarded, lines, chunks, often)] == [401, 413, 202, 429]
    assert lines.json()["limit"] == 9


def first_line(port: str, headers: str, path: str = "/api/logs") -> bytes:
    """Send only the head of a request with a large body; return the first line of the server's response."""
    with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
        return connection.makefile("rb").readline()


@pytest.mark.slow("starts a server")
def test_a_server_for_other_machines_wants_a_token_before_it_reads_a_large_log(
    tmp_path: Path, himalaya: Command
) -> None:
    with serving(tmp_path / "w.duckdb", "--host", "0.0.0.0", "--public-read") as (address, _):
        port = address.rpartition(":")[2]
        small = requests.post(f"http://127.0.0.1:{port}/api/logs", data=b"{}\n")
        large = f"Content-Length: {100 << 20}\r\nExpect: 100-continue\r\n"
        said = [first_line(port, head) for head in (large, "Transfer-Encoding: chunked\r\n")]
        said += [first_line(port, large, path) for path in ("/api/operations/ingest", "/api/bookmarks")]
        token = himalaya("token", "create", "laptop", "--db", str(tmp_path / "w.duckdb")).out.strip()
        let_in = first_line(port, f"{large}Authorization: Bearer {token}\r\n")
    assert small.status_code == 401
    assert [int(line.split()[1]) for line in said] == [401, 401, 403, 401]
    assert let_in == b"HTTP/1.1 100 Continue\r\n"
    assert "himalaya token create" in small.json()["message"]


def test_accepted_bodies_are_loaded_after_a_kill(tmp_path: Path) -> None:
    logs, database = tmp_path / "logs", tmp_path / "w.duckdb"
    logs.mkdir()
    files = [write(logs / f"{number}.jsonl", begun(f"m.{number}")) for number in range(6)]
    with serving(database, himalaya=(sys.executable, "-c", TAKES_THREE)) as (address, server):
        list(push(files, Server(address), wait=False))
        server.send_signal(signal.SIGKILL)
        server.wait()
    left = [path for path in inbox_folder(database).iterdir() if path.suffix == ""]
    assert len(left) >= 3, "more was taken in before the kill than should be"
    (inbox_folder(database) / "incoming-half").write_bytes(b"half")
    with serving(database) as (address, _):
        found = list(push(files, Server(address)))
    assert all(sent.was_there and sent.summary for sent in found)
    assert sorted(rows(database, "SELECT match FROM raw_matches")) == sorted(f"m.{number}" for number in range(6))
    assert list(inbox_folder(database).iterdir()) == []


# An unreliable connection


class Line(ThreadingHTTPServer):
    """A connection to a server with scripted faults for the first POSTs and GETs; later requests work."""

    daemon_threads = True

    def __init__(self, app: Client) -> None:
        super().__init__(("127.0.0.1", 0), Carrier)
        self.app = app
        self.events: dict[str, list[str | int]] = {"POST": [], "GET": []}
        self.carried: list[tuple[str, int]] = []
        self.busy_for = "0"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Carrier(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def carry(self) -> None:
        line = self.server
        assert isinstance(line, Line)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if len(body) < int(self.headers.get("Content-Length", 0)):
            self.close_connection = True
            return
        waiting = line.events[self.command]
        event = waiting.pop(0) if waiting else None
        if event == DROP:
            self.close_connection = True
            return
        if isinstance(event, int):
            self.answer(event, b"busy", {"Retry-After": line.busy_for, "Location": "http://elsewhere/"})
            return
        headers = [(name, value) for name, value in self.headers.items() if name != "Host"]
        found = line.app.another().open(self.path, method=self.command, data=body, headers=dict(headers))
        line.carried.append((self.command, found.status_code))
        if event == LOSE:
            self.close_connection = True
            return
        kept = {name: found.headers[name] for name in ("Content-Type", "Content-Encoding") if name in found.headers}
        self.answer(found.status_code, found.data, kept)

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = carry  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


@pytest.fixture
def line(warehouse: Warehouse) -> Iterator[Line]:
    with line_to(warehouse) as found:
        yield found


@contextmanager
def line_to(warehouse: Warehouse, policy: Policy = LOCAL) -> Iterator[Line]:
    """Serve a warehouse behind an unreliable connection."""
    with (
        Intake(warehouse, Limits(lines=2_000)) as intake,
        Line(everything(warehouse, intake, policy, has_pages=False)) as found,
    ):
        thread = threading.Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "a.jsonl", begun())


def pushed(line: Line, *files: Path, token: str | None = None, wait: bool = True) -> list[Sent]:
    return list(push(files, Server(line.url, token, SWIFT), wait=wait))


def posts(line: Line) -> list[int]:
    """Return the server's responses to the POSTs that it received."""
    return [status for method, status in line.carried if method == "POST"]


@pytest.mark.slow("every broken connection")
@pytest.mark.parametrize(
    ("post", "get"),
    [
        pytest.param([DROP], [], marks=OTHER),
        ([DROP, DROP, 503, 502, 504, DROP], []),
        ([429, 429], []),
        pytest.param([], [DROP, 503, LOSE], marks=OTHER),
        pytest.param([LOSE], [], marks=OTHER),
        ([LOSE], ["", DROP, 503]),
    ],
    ids=["dropped", "dropped and busy", "too often", "asking", "answer lost", "answer lost, then asking"],
)
def test_a_file_is_sent_once_despite_lost_connections(
    line: Line, file: Path, post: list[str | int], get: list[str | int]
) -> None:
    line.events |= {"POST": post, "GET": get}
    (sent,) = pushed(line, file)
    assert sent.summary
    assert (sent.summary.matches, sent.summary.events) == (1, len(begun()))
    assert posts(line) == [202]
    assert not post
    assert not get


def test_known_files_are_not_sent_again(line: Line, file: Path, tmp_path: Path) -> None:
    pushed(line, file)
    copy = write(tmp_path / "copy.jsonl", begun())
    (sent,) = pushed(line, copy)
    assert sent.was_there
    assert posts(line) == [202]


def test_known_matches_keep_their_tournament_with_a_message(line: Line, file: Path, warehouse: Warehouse) -> None:
    server = Server(line.url, None, SWIFT)
    (first,), (again,) = (list(push([file], server, tournament=name)) for name in ("autumn", "winter"))
    assert "--tournament" not in first.text()
    assert again.text() == f"{file}: already there (--tournament does not change it)"
    assert "--tournament" not in pushed(line, file)[0].text()
    with warehouse.reading() as connection:
        assert connection.execute("SELECT tournament FROM dim_matches").fetchall() == [("autumn",)]


@pytest.mark.slow("another sequence of bodies")
def test_a_refused_file_delays_no_other(line: Line, file: Path, tmp_path: Path) -> None:
    long, empty = write(tmp_path / "long.jsonl", [b"{}\n"] * 2_001), write(tmp_path / "empty.jsonl")
    missing = tmp_path / "missing.jsonl"
    found = {sent.file: sent for sent in pushed(line, long, empty, missing, file)}
    assert found[long].refused == "body: expected at most 2000 lines, found more"
    assert found[empty].refused == "body: empty; send the lines of a log"
    assert found[missing].refused == "no such file or folder"
    assert found[file].summary


def test_a_sender_that_does_not_wait_learns_that_its_file_is_safe(line: Line, file: Path) -> None:
    (sent,) = pushed(line, file, wait=False)
    assert (sent.summary, sent.refused) == (None, None)
    assert posts(line) == [202]


@pytest.mark.slow("waits")
@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([DROP] * 9, "gave up after 9 tries"),
        ([503] * 9, "503 Service Unavailable; gave up after 9 tries"),
        ([500], "500 Internal Server Error"),
        ([308], "has moved; push to http://elsewhere/"),
    ],
)
def test_an_unreachable_server_ends_the_push(
    line: Line, file: Path, tmp_path: Path, events: list[str | int], says: str
) -> None:
    first = write(tmp_path / "first.jsonl", begun("m.2"))
    line.events["POST"] = ["", *events]
    all_sent: list[Sent] = []
    with pytest.raises(PushError, match=says):
        all_sent.extend(push([first, file], Server(line.url, None, SWIFT)))
    assert [sent.file for sent in all_sent] == [first]
    assert not line.events["POST"]


def test_a_read_only_server_is_tried_once(warehouse: Warehouse, file: Path) -> None:
    warehouse.close()
    with (
        open_for_reading(warehouse.database) as opened,
        line_to(opened) as line,
        pytest.raises(PushError, match=r"w\.duckdb is served for reading only; it accepts no logs"),
    ):
        pushed(line, file)
    assert posts(line) == [403]


def test_a_missing_server_is_reported() -> None:
    with pytest.raises(PushError, match=r"^cannot reach 127\.0\.0\.1:9: connection refused; gave up after 9 tries$"):
        Server("http://127.0.0.1:9", None, SWIFT).ask("0" * 64)


@pytest.mark.parametrize(
    ("url", "host"),
    [("http://127.0.0.1:9", "127.0.0.1:9"), ("http://[::1]:9/logs", "[::1]:9"), ("http://localhost", "localhost:80")],
)
def test_retries_are_announced_once_with_host_and_duration(
    url: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, paused = list[str](), list[float]()
    server = Server(url, None, PATIENCE.new(backoff_jitter=0), said.append, paused.append)
    monkeypatch.setattr(Server, "_logs", "http://127.0.0.1:9")
    with pytest.raises(PushError, match="gave up"):
        server.ask("0" * 64)
    assert said == [f"cannot reach {host}: connection refused; retrying for about {sum(paused):.0f} s"]
    assert sum(paused) > 60


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no such host"),
        (TimeoutError(), "no answer"),
        (ConnectionRefusedError(111, "Connection refused"), "connection refused"),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), "its certificate is not valid"),
        (ssl.SSLError(1, "wrong version number"), "it speaks no TLS"),
        (ValueError("HTTPConnectionPool(host='x')"), "the connection broke off"),
    ],
)
def test_the_reason_of_a_failed_connection_is_in_plain_words(error: Exception, reason: str) -> None:
    outer = requests.ConnectionError("HTTPConnectionPool(host='x', port=80): Max retries exceeded")
    outer.__cause__ = error
    assert _reason(outer) == reason


def test_an_unreadable_file_is_named_and_the_others_are_sent(line: Line, file: Path, himalaya: Command) -> None:
    missing = file.with_name("missing.jsonl")
    answer = himalaya("push", str(missing), str(file), "--to", line.url)
    assert answer.code == 1
    assert answer.err.startswith(f"cannot read {missing}: no such file or folder\n")
    assert answer.out.startswith(f"{file}: 1 match, ")


@pytest.mark.slow("waits")
def test_a_push_waits_for_the_server_s_retry_time_every_time(line: Line, file: Path) -> None:
    line.busy_for = "7"
    line.events |= {"POST": [503, 429] * 10, "GET": [503]}
    said, paused = list[str](), list[float]()
    (sent,) = push([file], Server(line.url, None, SWIFT, said.append, paused.append))
    assert sent.summary
    assert posts(line) == [202]
    assert paused[:21] == [7.0] * 21
    assert said[0] == f"{line.url.removeprefix('http://')} is busy (503 Service Unavailable); trying again in 7 s"


@pytest.mark.parametrize(
    "url", ["", "logs.example", "ftp://logs.example", "http://", "http://logs.example/?a=b", "http://a:b"]
)
def test_an_invalid_address(url: str) -> None:
    with pytest.raises(PushError, match="is no address of a server; name one like"):
        Server(url)


def test_a_token_is_sent_and_nothing_of_a_netrc(
    file: Path, warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password mine\n")
    monkeypatch.setenv("NETRC", str(netrc))
    secret = create_token(warehouse.app, "laptop")
    with line_to(warehouse, Policy(require_token=True)) as line:
        with pytest.raises(PushError, match="this needs a token"):
            pushed(line, file)
        assert pushed(line, file, token=secret)[0].summary


def test_requests_to_this_machine_use_no_proxy(line: Line, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert pushed(line, file)[0].summary


@pytest.mark.parametrize(
    ("url", "in_clear"),
    [("http://logs.example", True), ("https://logs.example", False), ("http://localhost:8050", False)],
)
def test_sending_a_token_in_clear_text_is_detected(url: str, in_clear: bool) -> None:
    assert Server(url, "himalaya_x").sends_in_clear is in_clear
    assert not Server(url).sends_in_clear


def changing(file: Path, become: Callable[[bytes], bytes]) -> Callable[[int, int], None]:
    """Change a file once a part of it is sent."""
    text = file.read_bytes()

    def report(done: int, _: int) -> None:
        if done and file.read_bytes() == text:
            file.write_bytes(become(text))

    return report


@pytest.mark.parametrize(
    ("become", "says"),
    [
        (lambda text: text[:9], "it became shorter while it was sent; push it again"),
        (lambda text: text[:-9] + b"otherwise", "it changed while it was sent; push it again"),
    ],
    ids=["shorter", "otherwise"],
)
def test_a_file_that_changes_while_being_sent_is_reported(
    line: Line, tmp_path: Path, become: Callable[[bytes], bytes], says: str
) -> None:
    file = write(tmp_path / "a.jsonl", log())
    (sent,) = push([file], Server(line.url, None, SWIFT), report=changing(file, become))
    assert sent.refused == says


@pytest.mark.slow("another sequence of bodies")
def test_a_growing_file_is_sent_up_to_its_announced_size(line: Line, tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", log())
    report = changing(file, lambda text: text + b"more\n")
    (sent,) = push([file], Server(line.url, None, SWIFT), report=report)
    assert sent.summary
    assert sent.summary.put_aside == 0


def test_a_path_that_leads_to_no_api_is_reported(file: Path, line: Line, himalaya: Command) -> None:
    pages = Starlette(routes=[Route("/{_:path}", lambda _: PlainTextResponse(status_code=404))])
    line.app = Client(pages, line.app.services)
    answer = himalaya("push", str(file), "--to", f"{line.url}/matches")
    assert answer.code == 1
    assert f"{line.url}/matches: this address takes no logs; name the server alone, like {line.url}, " in answer.err


def test_a_foreign_server_is_reported(file: Path, line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    other = Starlette(routes=[Route("/api/logs/{_}", lambda _: PlainTextResponse("\x1b[2J hello"))])
    line.app = Client(other, line.app.services)
    assert main(["push", str(file), "--to", line.url]) == 1
    assert "is not a himalaya server; check the address" in capsys.readouterr().err
