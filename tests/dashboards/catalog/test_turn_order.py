"""In games that draw the start player, seats are compared by turn order, as a recount of the logs shows."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from dash import Dash

from dashboards.catalog.figures import figure_under, figures_of, finding_of
from dashboards.catalog.metrics import meaning_of
from dashboards.catalog.questions import questions_of
from dashboards.charts.chart import Dots, of_row
from dashboards.charts.theme import LIGHT
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.ui import figure_card
from docs.generators.figures import page
from himalaya_core.files import log_files, read_lines
from tests.dashboards.client import everything

DRAWN = ("climbers", "summit")
SEAT = "seat-effect"


def order_of_turns(logs: Path) -> Iterator[tuple[str, int, int, float]]:
    """Yield player, table size, turn (1 is the first) and share of the win for each seat, from the lines alone."""
    for path in log_files([logs]):
        games = defaultdict[str, list[dict[str, Any]]](list)
        for line in map(json.loads, read_lines(path)):
            games[line["match"]].append(line)
        for lines in games.values():
            turns = list(dict.fromkeys(line["seat"] for line in lines if line["type"] == "turn_started"))
            winners = lines[-1]["data"]["ranking"][0]
            for seat in lines[0]["data"]["seats"]:
                number = seat["seat"]
                won = (number in winners) / len(winners)
                yield seat["player"], len(turns), turns.index(number) + 1, won


@pytest.mark.parametrize("game", DRAWN)
def test_wins_are_counted_by_turn_order_as_in_the_logs(
    of_game: dict[str, Reader], game: str, climbers_logs: Path, summit_logs: Path
) -> None:
    seats = list(order_of_turns({"climbers": climbers_logs, "summit": summit_logs}[game]))
    usual = defaultdict[tuple[str, int], list[float]](list)
    for player, size, _, won in seats:
        usual[player, size].append(won)
    found = figure_under(of_game[game], Filter(game), SEAT).frame(of_game[game], Filter(game))
    assert found.select("players", "turn_order").rows() == sorted({(size, turn) for _, size, turn, _ in seats})
    for row in found.iter_rows(named=True):
        here = [(player, won) for player, *key, won in seats if key == [row["players"], row["turn_order"]]]
        beyond = mean(won - mean(usual[player, row["players"]]) for player, won in here)
        assert row["played"] == len(here)
        assert row["seat_share"] == pytest.approx(mean(won for _, won in here))
        assert row["seat_effect"] == pytest.approx(beyond)


def test_the_drawn_start_player_is_often_not_seat_1(climbers_logs: Path) -> None:
    lines = [json.loads(line) for path in log_files([climbers_logs]) for line in read_lines(path)]
    assert len({line["data"]["player"] for line in lines if line["type"] == "start_player_chosen"}) > 1


@pytest.mark.parametrize("game", DRAWN)
def test_title_rows_sentence_and_columns_name_the_turn_order(of_game: dict[str, Reader], game: str) -> None:
    figure, where = figures_of(game)[SEAT], Filter(game)
    frame = figure.frame(of_game[game], where)
    assert figure.title == "Turn order advantage"
    chart = figure.draw(frame, LIGHT) if figure.draw else None
    assert isinstance(chart, Dots)
    assert chart.rows[:2] == ("Starter of 2", "Second of 2")
    assert "in turn order" in finding_of(of_game[game], figure, frame, where)
    assert "turn order of the first round: 1 starts" in meaning_of("turn_order", game)
    assert "turn order" in meaning_of("seat_effect", game)
    assert of_row(frame.row(0, named=True), figure.narrows) == "players=2"  # no filter selects matches by turn order


def test_a_game_in_which_seat_1_starts_keeps_seats(of_game: dict[str, Reader]) -> None:
    figure = figure_under(of_game["caravan"], Filter("caravan"), SEAT)
    assert (figure.title, list(figure.columns)[1]) == ("Seat advantage", "seat")
    assert questions_of("caravan")["seat"] == "Does the seat matter?"


def test_pages_ask_whether_going_first_matters(app: Dash, of_climbers: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboards.pages.analysis import answer, show_finding

    monkeypatch.setitem(app.server.config, "READER", of_climbers)
    with app.server.test_request_context():
        shown = str(answer(of_climbers, "seat", "", {"game": "climbers"}))
        title, _ = show_finding("?game=climbers", {"finding": SEAT})
    assert "Does going first matter?" in shown
    assert "Turn order advantage" in shown
    assert "Does the seat matter?" not in shown
    assert title.children == "Turn order advantage"
    assert figure_card.of_catalog(of_climbers, SEAT, {}).title == "Turn order advantage"


def test_files_have_the_turn_order(of_climbers: Reader) -> None:
    header = everything(of_climbers.warehouse).get("/csv/seat-effect.csv").text.splitlines()[0]
    assert header.startswith("players,turn_order,")


def test_the_reference_has_both_forms_of_the_figure() -> None:
    entry = page().partition("(seat-effect)=")[2].partition("\n(")[0]
    assert "In summit, climbers it is *Turn order advantage*, with `turn_order` (position" in entry
    assert "in place of `seat`" in entry
