"""Malformed requests to callbacks and under /api: each gets a JSON response without a traceback."""

import json
import logging
from typing import Any

import pytest

from tests.dashboards.client import Client

CALLBACKS = "/_dash-update-component"
PLACES = "_pages_location"
ROUTER = ".._pages_content.children..._pages_store.data.."
TABLE = '{"figure":["MATCH"],"kind":["MATCH"],"part":"table"}.children'


def routed(pathname: Any = "/matches", search: Any = "", **changes: Any) -> dict[str, Any]:
    """Return a page's callback request for its content, with changes."""
    values = [("pathname", pathname), ("search", search)]
    sent = {
        "output": ROUTER,
        "outputs": [{"id": "_pages_content", "property": "children"}, {"id": "_pages_store", "property": "data"}],
        "inputs": [{"id": PLACES, "property": name, "value": value} for name, value in values],
        "changedPropIds": [f"{PLACES}.pathname"],
    }
    return {name: value for name, value in {**sent, **changes}.items() if value is not ...}


def table(wanted: Any) -> dict[str, Any]:
    """Return a page's callback request for the data of a figure."""
    card, place = ({"figure": "win-share", "kind": "catalog", "part": part} for part in ("card", "table"))
    inputs = [{"id": card, "property": "dataWanted", "value": wanted}]
    return {"output": TABLE, "outputs": {"id": place, "property": "children"}, "inputs": inputs}


def shown_on_map(search: str) -> dict[str, Any]:
    names = (("title", "children"), ("", "children"), ("csv", "href"))
    parts = [(f"traffic-places-{name}".rstrip("-"), prop) for name, prop in names]
    return {
        "output": f"..{'...'.join('.'.join(part) for part in parts)}..",
        "outputs": [{"id": name, "property": prop} for name, prop in parts],
        "inputs": [{"id": "filter-search", "property": "data", "value": search}],
    }


BAD = {
    "nothing said": {},
    "a list": [],
    "null": None,
    "a number": 1,
    "a text": "x",
    "unknown output": routed(output="nowhere.children"),
    "output of a wrong type": routed(output=[]),
    "no outputs": routed(outputs=...),
    "outputs of a wrong type": routed(outputs=[1, 2]),
    "outputs without names": routed(outputs=[{}, {}]),
    "too few outputs": routed(outputs=[]),
    "no inputs": routed(inputs=...),
    "inputs of a wrong type": routed(inputs={}),
    "inputs of wrong types": routed(inputs=[1, None]),
    "inputs of another": routed(inputs=[{"id": "x", "property": "pathname"}] * 2),
    "inputs without names": routed(inputs=[{}, {}]),
    "state that it has not": routed(state=[{}]),
    "state of a wrong type": routed(state=1),
    "changes of a wrong type": routed(changedPropIds=[1]),
    "path of a wrong type": routed(pathname={}),
    "path of no page": routed(pathname="matches"),
    "search of a wrong type": routed(search=[1]),
    "no figure": table(None),
    "a figure of a wrong type": table({"kind": "catalog", "figure": 1, "search": ""}),
    "an unknown figure": table({"kind": "catalog", "figure": "nothing", "search": ""}),
    "a figure of an unknown kind": table({"kind": "nothing", "figure": "win-share", "search": ""}),
    "a figure without a filter": table({"kind": "catalog", "figure": "win-share"}),
    "a map of an unknown game": shown_on_map("?game=nothing"),
}
NO_JSON = {"nothing": b"", "half": b"{", "no text": b"\xff", "deep": b"[" * 100_000}


@pytest.fixture(autouse=True)
def silence(caplog: pytest.LogCaptureFixture) -> Any:
    """Check that no request here writes to the log."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def refused(client: Client, **sent: Any) -> str:
    answer = client.post(CALLBACKS, **sent)
    assert (answer.status_code, answer.mimetype) == (400, "application/json")
    return str(answer.json["message"])


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_requests_that_no_page_sends_are_refused(client: Client, sent: Any) -> None:
    assert refused(client, data=json.dumps(sent), content_type="application/json")


@pytest.mark.parametrize("sent", NO_JSON.values(), ids=NO_JSON)
def test_invalid_json_is_refused(client: Client, sent: bytes) -> None:
    assert refused(client, data=sent, content_type="application/json").startswith("body: expected a JSON object")


def test_a_form_is_refused(client: Client) -> None:
    assert "expected JSON, found text/plain" in refused(client, data=b"{}", content_type="text/plain")


@pytest.mark.parametrize(
    "sent",
    [routed(), routed(search="?game=caravan"), table({"kind": "catalog", "figure": "win-share", "search": ""})],
    ids=["page", "filter", "figure"],
)
def test_requests_of_pages_are_answered(client: Client, sent: dict[str, Any]) -> None:
    client.get("/")
    assert client.post(CALLBACKS, json=sent).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/nothing/at/all", "/api/matches/none/x"])
def test_an_unknown_address_answers_in_json(client: Client, method: str, path: str) -> None:
    answer = client.open(path, method=method)
    assert answer.status_code in {404, 405}
    assert answer.mimetype == "application/json"
    assert answer.json["message"]
