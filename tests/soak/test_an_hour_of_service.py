"""An hour of a server's life: nothing is lost or duplicated, memory stays constant, and no response is a 500.

Fifty readers use pages with their callbacks, and twenty senders post one match after another. A folder with growing
logs is watched, and a backup is made every five minutes. The server is killed ten times in the first half. Set
`LASTS=180` for another length in seconds, with which all numbers scale except the kills. Set `SEED=7` for other
moments.
"""

import contextlib
import json
import logging
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import requests

from himalaya_core.cli.main import main
from himalaya_core.files import read_lines
from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.inbox.receive import inbox_folder
from ingest.pipeline import ingest
from tests.ingest.alike import unlike
from tests.ingest.helping import rows
from tests.ingest.inbox.sending import Killed

HIMALAYA = Path(sys.executable).with_name("himalaya")
SECONDS = float(os.environ.get("LASTS", "3600"))
SEED = int(os.environ.get("SEED", "1"))
READERS, SENDERS, KILLS, BACKUPS = 50, 20, 10, 12
BODIES = int(min(2_000, max(100, SECONDS / 2)))
WATCHED = BODIES // 10
THINKING = 1.0
PLAYERS = ("trader", "pilgrim", "greedy", "random")
OWN = {"dim_reviews", "fct_values", "fct_moments", "fct_causes", "fct_seat_causes", "app_store"}
"""Tables that are filled in the background or record a server's actions."""
PAGES = ("/", "/matches", "/analysis", "/analysis/compare", "/analysis/where", "/tournaments", "/intake", "/glossary")
DATA = ("/api/matches?start=0&stop=100", "/csv/villages.csv", "/csv/endings.csv", "/healthz", "/readyz", "/metrics")
GROWTH = 0.2
"""Allowed relative growth of memory between the second and the last quarter after the last kill."""
SOME = 64 << 20

IN_USE = "in use by process"
"""A server's message if a backup that was started without a server is still running."""

log = logging.getLogger(__name__)


@dataclass
class Life:
    """A server that is killed and restarted, with a record of its responses."""

    killed: Killed
    end: float
    statuses: Counter[int] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)

    def saw(self, what: str, answer: requests.Response) -> None:
        """Record a response; responses cut off by a kill do not count."""
        with self.lock:
            self.statuses[answer.status_code] += 1
            if answer.status_code not in {200, 202, 304, 503, 429}:
                self.bad.append(f"{what}: {answer.status_code} {answer.text[:200]}")

    def ask(self, session: requests.Session, method: str, path: str, **sent: Any) -> requests.Response | None:
        """Send a request, and return the response, if any."""
        try:
            answer = session.request(method, f"{self.killed.address_now()}{path}", timeout=120, **sent)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            return None
        self.saw(f"{method} {path}", answer)
        return answer


def routed(pathname: str) -> dict[str, Any]:
    """Return a page's callback request for its content."""
    values = (("pathname", pathname), ("search", ""))
    return {
        "output": ".._pages_content.children..._pages_store.data..",
        "outputs": [{"id": "_pages_content", "property": "children"}, {"id": "_pages_store", "property": "data"}],
        "inputs": [{"id": "_pages_location", "property": name, "value": value} for name, value in values],
        "changedPropIds": ["_pages_location.pathname"],
    }


def read(life: Life, number: int) -> None:
    """Repeatedly open a page, run its callback, request data, and pause."""
    chance, session = random.Random(number), requests.Session()
    while not life.over.wait(chance.uniform(0, 2 * THINKING)):
        page = chance.choice(PAGES)
        life.ask(session, "GET", page)
        life.ask(session, "POST", "/_dash-update-component", json=routed(page))
        life.ask(session, "GET", chance.choice(DATA))


def send(life: Life, bodies: list[bytes]) -> None:
    """Post bodies over the whole time, each until it is accepted, and every fourth one twice."""
    session, every = requests.Session(), (life.end - time.monotonic()) / (len(bodies) + 1)
    begun = time.monotonic()
    for number, body in enumerate(bodies):
        life.over.wait(max(begun + number * every - time.monotonic(), 0))
        for _ in range(1 + (number % 4 == 0)):
            post(life, session, body)


def post(life: Life, session: requests.Session, body: bytes) -> None:
    while not life.over.is_set():
        answer = life.ask(session, "POST", "/api/logs", data=body)
        if answer is not None and answer.status_code in {200, 202}:
            assert answer.json()["receipt"] == sha256(body).hexdigest()
            life.killed.accepted()
            return
        threading.Event().wait(float(answer.headers.get("Retry-After", "1")) if answer is not None else 0.2)


def grow(life: Life, bodies: list[bytes], folder: Path) -> None:
    """Append to logs in a folder, each match in three pieces."""
    every = (life.end - time.monotonic()) / (3 * len(bodies) + 1)
    for number, body in enumerate(bodies):
        lines = body.splitlines(keepends=True)
        third = len(lines) // 3
        for part in (lines[:third], lines[third : 2 * third], lines[2 * third :]):
            with (folder / f"{number // 10}.jsonl").open("ab") as file:
                file.write(b"".join(part))
            life.over.wait(every)


def back_up(life: Life, database: Path, folder: Path) -> int:
    """Make twelve backups, repeating those that were killed with the server; return the number made."""
    every, made = (life.end - time.monotonic()) / BACKUPS, 0
    while not life.over.wait(every):
        command = [HIMALAYA, "backup", folder / f"{made}.duckdb", "--db", database]
        while not life.over.is_set():
            life.killed.address_now()  # waits while the server is down; otherwise the backup would lock the file
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                made += 1
                break
            assert "Traceback" not in done.stderr, done.stderr
            threading.Event().wait(1)
    return made


def memory_of(process: Any) -> int:
    """Return the private memory of a process in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    assert found
    return int(found[1]) << 10


def matches_of(text: bytes) -> list[bytes]:
    """Return the lines of each match of a log."""
    return re.findall(rb'(?s).*?"type":"match_ended"[^\n]*\n', text)


def played(folder: Path, name: str, matches: int) -> list[bytes]:
    run_tournament(Plan(name=name, game="caravan", players=PLAYERS, matches=matches), folder / name, jobs=2)
    logs = sorted((folder / name).glob("*.jsonl.zst"))
    return [body for path in logs for body in matches_of(b"".join(read_lines(path)))]


@contextmanager
def living(database: Path, watched: Path, errors: Path) -> Iterator[Callable[[], tuple[Any, str]]]:
    """Yield a function that starts a server and returns its process and address."""
    with contextlib.ExitStack() as servers:
        told = servers.enter_context(errors.open("ab"))

        def start() -> tuple[Any, str]:
            """Restart a server repeatedly like systemd, since a backup started without a server may lock the file."""
            while (started := once()) is None:
                threading.Event().wait(1)
            return started

        def once() -> tuple[Any, str] | None:
            command = [HIMALAYA, "serve", "--db", database, "--port", "0", "--watch", watched, "--log", "json"]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True)
            server = servers.enter_context(process)
            servers.callback(process.kill)  # harmless if the process has ended
            assert server.stdout is not None
            address = re.search(r"http://[\d.:]+", server.stdout.readline())
            if address is None:
                assert server.wait() != 0
                return None
            threading.Thread(target=server.stdout.read, daemon=True).start()  # else the server may block on output
            return server, address[0]

        yield start


@pytest.mark.soak("serves for an hour")
def test_the_server_runs_well_for_an_hour(tmp_path: Path) -> None:
    database, watched, errors = tmp_path / "w.duckdb", tmp_path / "watched", tmp_path / "errors.jsonl"
    backups = tmp_path / "backups"
    for folder in (watched, backups):
        folder.mkdir()
    sent, grown = played(tmp_path, "sent", BODIES), played(tmp_path, "grown", WATCHED)
    played(tmp_path, "first", 1)
    ingest([tmp_path / "first"], database)  # so that pages have something to show
    with living(database, watched, errors) as start:
        half = len(sent) // 2
        kills = sorted(random.Random(SEED).sample(range(1, half), KILLS))
        life = Life(Killed(start, after=kills), time.monotonic() + SECONDS)
        memory = lived(life, sent, grown, (database, watched, backups))
        life.killed.server.terminate()
        assert life.killed.server.wait(timeout=30) == 0
    assert life.killed.kills == KILLS
    assert life.bad == []
    assert wrong_in(errors) == []
    assert list(inbox_folder(database).iterdir()) == []
    quarter = len(memory) // 4
    assert quarter, "the last kill came too late to say anything of memory"
    before, after = median(memory[quarter : 2 * quarter]), median(memory[-quarter:])
    assert after <= max(before * (1 + GROWTH), before + SOME), [size >> 20 for size in memory]
    bodies = tmp_path / "bodies.jsonl"  # a sent log has no manifest
    bodies.write_bytes(b"".join(sent))
    ingest([tmp_path / "first", bodies, watched], tmp_path / "bulk.duckdb")
    different = unlike(database, tmp_path / "bulk.duckdb")
    assert {table: count for table, count in different.items() if table not in OWN} == {}
    assert rows(database, "SELECT count(*), count(DISTINCT match) FROM raw_matches") == [(BODIES + WATCHED + 1,) * 2]
    for backup in sorted(backups.glob("*.duckdb")):
        assert main(["check", "--db", str(backup)]) == 0


def lived(life: Life, sent: list[bytes], grown: list[bytes], places: tuple[Path, Path, Path]) -> list[int]:
    """Run everything until all logs are loaded; return the memory in the second half."""
    database, watched, backups = places
    with ThreadPoolExecutor(READERS + SENDERS + 2) as pool:
        readers = [pool.submit(read, life, number) for number in range(READERS)]
        senders = [pool.submit(send, life, sent[number::SENDERS]) for number in range(SENDERS)]
        growing, backing = pool.submit(grow, life, grown, watched), pool.submit(back_up, life, database, backups)
        try:
            memory = memory_until(life, [*senders, growing])
        finally:
            life.over.set()
        wait_until_all_is_in(life, sent, grown)  # a separate client, as requests of one client wait for each other
        for each in (*readers, *senders, growing):
            each.result()
        log.info("%d backups, answers by status: %s", backing.result(), dict(life.statuses))
        log.info("memory in MB: %s", [size >> 20 for size in memory])
    return memory


def memory_until(life: Life, work: list[Future[None]]) -> list[int]:
    """Return samples of the memory since the last start."""
    memory, last = list[int](), life.killed.kills
    while not all(each.done() for each in work):
        for each in work:
            if each.done():
                each.result()
        if life.killed.kills != last:
            last, memory = life.killed.kills, []
        if last == KILLS:
            with contextlib.suppress(OSError):  # the process was just killed
                memory.append(memory_of(life.killed.server))
        threading.Event().wait(SECONDS / 100)
    return memory


def wait_until_all_is_in(life: Life, sent: list[bytes], grown: list[bytes]) -> None:
    session = requests.Session()
    for body in sent:
        found = None
        while found is None or found["status"] != "taken":
            found = session.get(f"{life.killed.address}/api/logs/{sha256(body).hexdigest()}", timeout=60).json()
            assert "message" not in found, "what was accepted is gone"
    wanted = len(sent) + len(grown) + 1
    until = time.monotonic() + 300
    while session.get(f"{life.killed.address}/api/matches?start=0&stop=1", timeout=60).json()["total"] < wanted:
        assert time.monotonic() < until, "what was watched did not come in"
        threading.Event().wait(0.5)


def wrong_in(errors: Path) -> list[str]:
    """Return the errors and invalid JSON lines in the server's log; a kill may truncate one line."""
    wrong = list[str]()
    for line in errors.read_text("utf-8").splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            wrong += [] if IN_USE in line else [line]
        else:
            if said["level"] == "error" or said.get("status", 0) == 500:
                wrong.append(line)
    return wrong
