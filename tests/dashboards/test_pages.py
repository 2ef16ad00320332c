"""The pages as they are made on the server: an empty warehouse, filters of the address, an unknown address."""

from typing import Any

import pytest
from dash import Dash, page_registry
from dash.development.base_component import Component

from dashboards.app import create_app
from ingest.warehouse import Warehouse


def page(app: Dash, path: str, **query: Any) -> Component:
    with app.server.test_request_context(path):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == path)
        made = layout(**query)
    assert isinstance(made, Component)
    return made


@pytest.mark.parametrize("path", ["/", "/traffic", "/outcomes", "/replay"])
def test_an_empty_warehouse_says_how_to_fill_it(empty: Warehouse, path: str) -> None:
    said = str(page(create_app(empty), path))
    for command in (
        "himalaya demo",
        "himalaya tournament caravan",
        f"himalaya ingest logs/first --db {empty.database}",
    ):
        assert command in said


@pytest.mark.parametrize("path", ["/", "/traffic", "/outcomes", "/replay"])
def test_a_page_has_one_heading_of_the_first_level(app: Dash, path: str) -> None:
    headings = [part for part in page(app, path)._traverse() if getattr(part, "_type", "") == "H1"]
    assert len(headings) == 1


def test_filters_come_from_the_address(app: Dash) -> None:
    made = page(app, "/traffic", player=["trader", "greedy"], seat="1", **{"from": "2", "to": "4"})
    chosen = [made[f"traffic-{name}"].value for name in ("tournament", "player", "seat", "rounds")]
    assert chosen == [[], ["trader", "greedy"], ["1"], [2, 4]]


def test_the_choices_are_what_the_warehouse_holds(app: Dash) -> None:
    made = page(app, "/")
    assert made["matches-tournament"].data == ["four", "three", "(none)"]
    assert made["matches-player"].data == ["envoy", "greedy", "pilgrim", "random", "trader"]


def test_a_filter_for_what_is_gone_stays_visible(app: Dash) -> None:
    made = page(app, "/outcomes", tournament="gone")
    assert made["outcomes-tournament"].value == ["gone"]
    assert "gone" in made["outcomes-tournament"].data


def test_a_database_that_cannot_be_read_is_said_on_the_page(empty: Warehouse) -> None:
    app = create_app(empty)
    empty.close()
    assert "The database cannot be read" in str(page(app, "/traffic"))


def test_an_unknown_address_has_its_page() -> None:
    lost = next(entry for name, entry in page_registry.items() if name.endswith("not_found_404"))
    assert "Page not found" in str(lost["layout"])
