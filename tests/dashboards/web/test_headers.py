"""Headers that every response has, and headers that no response has."""

from typing import Any

import pytest

from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything

ASKED = (
    ("GET", "/"),
    ("GET", "/matches"),
    ("GET", "/nowhere"),
    ("GET", "/api/matches?start=0&stop=9"),
    ("GET", "/api/openapi.json"),
    ("GET", "/api/nowhere"),
    ("GET", "/csv/matches.csv"),
    ("GET", "/csv/nowhere.csv"),
    ("GET", "/sign-in"),
    ("POST", "/sign-in"),
    ("POST", "/api/logs"),
    ("POST", "/_dash-update-component"),
    ("DELETE", "/"),
)


@pytest.fixture(scope="module")
def client(warehouse: Warehouse) -> Client:
    return everything(warehouse)


@pytest.fixture(params=ASKED, ids=" ".join)
def headers(request: pytest.FixtureRequest, client: Client) -> Any:
    method, path = request.param
    return client.open(path, method=method, headers={"Origin": "https://elsewhere.example"}).headers


def test_every_answer_says_how_it_may_be_used(headers: Any) -> None:
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_every_answer_has_a_type_and_text_its_alphabet(headers: Any) -> None:
    kind = headers["Content-Type"]
    assert kind
    assert kind.endswith("charset=utf-8") or not kind.startswith("text/")


def test_no_answer_lets_another_site_read_it(headers: Any) -> None:
    assert [name for name in headers if name.lower().startswith("access-control-")] == []
