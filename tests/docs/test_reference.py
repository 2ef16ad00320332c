"""The generated reference names everything that it is about, and its queries run."""

import re
from functools import cache

import duckdb
import pytest

import himalaya_core as hm
from dashboards.catalog.compare import APART
from dashboards.catalog.figures import all_figures
from dashboards.catalog.metrics import METRICS
from docs.generators import tables
from docs.generators.commands import names
from docs.generators.pages import generated
from docs.generators.roles import roles_by_route, web
from himalaya_core.cli.main import parser
from ingest.tables.definitions import create_tables
from ingest.tables.dictionary import published_tables


@cache
def pages() -> dict[str, str]:
    return generated()


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ `?(.+?)`?$", pages()[page], re.MULTILINE)


def test_every_command_is_described() -> None:
    listed = re.findall(r"^  ([a-z]+)  ", parser().epilog or "", re.MULTILINE)
    assert sorted(listed) == sorted(names())
    assert set(headings("reference/commands.md")) >= {f"himalaya {name}" for name in listed}
    assert pages()["reference/commands.md"].count("usage: himalaya token") > 4


def test_every_public_name_is_described() -> None:
    assert set(headings("reference/python.md")) >= {f"hm.{name}" for name in hm.__all__}


def test_every_request_of_the_api_is_described() -> None:
    requests = {f"{method} {path}" for method, path, _, _ in roles_by_route(web())}
    assert len(requests) > 50
    assert set(headings("reference/http.md")) >= requests
    assert "Roles: viewer, editor, operator." in pages()["reference/http.md"]


def test_every_figure_and_metric_has_an_entry() -> None:
    """The card of a figure links to its name, which has to be an anchor that Sphinx keeps as it is."""
    page = pages()["reference/figures.md"]
    anchors = re.findall(r"^\((.+)\)=$", page, re.MULTILINE)
    assert len(anchors) == len(set(anchors))
    assert set(anchors) >= {*all_figures(), APART, "map", *(f"metric-{name}" for name in METRICS)}
    assert [name for name in all_figures() if not re.fullmatch("[a-z][a-z0-9-]*", name)] == []


def test_every_table_is_on_the_page_of_its_layer_and_game() -> None:
    found = {table.name: table for table in tables.described()}
    assert {table.name for table in published_tables()} <= set(found)
    for table in found.values():
        assert f"`{table.name}`" in pages()[f"reference/tables/{table.page}.md"], table.name
    assert found["fct_summit_moves"].page == "fct-summit"
    assert found["dim_matches"].page == "dim"


@pytest.mark.parametrize("table", [table for table in tables.described() if table.is_readable], ids=lambda it: it.name)
def test_the_query_of_a_table_runs(table: tables.Described, warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute(tables.query_of(table))


@pytest.fixture(scope="module")
def warehouse() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_tables(connection)
    return connection
