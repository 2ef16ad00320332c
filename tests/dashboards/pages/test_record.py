"""The page to record a match: what its form knows about games, and the elements that its script fills."""

import json
from typing import Any

import pytest
from dash import Dash, page_registry
from dash.development.base_component import Component

from dashboards.app import create_app
from dashboards.games.analytics import terms_of
from dashboards.replay.offline import RECORDING
from himalaya_core.boards import boards_of
from himalaya_core.games import GAMES
from himalaya_core.players import players_of
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client


def place(app: Dash, **query: Any) -> Any:
    with app.server.test_request_context("/record"):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == "/record")
        made = layout(**query)
    assert isinstance(made, Component)
    return made if getattr(made, "id", None) == "record-place" else made["record-place"]


@pytest.fixture
def games(empty: Warehouse) -> dict[str, Any]:
    """The form's data in an empty database."""
    told = json.loads(getattr(place(create_app(empty)), "data-games"))
    return {game["name"]: game for game in told}


def test_the_form_knows_every_game_that_is_installed(games: dict[str, Any]) -> None:
    assert list(games) == list(GAMES)
    for name, told in games.items():
        game = GAMES[name]
        assert [each["id"] for each in told["boards"]] == list(boards_of(game))
        assert told["board"] in boards_of(game)
        assert [each["name"] for each in told["options"]] == [option.name for option in game.options]
        assert told["programs"] == list(players_of(game))
        assert told["usual"] in told["seats"]
        assert told["chance"] == terms_of(name).chance
        for seats in told["seats"]:
            assert game.parse_options({"players": seats}).players == seats


def test_options_number_seats_from_one(games: dict[str, Any]) -> None:
    first, *switches = games["caravan"]["options"]
    assert (first["kind"], first["usual"]) == ("seat", "seat 1")
    assert first["text"] == "the First Caravaneer of round 1"
    assert {each["kind"] for each in switches} == {"switch"}
    assert games["summit"]["options"][0]["usual"] == "by lot"
    assert games["caravan"]["seats"] == [3, 4, 5, 6]
    assert games["summit"]["seats"] == [2, 3, 4, 5]


def test_an_address_with_a_recording_has_the_place_for_it_alone(app: Dash) -> None:
    made = place(app, draft="0123456789abcdef")
    assert getattr(made, "data-draft") == "0123456789abcdef"
    assert not hasattr(made, "data-games")


@pytest.mark.parametrize(
    ("path", "is_there"), [("/record", True), ("/record?draft=0123", True), ("/analysis/compare", False)]
)
def test_the_page_requests_its_script_immediately(client: Client, path: str, is_there: bool) -> None:
    assert (f'<link rel="modulepreload" href="{RECORDING}">' in client.get(path).text) is is_there


def test_home_links_to_recording(app: Dash) -> None:
    with app.server.test_request_context("/"):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == "/")
        links = [part for part in layout()._traverse() if getattr(part, "href", None) == "/record"]
    assert [link.children for link in links] == ["Record a match"]
