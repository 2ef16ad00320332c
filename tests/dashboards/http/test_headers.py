"""The headers that every answer has, whatever it is, and those that none has."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from dashboards.app import create_app
from dashboards.http.access import Policy
from dashboards.http.logs import register_intake
from ingest.receive.receive import Intake
from ingest.warehouse import Warehouse

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
def server(warehouse: Warehouse) -> Flask:
    app = create_app(warehouse)
    register_intake(app.server, warehouse, Intake(warehouse), Policy())
    return app.server


@pytest.fixture(params=ASKED, ids=" ".join)
def headers(request: pytest.FixtureRequest, server: Flask) -> dict[str, str]:
    method, path = request.param
    client: FlaskClient = server.test_client()
    with client.open(path, method=method, headers={"Origin": "https://elsewhere.example"}) as answer:
        return dict(answer.headers)


def test_every_answer_says_how_it_may_be_used(headers: dict[str, str]) -> None:
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_every_answer_has_a_type_and_text_its_alphabet(headers: dict[str, str]) -> None:
    kind = headers["Content-Type"]
    assert kind
    assert kind.endswith("charset=utf-8") or not kind.startswith("text/")


def test_no_answer_lets_another_site_read_it(headers: dict[str, str]) -> None:
    assert [name for name in headers if name.lower().startswith("access-control-")] == []
