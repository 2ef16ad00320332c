"""A server behind a reverse proxy with a path prefix: `https://logs.example/himalaya/`."""

import re
from collections.abc import Iterator
from json import dumps
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dashboards.web.policy import Policy
from himalaya_core.cli.main import main
from ingest.opening import open_warehouse
from ingest.people.tokens import Scope, create_token
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything
from tests.dashboards.web.test_callbacks import CALLBACKS, routed
from tests.dashboards.web.test_drafts_in_play import against

PREFIX = "/himalaya"


@pytest.fixture(scope="module")
def below(warehouse: Warehouse) -> Client:
    return everything(warehouse, prefix=PREFIX)


def addresses(text: str) -> set[str]:
    """Return all addresses on this server in a text: links, scripts, pictures, and preloads."""
    return set(re.findall(r'(?:href|src|action)"?[=:] ?"(/[^"]*)"', text))


@pytest.mark.parametrize("stripped", [True, False])
def test_a_proxy_may_strip_the_prefix_or_leave_it(below: Client, stripped: bool) -> None:
    for path in ("/", "/matches", "/api/matches?start=0&stop=1", "/healthz", "/assets/pages.css", "/sign-in"):
        assert below.get(path if stripped else PREFIX + path).status_code == 200, path


@pytest.mark.parametrize("path", ["/", "/matches", "/analysis", "/record", "/replay?match=other", "/sign-in"])
def test_a_page_names_only_addresses_below_it(below: Client, path: str) -> None:
    answer = below.get(path)
    found = addresses(answer.text)
    assert found
    assert {each for each in found if not each.startswith(f"{PREFIX}/")} == set()
    hinted = re.findall("<(/[^>]*)>", answer.headers.get("Link", ""))
    assert all(each.startswith(f"{PREFIX}/") for each in hinted)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/matches",
        "/replay",
        "/record",
        "/tournaments",
        "/tournament",
        "/analysis/compare",
        "/analysis",
        "/analysis/where",
        "/intake",
        "/glossary",
        "/nowhere",
    ],
)
def test_links_of_every_page_are_below_it(below: Client, path: str) -> None:
    search = "?tournament=four" if path == "/tournament" else ""
    shown = below.post(CALLBACKS, json=routed(PREFIX + path, search))
    assert {each for each in addresses(dumps(shown.json)) if not each.startswith(f"{PREFIX}/")} == set()
    assert shown.status_code == 200


def test_links_around_every_page_are_below_it(below: Client) -> None:
    assert {f"{PREFIX}/", f"{PREFIX}/matches"} <= addresses(dumps(below.get("/_dash-layout").json))
    assert all(each.startswith(f"{PREFIX}/") for each in addresses(dumps(below.get("/_dash-layout").json)))


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/?tournament=four", "/matches?tournament=four"),
        ("/traffic?player=trader&from=3", "/analysis/where?player=trader&from=3"),
        ("/in-game/analysis?game=summit", "/analysis?game=summit"),
        ("/favicon.ico", "/assets/favicon.svg"),
    ],
)
def test_redirects_stay_below_it(below: Client, path: str, leads_to: str) -> None:
    assert below.get(path).location == PREFIX + leads_to


def test_the_prefix_alone_leads_to_the_home_page(below: Client) -> None:
    assert urlsplit(below.get(PREFIX).location).path == f"{PREFIX}/"


def test_a_browser_keeps_its_seat_at_a_recorded_table(below: Client) -> None:
    made = below.post("/api/records", json=against("summit"))
    assert f"; Path={made.location};" in made.headers["Set-Cookie"]


def test_an_unknown_address_of_the_api_names_the_list_of_addresses(below: Client) -> None:
    assert f"{PREFIX}/api/openapi.json" in below.get("/api/nothing").json["message"]


def test_the_api_says_where_it_is(below: Client) -> None:
    assert below.get("/api/openapi.json").json["servers"] == [{"url": PREFIX}]
    made = below.post("/api/reports", json={"format": "html", "filter": "tournament=three"})
    assert made.location.startswith(f"{PREFIX}/api/reports/")
    assert made.json["links"]["self"] == made.location
    assert below.delete(made.location).status_code < 400


def test_without_a_prefix_none_is_mentioned(warehouse: Warehouse) -> None:
    plain = everything(warehouse, has_pages=False)
    assert "servers" not in plain.get("/api/openapi.json").json
    assert plain.get(f"{PREFIX}/api/matches").status_code == 404


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Client]:
    with open_warehouse(tmp_path / "closed.duckdb") as warehouse:
        yield everything(warehouse, policy=Policy(require_token=True), prefix=PREFIX)


def test_signing_in_leads_back_below_it(closed: Client) -> None:
    text = create_token(closed.services.warehouse.app, "ada", {Scope.READ})
    sent = closed.get("/matches?tournament=four", headers={"Accept": "text/html"})
    assert sent.location == f"{PREFIX}/sign-in?next=%2Fmatches%3Ftournament%3Dfour"
    assert f"or sign in at {PREFIX}/sign-in;" in closed.get("/api/matches").text
    signed_in = closed.post("/sign-in", data={"token": text, "next": "/matches?tournament=four"})
    assert f"; Path={PREFIX}/;" in signed_in.headers["Set-Cookie"]
    assert signed_in.location == f"{PREFIX}/matches?tournament=four"
    assert closed.post("/sign-out").location == f"{PREFIX}/sign-in"


@pytest.mark.parametrize("given", ["himalaya", "//other.example", "/a b", "/api", "/assets/x", "/../etc"])
def test_an_invalid_path_prefix_is_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", "--path-prefix", given])
    assert stopped.value.code == 2
    assert "argument --path-prefix" in capsys.readouterr().err
