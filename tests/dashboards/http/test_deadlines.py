"""What a request asks the warehouse ends after a while, and once its client has left; what it writes does not."""

import threading

import pytest
from flask import Flask

from dashboards.http import deadlines
from dashboards.http.access import GONE
from dashboards.http.deadlines import Deadlines
from dashboards.server import let_readers_go_first
from dashboards.warehouse.reader import INTERRUPTED, DatabaseError, Reader
from ingest.warehouse import Warehouse

ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "LOOK", 0.01)


def asking(warehouse: Warehouse, path: str) -> tuple[Flask, list[Exception]]:
    """Return a server that asks an endless question at a path, and what became of it."""
    server, ended = Flask(__name__), list[Exception]()

    @server.get(path)
    def ask() -> str:
        try:
            Reader(warehouse).rows(ENDLESS, {})
        except DatabaseError as error:
            ended.append(error)
        return ""

    let_readers_go_first(server, warehouse)
    return server, ended


def test_a_question_that_takes_too_long_is_ended_and_says_what_to_do(
    empty: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "LONGEST", 0.1)
    server, ended = asking(empty, "/matches")
    server.test_client().get("/matches")
    assert [str(error) for error in ended] == [INTERRUPTED]


def test_a_question_that_nobody_waits_for_is_ended(empty: Warehouse) -> None:
    server, ended = asking(empty, "/matches")
    gone = threading.Event()
    gone.set()
    server.test_client().get("/matches", environ_overrides={GONE: gone})
    assert len(ended) == 1


def test_what_a_request_writes_is_not_ended(empty: Warehouse) -> None:
    gone, looked = threading.Event(), threading.Event()
    interrupt = empty.interrupt

    def told(thread: int) -> None:
        interrupt(thread)
        looked.set()

    empty.interrupt = told  # type: ignore[method-assign]
    held = Deadlines(empty)
    gone.set()

    with held.held(gone), empty.writing() as connection:
        assert looked.wait(60)
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
