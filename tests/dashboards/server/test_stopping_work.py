"""Work in a server ends with its requester and with the server; SIGTERM stops the server with code 0."""

import http.client
import json
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import zstandard

from dashboards.web.application import Settings, create_web
from dashboards.web.routing import Services
from ingest.inbox.receive import Intake
from ingest.owner import OPERATIONS_PATH, Owner
from ingest.warehouse import Warehouse
from tests.dashboards.server.web import serving as serving_app
from tests.forked import HIMALAYA, Popen

JSON = {"Content-Type": "application/json"}
ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"


def query(folder: Path) -> dict[str, Any]:
    return {"query": ENDLESS, "timeout": 3600, "format": "csv", "file": str(folder / "endless.csv")}


def events(warehouse: Warehouse, folder: Path) -> Iterator[bytes]:
    """Run an endless query and yield the lines of the response."""
    owner = Owner.here("http://127.0.0.1:1")
    web = create_web(Services.of(warehouse, Intake(warehouse)), settings=Settings(owner=owner))
    headers = {"Authorization": f"Bearer {owner.secret}"}
    with serving_app(web) as port, closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        line.request("POST", f"{OPERATIONS_PATH}export", json.dumps(query(folder)), {**headers, **JSON})
        yield from line.getresponse()


def threads(*names: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name in names]


@pytest.mark.slow("every kind of work")
def test_a_query_ends_when_its_client_leaves(warehouse: Warehouse, tmp_path: Path) -> None:
    lines = events(warehouse, tmp_path)
    assert next(lines) == b"\n"  # the query is running, without a result yet
    working = threads("operation")
    lines.close()  # type: ignore[attr-defined]
    for thread in working:
        thread.join(30)
    assert working
    assert not any(thread.is_alive() for thread in working)
    assert list(tmp_path.iterdir()) == []
    with warehouse.reading() as cursor:
        assert cursor.execute("select 1").fetchall() == [(1,)]


@pytest.mark.slow("every kind of work")
def test_closing_a_warehouse_interrupts_its_queries(empty: Warehouse, tmp_path: Path) -> None:
    lines = events(empty, tmp_path)
    assert next(lines) == b"\n"
    empty.close()
    said = [json.loads(line) for line in lines if line.strip()]
    assert said == [{"error": f"{empty.database}: closed; run the same command again"}]


@contextmanager
def serving(database: Path, *more: str) -> Iterator[tuple[Popen, Owner]]:
    with Popen(
        [*HIMALAYA, "serve", "--db", str(database), "--port", "0", *more], stdout=subprocess.PIPE, text=True
    ) as it:
        assert it.stdout is not None
        it.stdout.readline()
        owner = Owner.of(database)
        assert owner is not None
        try:
            yield it, owner
        finally:
            it.terminate()
            it.wait(timeout=60)


@contextmanager
def asked(owner: Owner, name: str, arguments: dict[str, Any]) -> Iterator[http.client.HTTPResponse]:
    """Request work from a server and yield the response unread."""
    with closing(http.client.HTTPConnection(urlsplit(owner.address).netloc, timeout=60)) as client:
        headers = {"Authorization": f"Bearer {owner.secret}", "Content-Type": "application/json"}
        client.request("POST", f"{OPERATIONS_PATH}{name}", json.dumps(arguments), headers)
        yield client.getresponse()


def garbage(folder: Path) -> dict[str, Any]:
    """Return a log of short invalid lines, which takes a server minutes to process."""
    log = folder / "garbage.jsonl.zst"
    log.write_bytes(zstandard.compress(b"".join(b"%d\n" % number for number in range(5_000_000))))
    return {"paths": [str(log)], "jobs": 0}


@pytest.mark.slow("every kind of work")
@pytest.mark.parametrize(
    ("name", "arguments", "number"),
    [
        pytest.param("export", query, signal.SIGTERM, id="a query"),
        pytest.param("ingest", garbage, signal.SIGINT, id="a large log"),
    ],
)
def test_a_server_exits_with_0_whatever_is_running(
    tmp_path: Path, name: str, arguments: Callable[[Path], dict[str, Any]], number: signal.Signals
) -> None:
    database = tmp_path / "w.duckdb"
    with serving(database) as (server, owner), asked(owner, name, arguments(tmp_path)) as answer:
        assert answer.readline()  # the work has started
        server.send_signal(number)
        assert server.wait(timeout=60) == 0
    assert not database.with_name("w.duckdb.server.json").exists()
