"""A request's queries end after a time limit or when the client disconnects; its writes continue."""

import threading

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from dashboards.queries.reader import INTERRUPTED, DatabaseError, Reader
from dashboards.web import limiter
from dashboards.web.access import GONE
from dashboards.web.limiter import Deadlines
from dashboards.web.middleware import ReadersFirst
from ingest.warehouse import Warehouse

ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter, "LOOK", 0.01)


def asked(warehouse: Warehouse, *, is_gone: bool) -> list[str]:
    """Run an endless query for a client who may have disconnected, and return the outcome."""
    ended = list[str]()

    def ask(_: Request) -> Response:
        with pytest.raises(DatabaseError) as error:
            Reader(warehouse).rows(ENDLESS, {})
        ended.append(str(error.value))
        return Response()

    app = ReadersFirst(Starlette(routes=[Route("/matches", ask)]), warehouse, (), "/api/tables")

    async def from_client(scope: Scope, receive: Receive, send: Send) -> None:
        scope[GONE] = gone = threading.Event()
        if is_gone:
            gone.set()
        await app(scope, receive, send)

    assert TestClient(from_client).get("/matches").status_code == 200
    return ended


def test_a_slow_query_is_ended_and_says_what_to_do(empty: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter, "LONGEST", 0.1)
    assert asked(empty, is_gone=False) == [INTERRUPTED]


def test_a_query_without_a_waiting_client_is_ended(empty: Warehouse) -> None:
    assert asked(empty, is_gone=True) == [INTERRUPTED]


def test_writes_of_a_request_are_not_interrupted(empty: Warehouse) -> None:
    gone, looked = threading.Event(), threading.Event()
    interrupt = empty.interrupt

    def told(asker: object) -> None:
        interrupt(asker)
        looked.set()

    empty.interrupt = told  # type: ignore[method-assign]
    held = Deadlines(empty)
    gone.set()

    with held.held(gone), empty.writing() as connection:
        assert looked.wait(60)
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
