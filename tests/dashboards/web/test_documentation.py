"""The documentation at `/docs`: served as built, below a prefix, under its content policy, or missing with a reason."""

import base64
import hashlib
from pathlib import Path

import pytest

from dashboards.web.application import Settings, create_web
from dashboards.web.policy import Policy
from dashboards.web.routing import Services
from himalaya_core.games import GAMES
from ingest.inbox.receive import Intake
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything

LOCAL = Policy()
SCRIPT = "document.body.dataset.theme = 'dark'"
HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
PAGE = f'<!DOCTYPE html><title>{{}}</title><script src="_static/a.js"></script><script>{SCRIPT}</script>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("index.html", "reference/index.html", "reference/figures.html"):
        path = tmp_path / "site" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(PAGE.format(name))
    return tmp_path / "site"


def client(warehouse: Warehouse, folder: Path, prefix: str = "", policy: Policy = LOCAL) -> Client:
    services = Services.of(warehouse, Intake(warehouse))
    return Client(create_web(services, settings=Settings(policy, prefix=prefix, documentation=folder)), services)


def test_pages_are_served_and_folders_by_their_index(warehouse: Warehouse, site: Path) -> None:
    found = client(warehouse, site)
    assert found.get("/docs/").text == PAGE.format("index.html")
    assert found.get("/docs/reference/figures.html").text == PAGE.format("reference/figures.html")
    assert found.get("/docs").location == "/docs/"
    assert found.get("/docs/reference").location == "http://localhost/docs/reference/"
    assert [found.get(f"/docs/{path}").status_code for path in ("lost.html", "../pyproject.toml", "%00")] == [404] * 3
    assert found.post("/docs/").status_code == 405


@pytest.mark.parametrize("stripped", [True, False])
def test_it_is_served_below_a_prefix(warehouse: Warehouse, site: Path, stripped: bool) -> None:
    found, start = client(warehouse, site, "/himalaya"), "" if stripped else "/himalaya"
    assert found.get(f"{start}/docs/reference/figures.html").text == PAGE.format("reference/figures.html")
    assert found.get(f"{start}/docs").location == "/himalaya/docs/"
    assert found.get(f"{start}/docs/reference").location == "http://localhost/himalaya/docs/reference/"


def test_inline_scripts_are_allowed_by_their_hash_alone(warehouse: Warehouse, site: Path) -> None:
    found = client(warehouse, site)
    answer = found.get("/docs/reference/")
    (scripts,) = [
        part for part in answer.headers["Content-Security-Policy"].split("; ") if part.startswith("script-src")
    ]
    assert scripts == f"script-src 'self' 'sha256-{HASH}'"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    again = found.get("/docs/reference/", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Content-Security-Policy"] == answer.headers["Content-Security-Policy"]
    assert HASH not in found.get("/sign-in").headers["Content-Security-Policy"]


def test_a_new_build_is_served_without_a_restart(warehouse: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    found = client(warehouse, folder)
    missing = found.get("/docs/start/")
    assert missing.status_code == 404
    assert "make docs" in missing.text
    folder.mkdir()
    (folder / "index.html").write_text(PAGE.format("new"))
    assert HASH in found.get("/docs/").headers["Content-Security-Policy"]


def test_it_needs_no_token(warehouse: Warehouse, site: Path) -> None:
    found = client(warehouse, site, policy=Policy(is_public=True))
    assert found.get("/docs/").status_code == 200
    assert found.get("/api/matches").status_code == 401


def test_every_page_links_to_it(warehouse: Warehouse) -> None:
    found = everything(warehouse, prefix="/himalaya")
    assert 'href="/himalaya/docs/"' in found.get("/sign-in").text
    layout = found.get("/_dash-layout").text.replace("\\u002f", "/")
    for path in ("", "start/read-a-replay.html#move-through-it", *(f"about/{game}.html" for game in GAMES)):
        assert f'"/himalaya/docs/{path}"' in layout
