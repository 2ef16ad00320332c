"""The OpenAPI document: generated from the routes, so it cannot differ from them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fastapi.routing import APIRoute
from openapi_spec_validator import OpenAPIV31SpecValidator

from dashboards.queries.matches import MATCH_COLUMNS, MATCH_KEYS
from ingest.opening import open_warehouse
from tests.copies import copied
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.described import conforms, whole_document

MATCH = "three.000002"
SAMPLES = {
    "sendLogs": ("/api/logs", {"data": b"{}\n"}),
    "askReceipt": ("/api/logs/" + "0" * 64, {}),
    "listMatches": ("/api/matches?stop=5", {}),
    "downloadLog": (f"/api/matches/{MATCH}", {}),
    "describe": ("/api/openapi.json", {}),
    "replay": (f"/api/replay/{MATCH}", {}),
    "replayLog": ("/api/replay", {"data": b"{}\n"}),
    "positionData": (f"/api/replay/{MATCH}/position.json?ply=3&view=2", {}),
    "positionText": (f"/api/replay/{MATCH}/position.txt?ply=3", {}),
    "positionPng": (f"/api/replay/{MATCH}/board.png?ply=4", {}),
    "positionPicture": (f"/api/replay/{MATCH}/board.svg?part=board&theme=dark", {}),
    "chances": (f"/api/replay/{MATCH}/chances", {}),
    "review": (f"/api/replay/{MATCH}/review?view=1", {}),
    "opens": (f"/api/replay/{MATCH}/opens?view=1", {}),
    "origin": (f"/api/replay/{MATCH}/origin?list=tournament%3Dthree", {}),
    "sameLuck": (f"/api/replay/{MATCH}/same-luck", {}),
    "offlineReplay": (f"/api/replay/{MATCH}/offline.html", {}),
    "lookAtPlayouts": (f"/api/replay/{MATCH}/playouts", {}),
    "askForPlayouts": ("/api/replay/nobody/playouts", {}),
    "lookAtConfirmation": ("/api/replay/nobody/confirmations/9", {}),
    "askForConfirmation": ("/api/replay/nobody/confirmations/9", {}),
    "findBookmarks": ("/api/bookmarks?limit=3", {}),
    "addBookmark": ("/api/bookmarks", {"json": {"match": MATCH, "label": "look"}}),
    "changeBookmark": ("/api/bookmarks/nothing", {"json": {"label": "look"}}),
    "removeBookmark": ("/api/bookmarks/nothing", {}),
    "playBranch": ("/api/branches", {"json": {"match": MATCH, "seq": 0}}),
    "checkBranchAction": (
        "/api/branches/check",
        {"json": {"match": MATCH, "seq": 0, "action": {"type": "pass_token", "seat": 0}}},
    ),
    "findBranches": (f"/api/branches?match={MATCH}", {}),
    "showBranch": ("/api/branches/nothing", {}),
    "removeBranch": ("/api/branches/nothing", {}),
    "playOutBranch": ("/api/branches/nothing/playouts", {"json": {}}),
    "branchLog": ("/api/branches/nothing/log.jsonl", {}),
    "offlineBranch": ("/api/branches/nothing/offline.html?view=1", {}),
    "listRecords": ("/api/records", {}),
    "beginRecord": ("/api/records", {"json": {"game": "summit", "seats": [{"name": "Anna"}, {"name": "Ben"}]}}),
    "showRecord": ("/api/records/nothing", {}),
    "enterAction": ("/api/records/nothing/actions", {"json": {"expects": 0, "text": "first 1"}}),
    "undoEntries": ("/api/records/nothing/undo", {"json": {"expects": 0, "to": 0}}),
    "takeSeat": ("/api/records/nothing/seats", {"json": {"seat": 0}}),
    "checkRecordAction": ("/api/records/nothing/check", {"json": {"text": "first 1"}}),
    "handIn": ("/api/records/nothing/hand-in", {"json": {"expects": 0}}),
    "removeRecord": ("/api/records/nothing", {}),
    "recordLog": ("/api/records/nothing/log.jsonl", {}),
    "recordNotation": ("/api/records/nothing/notation.txt", {}),
    "listStudies": ("/api/studies", {}),
    "exportStudy": ("/api/studies/nothing", {}),
    "readStudy": ("/api/studies/nothing/reading", {}),
    "offlineStudy": ("/api/studies/nothing/offline.html", {}),
    "addStudy": ("/api/studies", {"json": {"title": "Storms", "chapters": []}}),
    "changeStudy": ("/api/studies/nothing", {"json": {"title": "Storms", "chapters": []}}),
    "removeStudy": ("/api/studies/nothing", {}),
    "askForReport": ("/api/reports", {"json": {"format": "scroll"}}),
    "lookAtReport": ("/api/reports/nothing", {}),
    "cancelReport": ("/api/reports/nothing", {}),
    "downloadReport": ("/api/reports/nothing/file", {}),
    "listTables": ("/api/tables", {}),
    "getTable": ("/api/tables/dim_seats.csv?columns=player,seat&tournament=four", {}),
    "listFigures": ("/api/figures?game=caravan", {}),
    "getFigure": ("/api/figures/win-share?tournament=four", {}),
    "getFigureAsCsv": ("/api/figures/win-share.csv", {}),
}
"""For each operation, a request with a successful response."""


@pytest.fixture(scope="module")
def client(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with open_warehouse(copied(database, tmp_path_factory.mktemp("described") / "w.duckdb")) as warehouse:
        yield everything(warehouse, has_pages=False)


def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return path, method and description of each operation, by its id."""
    paths = whole_document()["paths"].items()
    return {said["operationId"]: (path, method, said) for path, each in paths for method, said in each.items()}


def test_the_document_is_openapi(client: Client) -> None:
    answer = client.get("/api/openapi.json")
    assert answer.json == json.loads(json.dumps(whole_document()))
    OpenAPIV31SpecValidator(answer.json).validate()


def test_every_route_of_the_api_is_described_and_no_other(client: Client) -> None:
    routes = {
        (route.path_format, method.lower(), frozenset(each.name for each in route.dependant.path_params))
        for route in client.web.routes
        if isinstance(route, APIRoute)
        and route.path.startswith("/api/")
        and route.include_in_schema
        and route.path.startswith("/api/")
        for method in route.methods or ()
    }
    described = {
        (path, method, frozenset(each["name"] for each in said.get("parameters", ()) if each["in"] == "path"))
        for path, method, said in operations().values()
    }
    assert routes == described


def test_each_operation_has_an_example() -> None:
    assert set(SAMPLES) == set(operations())


@pytest.mark.parametrize("operation", SAMPLES)
def test_an_answer_is_as_described(client: Client, operation: str) -> None:
    _, method, said = operations()[operation]
    address, request = SAMPLES[operation]
    answer = client.open(address, method=method.upper(), **request)
    check(answer, said["responses"])


def check(answer: Answer, responses: dict[str, Any]) -> None:
    contents = responses[str(answer.status_code)]["content"]
    schema = contents[answer.mimetype]["schema"] | {"components": whole_document()["components"]}
    found = answer.json if answer.mimetype == "application/json" else answer.data.decode("latin-1")
    jsonschema_rs.validator_for(schema, validate_formats=True).validate(found)


def test_the_parameters_of_the_match_list_are_described_by_their_parser(client: Client) -> None:
    assert conforms(client.get("/api/matches?stop=100").json, "MatchPage")
    known = [each["name"] for each in operations()["listMatches"][2]["parameters"]]
    assert sorted(known) == sorted([*MATCH_KEYS, "start", "stop"])
    row = whole_document()["components"]["schemas"]["MatchRow"]
    assert tuple(row["properties"]) == tuple(row["required"]) == MATCH_COLUMNS


def test_an_answer_that_is_not_as_described_would_be_seen(client: Client) -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        conforms({"message": 3}, "Refusal")
    with pytest.raises(jsonschema_rs.ValidationError):
        check(client.get("/api/tables"), operations()["listFigures"][2]["responses"])
