"""The recipes for nginx and Caddy in use: half-open connections stay at the proxy, and readers are served.

Each proxy runs with its recipe; only names, ports and certificates are changed. One address holds a thousand stalled
connections to the proxy, while fifty readers with their own addresses request pages.
"""

import asyncio
import logging
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from statistics import quantiles

import pytest

from dashboards.server import allow_open_files
from himalaya_core.boards import shipped_board
from himalaya_core.caravan import CARAVAN
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.pipeline import ingest

HIMALAYA = Path(sys.executable).with_name("himalaya")
RECIPES = Path(__file__).parents[2] / "docs" / "recipes"
PREFIX = "/himalaya"
HALF_OPEN, READERS, ROUNDS = 1000, 50, 6
STRANGER = "127.0.0.2"
SCRIPT = f"{PREFIX}/_dash-component-suites/plotly/package_data/plotly.min.js"
HEAD = "Host: localhost\r\nSec-Fetch-Site: none\r\n"
SENT = (
    None,  # the client does not even start the handshake
    f"GET {PREFIX}/ HTTP/1.1\r\n{HEAD}",
    f"POST {PREFIX}/api/replay HTTP/1.1\r\n{HEAD}Content-Length: 100000\r\n\r\n{'x' * 50_000}",
    f"GET {SCRIPT} HTTP/1.1\r\n{HEAD}\r\n",  # the client reads none of the response
)
PAGES = ("/", "/matches", "/api/matches?start=0&stop=20", "/api/replay/cup.000001", "/analysis")

log = logging.getLogger(__name__)
pytestmark = pytest.mark.soak("runs nginx and Caddy with a thousand connections")


@dataclass(frozen=True)
class Site:
    """A proxy in front of a server."""

    port: int
    server_port: int
    database: Path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    run_tournament(Plan("cup", "caravan", ("trader", "greedy", "pilgrim"), 20), folder / "logs", 2)
    ingest([folder / "logs"], folder / "w.duckdb")
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def server_port(database: Path) -> Iterator[int]:
    command: list[str | Path] = [HIMALAYA, "serve", "--db", database, "--port", "0", "--path-prefix", PREFIX]
    command += ["--trusted-proxy", "127.0.0.1", "--public-read"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)/himalaya/ ", server.stdout.readline())
        assert found is not None
        yield int(found[1])
        server.terminate()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    new: list[str | Path] = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    new += ["-subj", "/CN=localhost", "-keyout", folder / "key", "-out", folder / "certificate"]
    subprocess.run(new, check=True, capture_output=True)
    return folder / "key", folder / "certificate"


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return a recipe with changes, each of which must match its text."""
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return text


def nginx(folder: Path, port: int, server_port: int, certificate: tuple[Path, Path]) -> Sequence[str | Path]:
    """Write the configuration of nginx, and return the command to run it."""
    key, signed = certificate
    recipe = changed(
        (RECIPES / "nginx.conf").read_text("utf-8"),
        ("    listen 80;\n    listen [::]:80;\n", f"    listen {free_port()};\n"),
        ("    listen 443 ssl http2;\n    listen [::]:443 ssl http2;\n", f"    listen {port} ssl http2;\n"),
        ("/etc/ssl/private/logs.example.key", str(key)),
        ("/etc/ssl/logs.example.pem", str(signed)),
        ("127.0.0.1:8050", f"127.0.0.1:{server_port}"),
        ("logs.example", "localhost"),
        ("location = /metrics", f"location = {PREFIX}/metrics"),
        ("location / {", f"location {PREFIX}/ {{"),
    )
    kept = "".join(f"{kind}_temp_path {folder};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    main = f"user root;\ndaemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_rlimit_nofile 8192;\n"
    events = "events { worker_connections 4096; }\n"
    (folder / "nginx.conf").write_text(f"{main}{events}http {{\naccess_log off;\n{kept}{recipe}\n}}\n")
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf"]


def caddy(folder: Path, port: int, server_port: int, certificate: tuple[Path, Path]) -> Sequence[str | Path]:
    """Write the configuration of Caddy, and return the command to run it."""
    key, signed = certificate
    recipe = changed(
        (RECIPES / "Caddyfile").read_text("utf-8"),
        ("{\n\tservers {", "{\n\tadmin off\n\tauto_https off\n\tservers {"),
        ("logs.example {", f"https://localhost:{port} {{\n\ttls {signed} {key}"),
        ("127.0.0.1:8050", f"127.0.0.1:{server_port}"),
        ("handle /metrics {", f"handle {PREFIX}/metrics {{"),
        ("handle {", f"handle {PREFIX}/* {{"),
    )
    (folder / "Caddyfile").write_text(recipe)
    return ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def site(
    request: pytest.FixtureRequest, tmp_path: Path, database: Path, server_port: int, certificate: tuple[Path, Path]
) -> Iterator[Site]:
    port = free_port()
    command = request.param(tmp_path, port, server_port, certificate)
    with (tmp_path / "said").open("wb") as said, subprocess.Popen(command, stdout=said, stderr=said) as proxy:
        end = time.monotonic() + 60
        while time.monotonic() < end and proxy.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        assert proxy.poll() is None, (tmp_path / "said").read_text()
        yield Site(port, server_port, database)
        proxy.terminate()


def unverified() -> ssl.SSLContext:
    """Return a TLS context that accepts unsigned certificates."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def asked(
    port: int, path: str, method: str = "GET", body: bytes | None = None, source: str = "127.0.0.1", **sent: str
) -> tuple[int, bytes, float]:
    """Send a request to the proxy like a browser; return status, body, and the seconds until the first byte."""
    line = HTTPSConnection("localhost", port, timeout=60, context=unverified(), source_address=(source, 0))
    begun = time.monotonic()
    line.request(method, PREFIX + path, body, {"Sec-Fetch-Site": "same-origin", **sent})
    answer = line.getresponse()
    took = time.monotonic() - begun
    whole = answer.read()
    line.close()
    return answer.status, whole, took


async def hold(port: int, number: int) -> None:
    """Hold one stalled connection, reopening it when closed."""
    sent = SENT[number % len(SENT)]
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(STRANGER, 0), limit=1024, ssl=unverified() if sent else None
            )
            if sent:
                writer.write(sent.encode())
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), 20)
            writer.close()
        await asyncio.sleep(1)


@contextmanager
def half_open(port: int) -> Iterator[None]:
    """Hold a thousand connections from one address while the block runs."""
    allow_open_files()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    held = [asyncio.run_coroutine_threadsafe(hold(port, number), loop) for number in range(HALF_OPEN)]
    time.sleep(5)
    yield
    for each in held:
        each.cancel()
    time.sleep(0.5)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def read(port: int) -> list[float]:
    """Let fifty readers, each with its own address, request pages; return the seconds until each first byte."""

    def reader(number: int) -> list[float]:
        times = list[float]()
        for path in PAGES * ROUNDS:
            status, _, took = asked(port, path, source=f"127.0.1.{number + 1}")
            assert status == 200, f"{path}: {status}"
            times.append(took)
            time.sleep(0.5)
        return times

    with ThreadPoolExecutor(READERS) as pool:
        return [took for times in pool.map(reader, range(READERS)) for took in times]


def connections_to(port: int) -> int:
    """Return the number of connections to a port."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def test_half_open_connections_stay_at_the_proxy(site: Site) -> None:
    alone = read(site.port)
    with half_open(site.port):
        beside, at_server = read(site.port), connections_to(site.server_port)
    p95 = {name: round(quantiles(times, n=20)[-1], 3) for name, times in (("alone", alone), ("beside", beside))}
    log.info("p95 of the first byte in seconds: %s; connections at the server: %d", p95, at_server)
    assert at_server < HALF_OPEN / 4


def test_pages_are_served_below_the_path_but_metrics_are_not(site: Site) -> None:
    status, page, _ = asked(site.port, "/replay?match=cup.000001")
    assert (status, f'src="{PREFIX}/assets/'.encode() in page) == (200, True)
    assert re.search(rf"https://localhost(:\d+)?{PREFIX}/api/replay/cup.000001/board.png".encode(), page)
    assert asked(site.port, "/metrics")[0] == 404


def test_a_client_cannot_impersonate_another_user(site: Site) -> None:
    """A client can't pretend to be the server's machine, which has full access, or another user."""
    for claimed in ({"X-Forwarded-For": "127.0.0.1"}, {"X-Remote-User": "root"}, {"Forwarded": "for=127.0.0.1"}):
        sent = {**claimed, "Content-Type": "application/json"}
        assert asked(site.port, "/api/bookmarks", "POST", b'{"match": "cup.000001"}', **sent)[0] == 401, claimed


def test_a_log_sent_through_the_proxy_arrives(site: Site) -> None:
    name = f"sent-{site.port}"
    _, body = play(CARAVAN, shipped_board("caravan"), {}, Pairing(name, ("trader", "greedy", "pilgrim"), name))
    create: list[str | Path] = [HIMALAYA, "token", "create", name, "--role", "sender", "--db", site.database]
    secret = subprocess.run(create, check=True, capture_output=True, text=True).stdout.split()[-1]
    status, said, _ = asked(site.port, "/api/logs", "POST", body, Authorization=f"Bearer {secret}")
    assert status in {200, 202}, said
    end = time.monotonic() + 60
    while asked(site.port, f"/api/replay/{name}")[0] != 200:
        assert time.monotonic() < end
        time.sleep(0.5)
