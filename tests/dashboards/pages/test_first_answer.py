"""Scripts that pages load first, and their first requests."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from dash import Dash, dcc, html, page_registry
from dash.development.base_component import Component

from dashboards.app import GRID, has_figures
from dashboards.ui.components import aria, plain
from tests.dashboards.client import Client

PATHS = (
    "/",
    "/matches",
    "/replay",
    "/tournaments",
    "/analysis/compare",
    "/analysis",
    "/analysis/where",
    "/intake",
    "/glossary",
)
PLOTLY = "/_dash-component-suites/plotly/package_data/plotly.min.js"


def page(app: Dash, path: str, **query: Any) -> Component:
    with app.server.test_request_context(path):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == path)
        made = layout(**query)
    assert isinstance(made, Component)
    return made


def kinds(made: Component) -> set[str]:
    return {getattr(part, "_type", "") for part in made._traverse()}


@pytest.mark.parametrize("path", [*PATHS, "/tournament"])
def test_a_page_preloads_only_the_scripts_it_needs(app: Dash, client: Client, path: str) -> None:
    made = kinds(page(app, path, tournament="four"))
    assert ("Graph" in made) == (has_figures(path) and path != "/analysis/where")
    assert ("AgGrid" in made) == (path == GRID)
    text = client.get(path).text
    ahead = set(re.findall(r'<link rel="preload" as="(?:script|fetch)" href="([^"]+)"', text))
    assert (PLOTLY in ahead) == has_figures(path)
    assert {"/_dash-layout", "/_dash-dependencies"} <= ahead
    grid = [source for source in re.findall(r'<script src="([^"]+)"', text) if "ag_grid" in source]
    assert len(grid) == (path == GRID)
    assert ('<meta name="grid-script" content="/_dash-component-suites/dash_ag_grid/' in text) == (path != GRID)


@pytest.mark.parametrize("path", [*PATHS, "/tournament"])
def test_preloaded_files_exist(client: Client, path: str) -> None:
    text = client.get(path).text
    asked = re.findall(r'(?:as="(?:script|fetch)" href|name="grid-script" content)="([^"]+)"', text)
    assert {address: client.get(address).status_code for address in asked} == dict.fromkeys(asked, 200)


def test_the_first_answer_of_a_tournament_page_has_its_standing(app: Dash) -> None:
    made = page(app, "/tournament", tournament="four")
    assert made["tournament-lead"].children == "8 finished matches"
    for part in ("standing", "cross"):
        assert {"Table", "Tr"} <= kinds(html.Div(made[f"tournament-{part}"].children))
        assert made[f"tournament-{part}-said"].children.endswith(".")
        assert made[f"tournament-{part}-csv"].href.startswith("/csv/")


def texts(tree: Any) -> Iterator[str]:
    if not isinstance(tree, list):
        yield str(tree)
        return
    for child in tree[2:]:
        yield from texts(child)


def test_plain_elements_are_one_component_with_all_their_text() -> None:
    one = html.P(["All of ", html.A("it", href="#it", **aria(label="It")), 7], className="meta", id="said")
    made: Any = plain(one, "and more")
    assert made.tree == [
        ["p", {"className": "meta", "id": "said"}, "All of ", ["a", {"href": "#it", "aria-label": "It"}, "it"], 7],
        "and more",
    ]
    assert "".join(texts(["div", {}, *made.tree])) == "All of it7and more"


@pytest.mark.parametrize("part", [dcc.Link("Home", href="/"), html.Div(dcc.Store(id="kept"))])
def test_an_interactive_element_is_not_plain(part: Component) -> None:
    with pytest.raises(AssertionError):
        plain(part)
