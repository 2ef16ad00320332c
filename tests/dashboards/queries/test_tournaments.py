"""The list of tournaments, and the choices of filters, compared with the logs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboards.app import create_app
from dashboards.catalog.figures import TOURNAMENTS
from dashboards.games.caravan.analytics import TURNING_POINTS
from dashboards.queries.addresses import Sort
from dashboards.queries.filters import NO_TOURNAMENT, Filter
from dashboards.queries.logs import match_lines
from dashboards.queries.matches import MatchFilter, matches_page, turning_plies
from dashboards.queries.reader import Reader
from dashboards.queries.tournaments import tournament_list
from dashboards.queries.where import filter_choices, games_played
from dashboards.ui.filter_bar import filter_bar
from himalaya_core.replay import Replay
from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse
from tests.copies import copied


def test_each_tournament_is_a_row(reader: Reader, finished: list[Replay]) -> None:
    frame = tournament_list(reader, Filter())
    counted = ["tournament", "game", "status", "all_matches", "finished", "groups", "player_count", "version_count"]
    seeds = {name: len({r.header.luck for r in finished if r.header.tournament == name}) for name in ("four", "three")}
    assert frame.sort("tournament").select(*counted, "sizes").rows() == [
        ("four", "caravan", "finished", 8, 8, seeds["four"], 4, 4, "4"),
        ("three", "caravan", "finished", 3, 3, seeds["three"], 3, 3, "3"),
    ]
    assert TOURNAMENTS.finding(frame) == "2 tournaments of Himalaya (Tilsit 2004) with 11 matches, all finished."


@pytest.mark.parametrize(
    ("where", "names"),
    [
        (Filter(players=("random",)), ["three"]),
        (Filter(players=("trader",), seats=(3,)), ["four"]),
        (Filter(sizes=(4,)), ["four"]),
        (Filter(board="other-map"), []),
        (Filter(game="summit"), []),
    ],
)
def test_a_filter_leaves_the_tournaments_with_such_a_match(reader: Reader, where: Filter, names: list[str]) -> None:
    frame = tournament_list(reader, where)
    assert frame["tournament"].to_list() == names
    assert (
        frame["all_matches"].to_list()
        == tournament_list(reader, Filter(tournaments=("-", *names)))["all_matches"].to_list()
    )


@pytest.fixture
def own(database: Path, warehouse: Warehouse, tmp_path: Path) -> Iterator[Warehouse]:
    """A writable copy of the warehouse; the original is first written to disk completely."""
    with warehouse.reading() as cursor:
        cursor.execute("checkpoint")
    path = tmp_path / "own.duckdb"
    copied(database, path)
    with open_warehouse(path) as opened:
        yield opened


def change(warehouse: Warehouse, what: str, where: str) -> None:
    with warehouse.writing() as cursor:
        cursor.execute(f"update dim_matches set {what} where {where}")


@pytest.mark.parametrize("status", ["abandoned", "unfinished"])
def test_a_tournament_has_the_status_of_its_worst_match(own: Warehouse, status: str) -> None:
    change(own, f"status = '{status}'", "match = 'three.000001'")
    frame = tournament_list(Reader(own), Filter(tournaments=("three",)))
    assert frame.select("status", "all_matches", "finished").rows() == [(status, 3, 2)]
    assert TOURNAMENTS.finding(frame) == "1 tournament of Himalaya (Tilsit 2004) with 3 matches, 2 finished."


def test_an_option_that_a_log_does_not_name_is_false(own: Warehouse) -> None:
    change(own, """options = '{"players": 3, "tokens": true}'""", "match = 'three.000001'")
    change(own, """options = '{"players": 3, "variant": "short"}'""", "tournament = 'four'")
    reader = Reader(own)
    assert filter_choices(reader).options == ("tokens=false", "tokens=true", "variant=false", "variant=short")
    assert filter_choices(reader, within=("three",)).options == ("tokens=false", "tokens=true")
    frame, _ = matches_page(reader, MatchFilter(Filter(options=("tokens=true", "variant=false"))), Sort(), 0, 9)
    assert frame["match"].to_list() == ["three.000001"]


def test_each_game_is_listed_separately(own: Warehouse) -> None:
    change(own, "game = 'summit'", "tournament = 'three'")
    reader = Reader(own)
    assert filter_choices(reader).games == ("caravan", "summit")
    assert (filter_choices(reader).tournaments, filter_choices(reader, "summit").tournaments) == (
        ("four", NO_TOURNAMENT),
        ("three",),
    )
    assert tournament_list(reader, Filter())["tournament"].to_list() == ["four"]
    assert tournament_list(reader, Filter(game="summit"))["tournament"].to_list() == ["three"]
    assert matches_page(reader, MatchFilter(Filter(game="summit")), Sort(), 0, 9)[1] == 3
    with create_app(own).server.test_request_context("/"):
        usual, other = filter_bar({}), filter_bar({"game": "summit"})
    game: Any = {"filter": "game"}
    player: Any = {"filter": "player"}
    assert (usual[game].placeholder, usual[game].value) == ("Game: Himalaya (Tilsit 2004)", None)
    assert usual[game].data == [
        {"value": "caravan", "label": "Himalaya (Tilsit 2004)"},
        {"value": "summit", "label": "Himalaya (Piatnik 1998)"},
    ]
    assert (other[game].value, other[player].data) == ("summit", ["greedy", "random", "trader"])


def test_the_choices_are_the_values_that_occur(reader: Reader) -> None:
    found = filter_choices(reader)
    assert (found.game, found.games, found.sizes, found.seats) == ("caravan", ("caravan",), (3, 4), 4)
    assert found.tournaments == ("four", "three", NO_TOURNAMENT)
    assert found.players == ("envoy", "greedy", "pilgrim", "random", "trader")
    assert "envoy 1:delegation=4:stupa=1:yak=0.3" in found.versions
    assert found.eliminations == ("political", "religious")
    assert set(found.boards) == {"tilsit-reconstructed", "other-map"}
    assert found.options == ()


def test_the_choices_within_a_tournament(reader: Reader) -> None:
    found = filter_choices(reader, within=("three",))
    assert (found.players, found.sizes, found.tournaments) == (("greedy", "random", "trader"), (3,), ("three",))
    assert filter_choices(reader, "summit").players == ()


def test_a_match_turned_at_the_end_of_its_decisive_round(reader: Reader, warehouse: Warehouse) -> None:
    with warehouse.reading() as cursor:
        sql = """select match, decisive_round from fct_caravan_courses join dim_matches using (match_id)
            where tournament = 'four'"""
        decided = dict(cursor.execute(sql).fetchall())
    plies = turning_plies(reader, [*decided, "nobody", "cut-off"], [TURNING_POINTS])
    assert set(plies) == {match for match, number in decided.items() if number is not None}
    for match, ply in plies.items():
        events = [json.loads(line) for line in match_lines(reader, match) or []]
        ended = [
            event["ply"] for event in events if event["type"] == "round_ended" and event["round"] == decided[match]
        ]
        assert ended == [ply]


def test_the_page_lists_tournaments_of_all_games_until_one_is_chosen(of_both: Reader) -> None:
    from dashboards.pages.tournaments import listed

    assert set(listed(of_both, {})["game"]) == set(games_played(of_both))
    assert set(listed(of_both, {"game": ["summit"]})["game"]) == {"summit"}
