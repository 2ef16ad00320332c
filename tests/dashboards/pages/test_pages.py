"""Pages rendered on the server: an empty warehouse, filters in the address, an unknown address."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from dash import Dash, page_registry
from dash.development.base_component import Component

from dashboards.app import create_app
from dashboards.catalog.figures import figures_of
from dashboards.catalog.metrics import METRICS, metric_of
from dashboards.games.analytics import ANALYTICS
from dashboards.queries.reader import Reader
from dashboards.ui.filter_bar import SEARCH
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client


def page(app: Dash, path: str, **query: Any) -> Component:
    with app.server.test_request_context(path):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == path)
        made = layout(**query)
    assert isinstance(made, Component)
    return made


@pytest.mark.parametrize(
    "path", ["/", "/matches", "/analysis/where", "/analysis", "/replay", "/tournaments", "/tournament"]
)
def test_an_empty_warehouse_says_how_to_fill_it(empty: Warehouse, path: str) -> None:
    said = str(page(create_app(empty), path))
    for command in (
        "himalaya demo",
        "himalaya tournament caravan",
        f"himalaya ingest logs/first --db {empty.database.name}",
    ):
        assert command in said


@pytest.mark.parametrize(
    "path", ["/", "/matches", "/analysis/where", "/analysis", "/replay", "/record", "/tournaments", "/glossary"]
)
def test_a_page_has_one_heading_of_the_first_level(app: Dash, path: str) -> None:
    headings = [part for part in page(app, path)._traverse() if getattr(part, "_type", "") == "H1"]
    assert len(headings) == 1


def chosen(made: Component, key: str) -> Any:
    return made[{"filter": key}].value


def test_the_choices_are_the_values_in_the_warehouse(app: Dash) -> None:
    made = page(app, "/matches")
    assert made[{"filter": "tournament"}].data == ["four", "three", {"value": "(none)", "label": "none"}]
    assert made[{"filter": "player"}].data == ["envoy", "greedy", "pilgrim", "random", "trader"]
    assert made[{"filter": "seat"}].data[-1] == {"value": "4", "label": "Seat 4"}
    assert made[{"filter": "result"}].data[-2:] == [
        {"value": "religious", "label": "out: religious"},
        {"value": "outlasted", "label": "stayed in, lost"},
    ]


def filters_of(made: Component) -> set[str]:
    ids = (getattr(part, "id", None) for part in made._traverse())
    return {name["filter"] for name in ids if isinstance(name, dict) and "filter" in name}


def test_a_database_of_two_games_has_one_choice_of_game(both: Warehouse) -> None:
    app = create_app(both)
    made = page(app, "/analysis/where", game="caravan", show="two", **{"b.player": "trader"})
    assert {"game", "player", "b.player"} <= filters_of(made)
    assert "b.game" not in filters_of(made)
    assert [game["label"] for game in made[{"filter": "game"}].data] == [
        "Himalaya (Piatnik 1998)",
        "Himalaya (Tilsit 2004)",
    ]
    assert made[{"filter": "rounds"}].max == 12
    assert "Arrivals and journeys" in str(made)


@pytest.mark.slow("every page")
def test_a_database_of_one_game_needs_no_choice_of_game(of_summit: Reader) -> None:
    app = create_app(of_summit.warehouse)
    made = page(app, "/analysis/where")
    assert "game" not in filters_of(made)
    assert made[{"filter": "rounds"}].max == 20
    assert "Fields visited" in str(made)
    assert "/analysis/why/dice" in str(page(app, "/analysis"))
    assert "Fields from the climber of the winner" in str(page(app, "/matches"))
    for path, name in (
        ("/analysis/why", "figure-outcomes"),
        ("/analysis/compare", "compare-heights-by-throw"),
        ("/glossary", "dice_pips"),
    ):
        assert re.search(f"(='|'id': '){name}'", str(page(app, path))), path


@pytest.mark.slow("every page")
def test_pages_of_climbers(of_climbers: Reader) -> None:
    app = create_app(of_climbers.warehouse)
    made = page(app, "/analysis/where", show="winners", layer="high")
    assert made[{"filter": "rounds"}].max == 40
    assert "='figure-levels-stood'" in str(made)
    assert "On the map" not in str(made)
    for path, name in (
        ("/analysis/why", "figure-levels"),
        ("/analysis/compare", "compare-levels-by-turn"),
        ("/glossary", "levels_stood"),
    ):
        assert re.search(f"(='|'id': '){name}'", str(page(app, path))), path


def test_useless_filters_are_not_offered(app: Dash) -> None:
    ids = (getattr(part, "id", None) for part in page(app, "/matches")._traverse())
    offered = [name["filter"] for name in ids if isinstance(name, dict)]
    assert "board" in offered
    assert "game" not in offered


def test_a_filter_for_missing_values_stays_visible(app: Dash) -> None:
    made = page(app, "/matches", tournament="gone", game="gone")
    assert (chosen(made, "tournament"), chosen(made, "game")) == (["gone"], "gone")
    assert "gone" in made[{"filter": "tournament"}].data


def test_the_filter_bar_is_made_from_the_address(app: Dash) -> None:
    made = page(
        app, "/matches", player=["trader", "greedy"], seat="2", players="4", status="finished", **{"with": "envoy"}
    )
    assert (chosen(made, "player"), chosen(made, "seat"), chosen(made, "players")) == (
        ["trader", "greedy"],
        ["2"],
        ["4"],
    )
    assert (chosen(made, "status"), chosen(made, "with")) == (["finished"], ["envoy"])
    assert made[SEARCH].data == "?player=trader&player=greedy&seat=2&players=4&status=finished&with=envoy"


def test_an_unreadable_database_is_reported_on_the_page(empty: Warehouse) -> None:
    app = create_app(empty)
    empty.close()
    assert "The database cannot be read" in str(page(app, "/analysis/where"))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/?player=x", 302),
        ("/?what=x", 200),
        ("/tournaments/", 200),
        ("/matches?player=x", 200),
        ("/no-such-page", 404),
        ("/not-found-404", 404),
    ],
)
def test_an_unknown_address_answers_with_its_status(client: Client, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_an_unknown_address_has_its_page() -> None:
    lost = next(entry for name, entry in page_registry.items() if name.endswith("not_found_404"))
    assert "Page not found" in str(lost["layout"]())


def elements(tree: Any) -> Iterator[list[Any]]:
    """Yield each element of a tree with the form `[tag, properties, *children]`."""
    if isinstance(tree, list):
        yield tree
        for child in tree[2:]:
            yield from elements(child)


def test_the_glossary_has_every_column_once(app: Dash) -> None:
    made = page(app, "/glossary")
    trees = [tree for part in made._traverse() for tree in getattr(part, "tree", ())]
    entries = [each for tree in trees for each in elements(tree) if each[1].get("className") == "entry"]
    said = {properties["id"]: str(children) for _, properties, *children in entries}
    assert len(entries) == len(said)
    columns = {
        game: {metric.name for table in figures_of(game).values() for metric in map(metric_of, table.columns) if metric}
        for game in ANALYTICS
    }
    assert set(said) == columns["caravan"] | (METRICS.keys() - columns["summit"] - columns["climbers"])
    text = said["win_share"]
    for part in (METRICS["win_share"].sentence, METRICS["win_share"].formula, "share won", "/analysis/who/win-share"):
        assert part in text


def words(app: Dash, **query: str) -> str:
    """Return the glossary terms used on pages and by the game."""
    trees = [tree for part in page(app, "/glossary", **query)._traverse() for tree in getattr(part, "tree", ())]
    (found,) = [each for tree in trees for each in elements(tree) if each[1].get("id") == "words"]
    return str(found)


def test_the_glossary_begins_with_the_words_of_pages_and_of_the_game(app: Dash) -> None:
    assert all(word in words(app) for word in ("Seat", "Quarantine", "First Caravaneer"))
    assert "First Caravaneer" not in words(app, game="summit")


@pytest.mark.parametrize("query", [{}, {"tournament": "gone"}])
def test_a_missing_tournament_leads_to_the_choice_of_tournaments(app: Dash, query: dict[str, str]) -> None:
    said = str(page(app, "/tournament", **query))
    assert "/tournament?tournament=four" in said
    assert ("no tournament gone" in said) == bool(query)
