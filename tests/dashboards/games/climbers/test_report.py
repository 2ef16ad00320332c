"""A report about The Climbers: its figures, its texts, and its map of squares."""

import re

import pytest
from dash import Dash

from dashboards.catalog.figures import figures_of
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.report.build import build
from dashboards.report.model import Report
from dashboards.report.page import page
from dashboards.report.words import summary
from tests.dashboards.report.fewer import fewer_figures
from tests.dashboards.report.test_report import numbers_in, numbers_of, without_data


@pytest.fixture(scope="module")
def report(of_climbers: Reader) -> Report:
    return build(of_climbers.warehouse, Filter("climbers", sizes=(2, 3)))


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return page(report)


@pytest.mark.slow("the report of another game")
def test_it_has_the_figures_of_its_game_and_no_others(report: Report, text: str) -> None:
    assert [figure.name for figure in report.figures] == list(figures_of("climbers"))
    assert " · The Climbers; tables of 2 players and 3 players · " in text
    assert all(f'id="figure-{name}"' in text for name in ("levels", "hindered-by", "levels-stood", "ways-to-win"))
    assert report.telling
    assert not any(name in without_data(text) for name in ("village", "yak", "Sherpa"))


def test_a_game_without_dice_never_speaks_of_them(of_climbers: Reader, app: Dash) -> None:
    from dashboards.pages.analysis import overview  # a page can be imported only after an app is created

    with fewer_figures():
        said = without_data(page(build(of_climbers.warehouse, Filter())))
    assert "the opening draws match the seed" in said
    with app.server.app_context(), app.server.test_request_context("/analysis"):
        said += str(overview(of_climbers, {"game": ["climbers"]}))
    assert "Matches with the same seed (the same opening draws) count as one observation." in said
    assert not re.search(r"\bdice\b", said, re.IGNORECASE)


@pytest.mark.slow("the report of another game")
def test_no_number_of_its_sentences_is_missing_from_its_figures(report: Report) -> None:
    assert len(summary(report)) > 8
    for figure in report.figures:
        assert set(numbers_in(figure.finding, figure.frame)) <= numbers_of(figure), figure.name


@pytest.mark.slow("the report of another game")
def test_a_bar_of_levels_is_labelled_with_levels(report: Report, text: str) -> None:
    drawing = text.split('<title id="drawing-levels-gained-title">')[1].split("</svg>", maxsplit=1)[0]
    (of_levels,) = [figure for figure in report.figures if figure.name == "levels-gained"]
    assert f">{of_levels.frame['levels_gained'].max():.1f}</text>" in drawing
    assert "%</text>" not in drawing
