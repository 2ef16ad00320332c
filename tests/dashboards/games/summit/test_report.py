"""A report about summit: its figures, its texts, and its check against a database with only this game."""

import pytest

from dashboards.catalog.figures import figures_of
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.report.build import build
from dashboards.report.check import differences
from dashboards.report.model import Report, data_of
from dashboards.report.page import page
from dashboards.report.words import summary
from ingest.warehouse import Warehouse
from tests.dashboards.report.test_report import numbers_in, numbers_of, without_data


@pytest.fixture(scope="module")
def report(both: Warehouse) -> Report:
    return build(both, Filter("summit", sizes=(2, 3)))


@pytest.mark.slow("the report of another game")
def test_it_has_the_figures_of_its_game_and_no_others(report: Report) -> None:
    assert [figure.name for figure in report.figures] == list(figures_of("summit"))
    text = page(report)
    assert " · Himalaya (Piatnik 1998); tables of 2 players and 3 players · " in text
    assert all(f'id="figure-{name}"' in text for name in ("dice", "fields", "lost-sherpas", "weather"))
    assert text.count("arrivals</title>") == 32  # the fields on the map of the route
    assert report.telling
    assert not any(name in without_data(text) for name in ("village", "influence", "yak", ">round<"))


def test_no_number_of_its_sentences_is_missing_from_its_figures(report: Report) -> None:
    assert len(summary(report)) > 8
    for figure in report.figures:
        assert set(numbers_in(figure.finding, figure.frame)) <= numbers_of(figure), figure.name


@pytest.mark.slow("builds the same report from another database")
def test_a_report_holds_without_another_game(report: Report, of_summit: Reader) -> None:
    again = build(of_summit.warehouse, Filter("summit", sizes=(2, 3)))
    assert differences(data_of(report) | {"page": ""}, data_of(again) | {"page": ""}) == []
