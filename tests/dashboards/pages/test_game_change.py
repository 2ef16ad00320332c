"""Choosing another game keeps known parts of the address, and all links stay within that game."""

import pytest

from dashboards.queries.reader import Reader
from dashboards.ui.components import in_game
from ingest.warehouse import Warehouse
from tests.dashboards.client import everything


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ({"tournament": ["four"], "player": ["greedy", "trader"]}, [("player", "greedy")]),
        ({"seat": ["1", "4"], "players": ["3", "4"], "board": ["other-map"]}, [("seat", "1"), ("players", "3")]),
        ({"result": ["won", "political", "outlasted"], "from": ["2"], "to": ["9"]}, [("result", "won")]),
        ({"side": ["greedy", "envoy"], "with": ["trader"], "layer": ["stupas"]}, [("side", "greedy")]),
        ({"by": ["tournament"], "side": ["greedy", "ropes"]}, [("by", "tournament"), ("side", "ropes")]),
        ({"show": ["two"], "b.player": ["racer", "envoy"], "b.from": ["1"]}, [("show", "two"), ("b.player", "racer")]),
        ({"find": ["x"], "sort": ["-rounds"]}, [("find", "x"), ("sort", "-rounds")]),
    ],
)
def test_filters_that_the_other_game_shares_stay(
    of_both: Reader, query: dict[str, list[str]], kept: list[tuple[str, str]]
) -> None:
    assert in_game(of_both, {"game": ["summit"], **query}) == [("game", "summit"), *kept]


def test_switching_the_game_leads_to_a_page_of_this_site(both: Warehouse) -> None:
    client = everything(both)
    answer = client.get("/in-game/analysis?game=caravan&player=racer&player=trader&from=3")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/analysis?game=caravan&player=trader")
    assert client.get("/in-game/analysis/where?game=caravan").headers["Location"] == "/analysis/where?game=caravan"
    assert client.get("/in-game/matches?player=racer").headers["Location"] == "/matches?player=racer"
    for away in (
        "/in-game//elsewhere.org",
        "/in-game//elsewhere",
        "/in-game/%5Celsewhere.org",
        "/in-game/elsewhere.org",
    ):
        assert client.get(away).status_code == 404
