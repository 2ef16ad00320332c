"""No page and no response reveals the folders of logs and database on the server's disk."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dash import Dash, page_registry
from plotly.utils import PlotlyJSONEncoder

from dashboards.app import create_app
from dashboards.queries.export import offered
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.report.render import Format, make
from dashboards.web.matches import INTAKE, MORE
from himalaya_core.files import read_lines
from ingest.app_store import store_file
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything
from tests.dashboards.described import whole_document
from tests.dashboards.report.fewer import fewer_figures

QUERIES = {
    "/api/replay/{match}/opens": "?view=1",
    "/api/replay/{match}/origin": "?list=tournament%3Dfour",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a-folder-of-the-operator")


@pytest.fixture(scope="module")
def kept(folder: Path, logs: Path) -> Iterator[Warehouse]:
    """A warehouse with a loaded match, a followed one, a quarantined one, and a quarantined conflicting log.

    All of them were loaded from absolute paths.
    """
    lines = list(read_lines(logs / "other.jsonl"))
    cut_off = (logs / "cut-off.jsonl").read_bytes()
    named = {
        "other.jsonl": b"".join(lines),
        "beside.jsonl": b"".join([*lines[:7], b"{\n", *lines[7:]]),
        "bad.jsonl": b"".join([*lines[:7], b"{\n", *lines[7:]]).replace(b'"other"', b'"bad"'),
        "live.jsonl": cut_off,
    }
    for name, text in named.items():
        (folder / name).write_bytes(text)
    with open_warehouse(folder / "w.duckdb") as warehouse:
        take_in(warehouse, Request(tuple(folder / name for name in named)), lambda _: None)
        yield warehouse


@pytest.fixture(scope="module")
def app(kept: Warehouse) -> Dash:
    return create_app(kept)


@pytest.fixture
def client(app: Dash, kept: Warehouse) -> Client:
    return everything(kept, pages=app)


def test_the_database_holds_whole_paths(kept: Warehouse, folder: Path) -> None:
    held = ("dim_matches", "quarantine")
    for table in held:
        paths = {path for (path,) in Reader(kept).rows(f"select file from {table}", {})}
        assert paths
        assert all(path.startswith(f"{folder}/") for path in paths)


@pytest.mark.slow("every question")
def test_no_answer_to_a_query_reveals_a_folder(client: Client, kept: Warehouse, folder: Path) -> None:
    for address in addresses(kept):
        answer = client.get(address)
        assert answer.status_code in {200, 400, 404, 422}, address
        assert str(folder).encode() not in answer.data, address


def addresses(warehouse: Warehouse) -> Iterator[str]:
    """Yield all addresses that only read, with names of matches, tables and figures filled in."""
    named = {
        "match": ["other", "cut-off", "bad"],
        "table": [table.name for table in offered(Reader(warehouse)) if table.name.startswith(("dim_", "events"))],
        "figure": ["win-share", "villages"],
        "format": ["csv"],
        "receipt": ["0" * 64],
        "report": ["nothing"],
        "branch": ["nothing"],
        "record": ["nothing"],
        "study": ["nothing"],
        "seq": ["1"],
    }
    for path, methods in whole_document()["paths"].items():
        if "get" not in methods:
            continue
        found = [path]
        for part in re.findall(r"{(\w+)}", path):
            found = [each.replace(f"{{{part}}}", name) for each in found for name in named[part]]
        yield from (f"{each}{QUERIES.get(path, '')}" for each in found)
    yield from (f"/csv/{name}.csv" for name in ("matches", "win-share", *INTAKE, *MORE))


OF_WAREHOUSE = ("/api/matches", "/api/matches/other", "/api/replay/other", "/api/tables", "/csv/win-share.csv")
OF_APP_STORE = ("/api/studies", "/api/records", "/api/bookmarks", "/api/branches?match=other")


def test_file_names_are_shown(client: Client) -> None:
    rows = client.get("/api/matches").json["rows"]
    assert {row["file"] for row in rows} == {"other.jsonl", "live.jsonl"}
    assert "bad.jsonl:8" in client.get("/csv/quarantine.csv").text
    assert "other.jsonl" in client.get("/api/tables/dim_matches.csv?columns=file").text


@pytest.mark.slow("every page")
@pytest.mark.parametrize("match", ["", "other", "cut-off", "bad"])
def test_no_page_reveals_a_folder(app: Dash, folder: Path, match: str) -> None:
    pages = [entry for entry in page_registry.values() if match == "" or entry["path"] == "/replay"]
    for entry in pages:
        with app.server.test_request_context(entry["path"]):
            layout = entry["layout"]
            made = layout(**({"match": match} if match else {})) if callable(layout) else layout
        assert str(folder) not in json.dumps(made, cls=PlotlyJSONEncoder), entry["path"]


def test_no_report_reveals_a_folder(kept: Warehouse, folder: Path) -> None:
    with fewer_figures():
        made = make(kept, Filter(), Format("html"), lambda *_: None).decode()
    assert "other" in made
    assert str(folder) not in made


def test_an_unreadable_database_is_reported_without_its_folder(empty: Warehouse) -> None:
    client = everything(empty)
    empty.close()
    for address in (*OF_WAREHOUSE, *OF_APP_STORE):
        answer = client.get(address)
        assert answer.status_code == 503, address
        assert str(empty.database.parent) not in answer.text, address


@pytest.mark.parametrize("address", OF_APP_STORE)
def test_an_unreadable_app_store_is_reported_without_its_folder(empty: Warehouse, address: str) -> None:
    client, store = everything(empty), store_file(empty.database)
    store.write_bytes(b"no database" * 999)
    answer = client.get(address)
    assert (answer.status_code, str(store.parent) in answer.text) == (503, False)
    assert f"{store.name}: damaged" in answer.text
